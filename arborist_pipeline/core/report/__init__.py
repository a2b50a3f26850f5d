"""A snapshot of a site to findings. Read in order: snapshot and what it is made of, finding, signals, report."""
