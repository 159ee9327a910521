// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Build-ids of objects, put into a recording. The id of an object is, in this order, the one that
 * --known-build-ids gives, the one that the recording has, the one of the object here and now.
 */
#include "base/compat.h"
#include "inject/inject.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "base/pool.h"
#include "base/strbuf.h"
#include "symbol/object-id.h"
#include "symbol/symbol.h"
#include "wire/encode.h"

#include <ctype.h>
#include <errno.h>
#include <sys/utsname.h>

/* Tell the user a line that has a name from outside in it. */
static void tell(const struct notices *n, const char *before, const char *name, const char *after)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addname(&sb, name);
	notice(n, "%s%s%s\n", before, strbuf_str(&sb), after);
	strbuf_release(&sb);
}

/* ---- --known-build-ids ---- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Add a pair "HEX PATH". Return: whether it made sense. */
static bool add_pair(struct known_ids *k, const char *p, const char *end)
{
	struct env_build_id id = { .pid = -1 };

	while (p < end && isspace((unsigned char)*p))
		p++;
	for (; end - p >= 2 && hex_digit(*p) >= 0 && hex_digit(p[1]) >= 0; p += 2) {
		if (id.size == sizeof(id.id))
			return false;
		id.id[id.size++] = (u8)(hex_digit(*p) << 4 | hex_digit(p[1]));
	}
	if (!id.size || p == end || !isspace((unsigned char)*p))
		return false;
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	if (p == end)
		return false;
	id.filename = xstrndup(p, (size_t)(end - p));
	VEC_GROW(k->v, k->nr + 1, k->cap);
	k->v[k->nr++] = id;
	return true;
}

static void take_pair(struct known_ids *k, const char *p, const char *end,
		      const struct notices *notices)
{
	char *text;

	if (p == end || add_pair(k, p, end))
		return;
	text = xstrndup(p, (size_t)(end - p));
	tell(notices, "--known-build-ids: '", text, "' is no build-id and path, left out");
	free(text);
}

static int take_file(struct known_ids *k, const char *path, const struct notices *notices,
		     struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = sysroot_read(NULL, &text, "%s", path);
	const char *p = strbuf_str(&text), *end = p + text.len;
	struct line l;

	if (ret < 0)
		err_set(err, ret, "cannot read the build-ids of %s: %s", path, err_str(ret));
	while (!ret && next_line(&p, end, &l))
		take_pair(k, l.p, l.end, notices);
	strbuf_release(&text);
	return ret;
}

int known_ids_parse(struct known_ids *k, const char *arg, const struct notices *notices,
		    struct err *err)
{
	static const char scheme[] = "file://";

	if (!strncmp(arg, scheme, sizeof(scheme) - 1))
		return take_file(k, arg + sizeof(scheme) - 1, notices, err);
	while (*arg) {
		size_t len = strcspn(arg, ",");

		take_pair(k, arg, arg + len, notices);
		arg += len + (arg[len] == ',');
	}
	return 0;
}

void known_ids_release(struct known_ids *k)
{
	for (size_t i = 0; i < k->nr; i++)
		free(k->v[i].filename);
	free(k->v);
	*k = (struct known_ids){ 0 };
}

/* ---- which id ---- */

static const struct env_build_id *find_id(const struct env_build_id *v, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (v[i].size && !strcmp(v[i].filename, name))
			return &v[i];
	return NULL;
}

/* Tell whether the recorded kernel may be the running one. If not, nothing here says anything of
 * it. */
static bool kernel_is_ours(const struct inject_ids *ids)
{
	const char *release = ids->rec->session.file->env.os_release;
	struct utsname u;

	return release && !uname(&u) && !strcmp(u.release, release);
}

/* Read the build-id of a guest's kernel below its root folder. Its name ends with the process that
 * runs the guest: "[guest.kernel.kallsyms.PID]". */
