// SPDX-License-Identifier: GPL-2.0-or-later
/* Events are kept by CPU until all are there, because only later ones tell which device a partition
 * belongs to. Then they become files. */
#include "base/compat.h"

#include "blktrace/blktrace-internal.h"

#include "analyze/reach.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* An event waits. Its strings are kept elsewhere. */
struct kept {
	struct block_event ev;
	u32 comm;
};

struct writer_cpu {
	struct kept *v; /* owned */
	size_t nr, cap;
};

struct blktrace_writer {
	struct writer_cpu *cpus; /* owned */
	u32 nr_cpus;
	size_t cap_cpus;
	struct intern comms;
	struct block_plugs plugs;
};

struct blktrace_writer *blktrace_writer_new(void)
{
	return xzalloc(sizeof(struct blktrace_writer));
}

void blktrace_writer_free(struct blktrace_writer *w)
{
	if (!w)
		return;
	for (u32 i = 0; i < w->nr_cpus; i++)
		free(w->cpus[i].v);
	free(w->cpus);
	intern_release(&w->comms);
	map64_release(&w->plugs.dev_of);
	free(w);
}

void blktrace_writer_event(struct blktrace_writer *w, const struct block_event *ev)
{
	struct writer_cpu *c;
	u32 dev = block_plug_device(&w->plugs, ev);

	if (!dev)
		return;
	VEC_REACH(w->cpus, ev->cpu, w->nr_cpus, w->cap_cpus);
	c = &w->cpus[ev->cpu];
	VEC_GROW(c->v, c->nr + 1, c->cap);
	c->v[c->nr].ev = *ev;
	c->v[c->nr].ev.dev = dev;
	c->v[c->nr].ev.sample = NULL;
	c->v[c->nr++].comm = intern_id(&w->comms, ev->comm, ev->comm_len);
}

/* ---- files ---- */

/* The file of a device on a CPU is made. */
struct output {
	u32 dev, sequence;
	struct strbuf data;
	struct map64 named; /* processes that have been named in it, with their names */
};

struct outputs {
	struct map64 of;  /* place by device */
	struct output *v; /* owned */
	size_t nr, cap;
};

static struct output *output_of(struct outputs *o, u32 dev)
{
	u32 *place = map64_slot(&o->of, dev);

	if (*place == MAP64_NONE) {
		*place = (u32)o->nr;
		VEC_GROW(o->v, o->nr + 1, o->cap);
		o->v[o->nr++] = (struct output){ .dev = dev };
	}
	return &o->v[*place];
}

static void put_event(struct output *o, const struct block_event *ev, u32 comm)
{
	if (!o->data.len)
		blktrace_encode_clock(ev, 0, &o->data);
	if (ev->comm_len && map64_get(&o->named, ev->tid) != comm) {
		map64_set(&o->named, ev->tid, comm);
		blktrace_encode_process(ev, &o->data);
	}
	if (blktrace_encode(ev, o->sequence + 1, &o->data))
		o->sequence++;
}

static int write_all(int fd, const struct strbuf *data)
{
	for (size_t at = 0; at < data->len;) {
		ssize_t n = write(fd, data->buf + at, data->len - at);

		if (n < 0 && errno != EINTR)
			return -errno;
		at += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int write_file(const struct output *o, const char *dir, const char *name, u32 cpu,
		      struct err *err)
{
	char *path = xasprintf("%s/%s" BLKTRACE_MIDDLE "%u", dir, name, cpu);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int ret = fd < 0 ? -errno : write_all(fd, &o->data);

	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	if (ret)
		err_set(err, ret, "cannot write %s: %s", path, err_str(ret));
	free(path);
	return ret;
}

/* A name becomes part of one of a file. */
static char *file_name(const char *name)
{
	char *copy = xstrdup(name);

	for (char *p = copy; *p; p++)
		if (*p == '/' || *p == ',')
			*p = '-';
	return copy;
}

/* Write the files of a CPU. Devices without events of it get empty ones, as blkparse looks for the
 * files of all CPUs from the first one on. */
static int write_outputs(struct outputs *o, const char *dir, const struct blktrace_names *names,
			 u32 cpu, u64 *nr, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < o->nr && !ret; i++) {
		struct output *out = &o->v[i];
		char *name = file_name(names->name(names->ctx, out->dev));

		ret = write_file(out, dir, name, cpu, err);
		*nr += out->sequence;
		strbuf_reset(&out->data);
		map64_release(&out->named);
		out->sequence = 0;
		free(name);
	}
	return ret;
}

static void release_outputs(struct outputs *o)
{
	for (size_t i = 0; i < o->nr; i++) {
		strbuf_release(&o->v[i].data);
		map64_release(&o->v[i].named);
	}
	free(o->v);
	map64_release(&o->of);
}

/* Find out which devices there are. */
static void name_outputs(struct blktrace_writer *w, struct outputs *o,
			 const struct blktrace_names *names)
{
	for (u32 cpu = 0; cpu < w->nr_cpus; cpu++) {
		for (size_t i = 0; i < w->cpus[cpu].nr; i++) {
			struct block_event *ev = &w->cpus[cpu].v[i].ev;

			ev->dev = names->disk(names->ctx, ev->dev);
			output_of(o, ev->dev);
		}
	}
}

static void fill(struct blktrace_writer *w, struct outputs *o, struct writer_cpu *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		struct block_event *ev = &c->v[i].ev;

		ev->comm = intern_str(&w->comms, c->v[i].comm);
		put_event(output_of(o, ev->dev), ev, c->v[i].comm);
	}
}

int blktrace_writer_finish(struct blktrace_writer *w, const char *dir,
			   const struct blktrace_names *names, u64 *nr, struct err *err)
{
	struct outputs o = { 0 };
	int ret = 0;

	*nr = 0;
	if (mkdir(dir, 0777) && errno != EEXIST) {
		ret = -errno;
		return err_set(err, ret, "cannot make the folder %s: %s", dir, err_str(ret));
	}
	name_outputs(w, &o, names);
	for (u32 cpu = 0; cpu < w->nr_cpus && !ret; cpu++) {
		fill(w, &o, &w->cpus[cpu]);
		ret = write_outputs(&o, dir, names, cpu, nr, err);
	}
	release_outputs(&o);
	return ret;
}
