"""One asset a file, and the file bears its key."""
