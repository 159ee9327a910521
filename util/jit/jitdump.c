// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the records of one jitdump file; jitdump.h has the format. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/cur.h"
#include "jit/jitdump.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_SIZE 40
#define RECORD_HEADER 16
#define LOAD_FIXED (RECORD_HEADER + 40) /* before the name */
#define MOVE_SIZE (RECORD_HEADER + 48)
#define DEBUG_FIXED (RECORD_HEADER + 16)
#define UNWIND_FIXED (RECORD_HEADER + 24)
#define NAME_MAX_LEN (1U << 16)
#define WINDOW ((size_t)1 << 16)

/* The window gets @len bytes from @at on, and more when they are near. */
static bool fill_window(struct jitdump *d, u64 at, size_t len)
{
	size_t want = (size_t)MIN(MAX(len, WINDOW), d->size - at), got = 0;
	ssize_t n;

	if (want > d->window_cap) {
		free(d->window);
		d->window = xmalloc(want);
		d->window_cap = want;
	}
	while (got < want) {
		n = pread(d->fd, d->window + got, want - got, (off_t)(at + got));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	d->window_at = at;
	d->window_len = got;
	return got >= len;
}

const u8 *jitdump_bytes(struct jitdump *d, u64 at, size_t len)
{
	if (at > d->size || len > d->size - at)
		return NULL;
	if (d->fd < 0)
		return d->mem + at;
	if ((at < d->window_at || at + len > d->window_at + d->window_len) &&
	    !fill_window(d, at, len))
		return NULL;
	return d->window + (at - d->window_at);
}

/* Return a cursor over @len bytes; a bad one when they are not there. */
static struct cur bytes_at(struct jitdump *d, u64 at, size_t len)
{
	const u8 *p = jitdump_bytes(d, at, len);
	struct cur c = cur_make(p ? p : (const u8 *)"", p ? len : 0, d->swap);

	c.bad = !p;
	return c;
}

static int read_header(struct jitdump *d, struct err *err)
{
	struct cur c = bytes_at(d, 0, HEADER_SIZE);
	u32 magic = cur_u32(&c), version, size;

	if (!cur_ok(&c))
		return err_set(err, -EINVAL, "it is too short for a jitdump file");
	if (magic == __builtin_bswap32(JITDUMP_MAGIC)) {
		d->swap = c.swap = true;
	} else if (magic != JITDUMP_MAGIC) {
		return err_set(err, -EINVAL, "it is not a jitdump file");
	}
	version = cur_u32(&c);
	size = cur_u32(&c);
	d->machine = cur_u32(&c);
	cur_skip(&c, 4);
	d->pid = cur_u32(&c);
	d->time = cur_u64(&c);
	d->flags = cur_u64(&c);
	if (version != 1)
		return err_set(err, -EINVAL, "its version %u of jitdump is not known", version);
	if (size < HEADER_SIZE || size > d->size)
		return err_set(err, -EINVAL, "the size in its header, %u, is impossible", size);
	d->pos = size;
	return 0;
}

int jitdump_open(struct jitdump *d, int fd, struct err *err)
{
	struct stat st;
	int ret;

	*d = (struct jitdump){ .fd = fd };
	if (fstat(fd, &st))
		ret = err_set(err, -errno, "it cannot be read: %s", err_str(-errno));
	else {
		d->size = (u64)st.st_size;
		ret = read_header(d, err);
	}
	if (ret)
		jitdump_close(d);
	return ret;
}

int jitdump_memory(struct jitdump *d, const void *data, size_t size, struct err *err)
{
	*d = (struct jitdump){ .fd = -1, .mem = data, .size = size };
	return read_header(d, err);
}

void jitdump_close(struct jitdump *d)
{
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
	free(d->window);
	d->window = NULL;
	map64_release(&d->indices);
}

/* Read a load record. The name ends where the code has to begin, at the latest. */
static bool read_load(struct jitdump *d, struct jit_record *r)
{
	struct cur c = bytes_at(d, r->offset + RECORD_HEADER, LOAD_FIXED - RECORD_HEADER);
	size_t room;
	const u8 *p;

	r->pid = cur_u32(&c);
	r->tid = cur_u32(&c);
	r->vma = cur_u64(&c);
	r->addr = cur_u64(&c);
	r->code_size = cur_u64(&c);
	r->index = cur_u64(&c);
	if (!cur_ok(&c) || r->size <= LOAD_FIXED || r->code_size > r->size - LOAD_FIXED - 1)
		return false;
	room = (size_t)(r->size - LOAD_FIXED - r->code_size);
	p = jitdump_bytes(d, r->offset + LOAD_FIXED, MIN(room, NAME_MAX_LEN));
	if (!p || !memchr(p, 0, MIN(room, NAME_MAX_LEN)))
		return false;
	r->name = (const char *)p;
	r->code_at = r->offset + LOAD_FIXED + strlen(r->name) + 1;
	return r->addr + r->code_size >= r->addr;
}

static bool read_move(struct jitdump *d, struct jit_record *r)
{
	struct cur c = bytes_at(d, r->offset + RECORD_HEADER, MOVE_SIZE - RECORD_HEADER);

	r->pid = cur_u32(&c);
	r->tid = cur_u32(&c);
	r->vma = cur_u64(&c);
	r->old_addr = cur_u64(&c);
	r->addr = cur_u64(&c);
	r->code_size = cur_u64(&c);
	r->index = cur_u64(&c);
	return cur_ok(&c) && r->size >= MOVE_SIZE && r->addr + r->code_size >= r->addr;
}

static bool read_debug(struct jitdump *d, struct jit_record *r)
{
	struct cur c = bytes_at(d, r->offset + RECORD_HEADER, DEBUG_FIXED - RECORD_HEADER);

	r->addr = cur_u64(&c);
	r->nr_lines = cur_u64(&c);
	r->body_at = r->offset + DEBUG_FIXED;
	/* An entry has at least an address, two numbers and the end of a name. */
	return cur_ok(&c) && r->size >= DEBUG_FIXED && r->nr_lines <= (r->size - DEBUG_FIXED) / 17;
}

static bool read_unwinding(struct jitdump *d, struct jit_record *r)
{
	struct cur c = bytes_at(d, r->offset + RECORD_HEADER, UNWIND_FIXED - RECORD_HEADER);

	r->frame_size = cur_u64(&c);
	r->frame_index_size = cur_u64(&c);
	r->frame_mapped = cur_u64(&c);
	r->body_at = r->offset + UNWIND_FIXED;
	return cur_ok(&c) && r->size >= UNWIND_FIXED && r->frame_size <= r->size - UNWIND_FIXED &&
	       r->frame_index_size <= r->frame_size && r->frame_mapped <= UINT32_MAX;
}

static bool read_body(struct jitdump *d, struct jit_record *r)
{
	switch (r->id) {
	case JIT_CODE_LOAD:
		return read_load(d, r);
	case JIT_CODE_MOVE:
		return read_move(d, r);
	case JIT_CODE_DEBUG_INFO:
		return read_debug(d, r);
	case JIT_CODE_UNWINDING_INFO:
		return read_unwinding(d, r);
	default:
		return true; /* CLOSE; and kinds that are newer than this reader */
	}
}

int jitdump_next(struct jitdump *d, struct jit_record *r)
{
	while (d->pos < d->size) {
		struct cur c = bytes_at(d, d->pos, RECORD_HEADER);

		*r = (struct jit_record){ .offset = d->pos };
		r->id = cur_u32(&c);
		r->size = cur_u32(&c);
		r->time = cur_u64(&c);
		if (!cur_ok(&c) || r->size < RECORD_HEADER || r->size > d->size - d->pos) {
			d->cut_at = d->pos;
			d->pos = d->size;
			return 0;
		}
		d->pos += r->size;
		if (read_body(d, r))
			return 1;
		d->bad++;
	}
	return 0;
}

void jitdump_object_path(struct jitdump *d, const char *dump, u64 index, struct strbuf *out)
{
	const char *slash = strrchr(dump, '/');
	u32 *again = map64_slot(&d->indices, index);

	*again = *again == MAP64_NONE ? 0 : *again + 1;
	strbuf_reset(out);
	strbuf_add(out, dump, slash ? (size_t)(slash + 1 - dump) : 0);
	strbuf_addf(out, "jitted-%u-%" PRIu64, d->pid, index);
	if (*again)
		strbuf_addf(out, "-%u", *again);
	strbuf_addstr(out, ".so");
}

struct jit_code jit_record_code(const struct jit_record *r, u64 time, const char *object)
{
	return (struct jit_code){
		.time = time,
		.addr = r->addr,
		.size = r->code_size,
		.moved = r->id == JIT_CODE_MOVE,
		.moved_from = r->old_addr,
		.name = r->name,
		.object = object,
		.id = r->offset,
	};
}
