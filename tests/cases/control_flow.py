"""Control flow takes functions: its cases are programs, in test_control_flow.py."""

ELSEWHERE = {"case", "cond", "foldl", "foldr", "map_fn", "scan", "switch_case"}
ELSEWHERE |= {"vectorized_map", "while_loop"}
ELSEWHERE |= {
    "TensorArray",
    "TensorArraySpec",
    "recompute_grad",
}  # test_tensor_array.py, test_checkpointing.py
