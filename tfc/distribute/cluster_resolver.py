"""`tf.distribute.cluster_resolver`: who this process is among those of a job."""

from ..core.absent import refusal as _refusal
from .cluster import ClusterResolver, SimpleClusterResolver, TFConfigClusterResolver

__getattr__ = _refusal("tf.distribute.cluster_resolver")
__all__ = ["ClusterResolver", "SimpleClusterResolver", "TFConfigClusterResolver"]
