"""What schedules of all machines are written with: loops over elements and rows, the stages of
reductions, convolutions as matrix products."""
