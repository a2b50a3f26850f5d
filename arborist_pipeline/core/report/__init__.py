"""A snapshot of a site to findings. Read in order: snapshot, finding, signals, report, render."""
