"""What a tensor is: its value, shape, place and errors; nothing here knows how an op runs."""
