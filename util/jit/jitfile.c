// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The jitdumps of a recording: where they are, whether they may be read, which time their times
 * are, and what they say as state of the machine.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "jit/jitdump.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECOND 1000000000ULL
#define MAX_FRAMES (1U << 20) /* bytes of unwind information; no function has as many */

struct jitdumps {
	struct jitdump_conf conf;
	struct intern seen; /* "PROCESS PATH" of dumps that were tried */
	struct strbuf problems;
	u64 functions;
};

/* ---- finding the file ---- */

/* Open what is a file, and of somebody who may say what code is: a name in a folder that all can
 * write to may have been taken by anybody. */
static int open_owned(const struct jitdump_conf *conf, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	int ret = 0;

	if (fd < 0)
		return err_set(err, -errno, "%s", err_str(-errno));
	if (fstat(fd, &st))
		ret = err_set(err, -errno, "%s", err_str(-errno));
	else if (!S_ISREG(st.st_mode))
		ret = err_set(err, -EINVAL, "it is not a file");
	else if (st.st_uid && st.st_uid != geteuid() && st.st_uid != conf->uid && !conf->force)
		ret = err_set(err, -EPERM,
			      "it is not owned by the current user, the recording's or root "
			      "(use -f to override)");
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static int try_path(struct jitdump *d, const struct jitdump_conf *conf, char *path, struct err *err)
{
	int fd = open_owned(conf, path, err);

	free(path);
	return fd < 0 ? fd : jitdump_open(d, fd, err);
}

int jitdump_find(struct jitdump *d, const struct jitdump_conf *conf, const char *path, u32 pid,
		 struct err *err)
{
	struct err more = { 0 };
	struct strbuf name = STRBUF_INIT;
	int ret = -ENOENT, there;

	d->fd = -1;
	if (conf->symfs.dir && *conf->symfs.dir)
		ret = try_path(d, conf, symfs_path(&conf->symfs, path), err);
	if (ret == -ENOENT)
		ret = try_path(d, conf, sysroot_path(conf->sysroot, "%s", path), err);
	if (ret == -ENOENT) { /* a process in a file system of its own, while it lives */
		there = try_path(d, conf, sysroot_path(conf->sysroot, "/proc/%u/root%s", pid, path),
				 &more);
		if (there != -ENOENT && there != -EACCES) {
			ret = there;
			*err = more;
		}
	}
	if (!ret)
		return 0;
	strbuf_addname(&name, path);
	err_prefix(err, "jitdump file '%s' cannot be used", strbuf_str(&name));
	strbuf_release(&name);
	return ret;
}

/* ---- clocks ---- */

/* Return the time of the first code, 0 without any. Reading starts over after it. */
static u64 first_time(struct jitdump *d)
{
	struct jitdump again = *d;
	struct jit_record r;
	u64 time = 0;

	while (!time && jitdump_next(&again, &r))
		time = r.time;
	d->window = again.window;
	d->window_cap = again.window_cap;
	d->window_len = again.window_len;
	d->window_at = again.window_at;
	return time;
}

struct jitdump_clock jitdump_clock(struct jitdump *d, const struct jitdump_conf *conf, u64 mapped)
{
	struct jitdump_clock c = { 0 };
	enum jitdump_times times = conf->times ? conf->times(conf->ctx) : JITDUMP_SAME_CLOCK;
	u64 first;

	if (d->flags & JITDUMP_CYCLES || times == JITDUMP_NO_TIMES) {
		c = (struct jitdump_clock){ .fixed = true, .time = mapped };
		c.doubt =
			times == JITDUMP_NO_TIMES
				? "the recording has no times: code is taken to have been there all the time"
				: "its times are cycles: code is taken to have been there all the time";
	} else if (times == JITDUMP_OTHER_CLOCK) {
		/* A compiler maps its dump when it has just begun it, and the kernel told when
		 * that was. Some write the time of day there: that is not near the first code. */
		first = first_time(d);
		if (mapped && d->time && d->time <= first && first - d->time < 3600 * SECOND)
			c.time = mapped - d->time;
		c.doubt = "the recording has times of another clock, matched as well as can be: "
			  "record with -k mono to be sure of them";
	}
	return c;
}

/* ---- into the machine ---- */

/* A dump that is being read into the machine. */
struct dump_reader {
	struct jitdumps *jits;
	struct machine *machine;
	u32 process;
	const char *path; /* of the dump, as it was mapped */
	struct jitdump dump;
	struct strbuf object;
	struct strbuf frame_bytes;
	struct jit_frames frames; /* of the next function; without bytes there are none */
};

/* Keep the unwind information, which stands in front of the function that it is of. */
static void take_frames(struct dump_reader *r, const struct jit_record *rec)
{
	const u8 *p = rec->frame_size && rec->frame_size <= MAX_FRAMES
			      ? jitdump_bytes(&r->dump, rec->body_at, (size_t)rec->frame_size)
			      : NULL;

	r->frames = (struct jit_frames){ 0 };
	if (!p)
		return;
	strbuf_reset(&r->frame_bytes);
	strbuf_add(&r->frame_bytes, p, (size_t)rec->frame_size);
	r->frames = (struct jit_frames){ .bytes = (const u8 *)r->frame_bytes.buf,
					 .size = r->frame_bytes.len,
					 .index_size = (size_t)rec->frame_index_size,
					 .swap = r->dump.swap };
}

static void take_code(struct dump_reader *r, const struct jit_record *rec, u64 time)
{
	struct jit_code code;

	if (rec->id == JIT_CODE_LOAD)
		jitdump_object_path(&r->dump, r->path, rec->index, &r->object);
	code = jit_record_code(rec, time, strbuf_str(&r->object));
	if (rec->id == JIT_CODE_LOAD && r->frames.bytes)
		code.frames = &r->frames;
	if (rec->code_size) {
		machine_add_code(r->machine, r->process, &code);
		r->jits->functions += !code.moved;
	}
	if (rec->id == JIT_CODE_LOAD)
		r->frames = (struct jit_frames){ 0 };
}

void jitdump_tell(const struct jitdump *d, const char *path, const char *doubt, struct strbuf *out)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_addname(&name, path);
	if (d->cut_at)
		strbuf_addf(out,
			    "jitdump file '%s' is cut off or damaged at %#" PRIx64
			    ": code that was made later has no names\n",
			    strbuf_str(&name), d->cut_at);
	if (d->bad)
		strbuf_addf(out,
			    "jitdump file '%s': %" PRIu64
			    " records make no sense and are left out\n",
			    strbuf_str(&name), d->bad);
	if (doubt)
		strbuf_addf(out, "jitdump file '%s': %s\n", strbuf_str(&name), doubt);
	strbuf_release(&name);
}

