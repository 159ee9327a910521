// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The innermost frame of the call chain that lies in no code of locks asked for the lock. That
 * code has sections of the kernel to itself, whose bounds are symbols; what stands elsewhere, as in
 * older kernels, is known by name.
 */
#include "base/compat.h"

#include "locktext/locktext-internal.h"

/* Some kernel has these functions of locks outside of the sections for them. */
static const char *const lock_functions[] = {
	"queued_spin_lock_slowpath",
	"native_queued_spin_lock_slowpath",
	"__pv_queued_spin_lock_slowpath",
	"queued_read_lock_slowpath",
	"queued_write_lock_slowpath",
	"rwsem_down_read_slowpath",
	"rwsem_down_write_slowpath",
	"rwsem_optimistic_spin",
	"percpu_rwsem_wait",
	"__percpu_down_read",
	"percpu_down_write",
	"osq_lock",
	"mutex_optimistic_spin",
	"__mutex_lock",
	"__mutex_lock_slowpath",
	"mutex_lock",
	"rt_mutex_slowlock",
	"rt_spin_lock",
	"_raw_spin_lock",
	"_raw_spin_lock_irq",
	"_raw_spin_lock_irqsave",
	"_raw_spin_lock_bh",
	"_raw_read_lock",
	"_raw_write_lock",
	"down_read",
	"down_write",
	"__down_common",
	"lock_acquire",
	"lock_acquired",
	"lock_contended",
	"trace_contention_begin",
	"__traceiter_contention_begin",
	"perf_trace_contention_begin",
};

/* Tell whether a function is that one, or a clone of it that the compiler made. */
static bool is_function(const char *name, const char *function)
{
	size_t len = strlen(function);

	return !strncmp(name, function, len) && (!name[len] || name[len] == '.');
}

static bool is_lock_code(const struct lock_code *c, u64 address)
{
	const char *name;
	u64 start;

	for (size_t i = 0; i < ARRAY_SIZE(c->from); i++)
		if (c->from[i] && address >= c->from[i] && address < c->to[i])
			return true;
	name = c->words->symbol(c->words->ctx, address, &start);
	for (size_t i = 0; name && i < ARRAY_SIZE(lock_functions); i++)
		if (is_function(name, lock_functions[i]))
			return true;
	return false;
}

u32 lock_code_ours(const struct lock_words *w, const u64_una *ips, u32 nr)
{
	static const char *const between[] = { "bpf_trace_run", "__bpf_trace_", "__traceiter_" };
	u32 ours = 0;

	for (u32 i = 0; i < nr && i < LOCK_FRAMES_OURS; i++) {
		u64 start;
		const char *name = w->symbol(w->ctx, ips[i], &start);

		for (size_t b = 0; name && b < ARRAY_SIZE(between); b++)
			if (!strncmp(name, between[b], strlen(between[b])))
				ours = i + 1;
	}
	return ours;
}

u64 lock_code_caller(const struct lock_code *c, const u64_una *ips, u32 nr)
{
	for (u32 i = c->skip; i < nr; i++)
		if (!is_lock_code(c, ips[i]))
			return ips[i];
	return 0;
}

void lock_code_place(struct lock_code *c, const struct machine *m, struct symbols *s)
{
	static const char *const bounds[] = { "__sched_text_start", "__lock_text_start",
					      "__sched_text_end", "__lock_text_end" };
	const struct map *kernel = machine_kernel_map(m);
	u64 at[ARRAY_SIZE(bounds)] = { 0 };

	if (kernel)
		symtab_places(symbols_load(s, kernel->dso), bounds, at, ARRAY_SIZE(bounds));
	memcpy(c->from, at, sizeof(c->from));
	memcpy(c->to, at + 2, sizeof(c->to));
}

void lock_put_code(const struct lock_words *w, u64 address, struct strbuf *out)
{
	u64 start;
	const char *name = w->symbol(w->ctx, address, &start);

	if (!address) {
		strbuf_addstr(out, "Unknown");
	} else if (!name) {
		strbuf_addf(out, "0x%" PRIx64, address);
	} else {
		strbuf_addname(out, name);
		strbuf_addf(out, "+0x%" PRIx64, address - start);
	}
}

bool lock_stack_matches(const struct lock_words *w, const struct name_list *texts,
			const u64_una *ips, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		u64 start;
		const char *name = w->symbol(w->ctx, ips[i], &start);

		for (size_t t = 0; name && t < texts->nr; t++)
			if (strstr(name, texts->names[t]))
				return true;
	}
	return false;
}

bool lock_is_listed(const struct lock_words *w, const struct name_list *locks, u64 address,
		    const char *name)
{
	char number[24];
	u64 start;

	snprintf(number, sizeof(number), "0x%" PRIx64, address);
	if (name_list_has(locks, number) || name_list_has(locks, number + 2))
		return true;
	if (!*name)
		name = w->symbol(w->ctx, address, &start);
	return name && name_list_has(locks, name);
}

bool lock_cgroup_is_listed(const struct name_list *cgroups, const char *path)
{
	for (size_t i = 0; i < cgroups->nr; i++) {
		const char *name = cgroups->names[i];
		size_t len;

		name += *name == '/';
		len = strlen(name);
		if (!strncmp(path + (*path == '/'), name, len) &&
		    (!len || !path[len + (*path == '/')] || path[len + (*path == '/')] == '/'))
			return true;
	}
	return false;
}
