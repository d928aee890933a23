"""Shared by all rooms: errors, arguments, options, files and streams, steps of jobs, workers."""
