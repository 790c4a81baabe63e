"""Named drawings in mm around their own origin, and the theme that defines their colours."""
