"""What a process waits for that finds nothing compiled: first calls of training steps, the second
size of their batches, first eager ops."""
