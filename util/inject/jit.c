// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions compiled at run time: each function that a jitdump tells of becomes an ELF file beside
 * the dump, and a mapping of that file in the recording, at the time it was loaded. What maps the
 * dump itself, and the memory without a file that the code is in, is left out from then on: readers
 * would take it for what replaced the functions.
 */
#include "base/compat.h"

#include "inject/inject.h"

#include "recording/jit.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "jit/jit-image.h"
#include "wire/encode.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

struct inject_jit {
	struct session *s;  /* borrowed */
	struct rewrite *rw; /* borrowed */
	struct jitdump_conf conf;
	struct machine *machine;
	struct hits *marks;
	struct hits_worker *worker;
	struct map64 pids; /* of processes whose dumps were read */
	struct jit_image image;
	struct strbuf problems;
	struct err err; /* why the run has to end */
	int ret;
};

/* One dump that is being read. */
struct dump_run {
	struct inject_jit *j;
	u32 process;
	const struct rec_mmap *map; /* of the dump */
	struct jitdump d;
	struct jitdump_clock clock;
	struct strbuf object;
	struct map64 loaded; /* code index -> its place in @files */
	struct dump_file {
		char *path; /* owned */
		u64 span;
		struct stat st;
	} * files; /* owned */
	size_t nr, cap;
};

static void insert_map(struct dump_run *run, const struct jit_record *r, u64 time,
		       const struct dump_file *f)
{
	const struct evlist *l = &run->j->s->evlist;
	/* In a namespace of its own a process knows its threads by other numbers. */
	bool same = r->pid == run->map->pid;
	const struct rec_mmap map = {
		.pid = run->map->pid,
		.tid = same ? r->tid : run->map->tid,
		.start = r->addr,
		.len = f->span,
		.pgoff = JIT_CODE_OFFSET,
		.maj = major(f->st.st_dev),
		.min = minor(f->st.st_dev),
		.ino = f->st.st_ino,
		.ino_generation = 1,
		.prot = PROT_EXEC,
		.flags = MAP_SHARED,
		.filename = f->path,
	};
	struct sample_id id = { .pid = map.pid, .tid = map.tid, .time = time };
	struct strbuf rec = STRBUF_INIT;

	if (l->nr && l->evsels[0]->nr_ids)
		id.id = id.stream_id = l->evsels[0]->ids[0];
	if (!enc_mmap2(&rec, PERF_RECORD_MISC_USER, &map, l->nr ? &l->evsels[0]->layout : NULL,
		       &id))
		rewrite_insert_at(run->j->rw, time, rec.buf);
	strbuf_release(&rec);
}

static void add_code(struct dump_run *run, const struct jit_record *r, u64 time)
{
	struct jit_code code = jit_record_code(r, time, strbuf_str(&run->object));

	if (r->id == JIT_CODE_LOAD) {
		code.name = strbuf_str(&run->j->image.name);
		code.build_id = run->j->image.build_id;
	}
	machine_add_code(run->j->machine, run->process, &code);
}

static int take_load(struct dump_run *run, const struct jit_record *r, u64 time)
{
	struct inject_jit *j = run->j;
	struct dump_file *f;
	int ret;

	/* Files of another recording may stand there, of a process with the same number. */
	do
		jitdump_object_path(&run->d, run->map->filename, r->index, &run->object);
	while (jit_image_elsewhere(&j->image, strbuf_str(&run->object)));
	VEC_GROW(run->files, run->nr + 1, run->cap);
	f = &run->files[run->nr];
	*f = (struct dump_file){ .span = jit_image_span(&j->image) };
	ret = jit_image_write(&j->image, strbuf_str(&run->object), &f->st, &j->err);
	if (ret)
		return ret;
	f->path = xstrdup(strbuf_str(&run->object));
	map64_set(&run->loaded, r->index, (u32)run->nr++);
	add_code(run, r, time);
	insert_map(run, r, time, f);
	return 0;
}

