// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of a pipe, behind a header of either byte order (bit 0 of the first byte). */
#include "base/compat.h"
#include "drive.h"
#include "pdata-build.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	struct pb b;
	int fd;

	if (!size)
		return 0;
	pb_init(&b, data[0] & 1);
	pb_pipe(&b, NULL, 0);
	pb_bytes(&b, data + 1, size - 1);
	drive_file(pb_save(b.out.buf, b.out.len, &fd, path), 1);
	pb_unsave(fd);
	pb_release(&b);
	return 0;
}
