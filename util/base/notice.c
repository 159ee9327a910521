// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/notice.h"

#include "base/strbuf.h"

#include <stdarg.h>

void notice(const struct notices *n, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	if (!n || !n->put)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	n->put(n->ctx, strbuf_str(&text));
	strbuf_release(&text);
}
