// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rings that the kernel overwrites. The kernel writes them from the top down: data_head decreases,
 * and the newest record begins there. Above it follow older and older records, the last of which
 * may be partly overwritten by the newest.
 */
#include "base/compat.h"
#include "kernel/ring.h"

#include "base/alloc.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct piece {
	u64 at;
	u32 len;
};

int ring_pause(const struct ring *r, bool pause)
{
	return ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, pause) ? -errno : 0;
}

static void copy_out(const struct ring *r, u64 at, size_t len, void *to)
{
	const u8 *data = (const u8 *)r->base + sysconf(_SC_PAGESIZE);
	size_t from = at & (r->size - 1), first = MIN(len, r->size - from);

	memcpy(to, data + from, first);
	memcpy((u8 *)to + first, data, len - first);
}

/* Find the complete records from @head on, at most @limit bytes. */
static struct piece *find_records(const struct ring *r, u64 head, u64 limit, size_t *nr)
{
	struct piece *v = NULL;
	size_t cap = 0;
	u64 off = 0;

	for (*nr = 0; limit - off >= sizeof(struct perf_event_header);) {
		struct perf_event_header h;

		copy_out(r, head + off, sizeof(h), &h);
		if (h.size < sizeof(h) || h.size > limit - off)
			break;
		VEC_GROW(v, *nr + 1, cap);
		v[(*nr)++] = (struct piece){ head + off, h.size };
		off += h.size;
	}
	return v;
}

size_t ring_read_backward(struct ring *r, struct strbuf *out)
{
	struct perf_event_mmap_page *pc = r->base;
	u64 head = __atomic_load_n(&pc->data_head, __ATOMIC_ACQUIRE);
	/* the position began at 0: what is beyond was never written */
	u64 limit = MIN(r->tail - head, (u64)r->size);
	size_t nr;
	struct piece *v = find_records(r, head, limit, &nr);

	for (size_t i = nr; i-- > 0;) {
		strbuf_grow(out, v[i].len);
		copy_out(r, v[i].at, v[i].len, out->buf + out->len);
		out->len += v[i].len;
	}
	free(v);
	r->tail = head;
	return nr;
}
