"""Tablut as Carl von Linné saw it played in Lapland in 1732: a king and eight men against sixteen."""
