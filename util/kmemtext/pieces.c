// SPDX-License-Identifier: GPL-2.0-or-later
/* Pieces that several tables have. */
#include "base/compat.h"

#include "kmemtext/kmemtext-internal.h"

#define COLUMNS 105

static void put_line(struct strbuf *out, char c, size_t columns)
{
	while (columns--)
		strbuf_addch(out, c);
	strbuf_addch(out, '\n');
}

void put_rule(struct strbuf *out)
{
	put_line(out, '-', COLUMNS);
}

void put_title(struct strbuf *out, const char *title)
{
	strbuf_addf(out, "\n%s\n", title);
	put_line(out, '=', strlen(title));
}

size_t rows_shown(const struct kmem_show *show, enum kmem_table table, size_t nr)
{
	u64 lines = show->lines[table];

	return lines ? MIN(nr, (size_t)lines) : nr;
}

void put_code(const struct kmem_text *t, u64 address, bool offset, struct strbuf *out)
{
	struct recording *r = analysis_recording(t->a);
	const char *name = NULL;
	u64 start;

	if (!address) {
		strbuf_addstr(out, "[unknown]");
		return;
	}
	if (!t->show->raw_ip)
		name = resolve_kernel_name(r->machine, recording_symbols(r), address, &start);
	if (!name) {
		strbuf_addstr(out, "0x");
		strbuf_hex(out, address, 0, 0);
		return;
	}
	strbuf_addname(out, name);
	if (offset)
		strbuf_addf(out, "+%" PRIx64, address - start);
	if (t->show->verbose)
		strbuf_addf(out, " (0x%" PRIx64 ")", address);
}
