// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/err.h"

#include "base/escape.h"

#include <errno.h>

int err_set(struct err *e, int code, const char *fmt, ...)
{
	char raw[sizeof(e->msg)];
	va_list ap;

	if (!code)
		code = -EINVAL;
	if (!e)
		return code;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	e->code = code;
	escape_text(e->msg, sizeof(e->msg), raw);
	return code;
}

void err_prefix(struct err *e, const char *fmt, ...)
{
	char head[256], tail[sizeof(e->msg)];
	va_list ap;

	if (!e)
		return;
	va_start(ap, fmt);
	vsnprintf(head, sizeof(head), fmt, ap);
	va_end(ap);
	memcpy(tail, e->msg, sizeof(tail));
	snprintf(e->msg, sizeof(e->msg), "%s: %.*s", head, (int)(sizeof(tail) - sizeof(head) - 2),
		 tail);
}

const char *err_str(int code)
{
	const char *s = strerrordesc_np(-code);

	return s ? s : "Unknown error";
}
