// SPDX-License-Identifier: GPL-2.0-or-later
/* Without libzstd recordings cannot be compressed. */
#include "base/compat.h"

#ifndef HAVE_LIBZSTD
#include "file/compress.h"

#include <errno.h>

int compressor_new(struct compressor **c, int level, struct err *err)
{
	return err_set(err, -ENOTSUP,
		       "this perf was built without libzstd, which -z needs: install it and run "
		       "'make features'");
}

int compressor_add(struct compressor *c, const void *data, size_t len, struct strbuf *out,
		   struct err *err)
{
	return -ENOTSUP;
}

void compressor_free(struct compressor *c)
{
}

#endif
