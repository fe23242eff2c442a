// The runtime in one piece, so that what its files offer to each other stays inside. The thread
// pool is a piece of its own, since not every system has what it is made of.

#include "chunks.c"

#include "memory_pool.c"

#include "arrays.c"

#include "scopes.c"

#include "calls.c"

#include "dynamic_results.c"

#include "entries.c"

#include "patience.c"
