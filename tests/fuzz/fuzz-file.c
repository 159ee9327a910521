// SPDX-License-Identifier: GPL-2.0-or-later
/* A whole perf.data file (any form: the header tells) through both drivers. */
#include "base/compat.h"
#include "drive.h"
#include "pdata-build.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	int fd;

	drive_file(pb_save(data, size, &fd, path), 2);
	pb_unsave(fd);
	return 0;
}
