"""`tfc.compat.v1.gfile`: the names that `tf.io.gfile` had in TensorFlow 1."""

from tfc import io_gfile as _gfile

GFile = FastGFile = Open = _gfile.GFile
Copy = _gfile.copy
DeleteRecursively = _gfile.rmtree
Exists = _gfile.exists
Glob = _gfile.glob
IsDirectory = _gfile.isdir
ListDirectory = _gfile.listdir
MakeDirs = _gfile.makedirs
MkDir = _gfile.mkdir
Remove = _gfile.remove
Rename = _gfile.rename
Stat = _gfile.stat
Walk = _gfile.walk
