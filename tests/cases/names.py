"""What is public and tested in files of its own: debugging, scopes, modules, initializers."""

ELSEWHERE = {
    "Assert",
    "DeviceSpec",
    "Module",
    "assert_equal",
    "assert_greater",
    "assert_less",
    "assert_rank",
    "constant_initializer",
    "control_dependencies",
    "device",
    "get_current_name_scope",
    "get_logger",
    "group",
    "init_scope",
    "name_scope",
    "no_op",
    "numpy_function",
    "ones_initializer",
    "print",
    "py_function",
    "random_normal_initializer",
    "random_uniform_initializer",
    "zeros_initializer",
}
# test_replacement.py, tests/explore, test_variable_creation.py
ELSEWHERE |= {"as_tensorflow", "explore", "variable_creator_scope"}
ELSEWHERE |= {"Graph", "Operation"}  # tests/compat
# tests/differential/texts/rarer.txt, tests/test_rarer_names.py
ELSEWHERE |= {"collapse_repeated", "ctc_beam_search_decoder", "ctc_unique_labels", "fingerprint"}
ELSEWHERE |= {"fractional_avg_pool", "fractional_max_pool", "sobol_sample", "as_string", "hessians"}
ELSEWHERE |= {"combined_non_max_suppression", "non_max_suppression_overlaps"}
ELSEWHERE |= {"non_max_suppression_padded", "non_max_suppression_with_scores"}
ELSEWHERE |= {"CriticalSection", "grad_pass_through"}
ELSEWHERE |= {"make_ndarray", "make_tensor_proto", "safe_embedding_lookup_sparse"}
ELSEWHERE |= {"batch_norm_with_global_normalization"}
ELSEWHERE |= {"eigh_tridiagonal", "fftnd", "ifftnd", "rfftnd", "irfftnd", "experimental"}
ELSEWHERE |= {"decode_and_crop_jpeg"}
