"""Tablut as Carl von Linné described it in Lapland in 1732, with a king and eight men against sixteen."""
