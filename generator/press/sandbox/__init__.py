"""Where templates run: they reach nothing but their values, a person's own in a process with limits."""
