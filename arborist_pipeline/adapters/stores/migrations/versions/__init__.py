"""One file a migration; none is ever edited once it is released."""
