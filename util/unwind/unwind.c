// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "unwind/unwind.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "unwind/backend-internal.h"

#include <pthread.h>

#define MAX_FRAMES 2048 /* of one stack; what is deeper runs in a circle */
#define NEAR_BITS 13
#define BEYOND_MATTERS 1 /* percent of the stacks from which on it is told */
#define SIZE_STEP 8192   /* of copies that are advised */
#define SIZE_MAX_COPY 65528
#define SAME_STACK (64 << 20) /* bytes; what is so far away is in another stack */

/* The rules at an address in an object, allocated without the room for more of them. */
struct unw_place {
	u32 dso;
	u8 source; /* enum unw_source */
	struct unw_rules rules;
};

/* The last address of a process that fell on this entry. */
struct unw_near {
	u64 key; /* the address, and whether it is behind a call; 0: the entry is empty */
	u32 epoch;
	u32 place;
};

struct unwinder {
	const struct machine *machine;
	struct symbols *symbols;
	const struct arch *arch;
	bool swap;
	const struct unw_backend *backend; /* NULL: the tables are applied here */
	pthread_mutex_t lock;              /* of the table of objects, and of opening one */
	struct unw_object **objects;       /* owned, by id; NULL: not opened yet */
	size_t nr;
};

struct unwinder *unwinder_new(const struct machine *m, struct symbols *s, const char *arch,
			      bool swap, enum unwind_style style)
{
	const struct arch *a = arch_of(arch);
	struct unwinder *u;

	if (!s || (!a->frames && !a->narrow_frames))
		return NULL;
	u = xzalloc(sizeof(*u));
	u->machine = m;
	u->symbols = s;
	u->arch = a;
	u->swap = swap;
	if (unwind_style_takes(style, arch, swap))
		u->backend = unw_backend_of(style);
	pthread_mutex_init(&u->lock, NULL);
	return u;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->nr; i++)
		unw_object_close(u->objects[i]);
	free(u->objects);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

/* ---- places ---- */

static const struct unw_object *object_of(struct unwinder *u, const struct dso *dso,
					  const struct arch_frames *a)
{
	const struct symtab *syms = symbols_load(u->symbols, dso);
	struct unw_object *o;

	pthread_mutex_lock(&u->lock);
	if (dso->id >= u->nr) {
		size_t nr = MAX((size_t)dso->id + 1, u->nr * 2);

		u->objects = xrealloc(u->objects, nr, sizeof(*u->objects));
		memset(u->objects + u->nr, 0, (nr - u->nr) * sizeof(*u->objects));
		u->nr = nr;
	}
	if (!u->objects[dso->id])
		u->objects[dso->id] = unw_object_open(syms, dso, a);
	o = u->objects[dso->id];
	pthread_mutex_unlock(&u->lock);
	return o;
}

/* Keep the rules without the room for more of them. */
static u32 add_place(struct unwind_thread *t, u32 dso, enum unw_source source,
		     const struct unw_rules *r)
{
	size_t size = offsetof(struct unw_place, rules.rule) + r->nr * sizeof(r->rule[0]);
	struct unw_place *p = xzalloc(size);

	p->dso = dso;
	p->source = (u8)source;
	memcpy(&p->rules, r, offsetof(struct unw_rules, rule) + r->nr * sizeof(r->rule[0]));
	VEC_GROW(t->places, t->nr_places + 1, t->cap_places);
	t->places[t->nr_places] = p;
	return (u32)t->nr_places++;
}

static u32 find_place(struct unwinder *u, struct unwind_thread *t, const struct arch_frames *a,
		      u32 epoch, u64 pc, bool call)
{
	const struct map *map =
		machine_find_map(u->machine, epoch, PERF_RECORD_MISC_USER, pc - call);
	const struct unw_object *o;
	struct unw_rules rules;
	u32 *slot;
	u64 at;

	if (!map)
		return UINT32_MAX;
	at = map_to_file(map, pc);
	slot = map64_slot(&t->by_place, hash_mix(at << 1 | call, map->dso->id));
	if (*slot == MAP64_NONE) {
		o = object_of(u, map->dso, a);
		unw_object_rules(o, at, call, &rules);
		unw_settle(&rules, a);
		*slot = add_place(t, map->dso->id, unw_object_source(o), &rules);
	}
	return *slot;
}

/* Return: the place, or NULL when nothing is mapped there. */
static const struct unw_place *place_of(struct unwinder *u, struct unwind_thread *t,
					const struct arch_frames *a, u32 epoch, u64 pc, bool call)
{
	u64 key = (pc << 1 | call) + 2;
	struct unw_near *near = &t->near[hash_mix(pc, epoch) >> (64 - NEAR_BITS)];

	if (unlikely(near->key != key || near->epoch != epoch)) {
		u32 place = find_place(u, t, a, epoch, pc, call);

		if (place == UINT32_MAX)
			return NULL;
		*near = (struct unw_near){ key, epoch, place };
	}
	return t->places[near->place];
}

