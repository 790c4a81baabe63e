"""Events of many tables: pairings in, packs for every table out, results in, standings out; knows no game."""
