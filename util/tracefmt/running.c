// SPDX-License-Identifier: GPL-2.0-or-later
/* Read formats of the running kernel. */
#include "base/compat.h"
#include "tracefmt/tracefmt-internal.h"

#include <errno.h>

int format_read_running(const struct sysroot *sr, const char *system, const char *name,
			struct strbuf *out)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	int ret = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(places) && ret; i++)
		ret = sysroot_read(sr, out, "%s/events/%s/%s/format", places[i], system, name);
	return ret;
}
