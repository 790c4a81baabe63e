"""From a map view to a picture: layers, tokens, names and legend."""
