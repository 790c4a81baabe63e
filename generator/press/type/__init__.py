"""Letters: founding the fonts, the type scale, and breaking lines."""
