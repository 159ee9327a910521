// SPDX-License-Identifier: GPL-2.0-or-later
/* Without the header of libpfm4, none of its names are known. */
#include "base/compat.h"

#ifndef HAVE_LIBPFM4
#include "events/libpfm.h"

#include <errno.h>

int libpfm_open(struct libpfm **out, struct err *err)
{
	*out = NULL;
	return err_set(err, -ENOTSUP,
		       "this perf was built without libpfm4: install its development package and "
		       "run 'make features'");
}

void libpfm_close(struct libpfm *p)
{
}

int libpfm_parse(struct libpfm *p, struct evlist *l, const char *text, const struct sysroot *sr,
		 struct parse_error *pe)
{
	return -ENOTSUP;
}

int libpfm_find(struct libpfm *p, const char *name, struct perf_event_attr *attr, struct err *err)
{
	return -ENOENT;
}

int libpfm_each(struct libpfm *p, int (*fn)(void *ctx, const struct libpfm_event *e), void *ctx)
{
	return 0;
}

#endif
