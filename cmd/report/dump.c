// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report -D: every record of the file, then how many there were. */
#include "base/compat.h"

#include "cmd/common/dump.h"
#include "recording/recording.h"
#include "cmd/report/report.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include <errno.h>

struct report_dump {
	struct session *s;
	struct machine *machine;
	struct dump_text text;
};

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct report_dump *rd = ctx;

	(void)err;
	return machine_apply(rd->machine, ev->hdr, ev->hdr->size, ev->time, NULL);
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct report_dump *rd = ctx;

	(void)err;
	dump_text_note(&rd->text, ev->hdr);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct report_dump *rd = ctx;

	(void)err;
	machine_seal(rd->machine);
	return 0;
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct report_dump *rd = ctx;
	struct thread_at at;

	(void)worker;
	(void)err;
	if (ev->part != PART_WHOLE && !rd->s->file->pipe) /* what was counted as one, is several */
		__atomic_fetch_add(&rd->s->of_event[ev->evsel->idx].samples,
				   ev->part == PART_VALUE ? 1 : -1, __ATOMIC_RELAXED);
	if (ev->sample)
		machine_thread_at(rd->machine, ev->sample->pid, ev->sample->tid, ev->time, &at);
	dump_event(rd->s, &rd->text, ev, &at, out);
	return 0;
}

static int on_text(void *ctx, const char *text, size_t len, struct err *err)
{
	(void)ctx;
	(void)err;
	return fwrite(text, 1, len, stdout) == len ? 0 : -EPIPE;
}

int dump_records(struct session *s, int workers)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = on_state, .other = on_other, .ready = on_ready },
		.format = on_record,
		.write = on_text,
		.all = true,
	};
	struct symconf conf = { .buildid_dir = buildid_dir() };
	struct symbols *symbols = symbols_new(&conf);
	struct report_dump rd = { .s = s, .machine = machine_new() };
	struct err err = { 0 };
	int ret;

	symbols_set_os_release(symbols, s->file->env.os_release);
	apply_build_ids(rd.machine, &s->file->env);
	dump_init(&rd.text, s, rd.machine, symbols);
	rd.text.style = RECORD_REPORT;
	s->by_event = true;
	ret = session_ordered(s, &ops, &rd, workers, &err);
	if (ret && ret != -EPIPE)
		error_err(&err);
	dump_text_release(&rd.text);
	symbols_free(symbols);
	machine_free(rd.machine);
	return ret;
}

int report_dump(struct session *s, int workers)
{
	int ret = dump_records(s, workers);

	if (!ret)
		return report_stats(s, false, false);
	return ret == -EPIPE ? 0 : ret;
}
