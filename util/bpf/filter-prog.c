// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compiles sample filters to programs: each comparison loads its field and jumps. The kernel's
 * struct perf_sample_data is found through the context, at the offsets in the BTF of the running
 * kernel. Since Linux 6.3, all fields that the event's sample_type requests are filled in before
 * the program runs. Before that, only fields from the hardware are, and the others come from
 * helpers.
 */
#include "base/compat.h"
#include "bpf/filter-internal.h"

#include "arch/arch.h"
#include "bpf/btf.h"

#include <errno.h>
#include <linux/bpf_perf_event.h>

/* Registers that are preserved over calls. */
enum { R_CTX = BPF_REG_6, R_VALUE = BPF_REG_7, R_DATA = BPF_REG_8, R_FILTER = BPF_REG_9 };

/* Offsets on the stack. */
enum { S_PEEK = -8, S_KEY = -16, S_ROUND = -24, S_AT = -32, S_NODE = -40 };

/* The names of the fields in struct perf_sample_data. */
static const struct {
	const char *path;
	u8 size;
	bool before; /* available before Linux 6.3 as well */
} fields[FT_NR] = {
	[FT_IP] = { "ip", 8, false },
	[FT_ID] = { "id", 8, false },
	[FT_TID] = { "tid_entry.tid", 4, false },
	[FT_PID] = { "tid_entry.pid", 4, false },
	[FT_TIME] = { "time", 8, false },
	[FT_ADDR] = { "addr", 8, false },
	[FT_PERIOD] = { "period", 8, false },
	[FT_TXN] = { "txn", 8, true },
	[FT_WEIGHT] = { "weight", 8, true },
	[FT_WEIGHT1] = { "weight", 8, true },
	[FT_WEIGHT2] = { "weight", 8, true },
	[FT_WEIGHT3] = { "weight", 8, true },
	[FT_PHYS_ADDR] = { "phys_addr", 8, false },
	[FT_CODE_PGSZ] = { "code_page_size", 8, false },
	[FT_DATA_PGSZ] = { "data_page_size", 8, false },
	[FT_DATA_SRC] = { "data_src", 8, true },
};

int bpf_filter_find(struct bpf_filter_where *w, const struct sysroot *sr, struct err *err)
{
	struct btf b;
	int rc = btf_open_kernel(&b, sr, err);

	if (rc)
		return rc;
	/* it lost its parameter "header" when it began to be called before the program */
	w->filled = btf_params(&b, "perf_prepare_sample") == 3;
	w->data = btf_member(&b, "bpf_perf_event_data_kern", "data");
	w->event = btf_member(&b, "bpf_perf_event_data_kern", "event");
	w->parent = btf_member(&b, "perf_event", "parent");
	w->id = btf_member(&b, "perf_event", "id");
	w->flags = w->filled ? -ENOENT : btf_member(&b, "perf_sample_data", "sample_flags");
	for (size_t i = 0; i < FT_NR; i++)
		w->field[i] = fields[i].path ? btf_member(&b, "perf_sample_data", fields[i].path)
					     : -ENOENT;
	btf_close(&b);
	if (w->data < 0 || w->event < 0 || w->parent < 0 || w->id < 0)
		return err_set(err, -EOPNOTSUPP,
			       "This kernel has no BPF programs for samples (CONFIG_BPF_EVENTS).");
	return 0;
}

/* --- loading fields ------------------------------------------------------------ */

static void low_half(struct bpf_code *c, bool low)
{
	if (low)
		bpf_alui(c, BPF_LSH, BPF_REG_0, 32);
	bpf_alui(c, BPF_RSH, BPF_REG_0, 32);
}

/* Load a field from a helper. Return: false when it is not such a field. */
static bool load_current(struct bpf_code *c, const struct bpf_filter_where *w, u8 term)
{
	switch (term) {
	case FT_CPU:
		bpf_helper(c, BPF_FUNC_get_smp_processor_id);
		break;
	case FT_UID:
	case FT_GID:
		bpf_helper(c, BPF_FUNC_get_current_uid_gid);
		low_half(c, term == FT_UID);
		break;
	case FT_CGROUP:
		bpf_helper(c, BPF_FUNC_get_current_cgroup_id);
		break;
	case FT_TID:
	case FT_PID:
		if (w->filled)
			return false;
		bpf_helper(c, BPF_FUNC_get_current_pid_tgid);
		low_half(c, term == FT_TID);
		break;
	default:
		return false;
	}
	bpf_mov(c, R_VALUE, BPF_REG_0);
	return true;
}

