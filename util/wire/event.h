/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of perf events: attribute, records, samples. Pure functions on memory.
 *
 * Source of the layouts: linux/perf_event.h (kernel records 1-22, sample fields) and
 * Documentation/format/perf.data.md (user records 64-).
 *
 * Byte order: everything here works on *native* bytes. Foreign files are turned to
 * native order record by record, in place, by record_swap() before they are decoded.
 */
#ifndef PERF_WIRE_EVENT_H
#define PERF_WIRE_EVENT_H

#include "base/compat.h"
#include "base/err.h"
#include "wire/records.h"

#include <errno.h>
#include <linux/perf_event.h>

/* The attr as it is written where nothing newer is asked for. Behind it later kernels have words of
 * 64 bits, the first of them config3: what is called "more" of an attr. */
#define ATTR_SIZE PERF_ATTR_SIZE_VER7

/* What an older UAPI header may lack. */
#ifndef PERF_ATTR_SIZE_VER8
#define PERF_ATTR_SIZE_VER8 136 /* config3 */
#endif
#define PERF_RECORD_CALLCHAIN_DEFERRED_ 22
#define PERF_SAMPLE_BRANCH_COUNTERS_ (1ULL << 19)
/* The user part of a call chain comes later: a cookie follows, then nothing. */
#define PERF_CONTEXT_USER_DEFERRED_ ((u64)-640)
#define PERF_RECORD_KERNEL_MAX 23

/* Records made by user space (perf-versions: user records 64-86). */
enum user_record {
	PERF_RECORD_USER_TYPE_START = 64,
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_HEADER_EVENT_TYPE = 65,
	PERF_RECORD_HEADER_TRACING_DATA = 66,
	PERF_RECORD_HEADER_BUILD_ID = 67,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_ID_INDEX = 69,
	PERF_RECORD_AUXTRACE_INFO = 70,
	PERF_RECORD_AUXTRACE = 71,
	PERF_RECORD_AUXTRACE_ERROR = 72,
	PERF_RECORD_THREAD_MAP = 73,
	PERF_RECORD_CPU_MAP = 74,
	PERF_RECORD_STAT_CONFIG = 75,
	PERF_RECORD_STAT = 76,
	PERF_RECORD_STAT_ROUND = 77,
	PERF_RECORD_EVENT_UPDATE = 78,
	PERF_RECORD_TIME_CONV = 79,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_COMPRESSED = 81,
	PERF_RECORD_FINISHED_INIT = 82,
	PERF_RECORD_COMPRESSED2 = 83,
	PERF_RECORD_BPF_METADATA = 84,
	PERF_RECORD_SCHEDSTAT_CPU = 85,
	PERF_RECORD_SCHEDSTAT_DOMAIN = 86,
	PERF_RECORD_USER_MAX
};

/* A record in a file may stand at any address: its header is read through this. */
typedef struct perf_event_header wire_header __attribute__((aligned(1)));

/** record_name - "MMAP2", "SAMPLE", "FINISHED_ROUND", ... or NULL for an unknown type. */
const char *record_name(u32 type);

/**
 * What is needed to take a sample or a sample_id trailer of one event apart,
 * computed once per attr. Plain data; copy freely.
 */
struct wire_layout {
	u64 sample_type, read_format, branch_sample_type;
	u64 period; /* what a sample counts for when it does not say: the attr's sample_period */
	u64 regs_user, regs_intr;
	bool sample_id_all;
	u8 id_size; /* bytes of the sample_id trailer of non-sample records, 0 without sample_id_all
		     */
	/* Byte offsets from the start of a SAMPLE record to its fixed-position fields, -1 when
	 * absent. */
	s16 off_id, off_ip, off_tid, off_time, off_addr, off_stream, off_cpu, off_period;
	s16 off_var; /* first field of variable size, or the end of the fixed ones */
	/* Distances from the end of a non-sample record back to trailer fields, 0 when absent. */
	u8 rev_id, rev_time;
	bool has_var;  /* any field of variable size, or one that follows them */
	bool lone_raw; /* of those there is RAW and nothing else */
};

/** layout_init - derive the layout from an attr (any size, native order). */
void layout_init(struct wire_layout *l, const struct perf_event_attr *attr);

/** The trailer of non-sample records; fields that the layout lacks: 0, and -1 for cpu, time and id.
 */
