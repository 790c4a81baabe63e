"""Exact lines of sight, and the rulings applied to them."""
