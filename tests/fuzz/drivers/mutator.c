// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer's hook for targets that read a whole perf.data file: damage that knows the format. */
#include "base/compat.h"
#include "pdata-mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	/* One in eight is blind, for what the format does not say. */
	return seed % 8 ? pdata_mutate(data, size, max, seed) : LLVMFuzzerMutate(data, size, max);
}
