// SPDX-License-Identifier: GPL-2.0-or-later
/* Read a recording into lines, and choose those that are shown. */
#include "base/compat.h"

#include "linestext/linestext-internal.h"

#include "base/alloc.h"
#include "datatype/datatype.h"

#include <errno.h>
#include <sys/mman.h>

#define LEAST_SHARE 0.001 /* of all accesses of the kind that is displayed */

/* ---- options ---- */

static const char *const key_names[CLINES_KEYS] = {
	[CLINES_PID] = "pid",
	[CLINES_TID] = "tid",
	[CLINES_CODE] = "iaddr",
	[CLINES_OBJECT] = "dso",
};

static const struct {
	const char *name, *title;
} displays[] = {
	[DISPLAY_TOTAL] = { "tot", "Total HITMs" },
	[DISPLAY_LOCAL] = { "lcl", "Local HITMs" },
	[DISPLAY_REMOTE] = { "rmt", "Remote HITMs" },
	[DISPLAY_PEER] = { "peer", "Peer Snoop" },
};

void clines_key_words(struct strbuf *out)
{
	for (u32 k = 0; k < CLINES_KEYS; k++)
		strbuf_addf(out, "%s%s", k ? " " : "", key_names[k]);
}

void clines_display_words(struct strbuf *out)
{
	for (u32 i = DISPLAY_TOTAL; i < ARRAY_SIZE(displays); i++)
		strbuf_addf(out, "%s%s", i > DISPLAY_TOTAL ? " " : "", displays[i].name);
}

const char *clines_key_name(enum clines_key key)
{
	return key_names[key];
}

const char *clines_display_name(enum clines_display d)
{
	return displays[d].title;
}

bool clines_has_key(const struct clines_show *s, enum clines_key key)
{
	for (u32 i = 0; i < s->nr_keys; i++)
		if (s->keys[i] == key)
			return true;
	return false;
}

static int add_key(struct clines_show *s, const char *word, size_t len, struct err *err)
{
	for (u32 k = 0; k < CLINES_KEYS; k++) {
		if (strlen(key_names[k]) != len || strncmp(key_names[k], word, len))
			continue;
		if (!clines_has_key(s, (enum clines_key)k))
			s->keys[s->nr_keys++] = (u8)k;
		return 0;
	}
	return err_set(err, -EINVAL,
		       "unrecognized sort token: %.*s (there are pid, tid, iaddr and dso)",
		       (int)len, word);
}

int clines_show_coalesce(struct clines_show *s, const char *text, struct err *err)
{
	int ret = 0;

	s->nr_keys = 0;
	for (const char *p = text; *p && !ret; p += strspn(p, ", ")) {
		size_t len = strcspn(p, ", ");

		ret = len ? add_key(s, p, len, err) : 0;
		p += len;
	}
	return ret;
}

int clines_show_display(struct clines_show *s, const char *text, struct err *err)
{
	for (u32 i = DISPLAY_TOTAL; i < ARRAY_SIZE(displays); i++) {
		if (strcmp(displays[i].name, text))
			continue;
		s->display = (enum clines_display)i;
		return 0;
	}
	return err_set(err, -EINVAL,
		       "failed: unknown display type: %s (there are tot, lcl, rmt and peer)", text);
}

/* ---- the recording is read ---- */

struct reader {
	struct clines_table *t;
	struct clines_worker *w;
	struct thread_at at;
};

struct reading {
	struct clines_table *t;
	struct reader **readers; /* owned */
	size_t nr, cap;
};

static void *new_reader(void *ctx, int worker __unused)
{
	struct reading *g = ctx;
	struct reader *r = xzalloc(sizeof(*r));

	r->t = g->t;
	r->w = clines_worker(g->t->lines);
	VEC_GROW(g->readers, g->nr + 1, g->cap);
	g->readers[g->nr++] = r;
	return r;
}

/* Any event may switch, also one whose samples are no accesses. */
static bool is_wanted(struct reader *r, const struct session_event *ev)
{
	struct recording *of = r->t->r;

	return recording_switch_takes(of, ev) &&
	       ev->evsel->attr.sample_type & PERF_SAMPLE_DATA_SRC &&
	       recording_takes(of, ev, &r->at);
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err __unused)
{
	struct reader *r = ctx;
	const struct sample *s = ev->sample;
	struct line_access a;

	if (!is_wanted(r, ev))
		return 0;
	a = (struct line_access){
		.addr = s->addr,
		.phys = s->phys_addr,
		.ip = s->ip,
		.data_src = s->data_src,
		.weight = s->weight,
		.pid = s->pid,
		.tid = s->tid,
		.cpu = s->cpu,
		.epoch = s->cpumode == PERF_RECORD_MISC_KERNEL ? r->at.kernel_epoch : r->at.epoch,
		.cpumode = s->cpumode,
	};
	if (r->t->chains)
		a.chain = clines_chain_number(r->t->chains, ev, &r->at);
	clines_add(r->w, &a);
	return 0;
}

