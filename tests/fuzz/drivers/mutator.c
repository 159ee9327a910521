// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer's hook for targets that read a whole perf.data file: damage that knows the format. */
#include "base/compat.h"
#include "pdata-mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

static bool is_recording(const uint8_t *data, size_t size)
{
	static const char *const magics[] = { "PERFILE2", "PERFFILE", "2ELIFREP", "ELIFFREP" };

	for (size_t i = 0; size >= 8 && i < ARRAY_SIZE(magics); i++)
		if (!memcmp(data, magics[i], 8))
			return true;
	return false;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	/* One in eight is blind, for what the format does not say. */
	return is_recording(data, size) && seed % 8 ? pdata_mutate(data, size, max, seed)
						    : LLVMFuzzerMutate(data, size, max);
}
