"""Pages of Travel Battle."""
