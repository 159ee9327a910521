// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Configuration texts: whatever they hold, reading ends, and when a text can be read, an edit of it
 * can be read too and has the value that was set.
 */
#include "base/compat.h"

#include "cli/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const keys[] = { "a.b", "s.k", "s.Sub x.k" };
	static const char *const values[] = { "1", " x # y\\\"\n\t", "" };
	struct strbuf out = STRBUF_INIT;
	struct config c;
	unsigned int line;
	size_t i;
	int r;

	config_init(&c);
	r = config_parse(&c, (const char *)data, size, &line);
	config_release(&c);
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		strbuf_reset(&out);
		if (config_edit((const char *)data, size, keys[i], values[i], &out, &line, NULL)) {
			if (!r)
				abort();
			continue;
		}
		config_init(&c);
		if (config_parse(&c, strbuf_str(&out), out.len, &line) ||
		    !config_get(&c, keys[i]) || strcmp(config_get(&c, keys[i]), values[i]))
			abort();
		config_release(&c);
	}
	strbuf_release(&out);
	return 0;
}
