// SPDX-License-Identifier: GPL-2.0-or-later
/* Find the events of an opened file, with their names and groups. */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/deferred.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- events ---- */

void session_add_attr(struct session *s, size_t i)
{
	const struct file_attr *a = &s->file->attrs[i];
	struct strbuf name = STRBUF_INIT;
	struct evsel *e;

	if (!a->name)
		evsel_default_name(&a->attr, &name);
	e = evlist_add(&s->evlist, &a->attr, a->name ? a->name : strbuf_str(&name));
	e->config3 = a->nr_more ? a->more[0] : 0;
	strbuf_release(&name);
	for (size_t k = 0; k < a->nr_ids; k++) {
		evsel_add_id(e, a->ids[k]);
		map64_set(&s->evlist.by_id, a->ids[k], e->idx);
	}
	if (a->attr.sample_type & PERF_SAMPLE_TIME)
		s->has_time = true;
	places_add(s, e->idx);
}

static void apply_groups(struct session *s)
{
	const struct env *env = &s->file->env;

	for (u32 i = 0; i < env->nr_groups; i++) {
		const struct env_group *g = &env->groups[i];
		struct evsel *lead;

		if (g->leader_idx >= s->evlist.nr || !g->nr_members ||
		    g->nr_members > s->evlist.nr - g->leader_idx)
			continue;
		lead = s->evlist.evsels[g->leader_idx];
		lead->nr_members = g->nr_members;
		free(lead->group_name);
		lead->group_name = *g->name && strcmp(g->name, "{anon_group}") ? xstrdup(g->name)
									       : NULL;
		for (u32 k = 0; k < g->nr_members; k++)
			s->evlist.evsels[g->leader_idx + k]->leader = g->leader_idx;
	}
}

void session_refresh_names(struct session *s)
{
	for (size_t i = 0; i < s->file->nr_attrs && i < s->evlist.nr; i++) {
		struct evsel *e = s->evlist.evsels[i];
		const char *name = s->file->attrs[i].name;

		if (name && strcmp(name, e->name)) {
			free(e->name);
			e->name = xstrdup(name);
		}
	}
	apply_groups(s);
}

void session_event_update(struct session *s, const u8 *rec, size_t size)
{
	struct rec_event_update u;
	u32 idx;

	/* only NAME concerns readers of samples */
	if (rec_event_update_decode(rec, size, &u) < 0 || u.kind != EVENT_UPDATE_NAME || !*u.text)
		return;
	idx = map64_get(&s->evlist.by_id, u.id);
	if (idx == MAP64_NONE || idx >= s->file->nr_attrs)
		return;
	free(s->file->attrs[idx].name);
	s->file->attrs[idx].name = xstrdup(u.text);
	session_refresh_names(s);
}

/* ---- opening ---- */

static const char *default_path(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

static void index_init(struct session *s)
{
	s->index = xzalloc(sizeof(*s->index));
	s->one_pass_from = ONE_PASS_FROM;
	tally_init(&s->index->t);
	places_init(s);
}

int session_open(struct session *s, const char *path, bool force, struct err *err)
{
	int ret;

	*s = (struct session){ 0 };
	s->forced = force;
	ret = perf_file_open(path ? path : default_path(), force, &s->file, &s->diag, err);
	if (ret)
		return ret;
	s->source = source_of_file(s->file);
	index_init(s);
	for (size_t i = 0; i < s->file->nr_attrs; i++)
		session_add_attr(s, i);
	apply_groups(s);
	return 0;
}

void session_open_source(struct session *s, struct source *src, const char *name,
			 const struct evlist *l)
{
	*s = (struct session){ .file = perf_file_of_stream(name), .source = src };
	index_init(s);
	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *from = l->evsels[i];
		struct evsel *e = evlist_add_copy(&s->evlist, from);
		struct file_attr *a = perf_file_add_attr(s->file, &from->attr, NULL, 0);

		a->name = xstrdup(from->name);
		session_add_ids(s, e->idx, from->ids, from->nr_ids);
		s->has_time |= (from->attr.sample_type & PERF_SAMPLE_TIME) != 0;
		places_add(s, e->idx);
	}
}

void session_add_ids(struct session *s, u32 idx, const u64 *ids, size_t nr)
{
	struct evsel *e = s->evlist.evsels[idx];
	size_t had = e->nr_ids;

	for (size_t i = 0; i < nr; i++) {
		evsel_add_id(e, ids[i]);
		map64_set(&s->evlist.by_id, ids[i], idx);
	}
	if (nr)
		file_attr_add_ids(&s->file->attrs[idx], e->ids + had, nr);
}

void session_close(struct session *s)
{
	struct session_index *ix = s->index;

	if (ix) {
		session_end_crew(s);
		tally_release(&ix->t);
		free(ix->spans);
		free(ix->forms);
		slabs_release(&ix->copies);
		deferred_release(&ix->deferred);
		free(ix);
	}
	free(s->of_event);
	guest_ids_release(&s->guests);
	evlist_release(&s->evlist);
	source_close(s->source);
	perf_file_close(s->file);
	*s = (struct session){ 0 };
}
