// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/browse-profile.h"

#include "cmd/common/browser.h"
#include "cmd/common/header.h"

#include "ui/views/report.h"

static void put_event_name(void *ctx, u32 evsel, struct strbuf *out)
{
	const struct browsed_profile *p = ctx;

	profile_event_name(profile_hist(p->profile), p->session, evsel, out);
}

static void put_header(void *ctx, struct strbuf *out)
{
	const struct session *s = ((struct browsed_profile *)ctx)->session;

	header_of_file(s->file, &s->evlist, true, out);
}

static void put_command(void *ctx, struct strbuf *out)
{
	strbuf_addstr(out, ((struct browsed_profile *)ctx)->command);
}

static void save(void *ctx, const struct strbuf *text, struct strbuf *said)
{
	browser_save("perf.hist", text, said);
}

bool browse_profile(struct browsed_profile *p, bool tui)
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
	struct ui ui;

	if (!browser_open(&ui, tui))
		return false;
	shown.report.groups = profile_groups(p->profile);
	report_view(&ui, &shown);
	browser_close(&ui);
	return true;
}
