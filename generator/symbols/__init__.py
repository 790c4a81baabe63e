"""Drawings by name, in millimetres around their own origin, and the looks that say which is drawn how."""
