"""What is public and no op, or is tested in a file of its own."""

ELSEWHERE = {
    "GradientTape",
    "Tensor",
    "TensorShape",
    "TensorSpec",
    "UnconnectedGradients",
    "Variable",
    "DType",
    "as_dtype",
    "custom_gradient",
    "executing_eagerly",
    "function",
    "grad",
    "gradients_function",
    "is_tensor",
    "value_and_grad",
}
