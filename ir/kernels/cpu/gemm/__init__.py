"""Matrix products: packed or read in place, tile by tile."""
