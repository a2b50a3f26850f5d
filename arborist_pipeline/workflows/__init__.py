"""Use cases over ports: async where the network waits, a few dozen lines of real work each."""
