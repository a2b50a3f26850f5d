"""What to do, decided as data: no network, clock, file or database is touched in here."""
