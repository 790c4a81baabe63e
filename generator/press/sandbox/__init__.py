"""The sandbox for templates, which can access only the values given. User templates run in a process with limits."""