struct sample_id {
	u32 pid, tid;
	u64 time, id, stream_id;
	u32 cpu;
};

struct wire_regs {
	u64 abi, mask;       /* PERF_SAMPLE_REGS_ABI_*; bits of the registers present */
	const u64_una *regs; /* hweight64(mask) values in the record, NULL when abi is NONE */
};

/**
 * One decoded sample. Pointers borrow from the record. Fields that the layout lacks
 * are 0, but for cpu, time, id, stream_id, pid and tid: all ones.
 */
struct sample {
	u16 misc;
	u8 cpumode; /* misc & PERF_RECORD_MISC_CPUMODE_MASK */
	u32 pid, tid, cpu;
	u64 ip, time, addr, id, stream_id, period;
	const void *read; /* the raw read_format block, read_size bytes; NULL without */
	u32 read_size;
	const u64_una *callchain; /* nr_callchain entries, context markers included */
	u64 nr_callchain;
	const void *raw; /* raw_size bytes; NULL without */
	u32 raw_size;
	const u64_una *branches; /* nr_branches x {from, to, flags} */
	u64 nr_branches, branch_hw_idx;
	bool has_hw_idx;
	const u64_una *branch_counters; /* nr_branches words, NULL without */
	struct wire_regs user_regs, intr_regs;
	const void *user_stack; /* user_stack_dyn valid bytes, may be 0; NULL without */
	u64 user_stack_size, user_stack_dyn;
	u64 weight;               /* WEIGHT, or var1_dw of WEIGHT_STRUCT */
	u16 ins_lat, p_stage_cyc; /* var2_w, var3_w of WEIGHT_STRUCT */
	u64 data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	const void *aux;
	u64 aux_size;
};

/**
 * sample_decode - take a SAMPLE record apart in place.
 * @rec: the record with its header, @size: bytes of it that are really there
 * Return: 0, or -EINVAL when a field would reach past the end (out is then undefined).
 */
int sample_decode(const struct wire_layout *l, const void *rec, size_t size, struct sample *out);

/* The chain of a sample whose user part is in its branch stack: see sample_lbr_chain(). */
struct lbr_chain {
	u64 *ips; /* owned; release with free() */
	size_t nr, cap;
};

/**
 * sample_lbr_chain - with PERF_SAMPLE_BRANCH_CALL_STACK the branch stack is the calls that have not
 * returned yet. Make the chain of the kernel part of the recorded one and of them.
 * Return: false when the recorded chain is all there is.
 */
bool sample_lbr_chain(const struct sample *s, struct lbr_chain *out);

static inline bool layout_lbr_chain(const struct wire_layout *l)
{
	return l->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK &&
	       l->sample_type & PERF_SAMPLE_CALLCHAIN && l->sample_type & PERF_SAMPLE_BRANCH_STACK;
}

/**
 * sample_decode_fixed - the fields of fixed place only; the others of @s stay as they are.
 * For readers that see millions of samples whose layout has no others (!has_var).
 * Return: 0, or -EINVAL when the record is shorter than them.
 */
static inline int sample_decode_fixed(const struct wire_layout *l, const void *rec, size_t size,
				      struct sample *s)
{
	const u8 *p = rec;

#define WIRE_AT(bits, off) (*(const u##bits##_una *)(p + (off)))
	if (unlikely(size < (size_t)l->off_var))
		return -EINVAL;
	s->misc = WIRE_AT(16, 4);
	s->cpumode = s->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	s->id = l->off_id >= 0 ? WIRE_AT(64, l->off_id) : ~0ULL;
	s->ip = l->off_ip >= 0 ? WIRE_AT(64, l->off_ip) : 0;
	s->pid = l->off_tid >= 0 ? WIRE_AT(32, l->off_tid) : ~0U;
	s->tid = l->off_tid >= 0 ? WIRE_AT(32, l->off_tid + 4) : ~0U;
	s->time = l->off_time >= 0 ? WIRE_AT(64, l->off_time) : ~0ULL;
	s->addr = l->off_addr >= 0 ? WIRE_AT(64, l->off_addr) : 0;
	s->stream_id = l->off_stream >= 0 ? WIRE_AT(64, l->off_stream) : ~0ULL;
	s->cpu = l->off_cpu >= 0 ? WIRE_AT(32, l->off_cpu) : ~0U;
	s->period = l->off_period >= 0 ? WIRE_AT(64, l->off_period) : l->period;
#undef WIRE_AT
	return 0;
}