/* @mapped: when the process mapped the dump */
static void read_dump(struct dump_reader *r, u64 mapped)
{
	struct jitdump_clock clock = jitdump_clock(&r->dump, &r->jits->conf, mapped);
	struct jit_record rec;

	while (jitdump_next(&r->dump, &rec)) {
		if (rec.id == JIT_CODE_UNWINDING_INFO)
			take_frames(r, &rec);
		else if (rec.id == JIT_CODE_LOAD || rec.id == JIT_CODE_MOVE)
			take_code(r, &rec, jitdump_time(&clock, rec.time));
	}
	jitdump_tell(&r->dump, r->path, clock.doubt, &r->jits->problems);
}

static void on_dump(void *ctx, struct machine *m, u32 process, const struct rec_mmap *rec, u64 time)
{
	struct jitdumps *j = ctx;
	struct dump_reader r = {
		.jits = j, .machine = m, .process = process, .path = rec->filename
	};
	struct err err = { 0 };
	size_t before = j->seen.nr;
	char *key = xasprintf("%u %s", process, rec->filename);

	intern_str_id(&j->seen, key);
	free(key);
	if (j->seen.nr == before)
		return;
	if (jitdump_find(&r.dump, &j->conf, rec->filename, rec->pid, &err)) {
		strbuf_addf(&j->problems, "%s\n", err.msg);
		return;
	}
	read_dump(&r, time);
	jitdump_close(&r.dump);
	strbuf_release(&r.object);
	strbuf_release(&r.frame_bytes);
}

struct jitdumps *jitdumps_follow(struct machine *m, const struct jitdump_conf *conf)
{
	struct jitdumps *j = xzalloc(sizeof(*j));

	j->conf = *conf;
	machine_on_jitdump(m, on_dump, j);
	return j;
}

void jitdumps_free(struct jitdumps *j)
{
	if (!j)
		return;
	intern_release(&j->seen);
	strbuf_release(&j->problems);
	free(j);
}

const char *jitdumps_problems(const struct jitdumps *j)
{
	return strbuf_str(&j->problems);
}

u64 jitdumps_functions(const struct jitdumps *j)
{
	return j->functions;
}
