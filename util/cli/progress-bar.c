// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cli/progress-bar.h"

bool progress_bar_due(struct progress_bar *b, u64 now_ns)
{
	if (now_ns - b->start_ns < PROGRESS_BAR_DELAY_NS)
		return false;
	if (b->last_ns && now_ns - b->last_ns < PROGRESS_BAR_EVERY_NS)
		return false;
	b->last_ns = now_ns;
	return true;
}

void progress_bar_draw(const struct progress_bar *b, const struct progress *p, struct strbuf *sb)
{
	static const char blanks[] = "                                ";
	int columns = b->columns > 20 ? (int)MIN(b->columns, 400u) - 1 : 20;
	u64 done = MIN(p->done, p->total);
	unsigned int percent = p->total ? (unsigned int)((double)done * 100 / (double)p->total) : 0;
	int title = (int)strlen(p->title ? p->title : ""), width, filled, i;

	title = MIN(title, columns - 8);
	width = columns - title - 8; /* blank, brackets, blank, "100%" */
	strbuf_addf(sb, "\r%.*s", title, p->title ? p->title : "");
	if (!p->total || width < 1) {
		strbuf_addf(sb, "%.*s", MIN(columns - title, (int)sizeof(blanks) - 1), blanks);
		return;
	}
	filled = (int)((double)done * width / (double)p->total);
	strbuf_addstr(sb, " [");
	for (i = 0; i < width; i++)
		strbuf_addch(sb, i < filled ? '=' : ' ');
	strbuf_addf(sb, "] %3u%%", percent);
}

void progress_bar_erase(const struct progress_bar *b, struct strbuf *sb)
{
	if (b->last_ns)
		strbuf_addstr(sb, "\r\033[K");
}
