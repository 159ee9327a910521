// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is a trace of each kind in turn: every byte must be on exactly one line. */
#include "base/compat.h"
#include "aux/aux-text.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COLUMNS 24 /* bytes on a line at most; what follows may look like a byte, too */

/* Count the bytes on the lines: ".  00000010:  19 00 10", columns of three characters. */
static size_t shown(const char *text)
{
	size_t nr = 0;

	while (*text) {
		const char *p = text + strlen(".  00000010: "), *end = strchr(text, '\n');
		const char *behind = MIN(end, p + 3 * COLUMNS + 1);

		for (; p + 2 < behind && p[0] == ' ' && strspn(p + 1, "0123456789abcdef") == 2;
		     p += 3)
			nr++;
		text = end + 1;
	}
	return nr;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const u32 types[] = { AUX_PT, AUX_BTS, AUX_ARM_SPE };
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		strbuf_reset(&out);
		if (!aux_text_put(types[i], data, size, &out) || shown(strbuf_str(&out)) != size)
			abort();
	}
	strbuf_release(&out);
	return 0;
}
