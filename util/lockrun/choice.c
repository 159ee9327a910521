// SPDX-License-Identifier: GPL-2.0-or-later
/* Find out which waits are to be counted. */
#include "base/compat.h"
#include "lockrun/lockrun-internal.h"

#include "base/alloc.h"
#include "kernel/cgroup.h"
#include "locktext/table.h"

#include <errno.h>
#include <unistd.h>

#define FLAGS 64U /* values that the flags of contention_begin may have */

static enum lock_watch_by counted_by(enum lock_by by)
{
	switch (by) {
	case LOCK_BY_ADDRESS:
		return LOCK_WATCH_BY_LOCK;
	case LOCK_BY_TASK:
		return LOCK_WATCH_BY_TASK;
	case LOCK_BY_CGROUP:
		return LOCK_WATCH_BY_CGROUP;
	case LOCK_BY_OWNER:
	case LOCK_BY_OWNER_CHAIN:
		return LOCK_WATCH_BY_OWNER;
	case LOCK_BY_CALLER:
	case LOCK_BY_CHAIN:
	case LOCK_BY_CLASS:
	case LOCK_BY_FUTEX:
		break;
	}
	return LOCK_WATCH_BY_FLAGS;
}

static int choose_tasks(struct lock_choice *c, const struct lock_run *r, struct err *err)
{
	int rc = target_threads(&r->target, r->sysroot, &c->tids, err);

	if (!rc && r->target.cpus)
		rc = cpu_list_target(r->sysroot, r->target.cpus, &c->cpus, err);
	int_list_sort(&c->cpus);
	c->opts.tids = &c->tids;
	c->opts.cpus = r->target.cpus ? &c->cpus : NULL;
	return rc;
}

static int choose_cgroups(struct lock_choice *c, const struct lock_run *r, struct err *err)
{
	const struct name_list *l = &r->show->cgroups;

	for (size_t i = 0; i < l->nr; i++) {
		int fd = cgroup_open(r->sysroot, l->names[i], err);

		if (fd < 0)
			return fd;
		int_list_add(&c->cgroups, fd);
	}
	c->opts.cgroups = l->set ? &c->cgroups : NULL;
	return 0;
}

static void choose_types(struct lock_choice *c, u32 types)
{
	for (u32 flags = 0; types && flags < FLAGS; flags++) {
		enum lock_type type = lock_type_of(flags);

		if (type != LOCK_UNKNOWN && types >> type & 1)
			c->flags[c->opts.nr_flags++] = flags;
	}
	c->opts.flags = c->flags;
}

static int choose_locks(struct lock_choice *c, const struct lock_run *r,
			const struct running_kernel *k, struct err *err)
{
	const struct name_list *l = &r->show->locks;
	int rc = 0;

	c->addresses = xcalloc(l->nr + 1, sizeof(*c->addresses));
	for (size_t i = 0; i < l->nr && !rc; i++)
		rc = running_kernel_lock(k, l->names[i], &c->addresses[c->opts.nr_addresses++],
					 err);
	c->opts.addresses = c->addresses;
	return rc;
}

int lock_delay_parse(const char *text, bool force, u64 *ns, const char **lock, struct err *err)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = { { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 } };
	char *end;

	errno = 0;
	*ns = strtoull(text, &end, 10);
	if (end != text && !errno && *text != '-')
		for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
			const char *at = end + strlen(units[i].name);

			if (strncmp(end, units[i].name, strlen(units[i].name)) || *at != '@' ||
			    !at[1] || *ns > UINT64_MAX / units[i].ns)
				continue;
			*ns *= units[i].ns;
			*lock = at + 1;
			if (*ns <= LOCK_RUN_DELAY_MAX || force)
				return 0;
			return err_set(err, -EINVAL,
				       "-J %s: a delay above 10 ms may stop the whole machine; -f "
				       "does it nevertheless",
				       text);
		}
	return err_set(err, -EINVAL, "-J %s: give a time and a lock, such as 100us@tasklist_lock",
		       text);
}

static int choose_delays(struct lock_choice *c, const struct lock_run *r,
			 const struct running_kernel *k, struct err *err)
{
	int rc = 0;

	for (u32 i = 0; i < LOCK_RUN_DELAYS && r->delays[i] && !rc; i++) {
		struct lock_delay *d = &c->delays[c->opts.nr_delays++];
		const char *lock;

		rc = lock_delay_parse(r->delays[i], r->force, &d->ns, &lock, err);
		if (!rc)
			rc = running_kernel_lock(k, lock, &d->address, err);
	}
	c->opts.delays = c->delays;
	return rc;
}

int lock_choice_make(struct lock_choice *c, const struct lock_run *r,
		     const struct running_kernel *k, struct err *err)
{
	const struct lock_show *s = r->show;

	*c = (struct lock_choice){
		.opts = {
			.sysroot = r->sysroot,
			.by = counted_by(s->by),
			.chains = s->by == LOCK_BY_CALLER || s->by == LOCK_BY_CHAIN ||
				  (s->by != LOCK_BY_OWNER_CHAIN && s->stacks.set),
			.owner_chains = s->by == LOCK_BY_OWNER_CHAIN,
			.entries = r->entries,
			.depth = MIN(s->max_stack + LOCK_FRAMES_OURS, (u32)LOCK_WATCH_STACK_MAX),
			.not_pid = (u32)getpid(),
		},
	};
	choose_types(c, s->types);
	return choose_tasks(c, r, err)	     ?:
	       choose_cgroups(c, r, err)     ?:
	       choose_locks(c, r, k, err)    ?:
	       choose_delays(c, r, k, err);
}

void lock_choice_release(struct lock_choice *c)
{
	for (size_t i = 0; i < c->cgroups.nr; i++)
		close(c->cgroups.v[i]);
	int_list_release(&c->cgroups);
	int_list_release(&c->cpus);
	int_list_release(&c->tids);
	free(c->addresses);
}
