// SPDX-License-Identifier: GPL-2.0-or-later
/* These functions read a histogram: names, and the parts that rows refer to. */
#include "base/compat.h"

#include "hist/state-internal.h"

bool hist_needs_symbol(const struct hist *h)
{
	/* In a histogram of branches, only objects with symbols widen their column. */
	if (h->conf.branches && (h->keep & (NEED_DSO | NEED_DSO_FROM)))
		return true;
	return h->conf.stacks ||
	       (h->keep & (NEED_SYM | NEED_SYM_FROM | NEED_ADDRS | NEED_PARENT)) ||
	       h->conf.children || (h->conf.chains && h->conf.chain.mode != CHAIN_NONE);
}

bool hist_needs_dso(const struct hist *h)
{
	return (h->keep & (NEED_DSO | NEED_DSO_FROM)) || hist_needs_symbol(h);
}

bool hist_dso_hit(const struct hist *h, u32 dso)
{
	return dso < h->nr_dso_hit && h->dso_hit[dso];
}

const struct hist_conf *hist_config(const struct hist *h)
{
	return &h->conf;
}

const struct hist_event *hist_event(const struct hist *h, u32 evsel)
{
	static const struct hist_event none;

	return evsel < h->conf.nr_events ? &h->events[evsel] : &none;
}

const struct hist_base *hist_base(const struct hist *h, u32 base)
{
	return &h->bases[h->own_sets ? h->key_values[(size_t)base * h->set_size] >> 32 : base];
}

const struct hist_place *hist_place(const struct hist *h, u32 place)
{
	return &h->places[place];
}

u64 *hist_missing(const struct hist *h, size_t *nr)
{
	u64 *of;

	*nr = MAX(h->dso_names.nr, 1u);
	of = xcalloc(*nr, sizeof(*of));
	for (size_t i = 0; h->place_samples && i < h->nr_places; i++)
		if (h->places[i].sym == UINT32_MAX)
			of[h->places[i].dso] += h->place_samples[i];
	return of;
}

u64 hist_place_end(const struct hist_place *p)
{
	return p->symtab && p->sym != UINT32_MAX ? symtab_range(p->symtab, p->sym).end : 0;
}

const struct hist_frame *hist_frame(const struct hist *h, u32 frame)
{
	return &h->frames[frame];
}

size_t hist_nr_places(const struct hist *h)
{
	return h->nr_places;
}

size_t hist_nr_frames(const struct hist *h)
{
	return h->nr_frames;
}

const struct machine *hist_machine(const struct hist *h)
{
	return h->machine;
}

const char *hist_frame_line(const struct hist *h, u32 frame)
{
	return intern_str(&h->frame_lines, h->frames[frame].line);
}

void hist_keep_comms(struct hist *h)
{
	h->nr_comm_names = machine_nr_comms(h->machine);
	h->comm_names = xcalloc(h->nr_comm_names + (size_t)1, sizeof(*h->comm_names));
	for (size_t i = 0; i < h->nr_bases; i++) {
		u32 comm = h->bases[i].comm;

		if (comm < h->nr_comm_names && !h->comm_names[comm])
			h->comm_names[comm] =
				arena_strdup(&h->comm_arena, machine_comm_told(h->machine, comm));
	}
}

const char *hist_comm_name(const struct hist *h, u32 comm)
{
	if (comm < h->nr_comm_names && h->comm_names[comm])
		return h->comm_names[comm];
	return machine_comm_told(h->machine, comm);
}

const char *hist_dso_shown(const struct hist *h, const struct dso *d)
{
	struct location l = { .dso = d };

	return h->conf.origins ? location_dso_long(&l) : location_dso(&l);
}

static bool any_path(const struct name_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (strchr(l->names[i], '/'))
			return true;
	return false;
}

