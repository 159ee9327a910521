// SPDX-License-Identifier: GPL-2.0-or-later
/* Event texts: parsing ends, what was there before stays, errors point into the text. */
#include "base/compat.h"
#include "events/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct sysroot nowhere = { "/nonexistent" };
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	struct parse_error pe;
	struct evlist l = { 0 };

	strbuf_add(&text, data, size);
	if (parse_events(&l, strbuf_str(&text), &nowhere, &pe)) {
		if (l.nr || pe.at > text.len || !pe.text[0])
			abort();
		parse_error_format(&pe, strbuf_str(&text), 80, &out);
	} else if (!l.nr) {
		abort();
	}
	evlist_release(&l);
	strbuf_release(&text);
	strbuf_release(&out);
	return 0;
}
