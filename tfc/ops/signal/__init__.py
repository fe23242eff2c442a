"""Transforms, frames and windows."""
