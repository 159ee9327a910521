// SPDX-License-Identifier: GPL-2.0-or-later
/* Draw the progress bar when it is due. */
#include "base/compat.h"
#include "cmd/common/progress.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "cli/progress-bar.h"

#include <sys/ioctl.h>
#include <unistd.h>

static void bar_tick(struct progress *p)
{
	struct progress_bar *bar = p->ctx;
	struct strbuf sb = STRBUF_INIT;

	if (!progress_bar_due(bar, clock_ns(CLOCK_MONOTONIC)))
		return;
	progress_bar_draw(bar, p, &sb);
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

static void bar_end(struct progress *p)
{
	struct progress_bar *bar = p->ctx;
	struct strbuf sb = STRBUF_INIT;

	progress_bar_erase(bar, &sb);
	bar->last_ns = 0;
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

struct progress *progress_open(void)
{
	struct winsize ws = { 0 };
	struct progress_bar *bar;
	struct progress *p;

	if (!isatty(STDERR_FILENO))
		return NULL;
	bar = xzalloc(sizeof(*bar));
	p = xzalloc(sizeof(*p));
	bar->start_ns = clock_ns(CLOCK_MONOTONIC);
	bar->columns = !ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) && ws.ws_col ? ws.ws_col : 80;
	p->tick = bar_tick;
	p->end = bar_end;
	p->ctx = bar;
	return p;
}

void progress_close(struct progress *p)
{
	if (!p)
		return;
	bar_end(p);
	free(p->ctx);
	free(p);
}
