// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The records of a recording whose addresses are replaced. Mapping records come in time order, so
 * the spaces are always those of the moment.
 */
#include "base/compat.h"
#include "inject/aslr-internal.h"

#include "base/alloc.h"
#include "machine/machine.h"
#include "wire/encode.h"

#define KERNEL_HALF (1ULL << 63)
#define KSYMBOL_UNREGISTER 1

/* Places of addresses in records (linux/perf_event.h). */
enum { MMAP_START = 16, MMAP_PGOFF = 32, KSYMBOL_ADDR = 8, DEFERRED_IPS = 24 };

struct inject_aslr {
	bool swap; /* payloads are of the other byte order */
	struct map64 by_key;
	struct shifted_space **spaces; /* owned, and each of them */
	size_t nr, cap;
	struct tracefmt *tf;
	const void *seen;            /* the tracing data that @tf was made of */
	struct wire_layout *layouts; /* owned; of the output's samples, by index of the event */
	size_t nr_layouts;
	struct strbuf rec;   /* the record that is written */
	u64 *ips, *branches; /* owned; of the sample that is written */
	size_t cap_ips, cap_branches;
	u8 *raw; /* owned */
	size_t cap_raw;
};

struct inject_aslr *inject_aslr_new(bool swap)
{
	struct inject_aslr *a = xzalloc(sizeof(*a));

	a->swap = swap;
	return a;
}

void inject_aslr_free(struct inject_aslr *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->nr; i++) {
		shifted_release(a->spaces[i]);
		free(a->spaces[i]);
	}
	free(a->spaces);
	map64_release(&a->by_key);
	tracefmt_free(a->tf);
	free(a->layouts);
	strbuf_release(&a->rec);
	free(a->ips);
	free(a->branches);
	free(a->raw);
	free(a);
}

void inject_aslr_events(struct inject_aslr *a, const struct env *env)
{
	struct err damage = { 0 };

	if (!env->tracing_data || env->tracing_data == a->seen)
		return;
	a->seen = env->tracing_data;
	tracefmt_free(a->tf);
	a->tf = NULL;
	/* Payloads without a format become zeros. */
	tracefmt_read_section(env->tracing_data, env->tracing_size, &a->tf, &damage);
}

/* ---- spaces ---- */

static bool is_guest(u8 mode)
{
	return mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER;
}

static bool is_user(u8 mode)
{
	return mode == PERF_RECORD_MISC_USER || mode == PERF_RECORD_MISC_GUEST_USER;
}

/* Return the space of a process, or of the kernel when @kernel; a guest has spaces of its own. */
static struct shifted_space *space_of(struct inject_aslr *a, u32 pid, bool kernel, bool guest)
{
	u64 key = (kernel ? 0 : pid) | (u64)kernel << 32 | (u64)guest << 33;
	u32 *at = map64_slot(&a->by_key, key);

	if (*at == MAP64_NONE) {
		VEC_GROW(a->spaces, a->nr + 1, a->cap);
		a->spaces[a->nr] = xmalloc(sizeof(struct shifted_space));
		shifted_init(a->spaces[a->nr], kernel);
		*at = (u32)a->nr++;
	}
	return a->spaces[*at];
}

static struct shifted_pair spaces_of(struct inject_aslr *a, u32 pid, bool guest)
{
	return (struct shifted_pair){ space_of(a, pid, false, guest),
				      space_of(a, pid, true, guest) };
}

u64 shifted_any(const struct shifted_pair *p, u64 addr)
{
	if (addr < 4096 || addr >= (u64)PERF_CONTEXT_MAX)
		return addr;
	if (shifted_find(p->user, addr)) /* such as [vsyscall], in the half of the kernel */
		return shifted_addr(p->user, addr);
	return shifted_addr(addr & KERNEL_HALF ? p->kernel : p->user, addr);
}

/* Return the new address of one of @mode; 0: of any. */
static u64 shifted_in(const struct shifted_pair *p, u8 mode, u64 addr)
{
	if (addr < 4096 || addr >= (u64)PERF_CONTEXT_MAX)
		return addr;
	if (is_user(mode))
		return shifted_addr(p->user, addr);
	if (mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_GUEST_KERNEL)
		return shifted_addr(p->kernel, addr);
	return shifted_any(p, addr);
}

/* ---- records of mappings and tasks ---- */

static void put(struct inject_aslr *a, size_t at, u64 v)
{
	*(u64_una *)(a->rec.buf + at) = v;
}

