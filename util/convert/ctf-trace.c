// SPDX-License-Identifier: GPL-2.0-or-later
/* Put events into packets, and packets into the file of their CPU. */
#include "base/compat.h"
#include "convert/ctf.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define CTF_MAGIC 0xc1fc1fc1u
#define HEAD_SIZE (4 + CTF_UUID_SIZE + 4 + 5 * 8 + 4)
#define PAGE ((size_t)4096)
#define PACKET ((size_t)1 << 18)      /* bytes of a packet: the page cache likes powers of two... */
#define PACKET_MANY ((size_t)1 << 15) /* ... of one when there are many CPUs */
#define MANY 64
#define OPEN_MAX 256 /* files that stay open */

struct ctf_stream {
	u32 cpu;
	int fd;            /* -1: not open */
	bool made;         /* the file is there */
	struct strbuf buf; /* head and events of the packet so far; empty: none */
	u64 first, last;   /* times in it; last: of all so far */
};

struct ctf_trace {
	char *path; /* owned */
	int dir;
	bool made_dir;
	u8 uuid[CTF_UUID_SIZE];
	struct ctf_stream **streams; /* owned, by CPU */
	u32 nr_cpus;                 /* size of it */
	size_t nr_streams, nr_open;
	struct ctf_counts counts;
};

/* The bits of version and variant make it one of version 4 (RFC 9562). */
int ctf_uuid(u8 *uuid, struct err *err)
{
	if (getrandom(uuid, CTF_UUID_SIZE, 0) != CTF_UUID_SIZE)
		return err_set(err, -errno, "cannot get random bytes: %s", err_str(-errno));
	uuid[6] = (uuid[6] & 0x0f) | 0x40;
	uuid[8] = (uuid[8] & 0x3f) | 0x80;
	return 0;
}

/* ---- the folder ---- */

static void stream_name(char *name, size_t size, u32 cpu)
{
	snprintf(name, size, "perf_stream_%u", cpu);
}

static bool is_ours(const char *name)
{
	static const char stream[] = "perf_stream_";

	if (!strcmp(name, "metadata"))
		return true;
	if (strncmp(name, stream, sizeof(stream) - 1) || !name[sizeof(stream) - 1])
		return false;
	name += sizeof(stream) - 1;
	return name[strspn(name, "0123456789")] == '\0';
}

/* Remove the files of an earlier trace, whose streams would not fit the new metadata. */
static int remove_ours(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;

	if (!d) {
		ret = -errno;
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while ((e = readdir(d)))
		if (is_ours(e->d_name) && unlinkat(dir, e->d_name, 0))
			ret = -errno;
	closedir(d);
	return ret;
}

/* Make the folder and those above it. Return: 0, 1 when the folder was there, negative errno. */
static int make_dirs(const char *path)
{
	char *copy = xstrdup(path), *p = copy;
	int ret = 0;

	while (!ret && (p = strchr(p + 1, '/'))) {
		*p = '\0';
		if (mkdir(copy, 0750) && errno != EEXIST)
			ret = -errno;
		*p = '/';
	}
	free(copy);
	if (ret)
		return ret;
	if (!mkdir(path, 0750))
		return 0;
	return errno == EEXIST ? 1 : -errno;
}

int ctf_trace_new(const char *path, const u8 *uuid, struct ctf_trace **out, struct err *err)
{
	int dir = -1, ret = *path ? make_dirs(path) : -ENOENT;
	bool made = !ret;
	struct ctf_trace *t;

	*out = NULL;
	if (ret >= 0) {
		dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		ret = dir < 0 ? -errno : made ? 0 : remove_ours(dir);
	}
	if (ret < 0) {
		if (dir >= 0)
			close(dir);
		return err_set(err, ret, "cannot write a trace to the directory %s: %s", path,
			       err_str(ret));
	}
	t = xzalloc(sizeof(*t));
	t->path = xstrdup(path);
	t->dir = dir;
	t->made_dir = made;
	memcpy(t->uuid, uuid, sizeof(t->uuid));
	*out = t;
	return 0;
}

void ctf_trace_free(struct ctf_trace *t)
{
	if (!t)
		return;
	for (u32 i = 0; i < t->nr_cpus; i++) {
		if (!t->streams[i])
			continue;
		if (t->streams[i]->fd >= 0)
			close(t->streams[i]->fd);
		strbuf_release(&t->streams[i]->buf);
		free(t->streams[i]);
	}
	free(t->streams);
	close(t->dir);
	free(t->path);
	free(t);
}

void ctf_trace_discard(struct ctf_trace *t)
{
	remove_ours(t->dir);
	if (t->made_dir)
		rmdir(t->path);
}

struct ctf_counts ctf_trace_counts(const struct ctf_trace *t)
{
	return t->counts;
}

/* ---- packets ---- */

static int write_all(int fd, const char *p, size_t size)
{
	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		size -= (size_t)n;
	}
	return 0;
}

static int stream_open(struct ctf_trace *t, struct ctf_stream *s)
{
	char name[32];

	if (s->fd >= 0)
		return 0;
	stream_name(name, sizeof(name), s->cpu);
	s->fd = openat(t->dir, name,
		       O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (s->made ? 0 : O_TRUNC), 0640);
	if (s->fd < 0)
		return -errno;
	s->made = true;
	t->nr_open++;
	return 0;
}

