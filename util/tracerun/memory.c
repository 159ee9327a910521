// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracerun/memory.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE_PRESENT (1ULL << 63) /* of an entry of /proc/PID/pagemap */

bool trace_memory_wanted(const struct call_copies *row)
{
	for (u32 i = 0; row && i < CALL_COPIES && row->v[i].kind != CALL_COPY_NONE; i++)
		if (!row->v[i].out)
			return true;
	return false;
}

bool trace_memory_same(const char *text, const struct syscall_call *call)
{
	char *end;
	s64 nr = strtoll(text, &end, 10);

	if (end == text || nr != sysargs_own_number(call->nr))
		return false;
	for (int i = 0; i < SYSCALL_ARGS; i++) {
		const char *from = end;
		u64 arg = strtoull(from, &end, 16);

		if (end == from || (i < SYSCALL_ARGS - (int)call->lacking && arg != call->args[i]))
			return false;
	}
	return true;
}

static bool is_in_call(const struct sysroot *sr, const struct syscall_call *call)
{
	struct strbuf text = STRBUF_INIT;
	bool same;

	sysroot_read(sr, &text, "/proc/%u/task/%u/syscall", call->pid, call->tid);
	same = trace_memory_same(strbuf_str(&text), call);
	strbuf_release(&text);
	return same;
}

/* Tell whether the page of an address is in memory, so that nobody has to bring it. */
static bool is_present(u32 pid, u64 addr)
{
	const u64 page = (u64)sysconf(_SC_PAGESIZE);
	char path[32];
	u64 entry = 0;
	bool present;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/pagemap", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	present = pread(fd, &entry, sizeof(entry), (off_t)(addr / page * sizeof(entry))) ==
			  sizeof(entry) &&
		  entry & PAGE_PRESENT;
	close(fd);
	return present;
}

/* Read up to the end of the page, and the rest if the next page is there, too.
 * @string: up to a zero */
static u32 read_bytes(u32 pid, u64 addr, u8 *buf, u32 size, bool string)
{
	const u64 page = (u64)sysconf(_SC_PAGESIZE);
	u32 done = 0;

	while (done < size && is_present(pid, addr + done)) {
		u32 step = (u32)MIN((u64)(size - done), page - (addr + done) % page);
		struct iovec here = { buf + done, step };
		struct iovec there = { (void *)(uintptr_t)(addr + done), step };
		ssize_t n = process_vm_readv((pid_t)pid, &here, 1, &there, 1, 0);

		if (n <= 0)
			break;
		done += (u32)n;
		if (string && memchr(buf, 0, done))
			break;
	}
	return done;
}

/* Add a piece of memory. Return: it, or NULL. */
static const struct trace_piece *read_piece(struct trace_memory *m, u32 pid, u64 addr, u64 size,
					    bool string)
{
	struct trace_piece *p = &m->v[m->nr];

	if (m->nr == CALL_PIECES || !addr)
		return NULL;
	p->addr = addr;
	p->out = false;
	p->size = read_bytes(pid, addr, p->bytes, (u32)MIN(size, sizeof(p->bytes)), string);
	m->nr += p->size != 0;
	return p->size ? p : NULL;
}

static u64 word_at(const struct trace_piece *p, u32 at)
{
	u64 word = 0;

	if (p && at + sizeof(word) <= p->size)
		memcpy(&word, p->bytes + at, sizeof(word));
	return word;
}

static void read_strings(struct trace_memory *m, u32 pid, u64 addr, u32 most)
{
	const struct trace_piece *list =
		read_piece(m, pid, addr, (CALL_ELEMENTS + 1) * sizeof(u64), false);

	for (u32 i = 0; i < CALL_ELEMENTS && word_at(list, i * 8); i++)
		read_piece(m, pid, word_at(list, i * 8), most, true);
}

/* Read buffers, whose addresses and sizes are in a list. */
static void read_buffers(struct trace_memory *m, u32 pid, u64 addr, u64 nr, u32 most)
{
	const u64 parts = MIN(nr, (u64)CALL_PARTS);
	const struct trace_piece *list = read_piece(m, pid, addr, parts * 16, false);

	for (u32 i = 0; i < parts; i++)
		read_piece(m, pid, word_at(list, i * 16), MIN(word_at(list, i * 16 + 8), (u64)most),
			   false);
}

/* Read the string that the struct of a command has. */
static void read_members(struct trace_memory *m, const struct syscall_call *call,
			 const struct call_deep *d)
{
	const u32 command = (u32)call->args[d->by % CALL_ARGS];

	for (u32 i = 0; i < CALL_MEMBERS && d->members[i].is; i++) {
		const u64 at = call->args[d->arg % CALL_ARGS] + d->members[i].at;

		if (d->members[i].command == command)
			read_piece(m, call->pid, word_at(read_piece(m, call->pid, at, 8, false), 0),
				   d->most, true);
	}
}

