// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings of guests are opened and checked here, and the events are made that are added to the
 * output; guest-records.c makes their records, guest-insert.c puts them into it. */
#include "base/compat.h"
#include "inject/guest-internal.h"

#include "base/alloc.h"

#include <errno.h>
#include <unistd.h>

/* ---- what a recording must have ---- */

static int refuse(struct err *err, int code, const struct guest *g, const char *why)
{
	return err_set(err, code, "--guest-data: %s: %s", g->spec->path, why);
}

static int check_guest(const struct guest *g, struct err *err)
{
	const struct session *s = &g->s;
	size_t nr_ids = 0;

	if (session_is_stream(s))
		return refuse(err, -EINVAL, g,
			      "it is a stream, in which ids come too late: record the guest into "
			      "a file");
	for (size_t i = 0; i < s->evlist.nr; i++)
		nr_ids += s->evlist.evsels[i]->nr_ids;
	if (!nr_ids)
		return refuse(err, -EINVAL, g,
			      "its events have no ids: record the guest with --sample-identifier");
	for (size_t i = 0; i < s->evlist.nr; i++) {
		const struct wire_layout *l = &s->evlist.evsels[i]->layout;

		if (!l->rev_time)
			return refuse(err, -EINVAL, g,
				      "its records have no times: record the guest with -T");
		if (!l->rev_id)
			return refuse(err, -EINVAL, g,
				      "its records do not tell their events: record the guest with "
				      "--sample-identifier");
	}
	return 0;
}

/* Readers find the id of a record in one place, so all events need it there. */
static int check_host(const struct session *s, struct err *err)
{
	if (session_is_stream(s))
		return err_set(err, -EINVAL,
			       "--guest-data: the recording of the host is a stream, in which "
			       "threads become known too late: record it into a file");
	for (size_t i = 0; i < s->evlist.nr; i++) {
		const struct wire_layout *l = &s->evlist.evsels[i]->layout;

		if (!(l->sample_type & PERF_SAMPLE_IDENTIFIER) || !l->sample_id_all || !l->rev_time)
			return err_set(
				err, -EFAULT,
				"--guest-data: records of event '%s' of the host do not tell "
				"their event and time: record the host with "
				"--sample-identifier -T",
				s->evlist.evsels[i]->name);
	}
	return 0;
}

/* Find the threads that run its processors. */
static int survey_host(struct guest *g, const struct guests_conf *conf, struct err *err)
{
	struct session host;
	int ret = session_open(&host, conf->host->options->input, conf->force, err);

	if (ret)
		return ret;
	g->host.pid = g->spec->pid;
	ret = guest_survey(&g->host, &host, err);
	session_close(&host);
	if (ret)
		return ret;
	if (!g->host.nr_vcpus)
		return err_set(err, -EINVAL,
			       "--guest-data: no thread of process %u is named after a virtual "
			       "processor (CPU 0/KVM): start QEMU with -name debug-threads=on",
			       g->spec->pid);
	if (g->host.ambiguous)
		return err_set(
			err, -EINVAL,
			"--guest-data: two threads of process %u are named after the virtual "
			"processor %u",
			g->spec->pid, g->host.twice);
	for (size_t i = 0; conf->verbose && i < g->host.nr_vcpus; i++)
		notice(conf->notices, "process %u runs its virtual processor %u in thread %u\n",
		       g->spec->pid, g->host.vcpus[i].vcpu, g->host.vcpus[i].tid);
	return 0;
}

/* ---- its events ---- */

/* Make the event that stands for one of the guest: it counts in guests only, and its records end
 * with their id. */
static void add_event(struct guest *g, u32 idx)
{
	const struct evsel *from = g->s.evlist.evsels[idx];
	struct guest_event *e = &g->events[idx];
	struct strbuf usual = STRBUF_INIT;

	e->attr = from->attr;
	e->attr.exclude_host = 1;
	e->attr.exclude_guest = 0;
	e->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	e->attr.size = ATTR_SIZE;
	layout_init(&e->layout, &e->attr);
	evsel_default_name(&from->attr, &usual);
	if (strcmp(strbuf_str(&usual), from->name))
		strbuf_addstr(&e->name, from->name);
	else
		evsel_default_name(&e->attr, &e->name);
	strbuf_release(&usual);
}

/* Give its ids new numbers, from *@next on. */
static int add_ids(struct guest *g, u64 *next, struct err *err)
{
	for (u32 e = 0; e < g->s.evlist.nr; e++) {
		const struct evsel *from = g->s.evlist.evsels[e];

		g->events[e].ids = xcalloc(from->nr_ids + 1, sizeof(u64));
		for (size_t i = 0; i < from->nr_ids; i++) {
			u32 cpu = map64_get(&g->survey.cpu_of, from->ids[i]);
			struct guest_sid sid = { *next, e, cpu };

			if (cpu == MAP64_NONE)
				return err_set(err, -EINVAL,
					       "--guest-data: %s: the id %" PRIu64
					       " of event '%s' belongs to no CPU: record the guest "
					       "with -a",
					       g->spec->path, from->ids[i], from->name);
			map64_set(&g->by_id, from->ids[i], (u32)g->nr_sids);
			VEC_GROW(g->sids, g->nr_sids + 1, g->cap_sids);
			g->sids[g->nr_sids++] = sid;
			g->events[e].ids[i] = (*next)++;
		}
	}
	return 0;
}

