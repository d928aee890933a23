"""End-to-end jobs: training, tuning, model directories, clusters."""
