// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of sort keys and columns. A new one is a row here, and if it shows a number of samples
 * that no other column shows, a line above the table that says which. How it compares rows is one
 * of the functions of columns-internal.h; how it writes cells is one of those of report/cells.h.
 */
#include "columns/columns-internal.h"

#include <strings.h>

#include "base/units.h"
#include "columns/columns.h"
#include "hist/hist.h"
#include "report/cells.h"
#include "wire/data-src.h"
#include "wire/event.h"

#define VALUE(what) .key = what, .wide = true
#define NUMBER(name) .key = KEY_NUMBER, .number = number_##name, .wide = true
/* FEW() is a NUMBER() with few different values, each of which is kept once. */
#define FEW(name) NUMBER(name), .few = true
#define ADDRESS(what) NEED_ADDRS, .key = what, .wide = true
#define SUM .metric = true
#define MODE(what) .metric = true, .mode = what, .rank = rank_mode, .format = format_mode
#define LATENCY(what) NEED_LATENCY, KEY_PARALLELISM, MODE(what)
#define TEXT .shortens = true, .rank = rank_text, .measure = measure_text, .format = format_text
#define LEFT .whole = true, .of_value = true, .rank = rank_value_down, .format = format_left
#define LEFT_SUM .whole = true, .rank = rank_value_down, .format = format_left_sum
#define FUNCTION .function = true, .raw = true, .shortens = true
#define BRANCH .branch = true
#define MEM .mem = true

/* ---- numbers of samples ---- */

/* A function number_name() that returns a number of the sample @s. */
#define NUMBER_OF(name, value)                                                                     \
	static u64 number_##name(const struct hist_conf *conf, const struct hist_sample *s)        \
	{                                                                                          \
		return value;                                                                      \
	}

NUMBER_OF(socket, s->cpu < conf->nr_sockets_of ? (u64)conf->socket_of[s->cpu] : (u64)-1)
NUMBER_OF(cgroup, s->sample->cgroup)
NUMBER_OF(weight, s->sample->weight)
NUMBER_OF(ins_lat, s->sample->ins_lat)
NUMBER_OF(p_stage_cyc, conf->cols.stages ? s->sample->p_stage_cyc : 0)
NUMBER_OF(retire_lat, s->sample->p_stage_cyc)
NUMBER_OF(transaction, s->sample->transaction)
NUMBER_OF(time, s->time / conf->time_quantum * conf->time_quantum)
NUMBER_OF(code_page_size, s->sample->code_page_size)
NUMBER_OF(tgid, s->pid)
NUMBER_OF(level, DATA_SRC_LEVEL & s->sample->data_src)
NUMBER_OF(snoop, DATA_SRC_SNOOP & s->sample->data_src)
NUMBER_OF(tlb, DATA_SRC_TLB & s->sample->data_src)
NUMBER_OF(lock, DATA_SRC_LOCK & s->sample->data_src)
NUMBER_OF(blocked, DATA_SRC_BLOCKED & s->sample->data_src)
NUMBER_OF(phys, s->sample->phys_addr)
NUMBER_OF(data_page_size, s->sample->data_page_size)

/* ---- the table ---- */