/* Write what is in @a->rec instead of the record. */
static enum rewrite_verdict replace(struct inject_aslr *a, struct rewrite *rw,
				    const struct session_event *ev)
{
	rewrite_insert(rw, a->rec.buf, ev->evsel);
	return REWRITE_DROP;
}

/*
 * A kernel that hides its addresses is mapped from 0 on, and says where its text begins in the
 * offset; so do others. The text gets its place then, and the mapping stays.
 */
static void shift_kernel(struct inject_aslr *a, struct shifted_space *s, const struct rec_mmap *m)
{
	const u64 most = 1ULL << 30; /* of text and what belongs to it */

	if (m->start & KERNEL_HALF)
		put(a, MMAP_START, shifted_map(s, m->start, m->len, false));
	else if (m->pgoff & KERNEL_HALF)
		shifted_map(s, m->pgoff, MIN(most, -m->pgoff), false);
	if (m->pgoff & KERNEL_HALF)
		put(a, MMAP_PGOFF, shifted_addr(s, m->pgoff));
}

/* The offset of memory without a file is the address where it was mapped first. */
static void shift_user(struct inject_aslr *a, struct shifted_space *s, const struct rec_mmap *m)
{
	u64 start = shifted_map(s, m->start, m->len, false);

	put(a, MMAP_START, start);
	if (m->pgoff == m->start)
		put(a, MMAP_PGOFF, start);
	else if (m->pgoff && (is_anon_path(m->filename) || *m->filename == '['))
		put(a, MMAP_PGOFF, shifted_addr(s, m->pgoff));
}

static enum rewrite_verdict shift_mapping(struct inject_aslr *a, struct rewrite *rw,
					  const struct session_event *ev)
{
	u8 mode = ev->hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	bool guest = ev->guest || is_guest(mode);
	struct rec_mmap m;
	struct shifted_space *s;

	if (rec_mmap_decode(ev->hdr, ev->hdr->size, &m))
		return REWRITE_DROP;
	s = space_of(a, m.pid, !is_user(mode), guest);
	if (is_user(mode))
		shift_user(a, s, &m);
	else
		shift_kernel(a, s, &m);
	return replace(a, rw, ev);
}

/* Code that the kernel made, such as a BPF program, has no mapping. */
static enum rewrite_verdict shift_symbol(struct inject_aslr *a, struct rewrite *rw,
					 const struct session_event *ev)
{
	struct shifted_space *s = space_of(a, 0, true, ev->guest);
	const struct shifted_map *in;
	struct rec_ksymbol k;

	if (rec_ksymbol_decode(ev->hdr, ev->hdr->size, &k))
		return REWRITE_DROP;
	in = shifted_find(s, k.addr);
	if (k.flags & KSYMBOL_UNREGISTER || !k.len || (in && !in->code))
		put(a, KSYMBOL_ADDR, shifted_addr(s, k.addr));
	else
		put(a, KSYMBOL_ADDR, shifted_map(s, k.addr, k.len, true));
	return replace(a, rw, ev);
}

static void take_fork(struct inject_aslr *a, const struct session_event *ev)
{
	struct shifted_space *parent, *child;
	struct rec_task t;

	if (rec_task_decode(ev->hdr, ev->hdr->size, &t) || t.pid == t.ppid)
		return;
	parent = space_of(a, t.ppid, false, ev->guest);
	child = space_of(a, t.pid, false, ev->guest);
	if (parent != child)
		shifted_copy(child, parent);
}

static void take_exec(struct inject_aslr *a, const struct session_event *ev)
{
	struct shifted_space *s;
	struct rec_comm c;

	if (rec_comm_decode(ev->hdr, ev->hdr->size, &c) || !c.exec)
		return;
	s = space_of(a, c.pid, false, ev->guest);
	shifted_release(s);
	shifted_init(s, false);
}

static u64 shifted_ip(const struct shifted_pair *p, u8 *mode, u64 ip)
{
	if (ip < (u64)PERF_CONTEXT_MAX)
		return shifted_in(p, *mode, ip);
	*mode = callchain_mode(ip);
	return ip;
}

/* The user part of call chains, which came later than their samples. A cookie is a number. */
static enum rewrite_verdict shift_deferred(struct inject_aslr *a, struct rewrite *rw,
					   const struct session_event *ev)
{
	struct shifted_pair p = spaces_of(a, ev->id.pid, ev->guest);
	u8 mode = PERF_RECORD_MISC_USER;
	struct rec_deferred d;

	if (rec_deferred_decode(ev->hdr, ev->hdr->size, &d))
		return REWRITE_DROP;
	for (u64 i = 0; i < d.nr; i++)
		put(a, DEFERRED_IPS + i * sizeof(u64), shifted_ip(&p, &mode, d.ips[i]));
	return replace(a, rw, ev);
}

