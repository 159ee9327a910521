// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "arch/syscalls.h"

#include "arch/elf.h"

/* Numbers from here on are the same on all architectures whose numbers are known here. */
static const struct syscall_run later[] = {
	{ 424, "pidfd_send_signal io_uring_setup io_uring_enter io_uring_register open_tree "
	       "move_mount fsopen fsconfig fsmount fspick pidfd_open clone3 close_range "
	       "openat2 pidfd_getfd faccessat2 process_madvise epoll_pwait2 mount_setattr "
	       "quotactl_fd landlock_create_ruleset landlock_add_rule landlock_restrict_self "
	       "memfd_secret process_mrelease futex_waitv set_mempolicy_home_node cachestat "
	       "fchmodat2 map_shadow_stack futex_wake futex_wait futex_requeue statmount "
	       "listmount lsm_get_self_attr lsm_set_self_attr lsm_list_modules mseal "
	       "setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr "
	       "file_setattr" },
	{ 0, NULL },
};

/* Return the word at an index of a run, and its length; NULL: the run is shorter. */
static const char *word_at(const char *p, u32 at, size_t *len)
{
	for (; at; at--) {
		p = strchr(p, ' ');
		if (!p)
			return NULL;
		p++;
	}
	*len = strcspn(p, " ");
	return p;
}

static const char *name_in(const struct syscall_run *r, u32 nr, size_t *len)
{
	const char *word = NULL;

	for (; !word && r->names; r++)
		if (nr >= r->first)
			word = word_at(r->names, nr - r->first, len);
	return word;
}

static void each_in(const struct syscall_run *r,
		    void (*fn)(void *ctx, u32 nr, const char *name, size_t len), void *ctx)
{
	size_t len;

	for (; r->names; r++) {
		const char *p = r->names;

		for (u32 nr = r->first; *p; nr++) {
			len = strcspn(p, " ");
			fn(ctx, nr, p, len);
			p += len + (p[len] == ' ');
		}
	}
}

/* A name that is looked for, and its number. */
struct wanted {
	const char *name;
	size_t len;
	int nr;
};

static void compare(void *ctx, u32 nr, const char *name, size_t len)
{
	struct wanted *w = ctx;

	if (w->nr < 0 && len == w->len && !memcmp(name, w->name, len))
		w->nr = (int)nr;
}

const char *syscall_name(u32 machine, u32 nr, size_t *len)
{
	const struct syscall_run *own = arch_elf_of(machine)->syscalls;
	const char *name = own ? name_in(own, nr, len) : NULL;

	return own && !name ? name_in(later, nr, len) : name;
}

int syscall_number(u32 machine, const char *name)
{
	struct wanted w = { name, strlen(name), -1 };

	syscall_each(machine, compare, &w);
	return w.nr;
}

void syscall_each(u32 machine, void (*fn)(void *ctx, u32 nr, const char *name, size_t len),
		  void *ctx)
{
	const struct syscall_run *own = arch_elf_of(machine)->syscalls;

	if (!own)
		return;
	each_in(own, fn, ctx);
	each_in(later, fn, ctx);
}
