// SPDX-License-Identifier: GPL-2.0-or-later
/* The report browser tells which command prints what it shows, and why it cannot count again. */
#include "base/compat.h"
#include "ui/views/report-internal.h"
#include "ui/widgets/popup.h"

void report_command(const struct report_browser *b, const struct report_filters *f,
		    struct strbuf *out)
{
	b->shown->command(b->shown->ctx, f, out);
	if (b->conf.percent_limit > 0)
		strbuf_addf(out, " --percent-limit=%g", b->conf.percent_limit);
	if (b->conf.relative)
		strbuf_addstr(out, " --percentage=relative");
}

void report_show_command(const struct report_browser *b, struct ui *ui,
			 const struct report_filters *f)
{
	struct strbuf text = STRBUF_INIT;

	report_command(b, f, &text);
	popup_text(ui, "The command that prints this", strbuf_str(&text));
	strbuf_release(&text);
}

void report_say_stream(struct ui *ui)
{
	ui_say(ui, "What is shown was read from a stream, which cannot be read again");
}
