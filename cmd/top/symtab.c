// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top -D: the symbol tables that names came from. */
#include "base/compat.h"
#include "cmd/top/top.h"

#include "symbol/symbol.h"

static void dump_object(const struct dso *d, const struct symtab *t)
{
	struct strbuf text = STRBUF_INIT;
	const char *why = symtab_why(t), *file = symtab_file(t);

	strbuf_addstr(&text, "dso: ");
	strbuf_addname(&text, d->path);
	strbuf_addf(&text, " (%u symbols%s%s)", symtab_nr(t), file ? ", " : "", file ? file : "");
	if (why)
		strbuf_addf(&text, ": %s", why);
	strbuf_addch(&text, '\n');
	for (u32 i = 0; i < symtab_nr(t); i++) {
		struct symbol s = symtab_get(t, i);

		strbuf_addf(&text, " %" PRIx64 "-%" PRIx64 " %c ", s.start, s.end, s.binding);
		strbuf_addname(&text, symtab_name(t, i));
		strbuf_addch(&text, '\n');
	}
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
}

void top_dump_symtabs(const struct top *top)
{
	struct recording *r = toprun_recording(top->run);
	const struct hist *h = profile_hist(top->view.profile);
	size_t nr;
	struct dso *const *dsos = machine_dsos(r->machine, &nr);

	for (u32 i = 0; i < nr; i++)
		if (hist_dso_hit(h, i))
			dump_object(dsos[i], symbols_load(recording_symbols(r), dsos[i]));
}
