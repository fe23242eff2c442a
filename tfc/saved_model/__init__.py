"""`tfc.saved_model`: a Module with its Variables and what its functions were traced for, as data.

A saved model is a folder:

    saved_model.json    the tree of objects, the signatures of the functions, checksums of the rest
    variables.npz       the values of Variables, and tensors that functions captured
    functions/0.ir ...  each trace as IR text (see tfc.ir.text)

There is no code in it, of Python or of a machine, and nothing is unpickled: what is loaded runs
without the Python source, and can be read, compared and checked.
"""

from ..core.absent import namespace as _namespace
from ..core.absent import refusal as _refusal
from .constants import (
    ASSETS_DIRECTORY,
    ASSETS_KEY,
    CLASSIFY_INPUTS,
    CLASSIFY_METHOD_NAME,
    CLASSIFY_OUTPUT_CLASSES,
    CLASSIFY_OUTPUT_SCORES,
    DEBUG_DIRECTORY,
    DEBUG_INFO_FILENAME_PB,
    PREDICT_INPUTS,
    PREDICT_METHOD_NAME,
    PREDICT_OUTPUTS,
    REGRESS_INPUTS,
    REGRESS_METHOD_NAME,
    REGRESS_OUTPUTS,
    SAVED_MODEL_FILENAME_PB,
    SAVED_MODEL_FILENAME_PBTXT,
    SAVED_MODEL_SCHEMA_VERSION,
    VARIABLES_DIRECTORY,
    VARIABLES_FILENAME,
)
from .encoding import DEFAULT_SIGNATURE
from .loading import contains_saved_model, load
from .saving import LoadOptions, SaveOptions, VariablePolicy, save

DEFAULT_SERVING_SIGNATURE_DEF_KEY = DEFAULT_SIGNATURE
# Tags, which `load` takes and does not look at.
GPU = "gpu"
SERVING = "serve"
TPU = "tpu"
TRAINING = "train"

experimental = _namespace("tf.saved_model.experimental", VariablePolicy=VariablePolicy)
del VariablePolicy

__getattr__ = _refusal("tf.saved_model")
__all__ = [
    "ASSETS_DIRECTORY",
    "ASSETS_KEY",
    "CLASSIFY_INPUTS",
    "CLASSIFY_METHOD_NAME",
    "CLASSIFY_OUTPUT_CLASSES",
    "CLASSIFY_OUTPUT_SCORES",
    "DEBUG_DIRECTORY",
    "DEBUG_INFO_FILENAME_PB",
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY",
    "GPU",
    "PREDICT_INPUTS",
    "PREDICT_METHOD_NAME",
    "PREDICT_OUTPUTS",
    "REGRESS_INPUTS",
    "REGRESS_METHOD_NAME",
    "REGRESS_OUTPUTS",
    "SAVED_MODEL_FILENAME_PB",
    "SAVED_MODEL_FILENAME_PBTXT",
    "SAVED_MODEL_SCHEMA_VERSION",
    "SERVING",
    "TPU",
    "TRAINING",
    "VARIABLES_DIRECTORY",
    "VARIABLES_FILENAME",
    "LoadOptions",
    "SaveOptions",
    "contains_saved_model",
    "experimental",
    "load",
    "save",
]
