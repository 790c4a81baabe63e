"""Named drawings, in mm around their own origin, and the looks that select them."""
