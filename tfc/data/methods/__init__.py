"""The methods of `Dataset`, a file for each group of them. Each makes a plan of another one."""