static int id_of_guest(const struct inject_ids *ids, const struct dso *dso, u8 id[20])
{
	const char *mount = ids->rec->options->guest.mount, *dot = strrchr(dso->path, '.');
	unsigned long pid = dot ? strtoul(dot + 1, NULL, 10) : 0;
	char *root;
	int ret;

	if (!mount || dso->kind != DSO_KERNEL || !pid)
		return 0;
	root = xasprintf("%s/%lu", mount, pid);
	ret = object_id(&(struct sysroot){ root }, "[kernel.kallsyms]", true, 0, id);
	free(root);
	return ret;
}

static int id_here(const struct inject_ids *ids, const struct dso *dso, u8 id[20])
{
	bool kernel = dso->cpumode == PERF_RECORD_MISC_KERNEL;

	if (!kernel && dso->cpumode != PERF_RECORD_MISC_USER)
		return id_of_guest(ids, dso, id);
	if (dso->kind == DSO_KERNEL && ids->vmlinux)
		return elf_build_id(ids->vmlinux, id);
	if ((kernel || dso->kind == DSO_VDSO) && !kernel_is_ours(ids))
		return 0;
	return object_id(NULL, dso->path, kernel, 0, id);
}

/* Return: there is one. */
static bool id_of(const struct inject_ids *ids, const struct dso *dso, struct env_build_id *out)
{
	const struct env *env = &ids->rec->session.file->env;
	const struct env_build_id *b = find_id(ids->known.v, ids->known.nr, dso->path);
	int n;

	*out = (struct env_build_id){ .pid = -1,
				      .misc = dso->cpumode,
				      .filename = (char *)dso->path };
	if (dso->kind == DSO_BPF || dso->kind == DSO_ANON || dso->kind == DSO_PERF_MAP)
		return false;
	if (!b)
		b = find_id(env->build_ids, env->nr_build_ids, dso->path);
	if (b) {
		memcpy(out->id, b->id, sizeof(out->id));
		out->size = b->size;
	} else if (dso->build_id_size) {
		memcpy(out->id, dso->build_id, sizeof(out->id));
		out->size = dso->build_id_size;
	} else {
		n = id_here(ids, dso, out->id);
		out->size = (u8)MAX(n, 0);
	}
	return out->size;
}

static void inject_id(struct inject_ids *ids, const struct dso *dso)
{
	struct env_build_id id;

	if (id_of(ids, dso, &id))
		rewrite_build_id(ids->rw, &id);
	else if (ids->verbose)
		tell(ids->rec->notices, "no build_id found for ", dso->path, "");
}

static void on_fresh(void *ctx, const struct dso *dso)
{
	inject_id(ctx, dso);
}

/* ---- a file: the model is made first, then samples are looked at in any order ---- */

static int on_ready(void *ctx, struct err *err)
{
	struct inject_ids *ids = ctx;

	return ids->copied ? rewrite_copy_ahead(ids->rw, err) : 0;
}

static void *on_worker(void *ctx, int worker)
{
	struct inject_ids *ids = ctx;

	return hits_worker(ids->marks);
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err)
{
	/* The entries of a call chain need their objects as much as the sample itself. */
	hits_sample(ctx, ev->sample, ev->time, true, NULL, NULL);
	return 0;
}

int inject_ids_file(struct inject_ids *ids, struct err *err)
{
	const struct recording_ops ops = {
		.ready = on_ready,
		.worker_new = on_worker,
		.sample = ids->hits || ids->in_maps ? on_sample : NULL,
	};
	struct dso *const *dsos;
	size_t nr;
	int ret;

	ids->marks = hits_new(ids->rec->machine, false);
	ret = recording_samples(ids->rec, &ops, ids, pool_cpus(), err);
	dsos = machine_dsos(ids->rec->machine, &nr);
	for (size_t i = 0; !ret && i < nr; i++)
		if (ids->all || (ids->hits && hits_has(ids->marks, dsos[i]->id)))
			inject_id(ids, dsos[i]);
	return ret;
}

