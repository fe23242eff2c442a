"""Images, by Keras' names."""

from .colors import hsv_to_rgb, rgb_to_grayscale, rgb_to_hsv
from .filters import gaussian_blur, sobel_edges
from .resizing import resize, scale_and_translate
from .transforms import (
    affine_transform,
    compute_homography_matrix,
    elastic_transform,
    map_coordinates,
    perspective_transform,
)