static const struct hist_column table[] = {
	/* ---- sums ---- */
	{ "overhead", "Overhead", SUM, .rank = rank_period, .format = format_share },
	{ "overhead_children", "Children", SUM, .children = true, .rank = rank_acc,
	  .format = format_acc },
	{ "overhead_sys", "sys", NEED_MODES, MODE(MODE_SYS), .width = 8 },
	{ "overhead_us", "usr", NEED_MODES, MODE(MODE_USER), .width = 8 },
	{ "overhead_guest_sys", "guest sys", NEED_MODES, MODE(MODE_GUEST_SYS) },
	{ "overhead_guest_us", "guest usr", NEED_MODES, MODE(MODE_GUEST_USER) },
	{ "latency", "Latency", LATENCY(MODE_LATENCY), .width = 8 },
	{ "latency_children", "Children Latency", LATENCY(MODE_ACC_LATENCY) },
	{ "sample", "     Samples", SUM, .rank = rank_nr, .format = format_nr },
	{ "period", "      Period", SUM, .rank = rank_period, .format = format_sum },

	/* ---- who, where, and the branches of branch stacks ---- */
	{ "pid", "    Pid:Command", NEED_THREAD, .shortens = true, .whole = true, .rank = rank_tid,
	  .measure = measure_tid, .measured = measured_thread, .format = format_tid },
	{ "comm", "Command", NEED_COMM, .shortens = true, .rank = rank_comm,
	  .measure = measure_comm, .measured = measured_thread, .format = format_comm },
	{ "dso", "Shared Object", NEED_DSO, .shortens = true, .of_place = true, .rank = rank_dso,
	  .measure = measure_dso, .measured = measured_dso, .format = format_dso },
	{ "symbol", "Symbol", NEED_SYM, FUNCTION, .of_place = true, .rank = rank_sym,
	  .identity = identity_sym, .measure = measure_sym, .format = format_sym },
	{ "cpu", "CPU", NEED_CPU, .width = 3, .whole = true, .rank = rank_cpu,
	  .format = format_cpu },
	{ "dso_from", "Source Shared Object", NEED_DSO_FROM, BRANCH, .shortens = true,
	  .rank = rank_dso_from, .measure = measure_dso_from, .format = format_dso_from },
	{ "dso_to", "Target Shared Object", NEED_DSO, BRANCH, .shortens = true, .rank = rank_dso_to,
	  .measure = measure_dso_to, .format = format_dso },
	{ "symbol_from", "Source Symbol", NEED_SYM_FROM, FUNCTION, BRANCH, .rank = rank_sym_from,
	  .measure = measure_sym_from, .format = format_sym_from },
	{ "symbol_to", "Target Symbol", NEED_SYM, FUNCTION, BRANCH, .rank = rank_place,
	  .measure = measure_sym_to, .format = format_sym_to },
	{ "mispredict", "Branch Mispredicted", NEED_FLAGS, BRANCH,
	  .flag = HIST_MISPRED | HIST_PREDICTED, .rank = rank_flag, .format = format_mispredict },
	{ "in_tx", "Branch in transaction", NEED_FLAGS, BRANCH, .flag = HIST_IN_TX,
	  .rank = rank_flag, .format = format_in_tx },
	{ "abort", "Transaction abort", NEED_FLAGS, BRANCH, .flag = HIST_ABORT, .rank = rank_flag,
	  .format = format_abort },
	{ "cycles", "Basic Block Cycles", NEED_CYCLES, BRANCH, .rank = rank_cycles,
	  .format = format_cycles },
	/* Cycles are known of branch stacks only; this one is for scripts that ask for `symbol`. */
	{ "ipc_null", "IPC   [IPC Coverage]", NEED_SYM, .width = 20, .whole = true,
	  .rank = rank_place, .format = format_ipc },

	/* ---- values that samples carry ---- */
	{ "socket", "Socket", FEW(socket), .whole = true, .rank = rank_value_signed,
	  .format = format_socket },
	{ "local_weight", "Local Weight", FEW(weight), LEFT },
	{ "weight", "Weight", FEW(weight), LEFT_SUM, .width = 12 },
	{ "transaction", "Transaction                ", FEW(transaction), .rank = rank_value_down,
	  .text = transaction_text, .measure = measure_transaction, .format = format_value },
	{ "trace", "Trace output", VALUE(KEY_TRACE), .raw = true, .if_compared = true,
	  .rank = rank_text, .measure = measure_text, .format = format_text_cut },
	{ "cgroup", "Cgroup", FEW(cgroup), .shortens = true, .whole = true, .raw = true,
	  .rank = rank_value, .measure = measure_cgroup, .format = format_cgroup },
	{ "time", "Time", NUMBER(time), .width = 12, .raw = true, .rank = rank_value,
	  .measure = measure_time, .format = format_time },
	{ "code_page_size", "Code Page Size", FEW(code_page_size), .whole = true,
	  .rank = rank_value, .text = page_size_text, .format = format_value },
	{ "local_ins_lat", "Local INSTR Latency", FEW(ins_lat), LEFT },
	{ "ins_lat", "INSTR Latency", FEW(ins_lat), LEFT_SUM },
	{ "local_p_stage_cyc", "Local Pipeline Stage Cycle", FEW(p_stage_cyc), LEFT,
	  .stages = true },
	{ "p_stage_cyc", "Pipeline Stage Cycle", FEW(p_stage_cyc), LEFT_SUM, .stages = true },
	{ "local_retire_lat", "Local Retire Latency", FEW(retire_lat), LEFT },
	{ "retire_lat", "Retire Latency", FEW(retire_lat), LEFT_SUM },
	{ "parallelism", "Parallelism", NEED_PARALLELISM, VALUE(KEY_PARALLELISM), .whole = true,
	  .rank = rank_value_down, .format = format_right },
	{ "addr", "Address", VALUE(KEY_IP), .whole = true, .width = 18, .rank = rank_value_signed,
	  .format = format_addr },

	/* ---- more of where a sample was, and of whom ---- */
	{ "parent", "Parent symbol", NEED_PARENT, VALUE(KEY_PARENT), .shortens = true,
	  .rank = rank_parent, .measure = measure_parent, .format = format_parent },
	{ "srcline", "Source:Line", ADDRESS(KEY_SRCLINE), TEXT, .raw = true },
	{ "srcfile", "Source File", ADDRESS(KEY_SRCFILE), TEXT, .raw = true },
	{ "symbol_size", "Symbol size", ADDRESS(KEY_SYM_SIZE), .whole = true, .rank = rank_value,
	  .format = format_size },
	{ "dso_size", "DSO size", ADDRESS(KEY_DSO_SIZE), .whole = true, .rank = rank_value,
	  .format = format_size },
	{ "symoff", "Symbol Offset", ADDRESS(KEY_SYM_OFF), .shortens = true, .raw = true,
	  .rank = rank_address, .measure = measure_symoff, .format = format_symoff },
	{ "type", "Data Type", ADDRESS(KEY_TYPE), TEXT, .raw = true },
	{ "typeoff", "Data Type Offset", ADDRESS(KEY_TYPE_OFF), TEXT, .raw = true },
	{ "typecln", "Data Type Cacheline", ADDRESS(KEY_TYPE_LINE), TEXT, .raw = true },
	{ "cgroup_id", "cgroup id (dev/inode)", VALUE(KEY_CGROUP_ID), .whole = true, .raw = true,
	  .rank = rank_text_down, .measure = measure_text, .format = format_text },
	{ "tgid", "   Tgid:Command", FEW(tgid), .shortens = true, .whole = true, .rank = rank_tgid,
	  .measure = measure_tgid, .format = format_tgid },
	{ "comm_nodigit", "Command", VALUE(KEY_COMM_KIND), TEXT },
	{ "srcline_from", "From Source:Line", ADDRESS(KEY_SRCLINE_FROM), BRANCH, TEXT },
	{ "srcline_to", "To Source:Line", ADDRESS(KEY_SRCLINE_TO), BRANCH, TEXT },
	{ "addr_from", "Source Address", ADDRESS(KEY_ADDR_FROM), FUNCTION, BRANCH, .whole = true,
	  .rank = rank_branch_end, .measure = measure_branch_end, .format = format_branch_end },
	{ "addr_to", "Target Address", ADDRESS(KEY_ADDR_TO), FUNCTION, BRANCH, .whole = true,
	  .rank = rank_branch_end, .measure = measure_branch_end, .format = format_branch_end },

	/* ---- memory accesses ---- */
	{ "symbol_daddr", "Data Symbol", ADDRESS(KEY_DATA), FUNCTION, MEM, .whole = true,
	  .rank = rank_address, .measure = measure_data, .format = format_data },
	{ "dso_daddr", "Data Object", ADDRESS(KEY_DATA_DSO), MEM, .shortens = true,
	  .rank = rank_data_dso, .measure = measure_data_dso, .format = format_data_dso },
	{ "locked", "Locked", FEW(lock), MEM, .raw = true, .rank = rank_value,
	  .text = data_src_lock, .format = format_value },
	{ "tlb", "TLB access", FEW(tlb), MEM, .width = 22, .whole = true, .rank = rank_value,
	  .text = data_src_tlb, .format = format_value },
	{ "mem", "Memory access", FEW(level), MEM, .width = 24, .whole = true, .rank = rank_level,
	  .text = data_src_level, .format = format_value },
	{ "snoop", "Snoop", FEW(snoop), MEM, .width = 12, .whole = true, .rank = rank_snoop,
	  .text = data_src_snoop, .format = format_value },
	{ "dcacheline", "Data Cacheline", ADDRESS(KEY_DATA_LINE), MEM, .shortens = true,
	  .whole = true, .raw = true, .rank = rank_value, .measure = measure_line,
	  .format = format_line },
	{ "symbol_iaddr", "Code Symbol", ADDRESS(KEY_INSTR), FUNCTION, MEM, .rank = rank_address,
	  .measure = measure_data, .format = format_instr },
	{ "phys_daddr", "Data Physical Address", NUMBER(phys), MEM, .width = 22,
	  .rank = rank_value_signed, .format = format_phys },
	{ "data_page_size", "Data Page Size", FEW(data_page_size), MEM, .whole = true, .width = 22,
	  .rank = rank_value, .text = page_size_text, .format = format_value },
	{ "blocked", "Blocked", FEW(blocked), MEM, .width = 10, .raw = true, .rank = rank_value,
	  .text = data_src_blocked, .format = format_value },
};

