"""Each Fetcher answers the same call, so that each can stand where another stands."""
