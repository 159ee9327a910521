// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "dump/tasks-text.h"

#include "base/strbuf.h"

#include <sys/mman.h>

#define FLUSH_ABOVE ((size_t)1 << 16)
#define LEVEL_MAX 256 /* deeper trees are not indented any further */
#define MAPS_COLUMN 32

static void put_signed(struct strbuf *out, u32 v)
{
	if ((s32)v < 0)
		strbuf_addf(out, "%8d", (s32)v);
	else
		strbuf_dec(out, v, 8);
}

static void put_task(const struct task *t, u32 level, struct strbuf *out)
{
	strbuf_add(out, "  ", 2);
	put_signed(out, t->pid);
	strbuf_addch(out, ' ');
	put_signed(out, t->tid);
	strbuf_addch(out, ' ');
	put_signed(out, t->ppid);
	strbuf_add(out, " |", 2);
	strbuf_pad(out, out->len + level);
	if (t->comm)
		strbuf_addname(out, t->comm);
	else
		strbuf_addf(out, ":%d", (s32)t->tid);
	strbuf_addch(out, '\n');
}

static void put_map(const struct task_map *m, u32 level, struct strbuf *out)
{
	const char flags[] = {
		' ',
		m->prot & PROT_READ ? 'r' : '-',
		m->prot & PROT_WRITE ? 'w' : '-',
		m->prot & PROT_EXEC ? 'x' : '-',
		m->flags & MAP_SHARED ? 's' : 'p',
		' ',
	};

	strbuf_pad(out, out->len + MAPS_COLUMN + level);
	strbuf_hex(out, m->start, 1, 0);
	strbuf_addch(out, '-');
	strbuf_hex(out, m->end, 1, 0);
	strbuf_add(out, flags, sizeof(flags));
	strbuf_hex(out, m->pgoff, 8, 0);
	strbuf_addch(out, ' ');
	strbuf_dec(out, m->ino, 0);
	strbuf_addch(out, ' ');
	strbuf_addname(out, m->name);
	strbuf_addch(out, '\n');
}

int tasks_text(const struct tasks *t, int (*write)(void *ctx, const char *text, size_t len),
	       void *ctx)
{
	struct strbuf sb = STRBUF_INIT;
	const struct task *task = NULL;
	int ret = 0;
	u32 level;

	strbuf_addstr(&sb, "#      pid      tid     ppid  comm\n");
	while (!ret && (task = tasks_next(t, task, &level))) {
		const struct task_map *maps;
		size_t nr, i;

		level = MIN(level, (u32)LEVEL_MAX);
		put_task(task, level, &sb);
		maps = task_maps(t, task, &nr);
		for (i = 0; i < nr; i++)
			put_map(&maps[i], level, &sb);
		if (sb.len > FLUSH_ABOVE) {
			ret = write(ctx, sb.buf, sb.len);
			strbuf_reset(&sb);
		}
	}
	if (!ret)
		ret = write(ctx, sb.buf, sb.len);
	strbuf_release(&sb);
	return ret;
}
