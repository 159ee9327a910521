// SPDX-License-Identifier: GPL-2.0-or-later
/* Write a perf_event_attr as text: every member that is not zero, in the order of the table. */
#include "base/compat.h"
#include "wire/attr-text.h"

struct bit_name {
	u64 bit;
	const char *name;
};

#define SAMPLE(n)                                                                                  \
	{                                                                                          \
		PERF_SAMPLE_##n, #n                                                                \
	}
static const struct bit_name sample_bits[] = {
	SAMPLE(IP),
	SAMPLE(TID),
	SAMPLE(TIME),
	SAMPLE(ADDR),
	SAMPLE(READ),
	SAMPLE(CALLCHAIN),
	SAMPLE(ID),
	SAMPLE(CPU),
	SAMPLE(PERIOD),
	SAMPLE(STREAM_ID),
	SAMPLE(RAW),
	SAMPLE(BRANCH_STACK),
	SAMPLE(REGS_USER),
	SAMPLE(STACK_USER),
	SAMPLE(IDENTIFIER),
	SAMPLE(REGS_INTR),
	SAMPLE(DATA_SRC),
	SAMPLE(WEIGHT),
	SAMPLE(PHYS_ADDR),
	SAMPLE(AUX),
	SAMPLE(CGROUP),
	SAMPLE(DATA_PAGE_SIZE),
	SAMPLE(CODE_PAGE_SIZE),
	SAMPLE(WEIGHT_STRUCT),
};

static const struct bit_name read_bits[] = {
	{ PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
	{ PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
	{ PERF_FORMAT_ID, "ID" },
	{ PERF_FORMAT_GROUP, "GROUP" },
	{ 1 << 4, "LOST" },
};

#define BRANCH(n)                                                                                  \
	{                                                                                          \
		PERF_SAMPLE_BRANCH_##n, #n                                                         \
	}
static const struct bit_name branch_bits[] = {
	BRANCH(USER),
	BRANCH(KERNEL),
	BRANCH(HV),
	BRANCH(ANY),
	BRANCH(ANY_CALL),
	BRANCH(ANY_RETURN),
	BRANCH(IND_CALL),
	BRANCH(ABORT_TX),
	BRANCH(IN_TX),
	BRANCH(NO_TX),
	BRANCH(COND),
	BRANCH(CALL_STACK),
	BRANCH(IND_JUMP),
	BRANCH(CALL),
	BRANCH(NO_FLAGS),
	BRANCH(NO_CYCLES),
	BRANCH(TYPE_SAVE),
	BRANCH(HW_INDEX),
	{ 1 << 18, "PRIV_SAVE" },
	{ 1 << 19, "COUNTERS" },
};

/* The destination of members, and the text between name and value. */
struct attr_out {
	struct strbuf *sb;
	size_t start;
	const char *assign; /* NULL: one member on each line, values in a column */
};

static void put_member(const struct attr_out *out, const char *name)
{
	if (!out->assign) {
		strbuf_addf(out->sb, "%s  %-32s ", out->sb->len > out->start ? "\n" : "", name);
		return;
	}
	if (out->sb->len > out->start)
		strbuf_add(out->sb, ", ", 2);
	strbuf_addstr(out->sb, name);
	strbuf_addstr(out->sb, out->assign);
}

static void put_bits(const struct attr_out *out, const char *name, u64 v,
		     const struct bit_name *bits, size_t nr)
{
	bool any = false;
	size_t i;

	if (!v)
		return;
	put_member(out, name);
	for (i = 0; i < nr; i++) {
		if (!(v & bits[i].bit))
			continue;
		strbuf_addf(out->sb, "%s%s", any ? "|" : "", bits[i].name);
		any = true;
	}
}

static void put_dec(const struct attr_out *out, const char *name, u64 v)
{
	if (!v)
		return;
	put_member(out, name);
	strbuf_addf(out->sb, "%" PRIu64, v);
}

static void put_hex(const struct attr_out *out, const char *name, u64 v)
{
	if (!v)
		return;
	put_member(out, name);
	strbuf_addf(out->sb, "%#" PRIx64, v);
}

static void put_flags(const struct perf_event_attr *a, const struct attr_out *out)
{
#define F(n) put_dec(out, #n, a->n)
	F(disabled);
	F(inherit);
	F(pinned);
	F(exclusive);
	F(exclude_user);
	F(exclude_kernel);
	F(exclude_hv);
	F(exclude_idle);
	F(mmap);
	F(comm);
	F(freq);
	F(inherit_stat);
	F(enable_on_exec);
	F(task);
	F(watermark);
	F(precise_ip);
	F(mmap_data);
	F(sample_id_all);
	F(exclude_host);
	F(exclude_guest);
	F(exclude_callchain_kernel);
	F(exclude_callchain_user);
	F(mmap2);
	F(comm_exec);
	F(use_clockid);
	F(context_switch);
	F(write_backward);
	F(namespaces);
	F(ksymbol);
	F(bpf_event);
	F(aux_output);
	F(cgroup);
	F(text_poke);
	F(build_id);
	F(inherit_thread);
	F(remove_on_exec);
	F(sigtrap);
	put_dec(out, "defer_callchain", attr_has(a, ATTR_DEFER_CALLCHAIN));
	put_dec(out, "defer_output", attr_has(a, ATTR_DEFER_OUTPUT));
#undef F
}

static void put_attr(const struct perf_event_attr *a, u64 config3, const struct attr_out *out)
{
	put_dec(out, "type", a->type);
	put_dec(out, "size", a->size);
	put_hex(out, "config", a->config);
	put_dec(out, "{ sample_period, sample_freq }", a->sample_period);
	put_bits(out, "sample_type", a->sample_type, sample_bits, ARRAY_SIZE(sample_bits));
	put_bits(out, "read_format", a->read_format, read_bits, ARRAY_SIZE(read_bits));
	put_flags(a, out);
	put_dec(out, "{ wakeup_events, wakeup_watermark }", a->wakeup_events);
	put_dec(out, "bp_type", a->bp_type);
	put_hex(out, "{ bp_addr, config1 }", a->bp_addr);
	put_hex(out, "{ bp_len, config2 }", a->bp_len);
	put_bits(out, "branch_sample_type", a->branch_sample_type, branch_bits,
		 ARRAY_SIZE(branch_bits));
	put_hex(out, "sample_regs_user", a->sample_regs_user);
	put_dec(out, "sample_stack_user", a->sample_stack_user);
	put_dec(out, "clockid", (u64)(s64)a->clockid);
	put_hex(out, "sample_regs_intr", a->sample_regs_intr);
	put_dec(out, "aux_watermark", a->aux_watermark);
	put_dec(out, "sample_max_stack", a->sample_max_stack);
	put_dec(out, "aux_sample_size", a->aux_sample_size);
	put_dec(out, "sig_data", a->sig_data);
	put_hex(out, "config3", config3);
}

void attr_text(const struct perf_event_attr *a, u64 config3, const char *assign, struct strbuf *sb)
{
	const struct attr_out out = { sb, sb->len, assign };

	put_attr(a, config3, &out);
}

#define RULE "------------------------------------------------------------\n"

void attr_table(const struct perf_event_attr *a, u64 config3, struct strbuf *sb)
{
	struct attr_out out = { sb, 0, NULL };

	strbuf_addstr(sb, RULE "perf_event_attr:\n");
	out.start = sb->len;
	put_attr(a, config3, &out);
	strbuf_addstr(sb, sb->len > out.start ? "\n" RULE : RULE);
}
