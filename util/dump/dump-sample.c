// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/cur.h"
#include "base/units.h"
#include "dump/dump-put.h"
#include "dump/dump-sample.h"
#include "wire/field-text.h"
#include "arch/arch.h"

#define FIXED_ROOM 256 /* bytes for the words and numbers of a line other than names */
#define BRANCH_CALL_STACK(e) ((e)->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)

/* Append "..... 12: 00000000004004a0". */
static void put_entry(struct strbuf *out, u64 nr, u64 ip)
{
	strbuf_addstr(out, "..... ");
	strbuf_dec(out, nr, 2);
	strbuf_add(out, ": ", 2);
	strbuf_hex(out, ip, 16, 0);
}

/* Append the same as a line; call chains consist of such lines. */
static void put_entry_line(struct strbuf *out, u64 nr, u64 ip)
{
	strbuf_grow(out, FIXED_ROOM);
	PUT_TEXT(out, "..... ");
	if (nr < 10)
		PUT_TEXT(out, " ");
	put_dec(out, nr);
	PUT_TEXT(out, ": ");
	put_hex16(out, ip);
	PUT_TEXT(out, "\n");
	put_terminate(out);
}

/* ------------------------------------------------------------------ call chains */

/* Append the kernel part of the chain, then the user part from the branch stack. */
static void put_lbr_chain(const struct sample *s, struct strbuf *out)
{
	struct lbr_chain chain = { 0 };

	if (!sample_lbr_chain(s, &chain))
		return;
	strbuf_addf(out, "... LBR call chain: nr:%zu\n", chain.nr);
	for (size_t i = 0; i < chain.nr; i++)
		put_entry_line(out, i, chain.ips[i]);
	free(chain.ips);
}

static void put_chain(const struct sample *s, struct strbuf *out)
{
	strbuf_add(out, "... FP chain: nr:", 17);
	strbuf_dec(out, s->nr_callchain, 0);
	strbuf_addch(out, '\n');
	for (u64 i = 0; i < s->nr_callchain; i++)
		put_entry_line(out, i, s->callchain[i]);
}

/* ------------------------------------------------------------------ branches */

static void put_branch(u64 i, const u64_una *b, struct strbuf *out)
{
	u64 flags = b[2];

	put_entry(out, i, b[0]);
	strbuf_addf(out, " -> %016" PRIx64 " %u cycles %s%s%s%s %x %s\n", (u64)b[1],
		    (unsigned int)(flags >> 4 & 0xffff), flags & 1 ? "M" : " ",
		    flags & 2 ? "P" : " ", flags & 8 ? "A" : " ", flags & 4 ? "T" : " ",
		    (unsigned int)(flags >> 33), branch_type(flags));
}

static void put_branches(const struct evsel *e, const struct sample *s, struct strbuf *out)
{
	bool calls = BRANCH_CALL_STACK(e);

	strbuf_addf(out, "... branch %s: nr:%" PRIu64 "\n", calls ? "callstack" : "stack",
		    s->nr_branches + calls);
	if (calls && s->nr_branches)
		put_entry_line(out, 0, s->branches[1]);
	for (u64 i = 0; i < s->nr_branches; i++) {
		if (calls)
			put_entry_line(out, i + 1, s->branches[3 * i]);
		else
			put_branch(i, s->branches + 3 * i, out);
	}
}

/* ------------------------------------------------------------------ registers, stack */

static void put_regs(const char *which, const struct wire_regs *r, const struct arch *arch,
		     struct strbuf *out)
{
	static const char *const abi[] = { "none", "32-bit", "64-bit" };
	const u64_una *v = r->regs;

	if (!v)
		return;
	strbuf_addf(out, "... %s regs: mask 0x%" PRIx64 " ABI %s\n", which, r->mask,
		    r->abi < ARRAY_SIZE(abi) ? abi[r->abi] : "unknown");
	for (unsigned int bit = 0; bit < 64; bit++) {
		size_t start;

		if (!(r->mask >> bit & 1))
			continue;
		strbuf_add(out, ".... ", 5);
		start = out->len;
		strbuf_addstr(out, arch_reg_name(arch, bit));
		strbuf_pad(out, start + 5);
		strbuf_add(out, " 0x", 3);
		strbuf_hex(out, *v++, 16, 0);
		strbuf_addch(out, '\n');
	}
}

static void put_stack(const struct dump_record *r, struct strbuf *out)
{
	const struct sample *s = r->sample;
	/* the offset that is shown is that of the size, before the bytes */
	long at = (const u8 *)s->user_stack - (const u8 *)r->hdr - 8;

	strbuf_addf(out, "... ustack: size %" PRIu64 ", offset %#lx\n", s->user_stack_dyn, at);
}

/* ------------------------------------------------------------------ memory accesses */

static void put_page_size(const char *what, u64 size, struct strbuf *out)
{
	strbuf_addf(out, " .. %s page size: ", what);
	page_size_text(size, out);
	strbuf_addch(out, '\n');
}

