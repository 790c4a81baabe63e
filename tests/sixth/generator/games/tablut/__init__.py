"""Tablut as Carl von Linné saw it played in Lapland in 1732: a king and his eight men against sixteen."""
