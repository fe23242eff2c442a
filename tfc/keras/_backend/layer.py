"""What each layer is besides a Keras layer: nothing. Its Variables are found by Keras."""


class Layer:
    """The base of Keras' layers on this backend."""