/* ---- samples ---- */

/* Return the layout of an event's samples in the output. */
static const struct wire_layout *output_layout(struct inject_aslr *a, const struct evsel *e)
{
	struct perf_event_attr attr = e->attr;

	if (e->idx >= a->nr_layouts) {
		size_t nr = MAX((size_t)e->idx + 1, a->nr_layouts * 2);

		a->layouts = xrealloc(a->layouts, nr, sizeof(*a->layouts));
		memset(a->layouts + a->nr_layouts, 0, (nr - a->nr_layouts) * sizeof(*a->layouts));
		a->nr_layouts = nr;
	}
	if (!a->layouts[e->idx].off_var) {
		aslr_attr(&attr);
		layout_init(&a->layouts[e->idx], &attr);
	}
	return &a->layouts[e->idx];
}

static void shift_chain(struct inject_aslr *a, const struct shifted_pair *p, struct sample *s)
{
	u8 mode = s->cpumode;

	VEC_GROW(a->ips, s->nr_callchain, a->cap_ips);
	for (u64 i = 0; i < s->nr_callchain; i++) {
		bool cookie = i && s->callchain[i - 1] == PERF_CONTEXT_USER_DEFERRED_;

		a->ips[i] = cookie ? s->callchain[i] : shifted_ip(p, &mode, s->callchain[i]);
	}
	s->callchain = (const u64_una *)a->ips;
}

static void shift_branches(struct inject_aslr *a, const struct shifted_pair *p, struct sample *s)
{
	VEC_GROW(a->branches, s->nr_branches * 3, a->cap_branches);
	for (u64 i = 0; i < s->nr_branches * 3; i++)
		a->branches[i] = i % 3 < 2 ? shifted_any(p, s->branches[i]) : s->branches[i];
	s->branches = (const u64_una *)a->branches;
}

static void shift_raw(struct inject_aslr *a, const struct shifted_pair *p,
		      const struct session_event *ev, struct sample *s)
{
	const struct aslr_payload payload = { *p, a->swap };

	VEC_GROW(a->raw, s->raw_size, a->cap_raw);
	memcpy(a->raw, s->raw, s->raw_size);
	aslr_raw(&payload, evsel_is_tracepoint(ev->evsel) ? evsel_format(ev->evsel, a->tf) : NULL,
		 a->raw, s->raw_size);
	s->raw = a->raw;
}

static enum rewrite_verdict shift_sample(struct inject_aslr *a, struct rewrite *rw,
					 const struct session_event *ev)
{
	const struct wire_layout *l;
	struct sample s = *ev->sample;
	struct shifted_pair p = spaces_of(a, s.pid, is_guest(s.cpumode));

	if (!ev->evsel)
		return REWRITE_DROP;
	l = output_layout(a, ev->evsel);
	s.ip = shifted_in(&p, s.cpumode, s.ip);
	s.addr = shifted_any(&p, s.addr);
	if (s.nr_callchain)
		shift_chain(a, &p, &s);
	if (s.nr_branches)
		shift_branches(a, &p, &s);
	if (s.raw_size)
		shift_raw(a, &p, ev, &s);
	strbuf_reset(&a->rec);
	if (!enc_sample(&a->rec, l, &s))
		rewrite_insert_as(rw, a->rec.buf, l);
	return REWRITE_DROP;
}

enum rewrite_verdict inject_aslr_record(struct inject_aslr *a, struct rewrite *rw,
					const struct session_event *ev)
{
	if (ev->sample)
		return shift_sample(a, rw, ev);
	strbuf_reset(&a->rec);
	strbuf_add(&a->rec, ev->hdr, ev->hdr->size);
	switch (ev->hdr->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return shift_mapping(a, rw, ev);
	case PERF_RECORD_KSYMBOL:
		return shift_symbol(a, rw, ev);
	case PERF_RECORD_CALLCHAIN_DEFERRED_:
		return shift_deferred(a, rw, ev);
	case PERF_RECORD_FORK:
		take_fork(a, ev);
		return REWRITE_KEEP;
	case PERF_RECORD_COMM:
		take_exec(a, ev);
		return REWRITE_KEEP;
	case PERF_RECORD_SAMPLE:    /* one that could not be decoded */
	case PERF_RECORD_TEXT_POKE: /* an address, and code that refers to others */
		return REWRITE_DROP;
	default: /* types that are not known may have anything in them */
		return ev->hdr->type < PERF_RECORD_KERNEL_MAX ? REWRITE_KEEP : REWRITE_DROP;
	}
}
