// What all files of the runtime stand on: the constants of the platform, and the C library.
//
// LLVM compiles the runtime when it is first used, from the `.ll` files in this folder, which
// `make runtime` writes: they are what Clang makes of the C files (tools/runtime_text.py). One text
// serves all systems and all versions of Python, since what differs between them has a name in it
// that native.py fills in.

#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// For functions that few calls need, or that run once for what takes longer: compiling them well
// would take more time than it gains. The others run for each call, argument, result or Variable.
#define RARE __attribute__((cold, noinline))

// ---- what native.py fills in ------------------------------------------------------------------

// Calls of these get their value in the text: it has `$NAME` instead of them.
#define CONSTANT __attribute__((const))
CONSTANT int64_t COUNT_MASK(void);   // which bits of an object's first word are its count
CONSTANT int64_t FUTEX(void);        // the number of the system call
CONSTANT int64_t HUGE_PAGES(void);   // 1 where madvise knows Linux's MADV_HUGEPAGE, else 0
CONSTANT int64_t IMMORTAL(void);     // 1 where bit 31 of a count says that it is fixed, else 0
CONSTANT int64_t TUPLE_ITEMS(void);  // where the items of a tuple begin

void spin_pause(void);  // what the processor wants to be told by a thread that spins

// ---- the C library ----------------------------------------------------------------------------

// Declared here, since the headers of one system would not do for all. What the files ask for is
// the same number of bytes on each of them; `void *` stands for what is not.

typedef struct {
  uint8_t bits[128];
} Processors;  // a set of them, as Linux writes it

int32_t clock_gettime(int32_t clock, void *time);
void free(void *block);
int32_t getpid(void);
int32_t madvise(void *start, size_t bytes, int32_t advice);
void *malloc(size_t bytes);
int32_t memcmp(const void *a, const void *b, size_t bytes);
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int32_t value, size_t bytes);
void *mmap(void *start, size_t bytes, int32_t access, int32_t kind, int32_t file, int64_t offset);
int32_t munmap(void *start, size_t bytes);
int32_t posix_memalign(void **block, size_t alignment, size_t bytes);
int32_t pthread_attr_destroy(void *attributes);
int32_t pthread_attr_init(void *attributes);
int32_t pthread_attr_setdetachstate(void *attributes, int32_t state);
int32_t pthread_attr_setstacksize(void *attributes, size_t bytes);
int32_t pthread_create(void *thread, const void *attributes, void *(*run)(void *), void *argument);
uint64_t pthread_self(void);
int32_t pthread_sigmask(int32_t how, const void *signals, void *old);
int32_t sched_getaffinity(int32_t thread, size_t bytes, Processors *processors);
int32_t sched_getcpu(void);
int32_t sched_setaffinity(int32_t thread, size_t bytes, const Processors *processors);
int64_t syscall(int64_t number, ...);
int32_t usleep(uint32_t microseconds);
