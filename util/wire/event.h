/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The binary form of perf events: attributes, records and samples. All functions are pure functions
 * on memory.
 *
 * Sources of the layouts: linux/perf_event.h (kernel records 1-22, sample fields) and
 * Documentation/format/perf.data.md (user records from 64).
 *
 * Byte order: everything here works on *native* bytes. record_swap() converts the records of
 * foreign files one by one, in place, before they are decoded.
 */
#ifndef PERF_WIRE_EVENT_H
#define PERF_WIRE_EVENT_H

#include "base/compat.h"
#include "base/err.h"
#include "wire/records.h"

#include <errno.h>
#include <linux/perf_event.h>

/* The size of an attr that uses no newer fields. Later kernels append words of 64 bits, the first
 * of which is config3; these words are called "more" of an attr. */
#define ATTR_SIZE PERF_ATTR_SIZE_VER7

/* Definitions that an older UAPI header may lack. */
#ifndef PERF_ATTR_SIZE_VER8
#define PERF_ATTR_SIZE_VER8 136 /* config3 */
#endif
#define PERF_RECORD_CALLCHAIN_DEFERRED_ 22
#define PERF_SAMPLE_BRANCH_COUNTERS_ (1ULL << 19)
/* The user part of the call chain comes in a later record; a cookie follows and ends the chain. */
#define PERF_CONTEXT_USER_DEFERRED_ ((u64)-640)
/* Bits of the word of flags in an attr, from the least significant on where bit-fields begin there.
 */
#define ATTR_DEFER_CALLCHAIN (1ULL << 38) /* user parts of chains come later: defer_callchain */
#define ATTR_DEFER_OUTPUT (1ULL << 39)    /* its ring gets them: defer_output */
#define PERF_RECORD_KERNEL_MAX 23

/* Records that user space writes (types 64 to 86). */
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

/* A record in a file may stand at any address, so its header is read through this type. */
typedef struct perf_event_header wire_header __attribute__((aligned(1)));

/**
 * record_name - return "MMAP2", "SAMPLE", "FINISHED_ROUND" and so on, or NULL for an unknown type.
 */
const char *record_name(u32 type);

/**
 * The layout of the samples and of the sample_id trailers of one event, computed once for each
 * attr. It is plain data and may be copied.
 */
struct wire_layout {
	u64 sample_type, read_format, branch_sample_type;
	u64 period; /* the attr's sample_period, for samples without a period */
	u64 regs_user, regs_intr;
	bool sample_id_all;
	u8 id_size; /* bytes of the sample_id trailer of non-sample records; 0 without sample_id_all
		     */
	/* Byte offsets from the start of a SAMPLE record to its fixed-position fields, -1 when
	 * absent. */
	s16 off_id, off_ip, off_tid, off_time, off_addr, off_stream, off_cpu, off_period;
	s16 off_var; /* first field of variable size, or the end of the fixed ones */
	/* Distances of trailer fields from the end of a non-sample record, 0 when absent. */
	u8 rev_id, rev_time;
	bool has_var;  /* there are fields of variable size, or fields after these */
	bool lone_raw; /* RAW is the only one of them */
};

/** layout_init - derive the layout from an attr of any size in native order. */
void layout_init(struct wire_layout *l, const struct perf_event_attr *attr);

/** The trailer of non-sample records. Fields that the layout lacks are 0, except cpu, time and id,
 * which are -1.
 */
struct sample_id {
	u32 pid, tid;
	u64 time, id, stream_id;
	u32 cpu;
};

struct wire_regs {
	u64 abi, mask;       /* PERF_SAMPLE_REGS_ABI_*; a bit for each register that is present */
	const u64_una *regs; /* hweight64(mask) values within the record; NULL when abi is NONE */
};

/**
 * One decoded sample. Pointers point into the record. Fields that the layout lacks are 0, except
 * cpu, time, id, stream_id, pid and tid, which have all bits set.
 */
struct sample {
	u16 misc;
	u8 cpumode; /* misc & PERF_RECORD_MISC_CPUMODE_MASK */
	u32 pid, tid, cpu;
	u64 ip, time, addr, id, stream_id, period;
	const void *read; /* the undecoded read_format block of read_size bytes; NULL when absent */
	u32 read_size;
	const u64_una *callchain; /* nr_callchain entries, context markers included */
	u64 nr_callchain;
	const void *raw; /* raw_size bytes; NULL when absent */
	u32 raw_size;
	const u64_una *branches; /* nr_branches x {from, to, flags} */
	u64 nr_branches, branch_hw_idx;
	bool has_hw_idx;
	const u64_una *branch_counters; /* nr_branches words; NULL when absent */
	struct wire_regs user_regs, intr_regs;
	const void *user_stack; /* user_stack_dyn valid bytes, may be 0; NULL when absent */
	u64 user_stack_size, user_stack_dyn;
	u64 weight;               /* WEIGHT, or var1_dw of WEIGHT_STRUCT */
	u16 ins_lat, p_stage_cyc; /* var2_w, var3_w of WEIGHT_STRUCT */
	u64 data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	const void *aux;
	u64 aux_size;
};

/**
 * sample_decode - decode a SAMPLE record; the result points into the record.
 * @rec, @size: the record with its header, and the number of its bytes that are available
 * Return: 0, or -EINVAL when a field would reach beyond the end, and then @out is undefined.
 */
