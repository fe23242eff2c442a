"""Ops that arrange, index, make and convert arrays."""
