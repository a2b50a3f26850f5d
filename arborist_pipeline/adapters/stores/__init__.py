"""The store over SQLAlchemy Core: one class a port, one file each, all over the tables of `schema`."""
