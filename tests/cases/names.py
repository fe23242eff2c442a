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
    "group",
    "init_scope",
    "name_scope",
    "no_op",
    "ones_initializer",
    "print",
    "random_normal_initializer",
    "random_uniform_initializer",
    "zeros_initializer",
}