static int take_record(struct dump_run *run, const struct jit_record *r)
{
	u64 time = jitdump_time(&run->clock, r->time);
	u32 at;
	int ret = 0;

	if (jit_image_add(&run->j->image, &run->d, r)) {
		if (r->code_size)
			ret = take_load(run, r, time);
		jit_image_reset(&run->j->image);
	} else if (r->id == JIT_CODE_MOVE && r->code_size) {
		at = map64_get(&run->loaded, r->index);
		add_code(run, r, time);
		if (at != MAP64_NONE)
			insert_map(run, r, time, &run->files[at]);
	}
	return ret;
}

static int read_dump(struct dump_run *run, u64 mapped)
{
	struct inject_jit *j = run->j;
	struct jit_record r;
	int ret = 0;

	run->clock = jitdump_clock(&run->d, &j->conf, mapped);
	while (!ret && jitdump_next(&run->d, &r) > 0)
		ret = take_record(run, &r);
	jitdump_tell(&run->d, run->map->filename, run->clock.doubt, &j->problems);
	jit_image_reset(&j->image);
	jitdump_close(&run->d);
	while (run->nr)
		free(run->files[--run->nr].path);
	free(run->files);
	map64_release(&run->loaded);
	strbuf_release(&run->object);
	return ret;
}

static void on_dump(void *ctx, struct machine *m, u32 process, const struct rec_mmap *rec, u64 time)
{
	struct inject_jit *j = ctx;
	struct dump_run run = { .j = j, .process = process, .map = rec };
	struct err err = { 0 };

	if (j->ret || map64_get(&j->pids, rec->pid) != MAP64_NONE)
		return;
	if (jitdump_find(&run.d, &j->conf, rec->filename, rec->pid, &err)) {
		strbuf_addf(&j->problems, "%s\n", err.msg);
		return;
	}
	map64_set(&j->pids, rec->pid, 1);
	j->ret = read_dump(&run, time);
}

struct inject_jit *inject_jit_new(struct session *s, struct rewrite *rw, bool force)
{
	struct inject_jit *j = xzalloc(sizeof(*j));

	j->s = s;
	j->rw = rw;
	jitdump_conf(&j->conf, s, &(struct symfs){ 0 }, force);
	j->machine = machine_new();
	machine_on_jitdump(j->machine, on_dump, j);
	j->marks = hits_new(j->machine, true);
	j->worker = hits_worker(j->marks);
	return j;
}

void inject_jit_free(struct inject_jit *j, const struct notices *notices)
{
	if (!j)
		return;
	if (j->problems.len)
		notice(notices, "Warning:\n%s", strbuf_str(&j->problems));
	strbuf_release(&j->problems);
	hits_free(j->marks);
	machine_free(j->machine);
	map64_release(&j->pids);
	jit_image_release(&j->image);
	free(j);
}

static void on_hit(void *ctx, const struct dso *dso)
{
	struct inject_jit *j = ctx;
	struct env_build_id id = { .pid = -1, .misc = PERF_RECORD_MISC_USER };

	if (dso->kind != DSO_JIT || !dso->build_id_size)
		return;
	id.filename = (char *)dso->path;
	id.size = dso->build_id_size;
	memcpy(id.id, dso->build_id, sizeof(id.id));
	rewrite_build_id(j->rw, &id);
}

/* Tell whether a record maps a dump that was read, or the memory of its code. */
static bool is_replaced(const struct inject_jit *j, const wire_header *rec)
{
	struct rec_mmap map;

	if ((rec->type != PERF_RECORD_MMAP && rec->type != PERF_RECORD_MMAP2) ||
	    rec_mmap_decode(rec, rec->size, &map) || !(map.prot & PROT_EXEC) ||
	    map64_get(&j->pids, map.pid) == MAP64_NONE)
		return false;
	return is_jitdump_path(map.filename) || is_anon_path(map.filename);
}

int inject_jit_record(struct inject_jit *j, const struct session_event *ev, struct err *err)
{
	if (ev->sample) {
		hits_sample(j->worker, ev->sample, ev->time, true, on_hit, j);
		return REWRITE_KEEP;
	}
	if (machine_apply(j->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_record(&j->s->diag, DIAG_BAD_RECORD, ev->hdr->type, ev->offset);
	if (j->ret) {
		*err = j->err;
		return j->ret;
	}
	return is_replaced(j, ev->hdr) ? REWRITE_DROP : REWRITE_KEEP;
}
