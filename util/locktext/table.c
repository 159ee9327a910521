// SPDX-License-Identifier: GPL-2.0-or-later
/* These functions write the tables, aligned for people or with a separator for programs. */
#include "base/compat.h"

#include "locktext/locktext-internal.h"

#include "base/alloc.h"
#include "codec/csv.h"

#include <stdlib.h>

#define NAME_COLUMNS 20U
#define NAME_LENGTH 16U /* longer names are cut behind so many characters */

/* ---- order ---- */

/* Larger values come first, and rows with the same value stay in the order of their appearance. */
static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct lock_row *const *x = a, *const *y = b;
	const struct lock_column *key = ctx;
	u64 vx = key->value(*x), vy = key->value(*y);

	if (vx != vy)
		return vx < vy ? 1 : -1;
	return *x < *y ? -1 : *x > *y;
}

/* Return the rows that have something to show, in their order. The caller frees them. */
static const struct lock_row **sorted_rows(const struct lock_table *t, size_t *nr)
{
	const struct lock_row **rows = xcalloc(t->nr + 1, sizeof(*rows));
	bool report = t->show->view == LOCK_REPORT;
	u64 most = t->show->entries;

	*nr = 0;
	for (size_t i = 0; i < t->nr; i++)
		if (report ? t->rows[i].acquired : t->rows[i].waits.count)
			rows[(*nr)++] = &t->rows[i];
	qsort_r(rows, *nr, sizeof(*rows), compare_rows, (void *)&lock_columns[t->show->key]);
	*nr = most && most < *nr ? (size_t)most : *nr;
	return rows;
}

/* ---- what rows are about ---- */

/* Append the name of what a row of LOCK_REPORT is about. */
static void put_name(const struct lock_table *t, const struct lock_row *row, struct strbuf *out)
{
	u32 tid;

	if (t->show->by == LOCK_BY_TASK)
		strbuf_addname(out, t->words->task(t->words->ctx, row, &tid));
	else if (*row->name)
		strbuf_addname(out, row->name);
	else
		lock_put_code(t->words, row->caller, out);
}

/* Append the name of the variable that a lock is, or lies in. */
static void put_lock(const struct lock_table *t, const struct lock_row *row, struct strbuf *out)
{
	u64 start;
	const char *name = *row->name ? row->name
				      : t->words->symbol(t->words->ctx, row->address, &start);

	if (name)
		strbuf_addname(out, name);
	if (name && !*row->name && start != row->address)
		strbuf_addf(out, "+0x%" PRIx64, row->address - start);
}

/* The last columns of LOCK_CONTENTION say what a row is about. */
struct subject {
	const char *titles[3];
	void (*put)(const struct lock_table *t, const struct lock_row *row, struct strbuf *cells);
};

static void put_caller(const struct lock_table *t, const struct lock_row *row, struct strbuf *cells)
{
	strbuf_addstr(&cells[0], lock_type_name(row->type));
	lock_put_code(t->words, row->caller, &cells[1]);
}

static void put_task(const struct lock_table *t, const struct lock_row *row, struct strbuf *cells)
{
	u32 tid;
	const char *name = t->words->task(t->words->ctx, row, &tid);

	strbuf_addf(&cells[0], "%d", (s32)tid);
	strbuf_addname(&cells[1], name);
}

static void put_address(const struct lock_table *t, const struct lock_row *row,
			struct strbuf *cells)
{
	strbuf_addf(&cells[0], "%016" PRIx64, row->address);
	put_lock(t, row, &cells[1]);
	lock_put_kind(row->type, &cells[2]);
}

/* The thread that has woken up the waiters has probably held the lock before. */
static void put_futex(const struct lock_table *t, const struct lock_row *row, struct strbuf *cells)
{
	u32 tid;

	strbuf_addf(&cells[0], "%016" PRIx64, row->address);
	strbuf_addstr(&cells[1], row->name);
	if (row->task == UINT32_MAX)
		return;
	strbuf_addstr(&cells[2], "guess: ");
	strbuf_addname(&cells[2], t->words->task(t->words->ctx, row, &tid));
	strbuf_addf(&cells[2], "/%u", tid);
}

static void put_cgroup(const struct lock_table *t, const struct lock_row *row, struct strbuf *cells)
{
	const char *path = t->words->cgroup(t->words->ctx, row->cgroup);

	if (path)
		strbuf_addname(&cells[0], path);
	else
		strbuf_addf(&cells[0], "%" PRIu64, row->cgroup);
}

/* Tell whether rows have a call chain to show. */
static bool has_chain(const struct lock_show *s)
{
	return s->by == LOCK_BY_CHAIN || s->by == LOCK_BY_OWNER_CHAIN;
}

