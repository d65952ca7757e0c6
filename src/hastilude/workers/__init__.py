"""Does many tasks at once, in processes of this machine or of a cluster."""

from hastilude.workers.job import Job, Workers
from hastilude.workers.local import Local

__all__ = ["Job", "Local", "Workers"]
