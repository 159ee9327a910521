// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "unwind/style.h"

#include "arch/arch.h"
#include "base/strbuf.h"
#include "unwind/backend-internal.h"

#include <errno.h>

#define OWN_NAME "tables"

static const struct unw_backend *const backends[] = {
	[UNWIND_TABLES] = NULL,
	[UNWIND_LIBDW] = &unw_libdw,
	[UNWIND_LIBUNWIND] = &unw_libunwind,
};

const struct unw_backend *unw_backend_of(enum unwind_style style)
{
	return backends[style];
}

const char *unwind_style_name(enum unwind_style style)
{
	return backends[style] ? backends[style]->name : OWN_NAME;
}

static bool is_here(enum unwind_style style)
{
	const struct unw_backend *b = backends[style];
	void *state;

	if (!b)
		return true;
	state = b->open ? b->open() : NULL;
	if (state)
		b->close(state);
	return state;
}

/* Return: the style of that name, or -1. */
static int style_of(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(backends); i++) {
		const char *known = unwind_style_name((enum unwind_style)i);

		if (strlen(known) == len && !memcmp(known, name, len))
			return (int)i;
	}
	return -1;
}

int unwind_style_parse(const char *list, enum unwind_style *out, struct err *err)
{
	const char *p = list;
	int first = -1;

	for (;;) {
		size_t len = strcspn(p, ",");
		int style = style_of(p, len);

		if (style < 0)
			return err_set(err, -EINVAL,
				       "--unwind-style: '%.*s' is unknown: the styles are tables, "
				       "libdw and libunwind",
				       (int)len, p);
		if (first < 0 && is_here((enum unwind_style)style))
			first = style;
		if (!p[len])
			break;
		p += len + 1;
	}
	if (first < 0)
		return err_set(err, -EINVAL,
			       "--unwind-style %s: this perf was built without that library, or "
			       "it is not installed here: use tables, which needs none",
			       list);
	*out = (enum unwind_style)first;
	return 0;
}

bool unwind_style_takes(enum unwind_style style, const char *arch, bool swap)
{
	const struct unw_backend *b = backends[style];

	if (!b)
		return true;
	return !swap && (!b->only_x86_64 ||
			 (arch_of(arch) == arch_of("x86_64") && arch_host() == arch_of("x86_64")));
}