static u64 highest_id(const struct evlist *l)
{
	u64 highest = 0;

	for (size_t e = 0; e < l->nr; e++)
		for (size_t i = 0; i < l->evsels[e]->nr_ids; i++)
			highest = MAX(highest, l->evsels[e]->ids[i]);
	return highest;
}

static int check_mount(const struct guest *g, const struct guests_conf *conf, struct err *err)
{
	char *path = xasprintf("%s/%u", conf->mount, g->spec->pid);
	int ret = access(path, R_OK) ? -errno : 0;

	if (ret) /* perf 6.1 ends with this status, whatever the reason is */
		err_set(err, -ENOMEM, "--guestmount: the root folder of guest %u is not at %s: %s",
			g->spec->pid, path, err_str(ret));
	free(path);
	return ret ? -ENOMEM : 0;
}

static int open_guest(struct guest *g, const struct guests_conf *conf, u64 *next_id,
		      struct err *err)
{
	int ret = session_open(&g->s, g->spec->path, conf->force, err);

	if (ret)
		return err_set(err, -EIO, "--guest-data: %s", err->msg);
	g->open = true;
	ret = check_guest(g, err);
	ret = ret ? ret : guest_survey(&g->survey, &g->s, err);
	ret = ret ? ret : survey_host(g, conf, err);
	if (!ret && conf->mount)
		ret = check_mount(g, conf, err);
	if (ret)
		return ret;
	g->clock = (struct guest_clock){
		.guest = g->survey.conv,
		.host = g->host.conv,
		.offset = g->spec->offset,
		.scale = g->spec->scale,
	};
	g->events = xcalloc(g->s.evlist.nr, sizeof(*g->events));
	for (u32 i = 0; i < g->s.evlist.nr; i++)
		add_event(g, i);
	return add_ids(g, next_id, err);
}

static void close_guest(struct guest *g)
{
	feed_stop(&g->feed);
	for (u32 i = 0; g->events && i < g->s.evlist.nr; i++) {
		strbuf_release(&g->events[i].name);
		free(g->events[i].ids);
	}
	free(g->events);
	free(g->sids);
	map64_release(&g->by_id);
	guest_survey_release(&g->survey);
	guest_survey_release(&g->host);
	intern_release(&g->seen);
	strbuf_release(&g->rec);
	if (g->open)
		session_close(&g->s);
}

static void collect_events(struct inject_guests *gs)
{
	for (size_t i = 0; i < gs->nr; i++)
		gs->nr_events += gs->v[i].s.evlist.nr;
	gs->events = xcalloc(gs->nr_events + 1, sizeof(*gs->events));
	gs->nr_events = 0;
	for (size_t i = 0; i < gs->nr; i++) {
		const struct guest *g = &gs->v[i];

		for (u32 e = 0; e < g->s.evlist.nr; e++)
			gs->events[gs->nr_events++] = (struct writer_attr){
				.attr = &g->events[e].attr,
				.ids = g->events[e].ids,
				.nr_ids = g->s.evlist.evsels[e]->nr_ids,
				.name = strbuf_str(&g->events[e].name),
				.more = g->s.file->attrs[e].more,
				.nr_more = g->s.file->attrs[e].nr_more,
			};
	}
}

struct inject_guests *inject_guests_new(const struct guests_conf *conf, struct err *err)
{
	struct inject_guests *gs = xzalloc(sizeof(*gs));
	u64 next_id = highest_id(&conf->host->session.evlist) + 1;
	int ret = check_host(&conf->host->session, err);

	gs->conf = *conf;
	gs->v = xcalloc(conf->specs->nr, sizeof(*gs->v));
	while (!ret && gs->nr < conf->specs->nr) {
		struct guest *g = &gs->v[gs->nr];

		g->spec = &conf->specs->v[gs->nr++];
		ret = open_guest(g, conf, &next_id, err);
	}
	if (ret) {
		inject_guests_free(gs);
		return NULL;
	}
	collect_events(gs);
	return gs;
}

void inject_guests_free(struct inject_guests *gs)
{
	if (!gs)
		return;
	for (size_t i = 0; i < gs->nr; i++)
		close_guest(&gs->v[i]);
	strbuf_release(&gs->rec);
	free(gs->events);
	free(gs->v);
	free(gs);
}

const struct writer_attr *inject_guests_events(const struct inject_guests *gs, size_t *nr)
{
	*nr = gs->nr_events;
	return gs->events;
}

const struct session *inject_guests_session(const struct inject_guests *gs, size_t i)
{
	return i < gs->nr ? &gs->v[i].s : NULL;
}
