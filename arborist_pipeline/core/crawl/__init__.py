"""What to fetch next, and when. Read in order: policy, records, admission, priority, frontier, politeness."""