static u8 *put(u8 *p, const void *data, size_t size)
{
	memcpy(p, data, size);
	return p + size;
}

static void fill_head(const struct ctf_trace *t, const struct ctf_stream *s, u8 *p, u64 content,
		      u64 packet)
{
	const u32 magic = CTF_MAGIC, stream_id = 0;
	const u64 context[] = { s->first, s->last, content * 8, packet * 8, 0 };

	p = put(p, &magic, sizeof(magic));
	p = put(p, t->uuid, CTF_UUID_SIZE);
	p = put(p, &stream_id, sizeof(stream_id));
	p = put(p, context, sizeof(context));
	put(p, &s->cpu, sizeof(s->cpu));
}

/* Write a packet. @size: its size, unless its events need more */
static int write_packet(struct ctf_trace *t, struct ctf_stream *s, size_t size, struct err *err)
{
	size_t content = s->buf.len, packet = MAX(size, ALIGN_UP(content, PAGE));
	int ret = stream_open(t, s);

	if (!ret) {
		strbuf_grow(&s->buf, packet - content);
		memset(s->buf.buf + content, 0, packet - content);
		fill_head(t, s, (u8 *)s->buf.buf, content, packet);
		ret = write_all(s->fd, s->buf.buf, packet);
	}
	if (s->fd >= 0 && t->nr_open > OPEN_MAX) {
		if (close(s->fd) && !ret)
			ret = -errno;
		s->fd = -1;
		t->nr_open--;
	}
	strbuf_reset(&s->buf);
	return ret ? err_set(err, ret, "cannot write to %s/perf_stream_%u: %s", t->path, s->cpu,
			     err_str(ret))
		   : 0;
}

/* ---- events ---- */

static struct ctf_stream *stream_of(struct ctf_trace *t, u32 cpu)
{
	struct ctf_stream *s;

	if (cpu >= t->nr_cpus) {
		t->streams = xrealloc(t->streams, cpu + 1, sizeof(*t->streams));
		memset(t->streams + t->nr_cpus, 0,
		       (cpu + 1 - t->nr_cpus) * sizeof(struct ctf_stream *));
		t->nr_cpus = cpu + 1;
	}
	s = t->streams[cpu];
	if (!s) {
		s = xzalloc(sizeof(*s));
		s->cpu = cpu;
		s->fd = -1;
		t->streams[cpu] = s;
		t->nr_streams++;
	}
	return s;
}

static int add_event(struct ctf_trace *t, const struct ctf_frame *f, const char *event,
		     struct err *err)
{
	struct ctf_stream *s = stream_of(t, f->cpu);
	size_t max = t->nr_streams > MANY ? PACKET_MANY : PACKET;
	int ret = 0;
	u64 time;

	if (s->buf.len && s->buf.len + f->size > max)
		ret = write_packet(t, s, max, err);
	memcpy(&time, event + 4, sizeof(time));
	if (unlikely(time < s->last)) { /* readers take no step back in time */
		time = s->last;
		t->counts.late++;
	}
	if (!s->buf.len) {
		strbuf_grow(&s->buf, PACKET_MANY);
		memset(s->buf.buf, 0, HEAD_SIZE);
		s->buf.len = HEAD_SIZE;
		s->first = time;
	}
	s->last = time;
	strbuf_add(&s->buf, event, f->size);
	memcpy(s->buf.buf + s->buf.len - f->size + 4, &time, sizeof(time));
	return ret;
}

int ctf_trace_add(struct ctf_trace *t, const char *frames, size_t size, struct err *err)
{
	int ret = 0;

	while (!ret && size) {
		struct ctf_frame f;

		memcpy(&f, frames, sizeof(f));
		ret = add_event(t, &f, frames + sizeof(f), err);
		t->counts.bytes += f.record_size;
		if (f.sample)
			t->counts.samples++;
		else
			t->counts.others++;
		frames += sizeof(f) + f.size;
		size -= sizeof(f) + f.size;
	}
	return ret;
}

static int write_metadata(struct ctf_trace *t, const char *text, size_t size, struct err *err)
{
	int fd = openat(t->dir, "metadata", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
	int ret = fd < 0 ? -errno : write_all(fd, text, size);

	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	return ret ? err_set(err, ret, "cannot write to %s/metadata: %s", t->path, err_str(ret))
		   : 0;
}

int ctf_trace_end(struct ctf_trace *t, const char *metadata, size_t size, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; !ret && i < t->nr_cpus; i++) {
		struct ctf_stream *s = t->streams[i];

		if (s && s->buf.len)
			ret = write_packet(t, s, 0, err);
		if (s && s->fd >= 0) {
			if (close(s->fd) && !ret)
				ret = err_set(err, -errno, "cannot write to %s/perf_stream_%u: %s",
					      t->path, s->cpu, err_str(-errno));
			s->fd = -1;
		}
	}
	return ret ? ret : write_metadata(t, metadata, size, err);
}
