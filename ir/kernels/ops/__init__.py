"""The ops of kernels: loops, memory and checks. The scalar ops are the elementwise classes.

Loop bodies are regions that, unlike others, use values from around them.
"""

from .control import Assert, Branch, CallRoutine, CallScalar, Rarely, Repeat
from .launches import LAUNCHES, UNNAMED, HostLaunch, Launch, Update
from .loops import MOST_LANES, For, Grid, Parallel
from .memory import (
    MEMORY_MAX,
    Aligned,
    Append,
    ChooseBuffer,
    Load,
    LoadMany,
    LoadPair,
    Local,
    Opaque,
    Prefetch,
    Reload,
    ReloadPair,
    Store,
    StoreMany,
    StorePair,
    ViewBuffer,
    memory_of,
)
from .reductions import Combine, Reduce, neutral
from .teams import (
    TEAM_MAX,
    WARP,
    Barrier,
    LoadFragments,
    MultiplyFragments,
    RoundFragment,
    Shared,
    Shuffle,
)
from .tiles import (
    AddBfloat16Products,
    AddProducts,
    LoadTransposed,
    MergeRuns,
    SortTile,
    TransposeTile,
)