/* ---- one stack ---- */

/* Set the registers that the sample has. Return: false when it lacks what every stack needs. */
static bool first_frame(const struct sample *s, const struct arch_frames *a, struct unw_frame *f)
{
	u64 left = s->user_regs.mask;
	const u64_una *v = s->user_regs.regs;

	f->known = 0;
	for (; left; left &= left - 1, v++) {
		u32 nr = (u32)__builtin_ctzll(left);
		int dwarf = nr < a->nr_regs && a->regs[nr].name ? a->regs[nr].dwarf : -1;

		if (dwarf < 0 || dwarf >= UNW_REGS)
			continue;
		f->reg[dwarf] = *v;
		f->known |= 1ULL << dwarf;
	}
	f->pc = f->reg[a->pc];
	f->interrupted = true;
	return f->known >> a->pc & f->known >> a->sp & 1 && f->pc;
}

static void put(struct unwind_thread *t, u64 ip)
{
	VEC_GROW(t->ips, t->nr + 1, t->cap);
	t->ips[t->nr++] = ip;
}

/* The recorded chain, which is the kernel's part of the stack. */
static void put_kernel(struct unwind_thread *t, const struct sample *s)
{
	for (u64 i = 0; i < s->nr_callchain && s->callchain[i] != (u64)PERF_CONTEXT_USER; i++)
		put(t, s->callchain[i]);
	put(t, (u64)PERF_CONTEXT_USER);
}

static struct unwind_ends *ends_of(struct unwind_counts *c, u32 dso)
{
	if (dso >= c->nr) {
		size_t nr = MAX((size_t)dso + 1, c->nr * 2);

		c->ends = xrealloc(c->ends, nr, sizeof(*c->ends));
		memset(c->ends + c->nr, 0, (nr - c->nr) * sizeof(*c->ends));
		c->nr = nr;
	}
	return &c->ends[dso];
}

static void count_end(const struct unw_stack *s, enum unw_step end)
{
	u64 ahead = s->memory.missing - s->memory.start;
	struct unwind_counts *c = &s->thread->counts;
	struct unwind_ends *ends;

	c->stacks++;
	c->guessed += s->guessed;
	if (end == UNW_ROOT) {
		c->root++;
		return;
	}
	if (!s->last)
		return;
	ends = ends_of(c, s->last->dso);
	if (s->last->source == UNW_ABSENT) {
		ends->absent++;
	} else if (s->last->rules.guessed && s->last->source != UNW_TABLES) {
		ends->no_tables++;
	} else if (end != UNW_BEYOND) {
		ends->lost++;
	} else if (ahead >= SAME_STACK) {
		ends->elsewhere++;
	} else {
		ends->beyond++;
		c->need = MAX(c->need, ahead + s->memory.word);
	}
}

const struct unw_place *unw_enter(struct unw_stack *s, u64 pc)
{
	bool interrupted = !s->nr || s->last->rules.signal;
	struct unwind_thread *t = s->thread;
	const struct unw_place *p;

	if (s->nr == MAX_FRAMES)
		return NULL;
	p = place_of(s->unwinder, t, s->arch, s->epoch, pc, !interrupted);
	t->unknown = !p || p->source == UNW_ABSENT;
	t->made |= p && p->source == UNW_MADE;
	if (!p && s->nr)
		return NULL;
	/* Code that handlers return to has made no call, either. */
	put(t, interrupted || (p && p->rules.signal) ? pc : pc - 1);
	if (p)
		s->last = p;
	if (t->unknown)
		return NULL;
	s->nr++;
	return p;
}

bool unw_code_at(struct unw_stack *s, u64 addr, struct unw_code *out)
{
	const struct map *map =
		machine_find_map(s->unwinder->machine, s->epoch, PERF_RECORD_MISC_USER, addr);

	if (!map)
		return false;
	out->object = object_of(s->unwinder, map->dso, s->arch);
	out->bias = addr - elf_image_vaddr(unw_object_image(out->object), map_to_file(map, addr));
	return true;
}

/* A guess counts only if it leads to code further up the stack. */
static enum unw_step step_guessed(struct unw_stack *s, const struct unw_place *p)
{
	const struct arch_frames *a = s->arch;
	struct unw_frame *f = &s->frame, to = *f;
	enum unw_step ret;

	/* The first function of a thread may have none; then it is zero. */
	if (p->rules.cfa_reg == a->fp && f->known >> a->fp & 1 && !f->reg[a->fp])
		return UNW_ROOT;
	ret = p->rules.valid ? unw_step(&p->rules, a, &s->memory, &to) : UNW_LOST;
	if (ret != UNW_CALLER)
		return ret;
	if (to.reg[a->sp] < f->reg[a->sp] ||
	    (to.reg[a->sp] == f->reg[a->sp] && !(a->link && f->interrupted)) ||
	    !machine_find_map(s->unwinder->machine, s->epoch, PERF_RECORD_MISC_USER, to.pc - 1))
		return UNW_LOST;
	*f = to;
	return UNW_CALLER;
}

