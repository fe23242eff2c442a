"""tf.function: arguments, traces and the programs that they become."""
