// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "blocktext/source.h"

#include "blktrace/blktrace.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

const char *block_blktrace_path(const char *input)
{
	struct stat st;

	if (!input)
		input = !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
	return blktrace_is(input) ? input : NULL;
}

struct reading {
	const struct block_source *source;
	const struct block_taker *taker;
	u64 events;
};

static void on_record(void *ctx, const struct blktrace_record *rec)
{
	struct reading *r = ctx;
	const struct block_taker *t = r->taker;

	if (rec->kind == BLKTRACE_EVENT && t->numbered)
		t->numbered(t->ctx, &rec->ev, rec->sequence);
	else if (rec->kind == BLKTRACE_EVENT)
		t->event(t->ctx, &rec->ev);
	else if (rec->kind == BLKTRACE_MESSAGE && t->message)
		t->message(t->ctx, &rec->ev, rec->text, rec->text_len);
	r->events++;
}

static void on_device(void *ctx, u32 dev, const char *name)
{
	const struct reading *r = ctx;

	if (r->taker->device)
		r->taker->device(r->taker->ctx, dev, name);
}

static void on_damage(void *ctx, const char *sentence)
{
	const struct reading *r = ctx;

	r->source->damage(r->source->ctx, sentence);
}

static int run_files(const struct block_source *s, const char *name, const struct block_taker *t,
		     struct err *err)
{
	struct reading r = { s, t, 0 };
	const struct blktrace_reader reader = { on_record, on_device, on_damage, &r };
	int ret = blktrace_read(s->path, &reader, err);

	if (!ret && !r.events)
		ret = err_set(err, -ENOENT, "%s: there are no events of blktrace in %s", name,
			      s->path);
	return ret;
}

int block_source_run(const struct block_source *s, const char *name, const struct block_taker *t,
		     struct err *err)
{
	const struct engine e = block_engine(name);
	struct block_tap tap = { t->event, t->lost, t->ctx };

	return s->a ? analysis_run(s->a, &e, &tap, err) : run_files(s, name, t, err);
}