static int on_ordered(void *ctx, int worker __unused, const struct session_event *ev,
		      struct strbuf *out __unused, struct err *err)
{
	const struct reading *g = ctx;

	return ev->sample ? on_sample(g->readers[0], ev, err) : 0;
}

/* Memory without a file behind it is of one process, unless it was mapped to be shared. */
static bool place_of(void *ctx, const struct line_access *a, struct line_place *out)
{
	const struct clines_table *t = ctx;
	const struct map *map = machine_find_map(t->r->machine, a->epoch, a->cpumode, a->addr);
	const struct dso *d = map ? map->dso : NULL;

	if (!d)
		return false;
	*out = (struct line_place){ .device = (u64)d->maj << 32 | d->min,
				    .inode = d->ino,
				    .generation = d->ino_generation,
				    .addr = map_to_file(map, a->addr) };
	if (a->cpumode != PERF_RECORD_MISC_KERNEL && !(map->flags & MAP_SHARED) && !out->device &&
	    !out->inode && !out->generation)
		out->pid = a->pid;
	return true;
}

static bool object_of(void *ctx, const struct line_access *a, u32 *out)
{
	const struct clines_table *t = ctx;
	const struct map *map = machine_find_map(t->r->machine, a->epoch, a->cpumode, a->ip);

	if (map)
		*out = map->dso->id;
	return map;
}

static bool has_sources(const struct recording *r)
{
	const struct evlist *l = &r->session.evlist;

	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->attr.sample_type & PERF_SAMPLE_DATA_SRC)
			return true;
	return false;
}

static int check(void *ctx, struct err *err)
{
	const struct reading *g = ctx;

	if (has_sources(g->t->r)) {
		clines_chains_open(g->t);
		return recording_bind_switch(g->t->r, err);
	}
	return err_set(err, -ENOENT,
		       "c2c: the samples of this recording do not tell where data came from.\n"
		       "Record memory accesses with: perf c2c record");
}

static int read_all(struct clines_table *t, int workers, struct err *err)
{
	static const struct recording_ops ops = {
		.ready = check,
		.worker_new = new_reader,
		.sample = on_sample,
	};
	static const struct recording_ops in_order = { .ready = check, .format = on_ordered };
	struct reading g = { .t = t };
	bool switches = event_switch_any(&t->r->on_off);
	int ret;

	recording_symbols(t->r);
	ret = recording_prepare(t->r, err);
	ret = ret ? ret : recording_settle_time(t->r, err);
	if (!ret && switches) {
		new_reader(&g, 0);
		ret = recording_ordered(t->r, &in_order, &g, 1, err);
	} else if (!ret) {
		ret = recording_samples(t->r, &ops, &g, clines_wants_chains(t) ? 1 : workers, err);
	}
	for (size_t i = 0; i < g.nr; i++)
		free(g.readers[i]);
	free(g.readers);
	return ret;
}

/* ---- lines are chosen ---- */

/* Processors of Arm tell of peers, and not of modified lines. */
static enum clines_display display_of(const struct clines_table *t)
{
	const char *arch = t->r->session.file->env.arch;

	if (t->show->display != DISPLAY_AUTO)
		return t->show->display;
	return arch && (!strcmp(arch, "aarch64") || !strcmp(arch, "arm64")) ? DISPLAY_PEER
									    : DISPLAY_TOTAL;
}

static int shown_cmp(const void *a, const void *b, void *ctx)
{
	const struct line *x = *(const struct line *const *)a, *y = *(const struct line *const *)b;
	const enum clines_display *d = ctx;
	u64 m = clines_measure(*d, &x->counts), n = clines_measure(*d, &y->counts);

	if (m != n)
		return m > n ? -1 : 1;
	return x < y ? -1 : x > y; /* the order of places */
}

#define CONTENDED                                                                                  \
	(ACCESS_BIT(ACCESS_LCL_HITM) | ACCESS_BIT(ACCESS_RMT_HITM) | ACCESS_BIT(ACCESS_LCL_PEER) | \
	 ACCESS_BIT(ACCESS_RMT_PEER))

/* A line that may be shown. */
struct candidate {
	u64 own; /* of what is displayed */
	u32 line;
};

/* Add up the lines that are shared. Return: those of them, or of all lines, that may be shown; the
 * caller frees them. */
