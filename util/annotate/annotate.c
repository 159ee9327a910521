// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The steps of annotating many functions: disassembly, on all threads; positions in the source, one
 * thread for each object, because the debug information of an object is read by one; lines of
 * source and sums, on all threads.
 */
#include "base/compat.h"

#include "annotate/annotate-internal.h"

#include "base/alloc.h"
#include "base/pool.h"

/* ---- lines ---- */

u32 annotation_put(struct annotation *a, const char *s, size_t len)
{
	u32 at = (u32)a->text.len;

	strbuf_add(&a->text, s, len);
	strbuf_addch(&a->text, '\0');
	return at;
}

struct annotate_line *annotation_add(struct annotation *a, enum annotate_kind kind, u32 text)
{
	struct annotate_line *line;

	VEC_GROW(a->lines, a->nr + 1, a->cap);
	line = &a->lines[a->nr++];
	*line = (struct annotate_line){ .kind = (u8)kind, .text = text };
	return line;
}

void annotation_fail(struct annotation *a, const char *fmt, ...)
{
	struct strbuf why = STRBUF_INIT;
	va_list ap;

	if (a->why)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&why, fmt, ap);
	va_end(ap);
	a->why = strbuf_detach(&why);
}

/* ---- links ---- */

/* Return the line of the instruction at or before an address; SIZE_MAX: none. */
static size_t insn_at(const struct annotation *a, const u32 *insns, size_t nr, u64 addr)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (a->lines[insns[mid]].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? insns[low - 1] : SIZE_MAX;
}

static void link_jumps(struct annotation *a, const u32 *insns, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct annotate_line *line = &a->lines[insns[i]];
		size_t to;

		if (line->flow != FLOW_JUMP || !line->has_target || line->target < a->start ||
		    line->target >= a->end)
			continue;
		to = insn_at(a, insns, nr, line->target);
		if (to == SIZE_MAX || a->lines[to].addr != line->target)
			continue;
		line->inside = true;
		a->lines[to].jumps++;
	}
}

static void link_hits(struct annotation *a, const u32 *insns, size_t nr)
{
	const struct annotate_function *f = a->of;

	free(a->hits);
	a->hits = xcalloc(a->nr * a->nr_events + 1, sizeof(*a->hits));
	for (size_t i = 0; i < f->nr_sites; i++) {
		const struct annotate_site *s = &f->sites[i];
		size_t at = insn_at(a, insns, nr, a->start + (s->addr - f->start));
		struct annotate_hits *h;

		if (at == SIZE_MAX || s->event >= a->nr_events)
			continue;
		h = &a->hits[at * a->nr_events + s->event];
		h->samples += s->hits.samples;
		h->period += s->hits.period;
	}
}

