"""The slow measurements: each prints ratios of what ran side by side, and none decides by absolute time."""
