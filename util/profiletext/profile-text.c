// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "profiletext/profile-text.h"

#include "report/blocks-text.h"

struct text {
	const struct profile *p;
	const struct session *s;
	const struct profile_text_conf *conf;
	struct report_conf report;
	struct hist *h;
};

static void put_losses(const struct session *s, struct strbuf *out)
{
	const u64 *count = s->diag.count;

	strbuf_addf(out, "#\n# Total Lost Samples: %" PRIu64 "\n", count[DIAG_LOST_SAMPLES]);
	if (count[DIAG_FILTERED])
		strbuf_addf(out, "# Samples dropped by filters: %" PRIu64 "\n",
			    count[DIAG_FILTERED]);
	strbuf_addstr(out, "#\n");
}

static bool has_samples(const struct hist *h, u32 evsel, u32 nr_members)
{
	u32 i;

	for (i = 0; i < nr_members; i++)
		if (hist_event(h, evsel + i)->nr)
			return true;
	return false;
}

/* Append "anon group { a, b }", or "a, b" for events that were made a group for the report. */
static void name_group(struct evsel *const *evsels, u32 nr, struct strbuf *out)
{
	bool forced = evsels[1]->leader == evsels[1]->idx;
	const char *name = evsels[0]->group_name;

	if (!forced)
		strbuf_addf(out, "%s { ", name && *name ? name : "anon group");
	for (u32 i = 0; i < nr; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", evsels[i]->name);
	if (!forced)
		strbuf_addstr(out, " }");
}

void profile_event_name(const struct hist *h, const struct session *s, u32 evsel,
			struct strbuf *out)
{
	struct evsel *const *evsels = s->evlist.evsels + evsel;
	u32 nr = hist_event(h, evsel)->nr_members;

	if (nr > 1)
		name_group(evsels, nr, out);
	else
		strbuf_addstr(out, evsels[0]->name);
}

static void put_head(const struct text *t, u32 evsel, struct strbuf *out)
{
	struct report_event ev = { .evsel = evsel,
				   .slices = t->conf->slices,
				   .borrowed = profile_borrows_chains(t->p, evsel),
				   .socket = t->conf->socket };
	struct strbuf name = STRBUF_INIT;

	profile_event_name(t->h, t->s, evsel, &name);
	ev.name = strbuf_str(&name);
	report_samples(t->h, &t->report, &ev, out);
	strbuf_release(&name);
}

/* Write the head and the rows of one event, or of its group. */
static int write_event(const struct text *t, u32 evsel, output_write *write, void *ctx)
{
	struct strbuf sb = STRBUF_INIT;
	int ret;

	if (!t->report.quiet)
		put_head(t, evsel, &sb);
	if (t->conf->blocks)
		blocks_text(profile_blocks(t->p), &t->report, &sb);
	ret = write(ctx, strbuf_str(&sb), sb.len);
	strbuf_release(&sb);
	if (ret || t->conf->blocks)
		return ret;
	hist_chains(t->h, evsel, t->report.percent_limit);
	ret = report_rows(t->h, &t->report, evsel, write, ctx);
	return ret ? ret : write(ctx, "\n\n", 2);
}

/* Append what stands below the rows. */
static void put_tail(const struct text *t, struct strbuf *out)
{
	const struct thread_counts *threads = profile_thread_counts(t->p);

	if (!t->report.quiet && t->report.fit.columns && hist_config(t->h)->children)
		strbuf_addstr(out, "# (Children is a function with all that it calls: the rows "
				   "add up to more\n# than 100%)\n");
	if (!t->report.quiet)
		strbuf_addstr(out, "#\n# (Tip: Callers of a hot function are one `perf report -G` "
				   "away)\n#\n");
	branch_kinds_text(profile_branch_kinds(t->p), out);
	if (threads)
		thread_counts_text(threads, t->conf->raw_threads, out);
}

int profile_text(const struct profile *p, const struct session *s,
		 const struct profile_text_conf *conf, output_write *write, void *ctx)
{
	struct text t = { p, s, conf, conf->report, profile_hist(p) };
	struct strbuf sb = STRBUF_INIT;
	int ret = 0;

	t.report.groups = profile_groups(p);
	if (!t.report.quiet)
		put_losses(s, &sb);
	ret = write(ctx, strbuf_str(&sb), sb.len);
	for (u32 i = 0; i < s->evlist.nr && !ret; i++) {
		u32 members = hist_event(t.h, i)->nr_members;

		if (!members || (conf->skip_empty && !has_samples(t.h, i, members)))
			continue;
		ret = write_event(&t, i, write, ctx);
		if (conf->blocks)
			break; /* they are those of all events */
	}
	strbuf_reset(&sb);
	put_tail(&t, &sb);
	if (!ret)
		ret = write(ctx, strbuf_str(&sb), sb.len);
	strbuf_release(&sb);
	return ret;
}