/* Read what memory points to. */
static void read_deep(struct trace_memory *m, const struct syscall_call *call,
		      const struct call_deep *d)
{
	const u64 addr = call->args[d->arg % CALL_ARGS];
	const struct trace_piece *message;

	if (d->out || !addr)
		return;
	switch ((enum call_deep_kind)d->kind) {
	case CALL_DEEP_NONE:
		break;
	case CALL_DEEP_STRINGS:
		read_strings(m, call->pid, addr, d->most);
		if (d->by)
			read_strings(m, call->pid, call->args[d->by % CALL_ARGS], d->most);
		break;
	case CALL_DEEP_BUFFERS:
		read_buffers(m, call->pid, addr, call->args[d->by % CALL_ARGS], d->most);
		break;
	case CALL_DEEP_MESSAGE:
		message = read_piece(m, call->pid, addr, 32, false);
		read_piece(m, call->pid, word_at(message, 0), (u32)word_at(message, 8), false);
		read_buffers(m, call->pid, word_at(message, 16), word_at(message, 24), d->most);
		break;
	case CALL_DEEP_MEMBER:
		read_members(m, call, d);
		break;
	}
}

/* Return how many bytes of an argument are read. */
static u64 size_of(const struct syscall_call *call, const struct call_copy *c)
{
	const u64 count = call->args[c->by % CALL_ARGS];

	if (c->kind != CALL_COPY_SIZED)
		return c->most;
	return count >= c->most ? c->most : MIN(count * c->size, (u64)c->most);
}

struct trace_memory *trace_memory_read(struct trace_memory_pool *pool, const struct sysroot *sr,
				       const struct syscall_call *call,
				       const struct call_copies *row)
{
	struct trace_memory *m;

	if (!trace_memory_wanted(row) || !is_in_call(sr, call))
		return NULL;
	m = trace_memory_new(pool);
	for (u32 i = 0; i < CALL_COPIES && row->v[i].kind != CALL_COPY_NONE; i++) {
		const struct call_copy *c = &row->v[i];

		if (!c->out)
			read_piece(m, call->pid, call->args[c->arg % CALL_ARGS], size_of(call, c),
				   c->kind == CALL_COPY_STRING);
	}
	read_deep(m, call, &row->deep);
	if (m->nr && is_in_call(sr, call))
		return m;
	trace_memory_give(pool, m);
	return NULL;
}

struct trace_memory *trace_memory_new(struct trace_memory_pool *pool)
{
	struct trace_memory *m = pool->nr ? pool->spare[--pool->nr] : xmalloc(sizeof(*m));

	m->nr = 0; /* the bytes of pieces are not set before there are some */
	return m;
}

void trace_memory_give(struct trace_memory_pool *pool, struct trace_memory *m)
{
	if (m && pool->nr < ARRAY_SIZE(pool->spare))
		pool->spare[pool->nr++] = m;
	else
		free(m);
}

void trace_memory_pool_release(struct trace_memory_pool *pool)
{
	while (pool->nr)
		free(pool->spare[--pool->nr]);
}

void trace_memory_add(struct trace_memory *m, const struct call_record *r)
{
	for (u32 i = 0; i < r->nr && m->nr < CALL_PIECES; i++) {
		struct trace_piece *p = &m->v[m->nr++];

		p->addr = r->v[i].addr;
		p->out = r->v[i].out;
		p->size = MIN(r->v[i].size, (u32)sizeof(p->bytes));
		memcpy(p->bytes, r->v[i].bytes, p->size);
		/* the zero of a string that was cut is not its own */
		if (p->size == CALL_COPY_MAX && !p->bytes[p->size - 1])
			p->size--;
	}
}

size_t trace_memory_copy(const struct trace_memory *m, u64 addr, void *buf, size_t size, bool out)
{
	const struct trace_piece *best = NULL;
	size_t known = 0;

	/* Commands of a call copy the same memory in ways of their own: a string may be shorter. */
	for (u32 i = 0; m && i < m->nr && known < size; i++) {
		const struct trace_piece *p = &m->v[i];

		if (p->out != out || addr < p->addr || addr - p->addr >= p->size)
			continue;
		if (p->size - (addr - p->addr) <= known)
			continue;
		known = p->size - (addr - p->addr);
		best = p;
	}
	known = MIN(size, known);
	if (best)
		memcpy(buf, best->bytes + (addr - best->addr), known);
	return known;
}

void trace_memory_name(struct trace_memory *m, const struct syscall_call *call,
		       const struct syscall_desc *desc, const char *path, size_t len)
{
	struct trace_piece *p = &m->v[m->nr];
	u32 i = 0;
	u8 byte;

	while (desc && i < desc->nr_args &&
	       (desc->args[i].fetch != SYSARG_FETCH_STRING || desc->args[i].out ||
		trace_memory_copy(m, call->args[i], &byte, 1, false)))
		i++;
	if (!desc || i == desc->nr_args || m->nr == CALL_PIECES || !call->args[i])
		return;
	p->addr = call->args[i];
	p->out = false;
	p->size = (u32)MIN(len, sizeof(p->bytes));
	memcpy(p->bytes, path, p->size);
	m->nr++;
}