_Static_assert(ARRAY_SIZE(table) <= HIST_MAX_NUMBERS, "each column may have a number of its own");

const struct hist_column *column_at(size_t i)
{
	return i < ARRAY_SIZE(table) ? &table[i] : NULL;
}

const struct hist_column *column_self(void)
{
	static const struct hist_column self = { "overhead",          "Self",
						 .metric = true,      .width = 8,
						 .rank = rank_period, .format = format_share };

	return &self;
}

/* Several names may begin alike: a column that is no sum is meant before one that is. */
const struct hist_column *column_find(const char *name, size_t len)
{
	const struct hist_column *col;

	for (int metric = 0; metric < 2 && len; metric++)
		for (size_t i = 0; (col = column_at(i)); i++)
			if (col->metric == metric && !strncasecmp(col->name, name, len))
				return col;
	return NULL;
}

/* Return what kind of samples a column is of: any, branches, memory accesses. */
static int kind_of(const struct hist_column *col)
{
	return col->branch ? 1 : col->mem ? 2 : 0;
}

void columns_names(struct strbuf *out)
{
	const struct hist_column *col;

	for (int kind = 0; kind < 3; kind++)
		for (size_t i = 0; (col = column_at(i)); i++)
			if (kind_of(col) == kind)
				strbuf_addf(out, "%s%s", out->len ? " " : "", col->name);
}

bool column_of_field(struct hist_column *col, u32 slot, u32 event, const char *name, u16 width,
		     bool measured)
{
	if (slot >= HIST_MAX_FIELDS)
		return false;
	*col = (struct hist_column){
		.name = name,
		.header = name,
		.key = KEY_FIELD + slot,
		.event = event + 1,
		.width = width,
		.right = true,
		.wide = true,
		.rank = rank_text_down,
		.measure = measured ? measure_field : NULL,
		.format = format_field,
	};
	return true;
}
