// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/profile.h"

#include "browse/files.h"
#include "dump/header-text.h"
#include "ui/views/report.h"

static void put_event_name(void *ctx, u32 evsel, struct strbuf *out)
{
	const struct browsed_profile *p = ctx;

	profile_event_name(profile_hist(p->profile), p->session, evsel, out);
}

static void put_header(void *ctx, struct strbuf *out)
{
	const struct session *s = ((struct browsed_profile *)ctx)->session;

	header_text_of_file(s->file, &s->evlist, true, out);
}

static void put_command(void *ctx, struct strbuf *out)
{
	strbuf_addstr(out, ((struct browsed_profile *)ctx)->command);
}

static void save(void *ctx, const struct strbuf *text, struct strbuf *said)
{
	browse_save("perf.hist", text, said);
}

int browse_profile(struct ui *ui, struct browsed_profile *p)
{
	struct report_shown shown = {
		.h = profile_hist(p->profile),
		.nr_events = p->session->evlist.nr,
		.skip_empty = p->text.skip_empty,
		.report = p->text.report,
		.event_name = put_event_name,
		.header = put_header,
		.command = put_command,
		.save = save,
		.ctx = p,
	};

	shown.report.groups = profile_groups(p->profile);
	return report_view(ui, &shown);
}
