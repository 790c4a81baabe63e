"""Files of other programs, and tests of the commands that read them."""
