"""A race of two snails: the smallest game there can be."""
