// SPDX-License-Identifier: GPL-2.0-or-later
/* The bodies of side-band records. Layouts: linux/perf_event.h. */
#include "base/compat.h"
#include "base/cur.h"
#include "wire/event.h"

#include <errno.h>
#include <sys/mman.h>

static struct cur body(const void *rec, size_t size)
{
	if (size < sizeof(struct perf_event_header))
		return (struct cur){ .bad = true };
	return cur_make((const u8 *)rec + sizeof(struct perf_event_header),
			size - sizeof(struct perf_event_header), false);
}

static u16 misc_of(const void *rec)
{
	return ((const wire_header *)rec)->misc;
}

static u32 type_of(const void *rec)
{
	return ((const wire_header *)rec)->type;
}

static int done(const struct cur *c)
{
	return cur_ok(c) ? 0 : -EINVAL;
}

/* A name that ends somewhere in the rest of the record. */
static const char *rest_str(struct cur *c)
{
	return cur_str(c, cur_left(c));
}

/* MMAP2: device and inode, or a build-id in their place. */
static void mmap_identity(struct cur *c, u16 misc, struct rec_mmap *m)
{
	const u8 *id;

	if (!(misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		m->maj = cur_u32(c);
		m->min = cur_u32(c);
		m->ino = cur_u64(c);
		m->ino_generation = cur_u64(c);
		return;
	}
	m->build_id_size = cur_u8(c);
	m->build_id_size = MIN(m->build_id_size, sizeof(m->build_id));
	cur_skip(c, 3);
	id = cur_bytes(c, sizeof(m->build_id));
	if (id)
		memcpy(m->build_id, id, m->build_id_size);
}

int rec_mmap_decode(const void *rec, size_t size, struct rec_mmap *out)
{
	struct cur c = body(rec, size);
	u16 misc;

	*out = (struct rec_mmap){ 0 };
	if (!cur_ok(&c))
		return -EINVAL;
	misc = misc_of(rec);
	out->pid = cur_u32(&c);
	out->tid = cur_u32(&c);
	out->start = cur_u64(&c);
	out->len = cur_u64(&c);
	out->pgoff = cur_u64(&c);
	if (type_of(rec) == PERF_RECORD_MMAP2) {
		mmap_identity(&c, misc, out);
		out->prot = cur_u32(&c);
		out->flags = cur_u32(&c);
	} else {
		out->prot = misc & PERF_RECORD_MISC_MMAP_DATA ? 0 : PROT_EXEC;
	}
	out->filename = rest_str(&c);
	return done(&c);
}

int rec_comm_decode(const void *rec, size_t size, struct rec_comm *out)
{
	struct cur c = body(rec, size);

	*out = (struct rec_comm){ 0 };
	if (!cur_ok(&c))
		return -EINVAL;
	out->exec = misc_of(rec) & PERF_RECORD_MISC_COMM_EXEC;
	out->pid = cur_u32(&c);
	out->tid = cur_u32(&c);
	out->comm = rest_str(&c);
	return done(&c);
}

int rec_task_decode(const void *rec, size_t size, struct rec_task *out)
{
	struct cur c = body(rec, size);

	out->pid = cur_u32(&c);
	out->ppid = cur_u32(&c);
	out->tid = cur_u32(&c);
	out->ptid = cur_u32(&c);
	out->time = cur_u64(&c);
	return done(&c);
}

int rec_namespaces_decode(const void *rec, size_t size, struct rec_namespaces *out)
{
	struct cur c = body(rec, size);

	*out = (struct rec_namespaces){ 0 };
	out->pid = cur_u32(&c);
	out->tid = cur_u32(&c);
	out->nr = cur_u64(&c);
	if (out->nr > cur_left(&c) / 16)
		return -EINVAL;
	out->links = cur_bytes(&c, (size_t)out->nr * 16);
	return done(&c);
}

int rec_ksymbol_decode(const void *rec, size_t size, struct rec_ksymbol *out)
{
	struct cur c = body(rec, size);

	out->addr = cur_u64(&c);
	out->len = cur_u32(&c);
	out->type = cur_u16(&c);
	out->flags = cur_u16(&c);
	out->name = rest_str(&c);
	return done(&c);
}

int rec_bpf_decode(const void *rec, size_t size, struct rec_bpf *out)
{
	struct cur c = body(rec, size);

	out->type = cur_u16(&c);
	out->flags = cur_u16(&c);
	out->id = cur_u32(&c);
	out->tag = cur_bytes(&c, 8);
	return done(&c);
}

int rec_cgroup_decode(const void *rec, size_t size, struct rec_cgroup *out)
{
	struct cur c = body(rec, size);

	out->id = cur_u64(&c);
	out->path = rest_str(&c);
	return done(&c);
}

int rec_lost_decode(const void *rec, size_t size, struct rec_lost *out)
{
	struct cur c = body(rec, size);

	*out = (struct rec_lost){ 0 };
	if (!cur_ok(&c))
		return -EINVAL;
	if (type_of(rec) == PERF_RECORD_LOST)
		out->id = cur_u64(&c);
	out->lost = cur_u64(&c);
	return done(&c);
}

int rec_switch_decode(const void *rec, size_t size, struct rec_switch *out)
{
	struct cur c = body(rec, size);
	u16 misc;

	*out = (struct rec_switch){ 0 };
	if (!cur_ok(&c))
		return -EINVAL;
	misc = misc_of(rec);
	out->out = misc & PERF_RECORD_MISC_SWITCH_OUT;
	out->preempt = out->out && (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	if (type_of(rec) == PERF_RECORD_SWITCH_CPU_WIDE) {
		out->cpu_wide = true;
		out->next_prev_pid = cur_u32(&c);
		out->next_prev_tid = cur_u32(&c);
	}
	return done(&c);
}
