// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording is read, and who waited for futexes in it is shown. */
#include "base/compat.h"

#include "locktext/locktext-internal.h"

#include "base/alloc.h"
#include "lock/futex.h"
#include "schedtext/schedtext.h"

const char *lock_futex_place(struct recording *r, const struct futex_row *row, struct location *l)
{
	struct thread_at at;

	machine_thread_at(r->machine, row->pid, row->pid, row->time, &at);
	resolve_find(r->machine, recording_symbols(r), at.epoch, PERF_RECORD_MISC_USER,
		     row->address, l);
	return location_symbol(l);
}

/* Append the variable that an address of a process is or lies in, or what is mapped there. */
static void put_place(struct recording *r, const struct futex_row *row, struct strbuf *out)
{
	struct location l;
	const char *name = lock_futex_place(r, row, &l);

	if (name) {
		struct sym_range range = symtab_range(l.symtab, l.sym);

		strbuf_addname(out, name);
		if (l.addr != range.start)
			strbuf_addf(out, "+0x%" PRIx64, l.addr - range.start);
	} else {
		strbuf_addname(out, location_dso(&l));
	}
}

/* A run whose state can be made anew. */
struct run {
	const struct lock_show *show;
	struct analysis *a;
	struct futex *state;
	struct span_map *map; /* of waits; NULL: none is wanted */
};

static bool is_wanted(void *ctx, const struct task_at *task)
{
	const struct run *r = ctx;

	return analysis_wants_task(r->a, task);
}

static void on_wait(void *ctx, u64 since, u64 until)
{
	const struct run *r = ctx;

	span_map_add(r->map, since, until);
}

/* Return rows of a table; the caller frees them and their names. */
static struct lock_row *table_rows(struct analysis *a, const struct futex_row *futexes, size_t nr)
{
	struct lock_row *rows = xcalloc(nr + 1, sizeof(*rows));

	for (size_t i = 0; i < nr; i++) {
		struct strbuf place = STRBUF_INIT;

		if (futexes[i].waits.count)
			put_place(analysis_recording(a), &futexes[i], &place);
		rows[i] = (struct lock_row){
			.address = futexes[i].address,
			.task = futexes[i].waker,
			.name = strbuf_detach(&place),
			.contended = futexes[i].waits.count,
			.waits = futexes[i].waits,
		};
	}
	return rows;
}

static void put_rows(const struct lock_show *s, struct analysis *a, const struct futex *f,
		     struct strbuf *out)
{
	struct lock_task_words tasks = { .tasks = analysis_tasks(a) };
	const struct lock_words words = { .task = lock_task_name, .ctx = &tasks };
	struct lock_table t = { .show = s, .words = &words, .missing = futex_missing(f) };
	const struct futex_row *futexes = futex_rows(f, &t.nr);
	struct lock_row *rows = table_rows(a, futexes, t.nr);

	t.rows = rows;
	lock_put_table(&t, out);
	for (size_t i = 0; i < t.nr; i++)
		free((char *)rows[i].name);
	free(rows);
}

static void *renew(void *ctx)
{
	struct run *r = ctx;
	struct futex_conf conf = { .tasks = analysis_tasks(r->a), .wanted = is_wanted, .ctx = r };

	futex_free(r->state);
	span_map_free(r->map);
	r->map = lock_map_new(r->show);
	if (r->map)
		conf.wait = on_wait;
	r->state = futex_new(&conf);
	return r->state;
}

int lock_show_futexes(const struct lock_show *s, struct analysis *a, struct strbuf *out,
		      struct strbuf *notes, struct err *err)
{
	const struct engine e = futex_engine();
	struct run r = { .show = s, .a = a };
	struct analysis_part part = { .engine = &e, .state = renew(&r), .renew = renew, .ctx = &r };
	int ret = analysis_run_parts(a, &part, 1, err);

	if (!ret) {
		put_rows(s, a, r.state, out);
		lock_put_losses(s, a, notes);
	}
	if (!ret && r.map)
		ret = span_map_write(r.map, s->heatmap, err);
	span_map_free(r.map);
	futex_free(r.state);
	return ret;
}
