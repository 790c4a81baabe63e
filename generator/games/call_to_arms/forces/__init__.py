"""Deployment cards and Specialists, and an army while it is raised from them."""
