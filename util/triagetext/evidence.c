// SPDX-License-Identifier: GPL-2.0-or-later
/* Locks, devices and interrupts: which of them time was lost with. */
#include "base/compat.h"

#include "triagetext/triagetext-internal.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/units.h"

/* A cell gets a name. @text: is emptied */
static void name_cell(struct triage_cell *c, struct strbuf *text, u64 ns)
{
	free(c->what);
	c->what = strbuf_detach(text);
	c->what_ns = MIN(ns, c->ns);
}

/* ---- locks of the kernel ---- */

static void put_lock(struct triage_pass *p, const struct lock_row *row, struct strbuf *out)
{
	u64 start;
	const char *name = p->words.symbol(p, row->caller, &start);

	strbuf_addstr(out, lock_type_name(row->type));
	if (name)
		strbuf_addf(out, " in %s", name);
}

static void add_locks(struct triage_pass *p, struct triage_facts *f, const u32 *of, u32 nr_of)
{
	u64 *most = xcalloc((size_t)f->nr + 1, sizeof(*most));
	size_t nr;
	const struct lock_row *rows = lock_rows(p->locks, &nr);

	for (size_t i = 0; i < nr; i++) {
		u32 program = rows[i].task < nr_of ? of[rows[i].task] : TRIAGE_NONE;
		struct strbuf text = STRBUF_INIT;

		if (program == TRIAGE_NONE || rows[i].waits.total <= most[program])
			continue;
		most[program] = rows[i].waits.total;
		put_lock(p, &rows[i], &text);
		name_cell(&f->v[program].cells[TRIAGE_LOCK], &text, rows[i].waits.total);
	}
	free(most);
}

/* ---- locks of programs ---- */

static void put_futex(struct triage_pass *p, const struct futex_row *row, struct strbuf *out)
{
	struct location l;
	const char *name = lock_futex_place(analysis_recording(p->a), row, &l);

	if (name)
		strbuf_addname(out, name);
	else
		strbuf_addf(out, "the futex at 0x%" PRIx64, row->address);
}

static void add_futexes(struct triage_pass *p, struct triage_facts *f, const u32 *of, u32 nr_of)
{
	u64 *most = xcalloc((size_t)f->nr + 1, sizeof(*most));
	size_t nr;
	const struct futex_row *rows = futex_rows(p->futexes, &nr);

	for (size_t i = 0; i < nr; i++) {
		u32 program = rows[i].waits.count && rows[i].waiter < nr_of ? of[rows[i].waiter]
									    : TRIAGE_NONE;
		struct strbuf text = STRBUF_INIT;
		struct triage_cell *c;

		if (program == TRIAGE_NONE || rows[i].waits.total <= most[program])
			continue;
		c = &f->v[program].cells[TRIAGE_FUTEX];
		if (!c->ns)
			continue;
		most[program] = rows[i].waits.total;
		put_futex(p, &rows[i], &text);
		name_cell(c, &text, rows[i].waits.total);
	}
	free(most);
}

/* ---- block devices ---- */

/* Add up how long requests of a device took, those of one program alone unless it is NONE. */
static u64 busy(const struct triage_pass *p, u32 dev, u32 program, const u32 *of, u32 nr_of)
{
	u64 sum = 0;

	for (u32 i = 1; i < p->blocks.nr; i++) {
		const struct block_row *row = &p->blocks.rows[i];
		const struct block_times *t = row->times[BLOCK_D2C];
		u32 whose = row->key.task < nr_of ? of[row->key.task] : TRIAGE_NONE;

		if (t && row->key.dev == dev && (program == TRIAGE_NONE || whose == program))
			sum += t->sum;
	}
	return sum;
}

/* Return the device that a program waits for: one with requests of its own, otherwise the busiest;
 * 0: there was none. */
static u32 device_of(const struct triage_pass *p, u32 program, const u32 *of, u32 nr_of)
{
	u64 most = 0;
	u32 dev = 0;

	for (u32 i = 1; i < p->blocks.nr; i++) {
		u64 sum = busy(p, p->blocks.rows[i].key.dev, program, of, nr_of);

		if (sum > most) {
			most = sum;
			dev = p->blocks.rows[i].key.dev;
		}
	}
	return dev || program == TRIAGE_NONE ? dev : device_of(p, TRIAGE_NONE, of, nr_of);
}

struct op_sum {
	u64 nr, ns;
};

static void add_ops(const struct triage_pass *p, u32 dev, struct op_sum ops[BLOCK_KINDS])
{
	for (u32 i = 1; i < p->blocks.nr; i++) {
		const struct block_row *row = &p->blocks.rows[i];
		const struct block_times *t = row->times[BLOCK_D2C];
		u32 kind = block_rw_parse(row->key.rwbs, strlen(row->key.rwbs), 0).kind;

		if (!t || row->key.dev != dev || kind >= BLOCK_KINDS)
			continue;
		ops[kind].nr += t->nr;
		ops[kind].ns += t->sum;
	}
}

static void put_device(struct triage_pass *p, struct block_names *names, u32 dev,
		       struct strbuf *out)
{
	static const char *const words[BLOCK_KINDS] = { "read", "write", "discard", "flush",
							"command" };
	struct op_sum ops[BLOCK_KINDS] = { 0 };
	u32 worst = 0;

	add_ops(p, dev, ops);
	for (u32 kind = 1; kind < BLOCK_KINDS; kind++)
		if (ops[kind].ns > ops[worst].ns)
			worst = kind;
	strbuf_addname(out, block_name(names, dev));
	if (!ops[worst].nr)
		return;
	strbuf_addstr(out, ", ");
	duration_text(ops[worst].ns / ops[worst].nr, out);
	strbuf_addf(out, " per %s (%" PRIu64 " of them)", words[worst], ops[worst].nr);
}

static void add_devices(struct triage_pass *p, struct triage_facts *f, const u32 *of, u32 nr_of)
{
	static const struct sysroot here = { 0 };
	struct block_names names = { .sysroot = &here };

	block_names_learn(&names, analysis_recording(p->a)->session.file->env.hostname);
	for (u32 i = 0; i < f->nr; i++) {
		struct triage_cell *c = &f->v[i].cells[TRIAGE_DISK];
		u32 dev = c->ns ? device_of(p, i, of, nr_of) : 0;
		struct strbuf text = STRBUF_INIT;

		if (!dev)
			continue;
		put_device(p, &names, dev, &text);
		name_cell(c, &text, c->ns);
	}
	block_names_release(&names);
}

/* ---- interrupts ---- */

/* Interrupts hit anybody, so that the one with the most time is named for all. */
static void add_interrupts(struct triage_pass *p, struct triage_facts *f)
{
	size_t nr;
	const struct kwork_item *items = kwork_items(p->work, &nr), *worst = NULL;

	for (size_t i = 0; i < nr; i++)
		if (!worst || items[i].runs.total > worst->runs.total)
			worst = &items[i];
	for (u32 i = 0; worst && i < f->nr; i++) {
		struct triage_cell *c = &f->v[i].cells[TRIAGE_INTERRUPT];
		struct strbuf text = STRBUF_INIT;

		if (!c->ns)
			continue;
		strbuf_addname(&text, *worst->name ? worst->name : "interrupts");
		name_cell(c, &text, 0);
	}
}

void triage_evidence(struct triage_pass *p, struct triage_facts *f, const u32 *of, u32 nr)
{
	add_locks(p, f, of, nr);
	add_futexes(p, f, of, nr);
	add_devices(p, f, of, nr);
	add_interrupts(p, f);
}