/* Load a field that the context always had. */
static bool load_context(struct bpf_code *c, const struct bpf_filter_where *w, u8 term)
{
	const struct arch *host = arch_host();
	int off = -1;

	if (w->filled)
		return false;
	if (term == FT_PERIOD)
		off = offsetof(struct bpf_perf_event_data, sample_period);
	else if (term == FT_ADDR)
		off = offsetof(struct bpf_perf_event_data, addr);
	else if (term == FT_IP && host->bpf_ip_known) /* of samples without a more precise one */
		off = host->bpf_ip;
	if (off < 0)
		return false;
	bpf_load(c, BPF_DW, R_VALUE, R_CTX, off);
	return true;
}

/*
 * Linux 6.0 to 6.2 do not initialize unused fields: load the default and goto @have unless the
 * field is filled in.
 */
static void unless_filled(struct bpf_code *c, const struct bpf_filter_where *w, u8 term, int have)
{
	u64 bits = term == FT_TXN        ? (u64)PERF_SAMPLE_TRANSACTION
		   : term == FT_DATA_SRC ? (u64)PERF_SAMPLE_DATA_SRC
					 : (u64)PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;
	u64 none = term == FT_DATA_SRC ? PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) |
						 PERF_MEM_S(SNOOP, NA) | PERF_MEM_S(LOCK, NA) |
						 PERF_MEM_S(TLB, NA) | PERF_MEM_S(LVLNUM, NA)
				       : 0;

	bpf_peek(c, S_PEEK, 8, R_DATA, w->flags);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_PEEK);
	bpf_mov64(c, R_VALUE, none);
	bpf_alui(c, BPF_AND, BPF_REG_1, (s32)bits);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, have);
}

/* Emit: R_VALUE = the field. Return: false when this kernel does not have it. */
static bool load_field(struct bpf_code *c, const struct bpf_filter_where *w, u8 term)
{
	int have = bpf_label(c);

	if (load_current(c, w, term) || load_context(c, w, term))
		return true;
	if (w->field[term] < 0 || (!w->filled && !fields[term].before))
		return false;
	if (w->flags >= 0)
		unless_filled(c, w, term, have);
	bpf_peek(c, S_PEEK, fields[term].size, R_DATA, w->field[term]);
	bpf_load(c, fields[term].size == 4 ? BPF_W : BPF_DW, R_VALUE, BPF_REG_10, S_PEEK);
	bpf_bind(c, have);
	return true;
}

/* --- from what was typed ------------------------------------------------------- */

/* With PERF_SAMPLE_WEIGHT_STRUCT, a weight consists of three fields. */
static void lower_weight(struct bpf_filter_node *to, u8 term, bool structured)
{
	to->term = FT_WEIGHT;
	if (term == FT_WEIGHT2 || term == FT_WEIGHT3) {
		to->shift = term == FT_WEIGHT2 ? 32 : 48;
		to->mask = 0xffff;
	} else if (structured) {
		to->mask = 0xffffffff;
	}
}

int bpf_filter_lower(struct bpf_filter_node *nodes, const struct compiled_filter *f,
		     const struct bpf_filter_where *w, u64 sample_type, const struct sysroot *sr,
		     struct err *err)
{
	struct bpf_code none = { 0 };
	int rc = 0;

	for (size_t i = 0; i < f->nr && !rc; i++) {
		const struct filter_node *n = &f->nodes[i];
		struct bpf_filter_node *to = &nodes[i];

		*to = (struct bpf_filter_node){ .term = n->term,
						.op = n->op,
						.shift = n->shift,
						.shift2 = n->shift2,
						.yes = n->yes,
						.no = n->no,
						.mask = n->mask ? n->mask : ~0ULL,
						.value = n->value };
		if (n->term >= FT_WEIGHT && n->term <= FT_WEIGHT3)
			lower_weight(to, n->term, sample_type & PERF_SAMPLE_WEIGHT_STRUCT);
		if (n->cgroup)
			rc = bpf_filter_cgroup(sr, n->cgroup, &to->value, err);
		if (!rc && !load_field(&none, w, to->term))
			rc = err_set(err, -EOPNOTSUPP,
				     "this kernel does not show '%s' to filters%s",
				     filter_term_name(n->term),
				     w->filled ? "" : ", Linux 6.3 and later do");
	}
	bpf_code_release(&none);
	return rc;
}

/* --- a program for one filter -------------------------------------------------- */

static const u8 jumps[] = {
	[FO_EQ] = BPF_JEQ, [FO_NE] = BPF_JNE, [FO_GT] = BPF_JGT,   [FO_GE] = BPF_JGE,
	[FO_LT] = BPF_JLT, [FO_LE] = BPF_JLE, [FO_AND] = BPF_JSET,
};

