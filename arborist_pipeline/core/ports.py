"""What the core needs from outside."""
