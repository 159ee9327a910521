// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "profile/chain-ends.h"

#include "base/alloc.h"

/*
 * Behind the function that starts a thread there may be words that are left over in a register;
 * it is looked for among so many frames.
 */
#define LAST_FRAMES 4

/* Functions that nobody in the program calls, by the names that libraries and runtimes have. */
static bool starts_thread(const char *name)
{
	static const char *const names[] = {
		"_start",
		"_start_c",
		"_dl_start",
		"_dl_start_user",
		"main",
		"start_thread",
		"thread_start",
		"execute_native_thread_routine",
		"clone",
		"__clone",
		"clone3",
		"__clone3",
		"__GI___clone",
		"__GI___clone3",
		"__clone_internal",
		"__spawni_child",
		"__start_context",
		"__start_thread",
		"__pthread_start",
		"runtime.goexit",
		"runtime.mcall",
		"runtime.morestack",
		"runtime.mstart",
		"runtime.rt0_go",
		"runtime.systemstack",
		"_rt0_amd64_linux",
		"_rt0_arm64_linux",
	};
	size_t len = strcspn(name, "@");

	if (!strncmp(name, "__libc_start_", 13) || !strncmp(name, "__libc_init_first", 17))
		return true;
	if (len > 5 && !strncmp(name + len - 5, ".abi0", 5))
		len -= 5;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == len && !strncmp(name, names[i], len))
			return true;
	return false;
}

/* Return the @i-th frame of a stack, counted from the sampled function. */
static const struct hist_frame *frame_at(const struct hist *h, const struct stack *s, u32 i)
{
	return hist_frame(h, s->ids[hist_config(h)->chain.caller ? s->nr - 1 - i : i]);
}

/* Tell whether nothing is mapped at the address of a frame. */
static bool is_garbage(const struct hist_frame *f)
{
	return !f->level;
}

static bool find_start(const struct hist *h, const struct hist_frame *f)
{
	const struct hist_place *p = hist_place(h, f->place);

	return f->level == '.' && p->symtab && p->sym != UINT32_MAX &&
	       starts_thread(symtab_raw_name(p->symtab, p->sym));
}

/* The names of each frame are compared once. */
static bool is_start(struct chain_ends *e, const struct hist *h, const struct hist_frame *f)
{
	u8 *known;

	if (!e->known)
		e->known = xcalloc(hist_nr_frames(h) + 1, sizeof(*e->known));
	known = &e->known[f - hist_frame(h, 0)];
	if (!*known)
		*known = find_start(h, f) ? 2 : 1;
	return *known == 2;
}

/* Return: the number of the first frame in user space; s->nr when there is none. */
static u32 find_user(const struct hist *h, const struct stack *s)
{
	u32 i = 0;

	while (i < s->nr && frame_at(h, s, i)->level != '.')
		i++;
	return i;
}

/* Tell how a chain ends. @object: receives the object of the innermost frame of the user part, id +
 * 1 */
static enum chain_end chain_end_of(struct chain_ends *e, const struct hist *h,
				   const struct stack *s, u32 *object)
{
	u32 first = find_user(h, s), from;
	const struct hist_frame *last;

	*object = 0;
	if (first == s->nr || s->nr >= e->limit || s->root)
		return CHAIN_END_NONE;
	*object = frame_at(h, s, first)->dso;
	from = MAX(first + LAST_FRAMES, s->nr) - LAST_FRAMES;
	for (u32 i = s->nr; i > from; i--)
		if (is_start(e, h, frame_at(h, s, i - 1)))
			return CHAIN_END_START;
	last = frame_at(h, s, s->nr - 1);
	if (is_garbage(last))
		return CHAIN_END_UNKNOWN;
	/* An object without symbols does not tell whether that is its start. */
	if (s->nr - first > 1 && hist_place(h, last->place)->sym == UINT32_MAX)
		return CHAIN_END_START;
	return CHAIN_END_NOWHERE;
}

u64 chain_ends_classify(void *ctx, const struct hist *h, const struct stack *s)
{
	u32 object;
	enum chain_end end = chain_end_of(ctx, h, s, &object);

	return (u64)object * NR_CHAIN_ENDS + end;
}

static struct chain_ends_count *find_count(struct chain_ends *e, u32 evsel, u32 object)
{
	for (size_t i = 0; i < e->nr; i++) {
		u32 at = (u32)((e->last + i) % e->nr);

		if (e->counts[at].object == object && e->counts[at].evsel == evsel) {
			e->last = at;
			return &e->counts[at];
		}
	}
	VEC_GROW(e->counts, e->nr + 1, e->cap);
	e->counts[e->nr] = (struct chain_ends_count){ .evsel = evsel, .object = object };
	e->last = (u32)e->nr;
	return &e->counts[e->nr++];
}

void chain_ends_count(void *ctx, u32 evsel, u64 class, u64 nr)
{
	struct chain_ends *e = ctx;

	if (class % NR_CHAIN_ENDS != CHAIN_END_NONE)
		find_count(e, evsel, (u32)(class / NR_CHAIN_ENDS))->nr[class % NR_CHAIN_ENDS] += nr;
}

u64 chain_ends_broken(const struct chain_ends_count *c, u64 *all)
{
	u64 broken = c->nr[CHAIN_END_NOWHERE] + c->nr[CHAIN_END_UNKNOWN];

	*all = broken + c->nr[CHAIN_END_START];
	return broken;
}

void chain_ends_release(struct chain_ends *e)
{
	free(e->counts);
	free(e->known);
	*e = (struct chain_ends){ 0 };
}
