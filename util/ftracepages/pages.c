// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracepages/pages.h"

#include <errno.h>
#include <stdlib.h>

/* Bits of the number of bytes used. */
#define COMMIT_LOST 0x80000000u  /* events were lost in front of this page */
#define COMMIT_COUNT 0x40000000u /* how many is behind the data */
#define COMMIT_SIZE 0x07ffffffu

#define TYPE_PADDING 29
#define TYPE_EXTEND 30
#define TYPE_STAMP 31
#define DELTA_BITS 27
#define STAMP_BITS 59 /* of an absolute time; those above stay as they were */

/* Read "field: TYPE NAME;\toffset:N;\tsize:N;" of one field of the header. */
static bool field(const char *text, const char *name, u32 *offset, u32 *size)
{
	const char *at = strstr(text, name), *o = at ? strstr(at, "offset:") : NULL;
	const char *s = o ? strstr(o, "size:") : NULL;

	if (!s)
		return false;
	*offset = strtoul(o + strlen("offset:"), NULL, 10);
	*size = strtoul(s + strlen("size:"), NULL, 10);
	return true;
}

int fpage_layout_parse(struct fpage_layout *l, const char *text, bool big_endian, struct err *err)
{
	u32 time_at, time_size, data_size;

	*l = (struct fpage_layout){ .big_endian = big_endian };
	if (!field(text, " timestamp;", &time_at, &time_size) ||
	    !field(text, " commit;", &l->commit_at, &l->commit_size) ||
	    !field(text, " data;", &l->data_at, &data_size) || time_at != 0 || time_size != 8 ||
	    (l->commit_size != 4 && l->commit_size != 8) || l->commit_at < 8 ||
	    l->data_at < l->commit_at + l->commit_size || l->data_at > 64 || data_size < 64 ||
	    data_size > 16 << 20)
		return err_set(err, -EINVAL,
			       "the kernel describes the pages of its tracing ring in a way that "
			       "is not understood (events/header_page)");
	l->page_size = l->data_at + data_size;
	return 0;
}

static bool foreign(bool big_endian)
{
	return big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

int fpage_open(struct fpage *p, const struct fpage_layout *l, const void *page, size_t size)
{
	struct cur head = cur_make(page, size, foreign(l->big_endian)), tail;
	u64 commit, used;

	*p = (struct fpage){ .big_endian = l->big_endian };
	p->time = cur_u64(&head);
	cur_skip(&head, l->commit_at - 8);
	commit = l->commit_size == 8 ? cur_u64(&head) : cur_u32(&head);
	cur_skip(&head, l->data_at - l->commit_at - l->commit_size);
	used = commit & COMMIT_SIZE;
	if (!cur_ok(&head) || used > cur_left(&head))
		return -EINVAL;
	p->lost = commit & COMMIT_LOST;
	if (p->lost && commit & COMMIT_COUNT) {
		tail = cur_make(head.p + used, cur_left(&head) - used, head.swap);
		p->nr_lost = l->commit_size == 8 ? cur_u64(&tail) : cur_u32(&tail);
	}
	p->cur = cur_make(head.p, used, head.swap);
	return 0;
}

/* Take an absolute time, of which the kernel stores the low bits only. */
static void set_time(struct fpage *p, u64 low)
{
	const u64 above = p->time & ~((1ull << STAMP_BITS) - 1);
	u64 time = low | above;

	if (above && time < p->time)
		time += 1ull << STAMP_BITS;
	p->time = time;
}

static bool broken(struct fpage *p)
{
	p->bad = true;
	p->cur.p = p->cur.end;
	return false;
}

/* Take the payload of an event, which is followed by the next one at a multiple of four bytes. */
static bool payload(struct fpage *p, u32 size, struct fpage_event *ev)
{
	ev->data = cur_bytes(&p->cur, size);
	if (!ev->data)
		return broken(p);
	ev->size = size;
	ev->time = p->time;
	cur_skip(&p->cur, MIN((size_t)(-size & 3), cur_left(&p->cur)));
	return true;
}

bool fpage_next(struct fpage *p, struct fpage_event *ev)
{
	while (cur_left(&p->cur) >= 4) {
		const u32 head = cur_u32(&p->cur);
		const u32 type = p->big_endian ? head >> DELTA_BITS : head & 31;
		const u64 delta = p->big_endian ? head & ((1u << DELTA_BITS) - 1) : head >> 5;
		u32 more;

		if (type > 0 && type < TYPE_PADDING) {
			p->time += delta;
			return payload(p, type * 4, ev);
		}
		if (type == TYPE_PADDING && !delta)
			break;
		more = cur_u32(&p->cur);
		if (!cur_ok(&p->cur))
			return broken(p);
		if (type == TYPE_EXTEND) {
			p->time += delta | (u64)more << DELTA_BITS;
		} else if (type == TYPE_STAMP) {
			set_time(p, delta | (u64)more << DELTA_BITS);
		} else if (more < 4) {
			return broken(p);
		} else if (type == TYPE_PADDING) {
			/* The kernel has discarded this event. */
			if (more - 4 > cur_left(&p->cur))
				return broken(p);
			cur_skip(&p->cur, more - 4);
		} else {
			p->time += delta;
			return payload(p, more - 4, ev);
		}
	}
	p->cur.p = p->cur.end;
	return false;
}
