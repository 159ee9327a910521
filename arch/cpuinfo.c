// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "arch/cpuinfo.h"

#include "base/alloc.h"
#include "base/strbuf.h"

char *cpuinfo_value(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
		const char *colon = p + len;

		if (strncmp(p, key, len))
			continue;
		colon += strspn(colon, " \t");
		if (*colon != ':')
			continue;
		colon++;
		colon += strspn(colon, " \t");
		return xstrndup(colon, strcspn(colon, "\n"));
	}
	return NULL;
}

char *cpuinfo_joined(const char *text, const char *const *keys, const char *sep)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; keys[i]; i++) {
		char *v = cpuinfo_value(text, keys[i]);

		if (!v) {
			strbuf_release(&sb);
			return NULL;
		}
		strbuf_addf(&sb, "%s%s", i ? sep : "", v);
		free(v);
	}
	return strbuf_detach(&sb);
}
