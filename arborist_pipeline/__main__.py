"""python -m arborist_pipeline, and the `arborist` command."""
