"""`tf.distribute.cluster_resolver`: who this process is among those of a job."""

from .cluster import ClusterResolver, SimpleClusterResolver, TFConfigClusterResolver

__all__ = ["ClusterResolver", "SimpleClusterResolver", "TFConfigClusterResolver"]
