"""Shared by all packages: errors, arguments, options, files and streams, steps of jobs, workers."""
