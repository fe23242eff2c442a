"""The kinds of plans: where elements come from, and what is done with them."""
