"""What every room stands on: checks of parameters, JSON read with care, worker threads."""