static struct candidate *add_shared(struct clines_table *t, size_t *nr)
{
	size_t nr_lines = clines_nr(t->lines), cap = 0;
	struct candidate *all = NULL;
	struct line_counts c;

	*nr = 0;
	for (size_t i = 0; i < nr_lines; i++) {
		bool shared = clines_set(t->lines, i) & CONTENDED;

		if (!shared && !t->show->all_lines)
			continue;
		VEC_GROW(all, *nr + 1, cap);
		all[*nr] = (struct candidate){ 0, (u32)i };
		if (shared) {
			clines_sum(t->lines, i, &c);
			line_counts_add(&t->shared, &c);
			t->nr_shared++;
			all[*nr].own = clines_measure(t->display, &c);
		}
		(*nr)++;
	}
	return all;
}

static void choose(struct clines_table *t)
{
	size_t nr, nr_shown = 0;
	struct candidate *all = add_shared(t, &nr);
	u64 sum = clines_measure(t->display, &t->shared);
	u32 *shown = xcalloc(nr + 1, sizeof(*shown));
	const struct line *lines;

	for (size_t i = 0; i < nr; i++)
		if (t->show->all_lines ||
		    (all[i].own && (double)all[i].own / (double)sum > LEAST_SHARE))
			shown[nr_shown++] = all[i].line;
	free(all);
	if (!t->show->stats_only)
		clines_show(t->lines, shown, nr_shown);
	free(shown);
	lines = clines_of(t->lines, &t->nr_shown);
	t->shown = xcalloc(t->nr_shown + 1, sizeof(*t->shown));
	for (size_t i = 0; i < t->nr_shown; i++)
		t->shown[i] = &lines[i];
	qsort_r(t->shown, t->nr_shown, sizeof(*t->shown), shown_cmp, &t->display);
}

struct clines_table *clines_table_new(const struct clines_show *show, struct recording *r,
				      int workers, struct err *err)
{
	struct clines_table *t = xzalloc(sizeof(*t));
	struct clines_conf conf = {
		.line_size = clines_line_size(r, show->double_lines),
		.place = place_of,
		.object = object_of,
		.ctx = t,
		.nr_keys = show->nr_keys,
		.lines_only = show->stats_only,
		.threads = show->threads || show->objects,
	};

	memcpy(conf.keys, show->keys, sizeof(conf.keys));
	t->show = show;
	t->r = r;
	t->line_size = conf.line_size;
	t->lines = clines_new(&conf);
	if (read_all(t, workers, err)) {
		clines_table_free(t);
		return NULL;
	}
	t->last_time = r->session.last_time;
	t->display = display_of(t);
	clines_memory_read(t);
	clines_finish(t->lines);
	choose(t);
	return t;
}

void clines_table_free(struct clines_table *t)
{
	if (!t)
		return;
	clines_free(t->lines);
	clines_chains_free(t->chains);
	srclines_free(t->sources);
	datatypes_free(t->types);
	free(t->shown);
	free(t);
}

/* ---- entries are chosen ---- */

/* Entries at one offset are ordered so that those that are what is displayed come first. */
static int entry_cmp(const void *a, const void *b, void *ctx)
{
	const struct shown_entry *x = a, *y = b;
	const enum clines_display *d = ctx;
	u64 m, n;

	if (x->e->offset != y->e->offset)
		return x->e->offset < y->e->offset ? -1 : 1;
	m = clines_measure(*d, &x->sums.counts);
	n = clines_measure(*d, &y->sums.counts);
	if (m == n && (*d == DISPLAY_LOCAL || *d == DISPLAY_REMOTE)) {
		m = line_hitms(&x->sums.counts);
		n = line_hitms(&y->sums.counts);
	}
	if (m != n)
		return m > n ? -1 : 1;
	return x->e < y->e ? -1 : x->e > y->e; /* the order of the keys */
}

struct shown_entry *clines_entry_order(const struct clines_table *t, const struct line *line,
				       size_t *nr)
{
	const struct line_entry *entries = clines_entries(t->lines) + line->entry;
	struct shown_entry *order = xcalloc(line->nr_entries + 1UL, sizeof(*order));
	enum clines_display display = t->display;

	*nr = 0;
	for (u32 i = 0; i < line->nr_entries; i++) {
		struct shown_entry *s = &order[*nr];

		s->e = &entries[i];
		clines_entry_sums(t->lines, s->e, &s->sums);
		if (clines_measure(display, &s->sums.counts) || s->sums.counts.nr[ACCESS_STORE])
			(*nr)++;
	}
	qsort_r(order, *nr, sizeof(*order), entry_cmp, &display);
	return order;
}
