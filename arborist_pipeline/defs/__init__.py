"""Dagster, and only here: assets, jobs, schedule, sensors. Each is wiring; the thinking is on the floors below."""
