"""Control flow takes functions: its cases are programs, in test_control_flow.py."""

ELSEWHERE = {"case", "cond", "foldl", "foldr", "map_fn", "scan", "switch_case"}
ELSEWHERE |= {"vectorized_map", "while_loop"}
ELSEWHERE |= {"TensorArray", "TensorArraySpec"}  # test_tensor_array.py
ELSEWHERE |= {"recompute_grad"}  # test_checkpointing.py