int sample_decode(const struct wire_layout *l, const void *rec, size_t size, struct sample *out);

/* The call chain of a sample whose branch stack holds the user part; see sample_lbr_chain(). */
struct lbr_chain {
	u64 *ips; /* owned; release with free() */
	size_t nr, cap;
};

/**
 * sample_lbr_chain - make a call chain of the kernel part of the recorded chain and of the branch
 * stack. With PERF_SAMPLE_BRANCH_CALL_STACK the branch stack consists of the calls that have not
 * returned.
 * Return: false when the recorded chain is already complete.
 */
bool sample_lbr_chain(const struct sample *s, struct lbr_chain *out);

/** chain_is_deferred - tell whether a recorded chain ends with a marker that its user part is
 * deferred, and the cookie of that. */
static inline bool chain_is_deferred(const struct sample *s)
{
	return s->nr_callchain >= 2 &&
	       unlikely(s->callchain[s->nr_callchain - 2] == PERF_CONTEXT_USER_DEFERRED_);
}

/** layout_lbr_chain - tell whether samples of this layout need sample_lbr_chain(). */
static inline bool layout_lbr_chain(const struct wire_layout *l)
{
	return l->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK &&
	       l->sample_type & PERF_SAMPLE_CALLCHAIN && l->sample_type & PERF_SAMPLE_BRANCH_STACK;
}

/**
 * sample_decode_fixed - decode only the fields at fixed offsets; other fields of @s are not
 * touched. It serves readers of millions of samples whose layout has no other fields (!has_var).
 * Return: 0, or -EINVAL when the record is too short.
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
 * sample_decode_flat - do what sample_decode_fixed() does, and decode RAW when that is the only
 * other field (lone_raw).
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
 * record_end - return the bytes of a record up to the end of its trailer.
 * Kernels make KSYMBOL and BPF_EVENT too long when several events receive them (seen in 6.18): the
 * size in the header grows from one event to the next, and bytes without a meaning follow the
 * trailer.
 * @type: of the record, whose header and numbers may be of the other byte order
 */
size_t record_end(const struct wire_layout *l, u32 type, const void *rec, size_t size);

/**
 * sample_id_decode - decode the trailer of a non-sample record.
 * Return: 0, or -EINVAL when the record is too short to have one.
 */
int sample_id_decode(const struct wire_layout *l, const void *rec, size_t size,
		     struct sample_id *out);

/** attr_has - tell whether an attr has any of the flags ATTR_*. */
bool attr_has(const struct perf_event_attr *a, u64 flags);
/** attr_set - set flags ATTR_* in an attr. */
void attr_set(struct perf_event_attr *a, u64 flags);

/**
 * attr_decode - convert an attr of any version and either byte order to the native struct. Unknown
 * bytes at its end are ignored, missing ones are zero.
 * @size: bytes at @p
 */
void attr_decode(struct perf_event_attr *out, const void *p, size_t size, bool swap);
/**
 * attr_config3 - return the first word after ATTR_SIZE, or 0 when the attr is too short to have it.
 */
u64 attr_config3(const void *p, size_t size, bool swap);

/**
 * attr_swap - convert @size bytes of an attr from foreign to native order, in place. The attr may
 * be of any size.
 */
void attr_swap(void *p, size_t size);
/** attr_unswap - convert @size bytes of a native attr to foreign order, in place. */
void attr_unswap(void *p, size_t size);

/**
 * record_swap - convert one record, header included, from foreign to native order, in place.
 * @l: the layout of its event, needed for samples and for the trailers of kernel records;
 *	may be NULL for user records
 * Some bytes keep their order, because other data say what they are: raw tracepoint data, user
 * stacks, AUX data, the body of HEADER_FEATURE after its number, and records of unknown type.
 * Return: 0, or -EINVAL when the record is malformed; the header is native then, the body
 * undefined.
 */
int record_swap(const struct wire_layout *l, void *rec, size_t size);
/** record_unswap - convert one native record to foreign order, for files that keep that order. */
int record_unswap(const struct wire_layout *l, void *rec, size_t size);

/**
 * callchain_mode - return the cpumode of the entries after a context marker in a call chain.
 * Return: PERF_RECORD_MISC_KERNEL, _USER or _HYPERVISOR, or 0 for an unknown marker; the whole
 * chain is then corrupt and means nothing.
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

/* An iteration over the addresses of a call chain. */
struct callchain_walk {
	const u64_una *ips;
	u64 nr, at;
	u32 left;     /* the most addresses that may still be returned */
	u8 mode;      /* cpumode of the last address; at first, that of the sample */
	bool stopped; /* set by the caller, who wants no more addresses; the rest is only checked */
	bool wrong;   /* the chain has an unknown marker and must not be used */
	bool lbr;     /* user addresses of callers are those of the call instructions, not return
			 addresses */
};

/**
 * callchain_next - store the next address in @ip. Return: false at the end; the caller then checks
 * w->wrong.
 */
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

/**
 * callchain_call - tell whether the last address is a return address. The first address after a
 * marker is the place of an interruption instead.
 */
static inline bool callchain_call(const struct callchain_walk *w)
{
	return w->at > 1 && w->ips[w->at - 2] < (u64)PERF_CONTEXT_MAX &&
	       !(w->lbr && w->mode == PERF_RECORD_MISC_USER);
}

#endif
