// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracerun/memory.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE_PRESENT (1ULL << 63) /* of an entry of /proc/PID/pagemap */

bool trace_memory_wanted(const struct syscall_desc *desc)
{
	for (u32 i = 0; desc && i < desc->nr_args; i++)
		if (desc->args[i].fetch == SYSARG_FETCH_STRING && !desc->args[i].out)
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

		if (end == from || arg != call->args[i])
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

/* Read up to the end of the page, and the rest if the next page is there, too. */
static u32 read_bytes(u32 pid, u64 addr, u8 *buf, u32 size)
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
		if (memchr(buf, 0, done))
			break;
	}
	return done;
}

struct trace_memory *trace_memory_read(const struct sysroot *sr, const struct syscall_call *call,
				       const struct syscall_desc *desc)
{
	struct trace_memory *m;

	if (!trace_memory_wanted(desc) || !is_in_call(sr, call))
		return NULL;
	m = trace_memory_new();
	for (u32 i = 0; i < desc->nr_args && m->nr < CALL_COPIES; i++) {
		struct trace_piece *p = &m->v[m->nr];

		if (desc->args[i].fetch != SYSARG_FETCH_STRING || desc->args[i].out)
			continue;
		p->addr = call->args[i];
		p->out = false;
		p->size = read_bytes(call->pid, p->addr, p->bytes, sizeof(p->bytes));
		m->nr += p->size != 0;
	}
	if (m->nr && is_in_call(sr, call))
		return m;
	free(m);
	return NULL;
}

struct trace_memory *trace_memory_new(void)
{
	struct trace_memory *m = xmalloc(sizeof(*m));

	m->nr = 0; /* the bytes of pieces are not set before there are some */
	return m;
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
	for (u32 i = 0; m && i < m->nr; i++) {
		const struct trace_piece *p = &m->v[i];
		size_t n;

		if (p->out != out || addr < p->addr || addr - p->addr >= p->size)
			continue;
		n = MIN(size, (size_t)(p->size - (addr - p->addr)));
		memcpy(buf, p->bytes + (addr - p->addr), n);
		return n;
	}
	return 0;
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
