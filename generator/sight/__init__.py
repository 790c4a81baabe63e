"""Lines of sight: exact geometry, and the rulings applied to it."""