/* Emit the beginning, which sets R_CTX and R_DATA. */
static void prologue(struct bpf_code *c, const struct bpf_filter_where *w)
{
	bpf_mov(c, R_CTX, BPF_REG_1);
	bpf_peek(c, S_PEEK, 8, R_CTX, w->data);
	bpf_load(c, BPF_DW, R_DATA, BPF_REG_10, S_PEEK);
}

static void verdict(struct bpf_code *c, int keep)
{
	bpf_return(c, keep);
}

/* Emit: R_VALUE = the part of it that @n compares */
static void take_bits(struct bpf_code *c, const struct bpf_filter_node *n)
{
	bpf_mov(c, BPF_REG_1, R_VALUE);
	if (n->shift)
		bpf_alui(c, BPF_RSH, R_VALUE, n->shift);
	if (n->mask != ~0ULL) {
		bpf_mov64(c, BPF_REG_2, n->mask);
		bpf_alu(c, BPF_AND, R_VALUE, BPF_REG_2);
	}
	if (n->shift2) {
		bpf_alui(c, BPF_RSH, BPF_REG_1, n->shift2);
		bpf_alui(c, BPF_AND, BPF_REG_1, 3);
		bpf_alui(c, BPF_LSH, BPF_REG_1, 5);
		bpf_alu(c, BPF_OR, R_VALUE, BPF_REG_1);
	}
}

void bpf_filter_compile(struct bpf_code *c, const struct bpf_filter_where *w,
			const struct bpf_filter_node *nodes, size_t nr, int dropped)
{
	int keep = bpf_label(c), drop = bpf_label(c), first = bpf_label(c);

	for (size_t i = 1; i < nr; i++)
		bpf_label(c);
	prologue(c, w);
	for (size_t i = 0; i < nr; i++) {
		const struct bpf_filter_node *n = &nodes[i];
		int yes = n->yes == FILTER_KEEP   ? keep
			  : n->yes == FILTER_DROP ? drop
						  : first + n->yes;
		int no = n->no == FILTER_KEEP ? keep : n->no == FILTER_DROP ? drop : first + n->no;

		bpf_bind(c, first + (int)i);
		load_field(c, w, n->term);
		take_bits(c, n);
		bpf_mov64(c, BPF_REG_1, n->value);
		bpf_jump(c, jumps[n->op], R_VALUE, BPF_REG_1, yes);
		bpf_goto(c, no);
	}
	bpf_bind(c, drop);
	bpf_movval(c, BPF_REG_1, dropped, 0);
	bpf_movi(c, BPF_REG_2, 1);
	bpf_add_atomic(c, BPF_REG_1, 0, BPF_REG_2);
	verdict(c, 0);
	bpf_bind(c, keep);
	verdict(c, 1);
}

/* --- the program for all filters ------------------------------------------------- */

#define NODE(member) ((int)offsetof(struct bpf_filter_node, member))

/*
 * R_FILTER = the filter of the event, or of the event it was inherited from; otherwise goto @keep
 */
static void find_filter(struct bpf_code *c, const struct bpf_filter_where *w, int ids, int filters,
			int keep)
{
	int own = bpf_label(c);

	bpf_peek(c, S_PEEK, 8, R_CTX, w->event);
	bpf_load(c, BPF_DW, R_VALUE, BPF_REG_10, S_PEEK);
	bpf_peek(c, S_PEEK, 8, R_VALUE, w->parent);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_PEEK);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, own);
	bpf_mov(c, R_VALUE, BPF_REG_1);
	bpf_bind(c, own);
	bpf_peek(c, S_KEY, 8, R_VALUE, w->id);
	bpf_movmap(c, BPF_REG_1, ids);
	bpf_mov(c, BPF_REG_2, BPF_REG_10);
	bpf_alui(c, BPF_ADD, BPF_REG_2, S_KEY);
	bpf_helper(c, BPF_FUNC_map_lookup_elem);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, keep);
	bpf_movmap(c, BPF_REG_1, filters);
	bpf_mov(c, BPF_REG_2, BPF_REG_0);
	bpf_helper(c, BPF_FUNC_map_lookup_elem);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, keep);
	bpf_mov(c, R_FILTER, BPF_REG_0);
}