static const struct subject *subject_of(const struct lock_show *s)
{
	static const struct subject subjects[] = {
		[LOCK_BY_CALLER] = { { "type", "caller" }, put_caller },
		[LOCK_BY_CHAIN] = { { "type", "caller" }, put_caller },
		[LOCK_BY_ADDRESS] = { { "address", "symbol", "type" }, put_address },
		[LOCK_BY_TASK] = { { "pid", "comm" }, put_task },
		[LOCK_BY_CGROUP] = { { "cgroup" }, put_cgroup },
		[LOCK_BY_CLASS] = { { "type", "caller" }, put_caller },
		[LOCK_BY_OWNER] = { { "pid", "owner" }, put_task },
		[LOCK_BY_OWNER_CHAIN] = { { "pid", "owner" }, put_task },
		[LOCK_BY_FUTEX] = { { "address", "symbol", "holder" }, put_futex },
	};

	return &subjects[s->by];
}

/* Append the last columns as people read them. @cells: their texts */
static void put_aligned(const struct subject *of, const char *const cells[3], struct strbuf *out)
{
	if (!of->titles[1])
		strbuf_addf(out, "  %s", cells[0]);
	else
		strbuf_addf(out, of->titles[2] ? "  %16s   %s" : "  %10s   %s", cells[0], cells[1]);
	if (of->titles[2] && *cells[2])
		strbuf_addf(out, *cells[1] ? " (%s)" : "(%s)", cells[2]);
}

/* ---- lines ---- */

static void put_head(const struct lock_show *s, struct strbuf *out)
{
	const struct subject *of = subject_of(s);
	const char *titles[3] = { of->titles[0], of->titles[1], "" };

	if (s->view == LOCK_REPORT)
		strbuf_addf(out, "%*s ", NAME_COLUMNS, "Name");
	for (u32 i = 0; i < s->nr_fields; i++)
		strbuf_addf(out, "%*s ", lock_columns[s->fields[i]].width,
			    lock_columns[s->fields[i]].title);
	if (s->view == LOCK_CONTENTION)
		put_aligned(of, titles, out);
	strbuf_addstr(out, "\n\n");
}

static void put_numbers(const struct lock_show *s, const struct lock_row *row, struct strbuf *out)
{
	for (u32 i = 0; i < s->nr_fields; i++) {
		const struct lock_column *c = &lock_columns[s->fields[i]];

		if (c->is_time)
			lock_put_time(c->value(row), out);
		else
			strbuf_addf(out, "%*" PRIu64, c->width, c->value(row));
		strbuf_addch(out, ' ');
	}
}

/* A name that is too long for its column is cut. */
static void put_report_row(const struct lock_table *t, const struct lock_row *row,
			   struct strbuf *out)
{
	struct strbuf name = STRBUF_INIT;

	put_name(t, row, &name);
	if (name.len > NAME_COLUMNS - 1)
		strbuf_addf(out, "%*.*s... ", NAME_COLUMNS - 3, NAME_LENGTH, strbuf_str(&name));
	else
		strbuf_addf(out, "%*s ", NAME_COLUMNS, strbuf_str(&name));
	put_numbers(t->show, row, out);
	strbuf_addch(out, '\n');
	strbuf_release(&name);
}

static void put_chain(const struct lock_table *t, const struct lock_row *row, struct strbuf *out)
{
	u32 nr;
	const u64_una *ips = t->words->chain(t->words->ctx, row, &nr);

	for (u32 i = 0; i < nr; i++) {
		strbuf_addf(out, "\t\t\t0x%" PRIx64 "  ", (u64)ips[i]);
		lock_put_code(t->words, ips[i], out);
		strbuf_addch(out, '\n');
	}
}

static void put_contention_row(const struct lock_table *t, const struct lock_row *row,
			       struct strbuf *out)
{
	const struct subject *of = subject_of(t->show);
	struct strbuf cells[3] = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };
	const char *texts[3];

	of->put(t, row, cells);
	for (u32 i = 0; i < ARRAY_SIZE(texts); i++)
		texts[i] = strbuf_str(&cells[i]);
	put_numbers(t->show, row, out);
	put_aligned(of, texts, out);
	strbuf_addch(out, '\n');
	if (has_chain(t->show))
		put_chain(t, row, out);
	for (u32 i = 0; i < ARRAY_SIZE(cells); i++)
		strbuf_release(&cells[i]);
}

/* ---- lines for programs ---- */