/**
 * sample_decode_flat - the same, and RAW where that is all a layout has beside them (lone_raw).
 */
static inline int sample_decode_flat(const struct wire_layout *l, const void *rec, size_t size,
				     struct sample *s)
{
	const u8 *raw = (const u8 *)rec + l->off_var;

	if (unlikely(sample_decode_fixed(l, rec, size, s) < 0))
		return -EINVAL;
	s->raw = NULL;
	s->raw_size = 0;
	if (!l->lone_raw)
		return 0;
	size -= (size_t)l->off_var;
	if (unlikely(size < 4 || *(const u32_una *)raw > size - 4))
		return -EINVAL;
	s->raw_size = *(const u32_una *)raw;
	s->raw = raw + 4;
	return 0;
}

/**
 * sample_id_decode - read the trailer of a non-sample record.
 * Return: 0, or -EINVAL when the record is too short to have one.
 */
int sample_id_decode(const struct wire_layout *l, const void *rec, size_t size,
		     struct sample_id *out);

/**
 * attr_decode - an attr of any version, in either byte order, into the native struct.
 * Unknown trailing bytes are ignored, missing ones are zero. @size: bytes at @p.
 */
void attr_decode(struct perf_event_attr *out, const void *p, size_t size, bool swap);
/** attr_config3 - the first word behind ATTR_SIZE; 0 when such an attr does not have it. */
u64 attr_config3(const void *p, size_t size, bool swap);

/** attr_swap - turn @size bytes of a foreign-order attr to native order, in place; short ones are
 * fine. */
void attr_swap(void *p, size_t size);
/** attr_unswap - the way back: @size bytes of a native attr to the foreign order. */
void attr_unswap(void *p, size_t size);

/**
 * record_swap - turn one foreign-order record to native order, in place, header included.
 * @l: layout of the event it belongs to (samples, and the trailer of kernel records); may be NULL
 *     for user records
 * Kept in their order, because something else says what they hold: raw tracepoint payloads, user
 * stacks, AUX bytes, the body of HEADER_FEATURE after its number, and records of unknown type.
 * Return: 0, -EINVAL when it is malformed (the header is native then, the body undefined).
 */
int record_swap(const struct wire_layout *l, void *rec, size_t size);
/** record_unswap - the way back: one native record to the foreign order, for files that keep it. */
int record_unswap(const struct wire_layout *l, void *rec, size_t size);

/**
 * callchain_mode - the cpumode the entries behind a context marker of a call chain have.
 * Return: PERF_RECORD_MISC_KERNEL, _USER or _HYPERVISOR; 0 for a word that is no marker we know:
 * the chain is then corrupt and means nothing as a whole.
 */
static inline u8 callchain_mode(u64 marker)
{
	switch (marker) {
	case (u64)PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case (u64)PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case (u64)PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	default:
		return 0;
	}
}

/* The addresses of a call chain, one after the other. */
struct callchain_walk {
	const u64_una *ips;
	u64 nr, at;
	u32 left;     /* addresses that may still come */
	u8 mode;      /* cpumode of the sample, then of the address that came last */
	bool stopped; /* by the caller: no more are wanted, but what follows can make it wrong */
	bool wrong;   /* there is a marker that nobody knows: no chain rather than a wrong one */
	bool lbr; /* of a user, addresses of callers are those of calls, not those behind them */
};

/** callchain_next - the next address in @ip. Return: false at the end; look at wrong then. */
static inline bool callchain_next(struct callchain_walk *w, u64 *ip)
{
	while (w->at < w->nr && w->left) {
		*ip = w->ips[w->at++];
		if (*ip < (u64)PERF_CONTEXT_MAX) {
			w->left--;
			if (!w->stopped)
				return true;
			continue;
		}
		w->mode = callchain_mode(*ip);
		if (!w->mode) {
			w->wrong = true;
			return false;
		}
	}
	return false;
}

/** callchain_call - is the address that came last the one behind a call? Where code was interrupted
 * is the first behind a marker. */
static inline bool callchain_call(const struct callchain_walk *w)
{
	return w->at > 1 && w->ips[w->at - 2] < (u64)PERF_CONTEXT_MAX &&
	       !(w->lbr && w->mode == PERF_RECORD_MISC_USER);
}

#endif
