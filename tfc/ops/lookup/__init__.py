"""Lookup tables: what is behind `tfc.lookup`."""
