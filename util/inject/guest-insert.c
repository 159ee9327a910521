// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of guests are inserted into the recording of the host, in the order of time, and with
 * them the build-ids of their objects. */
#include "base/compat.h"
#include "inject/guest-internal.h"

#include "base/alloc.h"
#include "symbol/object-id.h"
#include "symbol/symbol.h"
#include "wire/encode.h"

/* ---- its build-ids ---- */

static void insert_build_id(const struct guest *g, struct rewrite *rw,
			    const struct env_build_id *from)
{
	struct env_build_id id = *from;

	id.pid = (s32)g->spec->pid;
	id.misc = guest_misc(id.misc);
	rewrite_build_id(rw, &id);
}

/* Read the build-id of an object below the guest's root folder. Return: its size, 0: none. */
static u8 id_below(const char *mount, u32 pid, const char *name, bool kernel, u8 id[20])
{
	char *root = xasprintf("%s/%u", mount, pid), *path = xasprintf("%s%s", root, name);
	int size = kernel ? object_id(&(struct sysroot){ root }, name, true, 0, id)
			  : elf_build_id(path, id);

	free(path);
	free(root);
	return (u8)MAX(size, 0);
}

/* Add the build-id of what a mapping record names, when only the guest's own files have it. */
static void find_build_id(struct inject_guests *gs, struct guest *g, struct rewrite *rw,
			  const wire_header *rec)
{
	bool kernel = (rec->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_GUEST_KERNEL;
	struct env_build_id id = { .misc = rec->misc };
	struct rec_mmap m;
	const char *close;
	size_t len;

	if (!gs->conf.mount || rec_mmap_decode(rec, rec->size, &m) || m.build_id_size ||
	    (!kernel && m.filename[0] != '/') || is_anon_path(m.filename))
		return;
	/* The name of the kernel has a symbol behind it. */
	close = kernel && m.filename[0] == '[' ? strchr(m.filename, ']') : NULL;
	len = close ? (size_t)(close + 1 - m.filename) : strlen(m.filename);
	if (intern_find(&g->seen, m.filename, len) != UINT32_MAX)
		return;
	id.filename = (char *)intern_str(&g->seen, intern_id(&g->seen, m.filename, len));
	id.size = id_below(gs->conf.mount, g->spec->pid, id.filename, kernel, id.id);
	if (id.size)
		insert_build_id(g, rw, &id);
}

int inject_guests_begin(struct inject_guests *gs, struct rewrite *rw, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < gs->nr; i++) {
		struct guest *g = &gs->v[i];
		const struct env *env = &g->s.file->env;

		for (size_t b = 0; b < env->nr_build_ids; b++) {
			intern_str_id(&g->seen, env->build_ids[b].filename);
			insert_build_id(g, rw, &env->build_ids[b]);
		}
		ret = feed_start(&g->feed, guest_records, g, err);
	}
	return ret;
}

/* ---- into the output ---- */

#define INDEX_MAX 1300 /* ids in an ID_INDEX record, which has at most 64 KiB */

/* Insert the records that tell to whom the ids belong. */
static void insert_index(struct guest *g, struct rewrite *rw)
{
	u64 entries[4 * INDEX_MAX], guests[2 * INDEX_MAX];
	struct strbuf rec = STRBUF_INIT;

	g->indexed = true;
	for (size_t at = 0; at < g->nr_sids; at += INDEX_MAX) {
		size_t nr = MIN(g->nr_sids - at, (size_t)INDEX_MAX);
		const struct rec_id_index x = { nr, entries, guests };

		for (size_t i = 0; i < nr; i++) {
			const struct guest_sid *sid = &g->sids[at + i];
			const struct guest_vcpu *v = guest_survey_vcpu(&g->host, sid->vcpu);

			entries[4 * i] = sid->id;
			entries[4 * i + 1] = 0;
			entries[4 * i + 2] = UINT64_MAX;
			entries[4 * i + 3] = v ? v->tid : 0;
			guests[2 * i] = g->spec->pid;
			guests[2 * i + 1] = sid->vcpu;
		}
		strbuf_reset(&rec);
		if (!enc_record(&rec, PERF_RECORD_ID_INDEX, 0, &x, NULL, NULL))
			rewrite_insert_as(rw, rec.buf, NULL);
	}
	strbuf_release(&rec);
}

static void insert(struct inject_guests *gs, struct guest *g, struct rewrite *rw,
		   const struct feed_entry *e)
{
	const struct guest_vcpu *v = guest_survey_vcpu(&g->host, e->vcpu);
	const struct wire_layout *l = &g->events[e->event].layout;
	const wire_header *rec = e->rec;

	if (!g->indexed)
		insert_index(g, rw);
	if (rec->type == PERF_RECORD_MMAP || rec->type == PERF_RECORD_MMAP2)
		find_build_id(gs, g, rw, rec);
	strbuf_reset(&gs->rec);
	strbuf_add(&gs->rec, rec, rec->size);
	if (l->sample_type & PERF_SAMPLE_CPU) /* before the id, which is the last word */
		*(u32_una *)(gs->rec.buf + rec->size - 16) = v ? v->cpu : 0;
	rewrite_insert_as(rw, gs->rec.buf, l);
}

/* Find the guest with the earliest record, which is stored in *@e. Return: NULL when there is none,
 * or with *@failed set and a sentence. */
static struct guest *earliest(struct inject_guests *gs, struct feed_entry *e, int *failed,
			      struct err *err)
{
	struct guest *found = NULL;

	for (size_t i = 0; i < gs->nr; i++) {
		struct feed_entry first = { 0 };
		int ret = feed_first(&gs->v[i].feed, &first, err);

		if (ret < 0) {
			*failed = ret;
			return NULL;
		}
		if (!ret || (found && first.time >= e->time))
			continue;
		*e = first;
		found = &gs->v[i];
	}
	return found;
}

/* Insert all records that are earlier than @until. */
static int insert_until(struct inject_guests *gs, struct rewrite *rw, u64 until, struct err *err)
{
	struct feed_entry e = { 0 };
	struct guest *g;
	int failed = 0;

	while ((g = earliest(gs, &e, &failed, err)) && e.time < until) {
		insert(gs, g, rw, &e);
		feed_drop(&g->feed);
	}
	return failed;
}

/* Any record of a thread that runs a processor of a guest tells where that is. */
static void note_cpu(struct guest *g, const struct session_event *ev)
{
	u32 tid = ev->sample ? ev->sample->tid : ev->id.tid;
	u32 cpu = ev->sample ? ev->sample->cpu : ev->id.cpu;

	if (cpu == UINT32_MAX || !ev->time || ev->guest)
		return;
	for (size_t i = 0; i < g->host.nr_vcpus; i++)
		if (g->host.vcpus[i].tid == tid)
			g->host.vcpus[i].cpu = cpu;
}

int inject_guests_record(struct inject_guests *gs, struct rewrite *rw,
			 const struct session_event *ev, struct err *err)
{
	int ret = insert_until(gs, rw, ev->time, err);

	for (size_t i = 0; i < gs->nr; i++)
		note_cpu(&gs->v[i], ev);
	return ret;
}

int inject_guests_rest(struct inject_guests *gs, struct rewrite *rw, struct err *err)
{
	return insert_until(gs, rw, UINT64_MAX, err);
}
