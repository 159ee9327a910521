// SPDX-License-Identifier: GPL-2.0-or-later
/* A profile's blocks in the block browser. */
#include "base/compat.h"
#include "browse/blocks.h"

#include "browse/files.h"
#include "browse/profile-code.h"
#include "ui/views/blocks.h"

#include <errno.h>

struct blocks_ctx {
	struct browsed_profile *p;
	u32 evsel;                 /* the first event with samples: blocks are those of all */
	struct profile_code *code; /* NULL: nothing was looked into so far */
};

static u32 first_event(const struct hist *h, u32 nr)
{
	u32 i = 0;

	while (i + 1 < nr && !(hist_event(h, i)->nr_members && hist_event(h, i)->nr))
		i++;
	return i;
}

static void put_title(const struct blocks_ctx *c, struct strbuf *out)
{
	const struct hist *h = profile_hist(c->p->profile);
	const struct hist_event *ev = hist_event(h, c->evsel);
	u64 nr = 0, period = 0;

	for (u32 i = 0; i < MAX(ev->nr_members, 1u); i++) {
		nr += ev[i].nr;
		period += ev[i].period;
	}
	strbuf_addstr(out, "Blocks by cycles. Samples: ");
	report_unit(nr, out);
	strbuf_addf(out, " of event%s '", ev->nr_members > 1 ? "s" : "");
	profile_event_name(h, &c->p->rec->session, c->evsel, out);
	strbuf_addf(out, "', Event count (approx.): %" PRIu64, period);
}

static int annotate(void *ctx, struct ui *ui, const struct block *b)
{
	struct blocks_ctx *c = ctx;
	struct browsed_profile *p = c->p;

	if (!c->code)
		c->code = profile_code_new(p->profile, p->rec, NULL, NULL);
	return profile_code_show_at(c->code, ui, c->evsel,
				    &(struct code_place){ b->symtab, b->sym, b->start });
}

static void save(void *ctx, const struct strbuf *text, struct strbuf *said)
{
	browse_save("perf.hist", text, said);
}

int browse_blocks(struct ui *ui, struct browsed_profile *p)
{
	struct blocks_ctx c = { .p = p };
	struct strbuf title = STRBUF_INIT, command = STRBUF_INIT;
	struct blocks_shown shown = {
		.blocks = profile_blocks(p->profile),
		.report = p->text.report,
		.annotate = recording_is_stream(p->rec) ? NULL : annotate,
		.save = save,
		.ctx = &c,
	};
	int ret;

	c.evsel = first_event(profile_hist(p->profile), p->rec->session.evlist.nr);
	put_title(&c, &title);
	strbuf_addf(&command, "%s --stdio", p->command);
	shown.title = title.buf;
	shown.command = command.buf;
	ret = blocks_view(ui, &shown);
	profile_code_free(c.code);
	strbuf_release(&title);
	strbuf_release(&command);
	return ret;
}
