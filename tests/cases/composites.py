"""What is public and tested in files of its own: specs of composites, and what has no gradient."""

ELSEWHERE = {  # test_composite_specs.py
    "IndexedSlicesSpec",
    "RaggedTensorSpec",
    "SparseTensorSpec",
    "TypeSpec",
    "inside_function",
    "type_spec_from_value",
}
ELSEWHERE |= {  # test_rarer_functions.py
    "adjust_jpeg_quality",
    "edit_distance",
    "embedding_lookup_sparse",
    "approx_max_k",
    "approx_min_k",
    "extract_glimpse",
    "inverse_mdct",
    "isotonic_regression",
    "mdct",
}
ELSEWHERE |= {"OptionalSpec", "import_graph_def"}  # tests/data, tests/compat
