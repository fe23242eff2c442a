"""Generators and distributions."""
