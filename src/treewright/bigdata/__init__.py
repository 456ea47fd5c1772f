"""Tables beyond memory: the same tree, grown over partitions, on one machine or on many.

In this order, each using only what stands before: ``parts`` (what a partition gives and what is
asked of it), ``partitions`` (rows of Parquet files), ``spooling`` and ``sources`` (whatever comes
in, as partitions), ``schemas`` (what columns are, by one pass), ``encoding`` (rows as the core
reads them), ``engines`` and ``dask_engine`` (who reads), ``sampling``, ``questions``, ``edges``,
``folds`` (several trees in the same passes), ``handover`` (of small nodes to growth in memory),
``exactness``, ``supported`` and ``growth`` (the tree, level by level), ``pruning``, ``fitting`` and
``prediction``.
"""

from treewright.bigdata.fitting import fit
from treewright.bigdata.prediction import predict
from treewright.bigdata.sampling import SAMPLE_ROWS, sample
from treewright.bigdata.sources import ROWS_PER_PARTITION

__all__ = ["ROWS_PER_PARTITION", "SAMPLE_ROWS", "fit", "predict", "sample"]
