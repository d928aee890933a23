"""What every room may use: errors, arguments, options, files and streams, steps of jobs, workers."""
