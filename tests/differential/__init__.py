"""The same programs on tfc and on TensorFlow: `python -m tests.differential` (`make
compare-tensorflow`).

- `programs` are texts of expressions, and the numbers that they are given: derivatives where they
  jump or end, integers at the ends of their dtypes, and what was once found to differ. What
  TensorFlow gives for them is committed (`agreed/*.txt`), so that the tests of tfc need no
  TensorFlow.
- `wide` are the cases of all public functions, tests/cases, in more dtypes and with other numbers.
  Both libraries run them, and nothing is kept.
- `composites` are functions of ragged and sparse tensors, with many arguments: likewise.
- `intended.toml` says where the results differ because they should, and why; the docs show it.
"""
