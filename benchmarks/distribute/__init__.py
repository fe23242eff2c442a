"""Jobs of several processes: sums of arrays, steps of training, and how they scale."""
