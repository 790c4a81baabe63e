"""Lay out the markup of sheets as positioned content on pages."""
