// SPDX-License-Identifier: GPL-2.0-or-later
/* Choose the samples of a profile: by threads, processors, CPUs, levels of parallelism,
 * switches. */
#include "base/compat.h"

#include "profile/profile-internal.h"

#include <errno.h>

int profile_take_threads(struct profile *p, struct err *err)
{
	int ret = p->o.pids ? sample_filter_pids(&p->threads, p->o.pids, err) : 0;

	if (!ret && p->o.tids)
		ret = sample_filter_tids(&p->threads, p->o.tids, err);
	return ret;
}

int profile_take_levels(struct profile *p, struct err *err)
{
	if (!p->o.levels || !cpu_list_parse(&p->levels, p->o.levels))
		return 0;
	return err_set(err, -EINVAL, "invalid list of parallelism levels '%s'", p->o.levels);
}

int profile_take_cpus(struct profile *p, struct err *err)
{
	return p->o.cpus ? sample_filter_cpus(&p->r->filter, p->o.cpus, err) : 0;
}

bool profile_left_out(const struct profile *p, const struct sample *s)
{
	if (!sample_filter_match(&p->threads, s->pid, s->tid, s->cpu, s->time, ""))
		return true;
	return p->o.socket >= 0 && env_socket(env_of(p), s->cpu) != p->o.socket;
}

bool profile_takes(const struct profile *p, const struct sample *s)
{
	return !p->leaves_out || !profile_left_out(p, s);
}

bool profile_chooses(struct profile *p, const struct session_event *ev)
{
	const struct sample_filter *f = &p->r->filter;
	const struct sample *s = ev->sample;

	return recording_switch_takes(p->r, ev) &&
	       sample_filter_match(f, s->pid, s->tid, s->cpu, s->time, "");
}

bool profile_has_gaps(const struct profile *p)
{
	const struct profile_options *o = &p->o;

	return p->threads.any || p->levels.nr || o->comms || o->dsos || o->symbols ||
	       o->symbol_filter || o->exclude_other || o->hide_unresolved ||
	       p->r->filter.nr_spans > 1 || event_switch_any(&p->r->on_off);
}