static void put_separated_head(const struct lock_show *s, struct strbuf *out)
{
	const struct subject *of = subject_of(s);

	strbuf_addstr(out, "# output: ");
	for (u32 i = 0; i < s->nr_fields; i++)
		strbuf_addf(out, "%s%s ", lock_columns[s->fields[i]].title, s->separator);
	for (u32 i = 0; i < ARRAY_SIZE(of->titles) && of->titles[i]; i++)
		strbuf_addf(out, "%s%s%s", i ? s->separator : "", i ? " " : "", of->titles[i]);
	if (has_chain(s))
		strbuf_addf(out, "%s stacktrace", s->separator);
	strbuf_addch(out, '\n');
}

/* Append a text as one cell: with quotes when it has the separator in it. */
static void put_cell(const struct lock_show *s, const char *text, struct strbuf *out)
{
	bool quoted = strstr(text, s->separator);

	if (quoted)
		strbuf_addch(out, '"');
	csv_text(out, text, strlen(text));
	if (quoted)
		strbuf_addch(out, '"');
}

static void put_separated_chain(const struct lock_table *t, const struct lock_row *row,
				struct strbuf *out)
{
	u32 nr;
	const u64_una *ips = t->words->chain(t->words->ctx, row, &nr);

	strbuf_addf(out, "%s ", t->show->separator);
	for (u32 i = 0; i < nr; i++) {
		strbuf_addstr(out, i ? ":" : "");
		lock_put_code(t->words, ips[i], out);
	}
}

static void put_separated_row(const struct lock_table *t, const struct lock_row *row,
			      struct strbuf *out)
{
	const struct lock_show *s = t->show;
	const struct subject *of = subject_of(s);
	struct strbuf cells[3] = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };

	of->put(t, row, cells);
	for (u32 i = 0; i < s->nr_fields; i++)
		strbuf_addf(out, "%" PRIu64 "%s ", lock_columns[s->fields[i]].value(row),
			    s->separator);
	for (u32 i = 0; i < ARRAY_SIZE(cells) && of->titles[i]; i++) {
		if (i)
			strbuf_addf(out, "%s ", s->separator);
		put_cell(s, strbuf_str(&cells[i]), out);
	}
	if (has_chain(s))
		put_separated_chain(t, row, out);
	strbuf_addch(out, '\n');
	for (u32 i = 0; i < ARRAY_SIZE(cells); i++)
		strbuf_release(&cells[i]);
}

/* ---- whole texts ---- */

void lock_put_table(const struct lock_table *t, struct strbuf *out)
{
	const struct lock_show *s = t->show;
	size_t nr;
	const struct lock_row **rows = sorted_rows(t, &nr);

	if (!s->quiet && s->separator)
		put_separated_head(s, out);
	else if (!s->quiet)
		put_head(s, out);
	for (size_t i = 0; i < nr; i++) {
		if (s->separator)
			put_separated_row(t, rows[i], out);
		else if (s->view == LOCK_REPORT)
			put_report_row(t, rows[i], out);
		else
			put_contention_row(t, rows[i], out);
	}
	free(rows);
	if (!s->separator && !s->quiet && (s->verbose || t->missing.broken))
		lock_put_missing(&t->missing, out);
}

static int compare_addresses(const void *a, const void *b)
{
	const struct lock_row *const *x = a, *const *y = b;

	return ((*x)->address > (*y)->address) - ((*x)->address < (*y)->address);
}

void lock_put_map(const struct lock_table *t, struct strbuf *out)
{
	const struct lock_row **rows = xcalloc(t->nr + 1, sizeof(*rows));

	for (size_t i = 0; i < t->nr; i++)
		rows[i] = &t->rows[i];
	qsort(rows, t->nr, sizeof(*rows), compare_addresses);
	strbuf_addstr(out, "Address of instance: name of class\n");
	for (size_t i = 0; i < t->nr; i++) {
		strbuf_addf(out, " 0x%" PRIx64 ": ", rows[i]->address);
		put_name(t, rows[i], out);
		strbuf_addch(out, '\n');
	}
	free(rows);
}

void lock_put_missing(const struct lock_missing *m, struct strbuf *out)
{
	static const char *const names[] = { "acquire", "acquired", "contended", "release" };

	strbuf_addf(out,
		    "\n=== output for debug===\n\nbad: %" PRIu64 ", total: %" PRIu64
		    "\nbad rate: %.2f %%\nhistogram of events caused bad sequence\n",
		    m->broken, m->rows,
		    m->rows ? 100.0 * (double)m->broken / (double)m->rows : 0.0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		strbuf_addf(out, " %10s: %" PRIu64 "\n", names[i], m->bad[i]);
	strbuf_addf(out,
		    "waits without an end: %" PRIu64 ", ends without a begin: %" PRIu64
		    ", waits with lost events: %" PRIu64 "\n",
		    m->unended, m->ends, m->torn);
}
