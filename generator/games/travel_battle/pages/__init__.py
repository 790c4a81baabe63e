"""The printed pages of Travel Battle."""
