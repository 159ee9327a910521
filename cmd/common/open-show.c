// SPDX-License-Identifier: GPL-2.0-or-later
/* Show for -vv, on stderr, the attrs given to the kernel and what it made of them. */
#include "base/compat.h"
#include "cmd/common/open-show.h"

#include "wire/attr-text.h"

#include <stdio.h>

void open_show_attr(const struct perf_event_attr *attr, const struct evsel *e)
{
	struct strbuf sb = STRBUF_INIT;

	attr_table(attr, e->config3, &sb);
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

void open_show_try(struct open_shown *shown, const struct open_try *t)
{
	/* once for all the places an event is opened on */
	if (shown->of != t->evsel || memcmp(&shown->attr, t->attr, sizeof(shown->attr)))
		open_show_attr(t->attr, t->evsel);
	shown->of = t->evsel;
	shown->attr = *t->attr;
	fprintf(stderr, "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx", t->tid,
		t->cpu, t->group, t->flags);
	if (t->fd >= 0)
		fprintf(stderr, " = %d\n", t->fd);
	else
		fprintf(stderr, "\nsys_perf_event_open failed, error %d\n", t->fd);
}