/* Return the number of the first instruction at or behind an address. */
static size_t insn_from(const struct annotation *a, const u32 *insns, size_t nr, u64 addr)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (a->lines[insns[mid]].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* An instruction may be in several blocks; the last one counts. */
static void link_blocks(struct annotation *a, const u32 *insns, size_t nr)
{
	for (size_t i = 0; i < a->of->nr_blocks; i++) {
		const struct annotate_block *b = &a->of->blocks[i];
		size_t from = insn_from(a, insns, nr, a->start + b->start);
		size_t last = insn_from(a, insns, nr, a->start + b->end);
		double cycles = b->nr ? (double)b->cycles / (double)b->nr : 0;

		if (cycles <= 0 || last >= nr || from > last ||
		    a->lines[insns[last]].addr != a->start + b->end)
			continue;
		for (size_t k = from; k <= last; k++)
			a->lines[insns[k]].ipc = (double)(last - from + 1) / cycles;
		a->lines[insns[last]].cycles = (u64)(cycles + 0.5);
		a->lines[insns[last]].least = b->least;
		a->lines[insns[last]].most = b->most;
		a->has_cycles = true;
	}
}

/* Return the numbers of the lines that are instructions, *@nr of them; the caller frees. */
static u32 *find_insns(const struct annotation *a, size_t *nr)
{
	u32 *insns = xcalloc(a->nr + 1, sizeof(*insns));

	*nr = 0;
	for (size_t i = 0; i < a->nr; i++)
		if (a->lines[i].kind == ANNOTATE_INSN)
			insns[(*nr)++] = (u32)i;
	return insns;
}

void annotation_recount(struct annotation *a, const struct annotate_function *of)
{
	size_t nr;
	u32 *insns = find_insns(a, &nr);

	a->of = of;
	link_hits(a, insns, nr);
	free(insns);
}

void annotate_link(struct annotation *a)
{
	size_t nr;
	u32 *insns = find_insns(a, &nr);

	link_jumps(a, insns, nr);
	link_hits(a, insns, nr);
	link_blocks(a, insns, nr);
	free(insns);
	if (!nr)
		annotation_fail(a, "no instructions of %s were found in %s",
				location_symbol(&a->of->at), location_dso_long(&a->of->at));
}

/* ---- all functions ---- */

struct annotator {
	const struct annotate_conf *conf;
	int workers;
	struct annotate_tools *tools; /* by worker */
	struct srclines *lines;
	struct datatypes **types; /* by object; NULL: not needed so far */
	size_t nr_types;
};

/* One call. */
struct all {
	const struct annotate_conf *conf;
	struct annotate_tools *tools;
	struct srclines *lines;
	struct datatypes **types;
	struct annotation *of;
	size_t nr;
	struct position **positions; /* by function */
	u32 *order;                  /* functions, object by object */
	size_t *starts;              /* of each object in that order, and the end */
	size_t nr_objects;
};

static void disassemble(void *ctx, int worker, size_t i)
{
	struct all *all = ctx;
	struct annotation *a = &all->of[i];

	if (all->conf->objdump)
		annotate_objdump(a, &all->tools[worker]);
	else
		annotate_code(a, &all->tools[worker]);
	if (a->why && all->conf->sites)
		annotate_sites(a, &all->tools[worker]);
	if (!a->why && !a->sites_only && all->conf->bytes)
		annotate_bytes(a, &all->tools[worker]);
}

/* Read what the debug information of an object says of the functions that are in it. */
static void read_debug(void *ctx, int worker, size_t object)
{
	struct all *all = ctx;
	u32 id = all->of[all->order[all->starts[object]]].of->at.dso->id;
	bool positions = !all->conf->objdump || all->conf->positions;

	for (size_t i = all->starts[object]; i < all->starts[object + 1]; i++) {
		u32 f = all->order[i];

		if (all->of[f].why)
			continue;
		if (positions)
			all->positions[f] = annotate_positions(&all->of[f], all->lines);
		if (all->conf->types)
			annotate_types(&all->of[f], &all->tools[worker], all->types[id]);
	}
}

static void complete(void *ctx, int worker, size_t i)
{
	struct all *all = ctx;
	struct annotation *a = &all->of[i];

	if (a->why)
		return;
	if (!all->conf->objdump)
		annotate_interleave(a, &all->tools[worker], all->positions[i]);
	annotate_name_targets(a, &all->tools[worker]);
	annotate_link(a);
	free(all->positions[i]);
}

static int by_object(const void *x, const void *y, void *ctx)
{
	const struct all *all = ctx;
	u32 a = *(const u32 *)x, b = *(const u32 *)y;
	u32 left = all->of[a].of->at.dso->id, right = all->of[b].of->at.dso->id;

	return left != right ? (left < right ? -1 : 1) : a < b ? -1 : a > b;
}

/* Put the functions into groups, one for each object. */
static void group_objects(struct all *all)
{
	all->order = xcalloc(all->nr + 1, sizeof(*all->order));
	all->starts = xcalloc(all->nr + 1, sizeof(*all->starts));
	for (size_t i = 0; i < all->nr; i++)
		all->order[i] = (u32)i;
	qsort_r(all->order, all->nr, sizeof(*all->order), by_object, all);
	for (size_t i = 0; i < all->nr; i++)
		if (!i ||
		    all->of[all->order[i]].of->at.dso != all->of[all->order[i - 1]].of->at.dso)
			all->starts[all->nr_objects++] = i;
	all->starts[all->nr_objects] = all->nr;
}

static void tools_init(struct annotate_tools *t, const struct annotate_conf *conf)
{
	*t = (struct annotate_tools){ .conf = conf };
	t->files = code_files_new();
	t->sources = source_files_new();
	t->scratch = (struct strbuf)STRBUF_INIT;
	if (conf->machine) {
		size_t nr;
		const struct text_poke *pokes = machine_pokes(conf->machine, &nr);

		code_files_set_pokes(t->files, pokes, nr);
	}
}

static void tools_release(struct annotate_tools *t)
{
	code_files_free(t->files);
	source_files_free(t->sources);
	for (int i = 0; i < ARCH_CODE_NR; i++) {
		disasm_close(t->disasm[i][0]);
		disasm_close(t->disasm[i][1]);
	}
	free(t->code);
	strbuf_release(&t->scratch);
}

struct annotator *annotator_new(const struct annotate_conf *conf)
{
	struct annotator *an = xzalloc(sizeof(*an));

	an->conf = conf;
	an->lines = srclines_new(conf->symbols);
	an->workers = MAX(conf->workers, 1);
	an->tools = xcalloc((size_t)an->workers, sizeof(*an->tools));
	for (int i = 0; i < an->workers; i++)
		tools_init(&an->tools[i], conf);
	return an;
}

void annotator_free(struct annotator *an)
{
	if (!an)
		return;
	for (int i = 0; i < an->workers; i++)
		tools_release(&an->tools[i]);
	for (size_t i = 0; i < an->nr_types; i++)
		datatypes_free(an->types[i]);
	srclines_free(an->lines);
	free(an->tools);
	free(an->types);
	free(an);
}

/* Return the reader of the data types of the object that a function is in; it is made when it is
 * asked for first. */
static struct datatypes *types_of(struct annotator *an, const struct annotate_function *f)
{
	size_t id = f->at.dso->id, old = an->nr_types;

	if (id >= old) {
		an->nr_types = MAX(id + 1, old * 2);
		an->types = xrealloc(an->types, an->nr_types, sizeof(struct datatypes *));
		memset(an->types + old, 0, (an->nr_types - old) * sizeof(struct datatypes *));
	}
	if (!an->types[id])
		an->types[id] = datatypes_new(an->conf->arch);
	return an->types[id];
}

void annotate_find_types(struct annotator *an, struct annotation *a)
{
	annotate_types(a, &an->tools[0], types_of(an, a->of));
}

struct annotation *annotate_many(struct annotator *an,
				 const struct annotate_function *const *functions, size_t nr)
{
	struct all all = { .conf = an->conf, .tools = an->tools, .nr = nr };

	all.of = xcalloc(nr + 1, sizeof(*all.of));
	all.positions = xcalloc(nr + 1, sizeof(struct position *));
	for (size_t i = 0; i < nr; i++) {
		all.of[i].of = functions[i];
		all.of[i].nr_events = an->conf->nr_events;
		annotation_put(&all.of[i], "", 0);
	}
	for (size_t i = 0; an->conf->types && i < nr; i++)
		types_of(an, functions[i]); /* workers only read the table */
	all.lines = an->lines;
	all.types = an->types;
	pool_run(an->workers, nr, disassemble, &all);
	group_objects(&all);
	if (!an->conf->objdump || an->conf->positions || an->conf->types)
		pool_run(an->workers, all.nr_objects, read_debug, &all);
	pool_run(an->workers, nr, complete, &all);
	free(all.positions);
	free(all.order);
	free(all.starts);
	return all.of;
}

void annotations_free(struct annotation *a, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(a[i].why);
		free(a[i].lines);
		free(a[i].hits);
		free(a[i].inlines);
		strbuf_release(&a[i].text);
	}
	free(a);
}