/* Emit: R_VALUE = the field of the node. BPF_REG_2 points to the node. */
static void load_any(struct bpf_code *c, const struct bpf_filter_where *w, int keep)
{
	int have = bpf_label(c), plain = bpf_label(c);

	for (int t = 0; t < FT_NR; t++) {
		int other = bpf_label(c);

		/* the node says which field; r1 is lost over calls */
		bpf_load(c, BPF_DW, BPF_REG_2, BPF_REG_10, S_NODE);
		bpf_load(c, BPF_B, BPF_REG_1, BPF_REG_2, NODE(term));
		bpf_jumpi(c, BPF_JNE, BPF_REG_1, t, other);
		bpf_goto(c, load_field(c, w, (u8)t) ? have : keep);
		bpf_bind(c, other);
	}
	bpf_goto(c, keep);
	bpf_bind(c, have);
	bpf_load(c, BPF_DW, BPF_REG_2, BPF_REG_10, S_NODE);
	bpf_mov(c, BPF_REG_3, R_VALUE);
	bpf_load(c, BPF_B, BPF_REG_1, BPF_REG_2, NODE(shift));
	bpf_alui(c, BPF_AND, BPF_REG_1, 63);
	bpf_alu(c, BPF_RSH, R_VALUE, BPF_REG_1);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_2, NODE(mask));
	bpf_alu(c, BPF_AND, R_VALUE, BPF_REG_1);
	bpf_load(c, BPF_B, BPF_REG_1, BPF_REG_2, NODE(shift2));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, plain);
	bpf_alui(c, BPF_AND, BPF_REG_1, 63);
	bpf_alu(c, BPF_RSH, BPF_REG_3, BPF_REG_1);
	bpf_alui(c, BPF_AND, BPF_REG_3, 3);
	bpf_alui(c, BPF_LSH, BPF_REG_3, 5);
	bpf_alu(c, BPF_OR, R_VALUE, BPF_REG_3);
	bpf_bind(c, plain);
}

/* BPF_REG_1 = the node that follows the one in BPF_REG_2 */
static void compare_any(struct bpf_code *c)
{
	int yes = bpf_label(c), done = bpf_label(c);

	bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_2, NODE(value));
	bpf_load(c, BPF_B, BPF_REG_4, BPF_REG_2, NODE(op));
	bpf_load(c, BPF_H, BPF_REG_1, BPF_REG_2, NODE(no));
	for (size_t op = 0; op < ARRAY_SIZE(jumps); op++) {
		int other = bpf_label(c);

		bpf_jumpi(c, BPF_JNE, BPF_REG_4, (s32)op, other);
		bpf_jump(c, jumps[op], R_VALUE, BPF_REG_3, yes);
		bpf_goto(c, done);
		bpf_bind(c, other);
	}
	bpf_goto(c, done);
	bpf_bind(c, yes);
	bpf_load(c, BPF_H, BPF_REG_1, BPF_REG_2, NODE(yes));
	bpf_bind(c, done);
}

void bpf_filter_interpreter(struct bpf_code *c, const struct bpf_filter_where *w, int ids,
			    int filters)
{
	int keep = bpf_label(c), drop = bpf_label(c), again = bpf_label(c);

	prologue(c, w);
	find_filter(c, w, ids, filters, keep);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_ROUND, 0);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_AT, 0);
	bpf_bind(c, again);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_AT);
	bpf_alui(c, BPF_AND, BPF_REG_1, FILTER_NODES_MAX - 1);
	bpf_alui(c, BPF_MUL, BPF_REG_1, sizeof(struct bpf_filter_node));
	bpf_mov(c, BPF_REG_2, R_FILTER);
	bpf_alui(c, BPF_ADD, BPF_REG_2, offsetof(struct bpf_filter_value, nodes));
	bpf_alu(c, BPF_ADD, BPF_REG_2, BPF_REG_1);
	bpf_store(c, BPF_DW, BPF_REG_10, S_NODE, BPF_REG_2);
	load_any(c, w, keep);
	compare_any(c);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, FILTER_KEEP, keep);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, FILTER_DROP, drop);
	bpf_store(c, BPF_DW, BPF_REG_10, S_AT, BPF_REG_1);
	/* a filter only refers to later comparisons, so this many rounds are enough */
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_ROUND);
	bpf_alui(c, BPF_ADD, BPF_REG_1, 1);
	bpf_store(c, BPF_DW, BPF_REG_10, S_ROUND, BPF_REG_1);
	bpf_jumpi(c, BPF_JLT, BPF_REG_1, FILTER_NODES_MAX, again);
	bpf_bind(c, keep);
	verdict(c, 1);
	bpf_bind(c, drop);
	bpf_movi(c, BPF_REG_1, 1);
	bpf_add_atomic(c, R_FILTER, offsetof(struct bpf_filter_value, dropped), BPF_REG_1);
	verdict(c, 0);
}