u32 hist_dso_id(struct hist *h, const struct dso *d)
{
	const char *shown = hist_dso_shown(h, d),
		   *other = h->conf.origins ? d->short_name : d->path;
	bool both = h->conf.dsos && (h->conf.origins || any_path(h->conf.dsos));
	size_t len = strlen(shown);
	struct strbuf sb = STRBUF_INIT;
	u32 id;

	if (!both || !strcmp(shown, other))
		return intern_id(&h->dso_names, shown, len);
	strbuf_add(&sb, shown, len + 1);
	strbuf_addstr(&sb, other);
	id = intern_id(&h->dso_names, sb.buf, sb.len);
	strbuf_release(&sb);
	return id;
}

const char *hist_dso_name(const struct hist *h, u32 dso)
{
	return dso ? intern_str(&h->dso_names, dso) : "[unknown]";
}

const char *hist_symbol_name(const struct hist *h, u32 place)
{
	const struct hist_place *p = &h->places[place];

	if (p->sym == UINT32_MAX)
		return NULL;
	if (p->inlined)
		return intern_str(&h->inline_names, p->inlined);
	if (h->place_names && h->place_names[place])
		return h->place_names[place];
	return symtab_name(p->symtab, p->sym);
}

/* ---- what rows refer to, brought by memory ---- */

/*
 * Load a byte of it. Loads that do not wait for each other bring many pages and lines at a time; a
 * prefetch of each a while before it is needed takes five times as long where the pages are small.
 */
static inline void bring(const void *of, size_t size)
{
	(void)*(const volatile u8 *)of;
	(void)*((const volatile u8 *)of + size - 1);
}

static const u64 *set_of(const struct hist *h, const struct hist_row *row)
{
	return h->key_values + (size_t)row->base * h->set_size;
}

/* Bring the addresses that key values of rows are numbers of. */
static void bring_addrs(const struct hist *h, struct hist_row *const *rows, size_t nr)
{
	for (u32 k = 0; k < h->conf.cols.nr_keys; k++) {
		enum hist_key key = h->conf.cols.keys[k].key;

		if (key != KEY_DATA && key != KEY_INSTR)
			continue;
		for (size_t i = 0; i < nr; i++)
			bring(&h->key_addrs[set_of(h, rows[i])[h->key_word[k]]],
			      sizeof(*h->key_addrs));
	}
}

void hist_bring_rows(const struct hist *h, struct hist_row *const *rows, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		bring(rows[i], sizeof(*rows[i]));
	for (i = 0; i < nr; i++)
		bring(&h->places[rows[i]->place], sizeof(*h->places));
	for (i = 0; h->place_names && i < nr; i++)
		if (h->place_names[rows[i]->place])
			bring(h->place_names[rows[i]->place], 1);
	if (!h->own_sets)
		return;
	for (i = 0; i < nr; i++)
		bring(set_of(h, rows[i]), h->set_size * sizeof(u64));
	bring_addrs(h, rows, nr);
}

const char *hist_process_comm(const struct hist *h, const struct hist_row *row, u32 pid)
{
	const struct hist_thread *t = &h->threads[row->thread];
	struct thread_at at = { 0 };

	if (row->thread >= h->nr_threads || !t->time)
		return "";
	machine_thread_at(h->machine, pid, pid, t->time, &at);
	return machine_comm_told(h->machine, at.comm);
}

const char *hist_thread_comm(const struct hist *h, const struct hist_row *row)
{
	const struct hist_thread *t = &h->threads[row->thread];
	struct thread_at at = { 0 };
	u32 comm = UINT32_MAX;
	u64 time;

	if (row->thread >= h->nr_threads || !t->time)
		return "";
	for (time = t->time; time != UINT64_MAX && time >= at.until; time = at.until) {
		machine_thread_at(h->machine, t->pid, t->tid, time, &at);
		if (at.thread != row->thread && comm != UINT32_MAX)
			break;
		comm = at.comm;
	}
	return machine_comm_told(h->machine, comm);
}