static void put_memory(u64 type, const struct sample *s, struct strbuf *out)
{
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		strbuf_addf(out, "... weight: %" PRIu64 ",0x%x,0x%x\n", s->weight, s->ins_lat, 0);
	else if (type & PERF_SAMPLE_WEIGHT)
		strbuf_addf(out, "... weight: %" PRIu64 "\n", s->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		strbuf_addf(out, " . data_src: 0x%" PRIx64 "\n", s->data_src);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		strbuf_addf(out, " .. phys_addr: 0x%" PRIx64 "\n", s->phys_addr);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		put_page_size("data", s->data_page_size, out);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		put_page_size("code", s->code_page_size, out);
	if (type & PERF_SAMPLE_TRANSACTION)
		strbuf_addf(out, "... transaction: %" PRIx64 "\n", s->transaction);
}

/* ------------------------------------------------------------------ counts */

static void put_count(struct cur *c, u64 format, struct strbuf *out)
{
	u64 value = cur_u64(c), id = format & PERF_FORMAT_ID ? cur_u64(c) : 0;

	strbuf_addf(out, "..... id %016" PRIx64 ", value %016" PRIx64, id, value);
	if (format & PERF_FORMAT_LOST)
		strbuf_addf(out, ", lost %" PRIu64, cur_u64(c));
	strbuf_addch(out, '\n');
}

static void put_times(struct cur *c, u64 format, struct strbuf *out)
{
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		strbuf_addf(out, "...... time enabled %016" PRIx64 "\n", cur_u64(c));
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		strbuf_addf(out, "...... time running %016" PRIx64 "\n", cur_u64(c));
}

static void put_read(u64 format, const struct sample *s, struct strbuf *out)
{
	struct cur c = cur_make(s->read, s->read_size, false);
	u64 nr, value;

	strbuf_addstr(out, "... sample_read:\n");
	if (format & PERF_FORMAT_GROUP) {
		nr = cur_u64(&c);
		put_times(&c, format, out);
		strbuf_addf(out, ".... group nr %" PRIu64 "\n", nr);
		while (nr-- && cur_left(&c))
			put_count(&c, format, out);
		return;
	}
	/* a single count precedes its times */
	value = cur_u64(&c);
	put_times(&c, format, out);
	strbuf_addf(out, "..... id %016" PRIx64 ", value %016" PRIx64,
		    format & PERF_FORMAT_ID ? cur_u64(&c) : 0, value);
	if (format & PERF_FORMAT_LOST)
		strbuf_addf(out, ", lost %" PRIu64, cur_u64(&c));
	strbuf_addch(out, '\n');
}

/* ------------------------------------------------------------------ all of it */

void dump_text_thread(const struct dump_text *d, const struct dump_record *r, struct strbuf *out)
{
	const struct sample *s = r->sample;
	const struct map *map;
	u32 epoch;

	if (!r->at)
		return;
	epoch = s->cpumode == PERF_RECORD_MISC_KERNEL ? r->at->kernel_epoch : r->at->epoch;
	strbuf_addstr(out, " ... thread: ");
	strbuf_addname(out, machine_comm(d->machine, r->at->comm));
	strbuf_grow(out, FIXED_ROOM);
	PUT_TEXT(out, ":");
	put_int(out, r->at->tid);
	PUT_TEXT(out, "\n ...... dso: ");
	put_terminate(out);
	if (s->cpumode != PERF_RECORD_MISC_KERNEL && s->cpumode != PERF_RECORD_MISC_USER) {
		strbuf_addstr(out, "[hypervisor]\n");
		return;
	}
	map = machine_find_map(d->machine, epoch, s->cpumode, s->ip);
	strbuf_addname(out, map ? map->dso->path : "<not found>");
	strbuf_addch(out, '\n');
}

static void put_head(const struct sample *s, struct strbuf *out)
{
	strbuf_grow(out, FIXED_ROOM);
	PUT_TEXT(out, "PERF_RECORD_SAMPLE(IP, 0x");
	put_hex(out, s->misc);
	PUT_TEXT(out, "): ");
	put_int(out, s->pid);
	PUT_TEXT(out, "/");
	put_int(out, s->tid);
	PUT_TEXT(out, ": ");
	put_alt_hex(out, s->ip);
	PUT_TEXT(out, " period: ");
	put_dec(out, s->period);
	PUT_TEXT(out, " addr: ");
	put_alt_hex(out, s->addr);
	PUT_TEXT(out, "\n");
	put_terminate(out);
}

void dump_sample_put(const struct dump_text *d, const struct dump_record *r, struct strbuf *out)
{
	const struct evsel *e = r->evsel;
	const struct sample *s = r->sample;
	u64 type = e->attr.sample_type;

	put_head(s, out);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		if (BRANCH_CALL_STACK(e))
			put_lbr_chain(s, out);
		put_chain(s, out);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(e, s, out);
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs("user", &s->user_regs, arch_of(d->env->arch), out);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs("intr", &s->intr_regs, arch_of(d->env->arch), out);
	if (type & PERF_SAMPLE_STACK_USER)
		put_stack(r, out);
	put_memory(type, s, out);
	if (type & PERF_SAMPLE_READ)
		put_read(e->attr.read_format, s, out);
	if (r->whole)
		dump_text_thread(d, r, out);
}
