"""The sandbox of templates: they reach only their values; a user's own run in a limited process."""
