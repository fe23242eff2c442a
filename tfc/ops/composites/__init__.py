"""What public functions do with tensors that are made of several: ragged ones, sparse ones."""
