"""End-to-end jobs: training, translation, model directories, the command line."""
