"""Read files of other programs: spreadsheets, tables of web pages, and maps of hexes."""
