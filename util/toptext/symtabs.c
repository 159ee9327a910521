// SPDX-License-Identifier: GPL-2.0-or-later
/* The symbol tables that names came from. */
#include "base/compat.h"
#include "toptext/toptext.h"

#include "symbol/symbol.h"

static void put_object(const struct dso *d, const struct symtab *t, struct strbuf *text)
{
	const char *why = symtab_why(t), *file = symtab_file(t);

	strbuf_addstr(text, "dso: ");
	strbuf_addname(text, d->path);
	strbuf_addf(text, " (%u symbols%s%s)", symtab_nr(t), file ? ", " : "", file ? file : "");
	if (why)
		strbuf_addf(text, ": %s", why);
	strbuf_addch(text, '\n');
	for (u32 i = 0; i < symtab_nr(t); i++) {
		struct symbol s = symtab_get(t, i);

		strbuf_addf(text, " %" PRIx64 "-%" PRIx64 " %c ", s.start, s.end, s.binding);
		strbuf_addname(text, symtab_name(t, i));
		strbuf_addch(text, '\n');
	}
}

void toptext_symtabs(const struct toptext *t, struct strbuf *out)
{
	struct recording *r = toprun_recording(t->run);
	const struct hist *h = profile_hist(t->view.profile);
	size_t nr;
	struct dso *const *dsos = machine_dsos(r->machine, &nr);

	for (u32 i = 0; i < nr; i++)
		if (hist_dso_hit(h, i))
			put_object(dsos[i], symbols_load(recording_symbols(r), dsos[i]), out);
}