/* ---- a stream: an id stands before the first record that needs it ---- */

void inject_ids_stream(struct inject_ids *ids)
{
	ids->marks = hits_new(ids->rec->machine, true);
	ids->worker = hits_worker(ids->marks);
}

void inject_ids_record(struct inject_ids *ids, const struct session_event *ev)
{
	size_t nr, i;

	if (ev->sample) {
		if (ids->hits)
			hits_sample(ids->worker, ev->sample, ev->time, true, on_fresh, ids);
		return;
	}
	machine_dsos(ids->rec->machine, &i);
	if (machine_apply(ids->rec->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_record(&ids->rec->session.diag, DIAG_BAD_RECORD, ev->hdr->type, ev->offset);
	for (; ids->all && machine_dsos(ids->rec->machine, &nr) && i < nr; i++)
		inject_id(ids, machine_dsos(ids->rec->machine, &nr)[i]);
}

/* ---- ids in mapping records ---- */

/* The object that a name in mapping records means: the latest of several with one path. */
struct map_object {
	bool known, hit;
	struct env_build_id id; /* size 0: none */
};

/* Find an object by the name of its mapping records; that of the kernel has a symbol behind it. */
static struct map_object *object_of(struct inject_ids *ids, const char *name, size_t len)
{
	u32 i = intern_id(&ids->names, name, len);

	while (ids->nr_objects <= i) {
		VEC_GROW(ids->objects, ids->nr_objects + 1, ids->cap_objects);
		ids->objects[ids->nr_objects++] = (struct map_object){ 0 };
	}
	return &ids->objects[i];
}

/* Take over objects from the model, which knows all that there are by now. */
static void learn_objects(struct inject_ids *ids)
{
	size_t nr;
	struct dso *const *dsos = machine_dsos(ids->rec->machine, &nr);

	for (size_t i = ids->nr_learned; i < nr; i++) {
		const struct dso *dso = dsos[i];
		struct map_object *o = object_of(ids, dso->path, strlen(dso->path));

		o->hit = o->hit || hits_has(ids->marks, dso->id);
		o->known = true;
		if (!id_of(ids, dso, &o->id))
			o->id.size = 0;
	}
	ids->nr_learned = nr;
}

enum rewrite_verdict inject_ids_map(struct inject_ids *ids, const struct session_event *ev)
{
	const struct map_object *o;
	struct strbuf rec = STRBUF_INIT;
	const char *close;
	struct rec_mmap m;
	u32 type = ev->hdr->type;
	int ret = -EINVAL;

	if ((type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2) ||
	    rec_mmap_decode(ev->hdr, ev->hdr->size, &m))
		return REWRITE_KEEP;
	learn_objects(ids);
	close = m.filename[0] == '[' ? strchr(m.filename, ']') : NULL;
	o = object_of(ids, m.filename,
		      close ? (size_t)(close + 1 - m.filename) : strlen(m.filename));
	/* The kernel's stays: it says where the symbols of this boot are. */
	if (ids->in_maps && !ids->rec->session.file->pipe && o->known && !o->hit &&
	    strncmp(m.filename, "[kernel.", 8))
		return REWRITE_DROP;
	if (!o->id.size || m.build_id_size)
		return REWRITE_KEEP;
	m.build_id_size = o->id.size;
	memcpy(m.build_id, o->id.id, sizeof(m.build_id));
	if (ev->evsel)
		ret = enc_mmap2(&rec, ev->hdr->misc, &m, &ev->evsel->layout, &ev->id);
	if (!ret)
		rewrite_insert(ids->rw, rec.buf, ev->evsel);
	strbuf_release(&rec);
	return ret ? REWRITE_KEEP : REWRITE_DROP;
}

void inject_ids_release(struct inject_ids *ids)
{
	intern_release(&ids->names);
	free(ids->objects);
	hits_free(ids->marks);
	known_ids_release(&ids->known);
}
