// SPDX-License-Identifier: GPL-2.0-or-later
#include "jit-build.h"

static void put32(const struct jb *b, struct strbuf *out, u32 v)
{
	v = b->swap ? __builtin_bswap32(v) : v;
	strbuf_add(out, &v, sizeof(v));
}

static void put64(const struct jb *b, struct strbuf *out, u64 v)
{
	v = b->swap ? __builtin_bswap64(v) : v;
	strbuf_add(out, &v, sizeof(v));
}

void jb_init(struct jb *b, bool swap, u32 pid, u64 time)
{
	*b = (struct jb){ .out = STRBUF_INIT, .swap = swap, .pid = pid };
	put32(b, &b->out, 0x4A695444);
	put32(b, &b->out, 1);
	put32(b, &b->out, 40);
	put32(b, &b->out, 62);
	put32(b, &b->out, 0);
	put32(b, &b->out, pid);
	put64(b, &b->out, time);
	put64(b, &b->out, 0);
}

void jb_release(struct jb *b)
{
	strbuf_release(&b->out);
}

void jb_record(struct jb *b, u32 id, u64 time, const void *body, u32 size)
{
	put32(b, &b->out, id);
	put32(b, &b->out, size + 16);
	put64(b, &b->out, time);
	strbuf_add(&b->out, body, size);
}

static void finish(struct jb *b, u32 id, u64 time, struct strbuf *body)
{
	jb_record(b, id, time, strbuf_str(body), (u32)body->len);
	strbuf_release(body);
}

u64 jb_load(struct jb *b, u64 time, u64 addr, u32 size, const char *name)
{
	struct strbuf s = STRBUF_INIT;

	put32(b, &s, b->pid);
	put32(b, &s, b->pid);
	put64(b, &s, addr);
	put64(b, &s, addr);
	put64(b, &s, size);
	put64(b, &s, b->next_index);
	strbuf_add(&s, name, strlen(name) + 1);
	for (u32 i = 0; i + 1 < size; i++)
		strbuf_addch(&s, (char)0x90);
	if (size)
		strbuf_addch(&s, (char)0xc3);
	finish(b, 0, time, &s);
	return b->next_index++;
}

void jb_move(struct jb *b, u64 time, u64 from, u64 to, u32 size, u64 index)
{
	struct strbuf s = STRBUF_INIT;

	put32(b, &s, b->pid);
	put32(b, &s, b->pid);
	put64(b, &s, to);
	put64(b, &s, from);
	put64(b, &s, to);
	put64(b, &s, size);
	put64(b, &s, index);
	finish(b, 1, time, &s);
}

void jb_lines(struct jb *b, u64 time, u64 addr, const struct jb_line *v, size_t nr)
{
	struct strbuf s = STRBUF_INIT;

	put64(b, &s, addr);
	put64(b, &s, nr);
	for (size_t i = 0; i < nr; i++) {
		put64(b, &s, addr + v[i].at);
		put32(b, &s, v[i].line);
		put32(b, &s, 0);
		strbuf_add(&s, v[i].file, strlen(v[i].file) + 1);
	}
	finish(b, 2, time, &s);
}

void jb_unwinding(struct jb *b, u64 time, const void *frame, u32 size, u32 index_size)
{
	struct strbuf s = STRBUF_INIT;

	put64(b, &s, size);
	put64(b, &s, index_size);
	put64(b, &s, size);
	strbuf_add(&s, frame, size);
	while (s.len % 8)
		strbuf_addch(&s, '\0');
	finish(b, 4, time, &s);
}

void jb_close(struct jb *b, u64 time)
{
	jb_record(b, 3, time, "", 0);
}
