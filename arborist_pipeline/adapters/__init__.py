"""The outer ring: HTTP, SQL, the clock. Adapters do not know each other."""
