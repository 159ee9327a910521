// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "sampletext/sample-inline.h"

#include "base/alloc.h"
#include "base/hash.h"

struct sample_inlines {
	const struct machine *machine;
	struct symbols *symbols;
	struct srclines *lines;
	struct map64 known; /* epoch, mode, address -> index in list */
	struct inlines_at *list;
	size_t nr, cap;
};

struct sample_inlines *sample_inlines_new(const struct machine *m, struct symbols *s,
					  struct srclines *lines)
{
	struct sample_inlines *si = xzalloc(sizeof(*si));

	si->machine = m;
	si->symbols = s;
	si->lines = lines;
	return si;
}

void sample_inlines_free(struct sample_inlines *si)
{
	if (!si)
		return;
	map64_release(&si->known);
	free(si->list);
	free(si);
}

static struct inlines_at look_up(struct sample_inlines *si, u32 epoch, u8 cpumode, bool call,
				 u64 ip)
{
	struct inlines_at in = { 0 };
	struct location l;

	resolve_find(si->machine, si->symbols, epoch, cpumode, ip, &l);
	if (!l.symtab || l.sym == UINT32_MAX)
		return in;
	in.addr = l.addr;
	in.symoff = (u32)(l.addr - symtab_get(l.symtab, l.sym).start);
	l.addr -= call;
	in.nr = srcline_inlines(si->lines, &l, &in.frames);
	return in;
}

const struct inlines_at *sample_inlines_find(struct sample_inlines *si, const struct thread_at *at,
					     u8 cpumode, bool call, u64 ip)
{
	u32 epoch = cpumode == PERF_RECORD_MISC_KERNEL ? at->kernel_epoch : at->epoch;
	u64 key = hash_u64(ip) ^ hash_u64((u64)epoch << 9 | (u64)call << 8 | cpumode);
	u32 *slot = map64_slot(&si->known, key);

	if (*slot == MAP64_NONE) {
		*slot = (u32)si->nr;
		VEC_GROW(si->list, si->nr + 1, si->cap);
		si->list[si->nr++] = look_up(si, epoch, cpumode, call, ip);
	}
	return &si->list[*slot];
}

void sample_inlines_line(const struct sample_inlines *si, const struct inline_frame *f,
			 struct strbuf *out)
{
	struct strbuf line = STRBUF_INIT;

	srcline_shown(si->lines, f->file, f->line, &line);
	strbuf_addname(out, strbuf_str(&line));
	strbuf_release(&line);
}