static enum unw_step walk_tables(struct unw_stack *s)
{
	enum unw_step end = UNW_CALLER;

	while (end == UNW_CALLER) {
		const struct unw_place *p = unw_enter(s, s->frame.pc);

		if (!p)
			return UNW_LOST;
		s->guessed |= p->rules.guessed && p->rules.valid;
		end = p->rules.guessed ? step_guessed(s, p)
				       : unw_step(&p->rules, s->arch, &s->memory, &s->frame);
	}
	return end;
}

static enum unw_step walk(struct unw_stack *s)
{
	const struct unw_backend *b = s->unwinder->backend;
	struct unwind_thread *t = s->thread;

	if (b && !t->backend) {
		t->backend = b;
		t->backend_state = b->open();
	}
	return t->backend_state ? b->walk(t->backend_state, s) : walk_tables(s);
}

bool unwind_sample(struct unwinder *u, struct unwind_thread *t, u32 epoch, const struct sample *s)
{
	bool wide = s->user_regs.abi == PERF_SAMPLE_REGS_ABI_64;
	struct unw_stack stack = { .unwinder = u, .thread = t, .epoch = epoch };

	stack.arch = wide ? u->arch->frames : u->arch->narrow_frames;
	if (!s->user_regs.regs || !s->user_stack || !s->user_stack_dyn || !stack.arch ||
	    !first_frame(s, stack.arch, &stack.frame))
		return false;
	if (!t->near)
		t->near = xcalloc(1U << NEAR_BITS, sizeof(*t->near));
	stack.memory = (struct unw_memory){ .bytes = s->user_stack,
					    .start = stack.frame.reg[stack.arch->sp],
					    .size = s->user_stack_dyn,
					    .word = stack.arch->word,
					    .swap = u->swap };
	t->nr = 0;
	t->made = false;
	put_kernel(t, s);
	count_end(&stack, walk(&stack));
	return stack.nr;
}

bool unwind_convert(struct unwinder *u, struct unwind_thread *t, u32 epoch, bool keep_regs,
		    struct sample *s)
{
	if (!unwind_sample(u, t, epoch, s))
		return false;
	s->callchain = (const u64_una *)t->ips;
	s->nr_callchain = t->nr;
	s->user_stack = NULL;
	s->user_stack_size = s->user_stack_dyn = 0;
	if (!keep_regs)
		s->user_regs = (struct wire_regs){ 0 };
	return true;
}

void unwind_thread_release(struct unwind_thread *t)
{
	for (size_t i = 0; i < t->nr_places; i++)
		free(t->places[i]);
	free(t->places);
	free(t->near);
	free(t->ips);
	map64_release(&t->by_place);
	if (t->backend_state)
		t->backend->close(t->backend_state);
	unwind_counts_release(&t->counts);
}

void unwind_counts_merge(struct unwind_counts *to, const struct unwind_counts *from)
{
	to->stacks += from->stacks;
	to->root += from->root;
	to->guessed += from->guessed;
	to->need = MAX(to->need, from->need);
	for (size_t i = 0; i < from->nr; i++) {
		struct unwind_ends *e = ends_of(to, (u32)i);

		e->absent += from->ends[i].absent;
		e->no_tables += from->ends[i].no_tables;
		e->lost += from->ends[i].lost;
		e->beyond += from->ends[i].beyond;
		e->elsewhere += from->ends[i].elsewhere;
	}
}

void unwind_tell_beyond(const struct unwind_counts *c, const char *mode,
			const struct notices *sentences)
{
	u64 size = (c->need + SIZE_STEP - 1) / SIZE_STEP * SIZE_STEP, beyond = 0;
	double share;

	for (size_t i = 0; i < c->nr; i++)
		beyond += c->ends[i].beyond;
	share = c->stacks ? (double)beyond * 100 / (double)c->stacks : 0;
	if (share < BEYOND_MATTERS)
		return;
	if (c->need > SIZE_MAX_COPY)
		notice(sentences,
		       "%.1f%% of the stacks go on beyond their copies, one of them by more than "
		       "the kernel can copy: record with --call-graph %s,%d for the others",
		       share, mode, SIZE_MAX_COPY);
	else
		notice(sentences,
		       "%.1f%% of the stacks go on beyond their copies: record with --call-graph "
		       "%s,%d or more",
		       share, mode, (int)MIN(size, (u64)SIZE_MAX_COPY));
}

void unwind_counts_release(struct unwind_counts *c)
{
	free(c->ends);
	*c = (struct unwind_counts){ 0 };
}
