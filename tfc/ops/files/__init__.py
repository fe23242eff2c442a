"""Files and folders: what `tf.io.gfile` has."""
