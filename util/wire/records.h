/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decoded bodies of records, one struct for each kind. Their layouts are the tables of
 * wire/fields.c, which decoding, encoding and conversion of the byte order share.
 *
 * Pointers point into the record and may have any alignment. Strings are checked to be terminated,
 * and counts to fit. wire/event.h includes this header.
 */
#ifndef PERF_WIRE_RECORDS_H
#define PERF_WIRE_RECORDS_H

#include "base/compat.h"

#include <linux/perf_event.h>

struct wire_layout;

/* ---- written by the kernel ---- */

struct rec_mmap { /* MMAP, MMAP2 */
	u32 pid, tid;
	u64 start, len, pgoff;
	u32 maj, min;
	u64 ino, ino_generation;
	u32 prot, flags; /* 0 for MMAP; prot has PROT_EXEC set unless misc says MMAP_DATA */
	u8 build_id[20];
	u8 build_id_size; /* 0 when the record has none; never above 20, because the kernel cuts
			     longer ones */
	const char *filename;
};
struct rec_comm {
	u32 pid, tid;
	bool exec; /* PERF_RECORD_MISC_COMM_EXEC */
	const char *comm;
};
struct rec_task { /* FORK, EXIT */
	u32 pid, ppid, tid, ptid;
	u64 time;
};
struct rec_throttle { /* THROTTLE, UNTHROTTLE */
	u64 time, id, stream_id;
};
struct rec_read {
	u32 pid, tid;
	const u64_una *values; /* nr_values words in the event's read_format, which */
	u64 nr_values;         /* wire_read_init() decodes */
};
struct rec_namespaces {
	u32 pid, tid;
	u64 nr;
	const u64_una *links; /* nr x {dev, ino} */
};
struct rec_ksymbol {
	u64 addr;
	u32 len;
	u16 type, flags; /* flags bit 0: unregister */
	const char *name;
};
struct rec_bpf {
	u16 type, flags;
	u32 id;
	const u8 *tag; /* 8 bytes */
};
struct rec_cgroup {
	u64 id;
	const char *path;
};
/* misc bit of LOST_SAMPLES: a BPF filter dropped the samples on request (perf 6.5 and later) */
#define RECORD_MISC_LOST_BPF (1 << 15)
struct rec_lost { /* LOST; LOST_SAMPLES has id 0 */
	u64 id, lost;
};
struct rec_switch {
	bool out, preempt, cpu_wide;
	u32 next_prev_pid, next_prev_tid; /* SWITCH_CPU_WIDE only */
};
struct rec_aux {
	u64 offset, size, flags; /* PERF_AUX_FLAG_* */
};
struct rec_itrace_start {
	u32 pid, tid;
};
struct rec_text_poke {
	u64 addr;
	u16 old_len, new_len;
	const u8 *old_bytes, *new_bytes;
};
struct rec_aux_hw_id {
	u64 hw_id;
};
struct rec_deferred { /* CALLCHAIN_DEFERRED */
	u64 cookie, nr;
	const u64_una *ips; /* nr of them, context markers included */
};

/* ---- written by recorders ---- */

struct rec_attr { /* HEADER_ATTR */
	struct perf_event_attr attr;
	u32 attr_size;       /* size of the attr in the record, at least 64 */
	const u64_una *more; /* words after ATTR_SIZE; when encoding, the rest is zeros */
	u64 nr_more;
	const u64_una *ids;
	u64 nr_ids;
};
struct rec_event_type { /* HEADER_EVENT_TYPE, written by recorders before 3.5 */
	u64 id;
	const char *name;
};
struct rec_tracing_data {
	u32 size; /* bytes after the record */
};
struct rec_build_id { /* HEADER_BUILD_ID; misc holds the cpumode of the object */
	s32 pid;      /* -1: the host's kernel, or any */
	u8 build_id[20];
	u8 build_id_size; /* at most 20 */
	const char *filename;
};
struct rec_id_index {
	u64 nr;
	const u64_una *entries; /* nr x {id, idx, cpu, tid} */
	const u64_una *guests;  /* nr x {machine pid, vcpu}, NULL in records of older recorders */
};
struct rec_auxtrace_info {
	u32 type; /* 1 PT, 2 BTS, 3 CS_ETM, 4 ARM_SPE, 5 S390, 6 HISI_PTT, 7 VPA_DTL */
	const u64_una *priv;
	u64 nr_priv;
};
struct rec_auxtrace {
	u64 size, offset, reference; /* size: bytes after the record */
	u32 idx, tid, cpu;
};
struct rec_auxtrace_error {
	u32 type, code, cpu, pid, tid;
	u32 fmt; /* 0: no time; 1: time; 2: also machine_pid and vcpu */
	u64 ip, time;
	const char *msg;
	u32 machine_pid, vcpu;
};
struct rec_thread_map {
	u64 nr;
	const u8 *entries; /* nr x { u64 pid, 16 bytes comm }: rec_thread_map_entry() */
};
enum { CPU_MAP_CPUS, CPU_MAP_MASK, CPU_MAP_RANGE };
struct rec_cpu_map {
	u16 kind;          /* CPU_MAP_* */
	u16 nr, width;     /* width: bytes of a word of a mask, 4 or 8 */
	const void *words; /* nr u16 CPUs (0xffff: any), or nr words of a mask */
	u8 any;            /* RANGE: "any CPU" comes before the others */
	u16 first, last;   /* RANGE */
};
struct rec_stat_config {
	u64 nr;
	const u64_una *terms; /* nr x {tag, value}: 0 aggr_mode, 1 interval, 2 scale */
};
struct rec_stat {
	u64 id;
	u32 cpu, thread; /* thread is an index into the recorded map; cpu is a CPU number */
	u64 value, enabled, running;
};
enum { STAT_ROUND_INTERVAL, STAT_ROUND_FINAL };
struct rec_stat_round {
	u64 type, time;
};
enum { EVENT_UPDATE_UNIT, EVENT_UPDATE_SCALE, EVENT_UPDATE_NAME, EVENT_UPDATE_CPUS };
struct rec_event_update {
	u64 kind, id;
	const char *text; /* UNIT, NAME */
	double scale;
	struct rec_cpu_map cpus;
};
struct rec_time_conv {
	u64 shift, mult, zero;
	bool has_cycles; /* this is the longer form, which has the following fields */
	u64 cycles, mask;
	u8 cap_zero, cap_short;
};
struct rec_feature { /* HEADER_FEATURE */
	u64 bit;
	const u8 *data; /* contents as in the feature section, in the byte order of the writer */
	u64 size;
};
struct rec_compressed { /* COMPRESSED, COMPRESSED2 */
	const u8 *data;
	u64 size;
};
struct rec_bpf_metadata {
	const char *name;
	u64 name_size; /* bytes of the name field, which follow from the record's size */
	u64 nr;
	const char *entries; /* nr x { 64 bytes key, 256 bytes value }: rec_bpf_metadata_entry() */
};
/*
 * The counters of /proc/schedstat, as Documentation/scheduler/sched-stats.rst of the kernel
 * describes them. They have a meaning only with a @version that schedstat_known() knows.
 */
#define SCHEDSTAT_OLDEST 15
#define SCHEDSTAT_NEWEST 17

struct rec_schedstat_cpu {
	u64 time; /* jiffies since some moment at boot */
	u32 cpu;
	u16 version;
	u32 yld_count, array_exp, sched_count, sched_goidle, ttwu_count, ttwu_local;
	u64 rq_cpu_time, run_delay, pcount;
	const u8 *data; /* of an unknown version: @size bytes in the writer's order */
	u64 size;
};
struct rec_schedstat_domain {
	u64 time; /* jiffies as above */
	u32 cpu;
	u16 version, domain;
	const u32_una *counts; /* @nr of them, in the order of the version, then perhaps zeros */
	u64 nr;
};

/** schedstat_known - tell whether the meaning of the counters of a version is known. */
static inline bool schedstat_known(u32 version)
{
	return version >= SCHEDSTAT_OLDEST && version <= SCHEDSTAT_NEWEST;
}

/* A decoded record of any kind. */
union rec_any {
	struct rec_mmap mmap;
	struct rec_comm comm;
	struct rec_task task;
	struct rec_throttle throttle;
	struct rec_read read;
	struct rec_namespaces namespaces;
	struct rec_ksymbol ksymbol;
	struct rec_bpf bpf;
	struct rec_cgroup cgroup;
	struct rec_lost lost;
	struct rec_switch sw;
	struct rec_aux aux;
	struct rec_itrace_start itrace_start;
	struct rec_text_poke text_poke;
	struct rec_aux_hw_id aux_hw_id;
	struct rec_deferred deferred;
	struct rec_attr attr;
	struct rec_event_type event_type;
	struct rec_tracing_data tracing_data;
	struct rec_build_id build_id;
	struct rec_id_index id_index;
	struct rec_auxtrace_info auxtrace_info;
	struct rec_auxtrace auxtrace;
	struct rec_auxtrace_error auxtrace_error;
	struct rec_thread_map thread_map;
	struct rec_cpu_map cpu_map;
	struct rec_stat_config stat_config;
	struct rec_stat stat;
	struct rec_stat_round stat_round;
	struct rec_event_update event_update;
	struct rec_time_conv time_conv;
	struct rec_feature feature;
	struct rec_compressed compressed;
	struct rec_bpf_metadata bpf_metadata;
	struct rec_schedstat_cpu schedstat_cpu;
	struct rec_schedstat_domain schedstat_domain;
};

/**
 * rec_decode - decode the body of any record except SAMPLE. The type in the header says which
 * member of @out is set.
 * @l: the layout of its event, needed for READ, whose values reach up to the trailer; NULL:
 *	no trailer
 * @size: available bytes, header included
 * Return: 0; -EINVAL when the record is malformed; -ENOENT for a type without a decoded body
 * (SAMPLE, FINISHED_ROUND, FINISHED_INIT and unknown types).
 */
int rec_decode(const struct wire_layout *l, const void *rec, size_t size, union rec_any *out);

/* These functions do what rec_decode() does, each for one kind; the type in the header has to be of
 * that kind. Each returns 0 or -EINVAL. */
int rec_mmap_decode(const void *rec, size_t size, struct rec_mmap *out);
int rec_comm_decode(const void *rec, size_t size, struct rec_comm *out);
int rec_task_decode(const void *rec, size_t size, struct rec_task *out);
int rec_read_decode(const struct wire_layout *l, const void *rec, size_t size,
		    struct rec_read *out);
int rec_namespaces_decode(const void *rec, size_t size, struct rec_namespaces *out);
int rec_ksymbol_decode(const void *rec, size_t size, struct rec_ksymbol *out);
int rec_bpf_decode(const void *rec, size_t size, struct rec_bpf *out);
int rec_cgroup_decode(const void *rec, size_t size, struct rec_cgroup *out);
int rec_lost_decode(const void *rec, size_t size, struct rec_lost *out);
int rec_switch_decode(const void *rec, size_t size, struct rec_switch *out);
int rec_aux_decode(const void *rec, size_t size, struct rec_aux *out);
int rec_itrace_start_decode(const void *rec, size_t size, struct rec_itrace_start *out);
int rec_text_poke_decode(const void *rec, size_t size, struct rec_text_poke *out);
int rec_aux_hw_id_decode(const void *rec, size_t size, struct rec_aux_hw_id *out);
int rec_deferred_decode(const void *rec, size_t size, struct rec_deferred *out);
int rec_attr_decode(const void *rec, size_t size, struct rec_attr *out);
int rec_id_index_decode(const void *rec, size_t size, struct rec_id_index *out);
int rec_auxtrace_info_decode(const void *rec, size_t size, struct rec_auxtrace_info *out);
int rec_auxtrace_decode(const void *rec, size_t size, struct rec_auxtrace *out);
int rec_auxtrace_error_decode(const void *rec, size_t size, struct rec_auxtrace_error *out);
int rec_thread_map_decode(const void *rec, size_t size, struct rec_thread_map *out);
int rec_cpu_map_decode(const void *rec, size_t size, struct rec_cpu_map *out);
int rec_stat_config_decode(const void *rec, size_t size, struct rec_stat_config *out);
int rec_stat_decode(const void *rec, size_t size, struct rec_stat *out);
int rec_stat_round_decode(const void *rec, size_t size, struct rec_stat_round *out);
int rec_event_update_decode(const void *rec, size_t size, struct rec_event_update *out);
int rec_time_conv_decode(const void *rec, size_t size, struct rec_time_conv *out);
int rec_bpf_metadata_decode(const void *rec, size_t size, struct rec_bpf_metadata *out);
int rec_schedstat_cpu_decode(const void *rec, size_t size, struct rec_schedstat_cpu *out);
int rec_schedstat_domain_decode(const void *rec, size_t size, struct rec_schedstat_domain *out);

/**
 * rec_thread_map_entry - return the pid of entry @i. @comm receives its name: 16 bytes, perhaps
 * without a terminator.
 */
u64 rec_thread_map_entry(const struct rec_thread_map *m, u64 i, const char **comm);

/**
 * rec_bpf_metadata_entry - store the @i-th pair: a @key of 64 and a @value of 256 bytes, perhaps
 * without terminators.
 */
void rec_bpf_metadata_entry(const struct rec_bpf_metadata *m, u64 i, const char **key,
			    const char **value);

/**
 * rec_cpu_map_next - iterate over the CPUs of a map, in its order, starting with *@pos = 0.
 * Return: false at the end; otherwise @cpu is a CPU, or -1 for "any".
 */
bool rec_cpu_map_next(const struct rec_cpu_map *m, u32 *pos, s32 *cpu);

/* ---- the words of a read ---- */

/* The counts of a sample's READ field or of a READ record. */
struct wire_read {
	u64 format; /* PERF_FORMAT_* */
	u64 enabled, running;
	u64 nr; /* number of events; 1 unless GROUP */
	const u64_una *values;
};

/**
 * wire_read_init - prepare to read @size bytes at @p, which have the layout @format. Nothing is
 * copied.
 * Return: 0, or -EINVAL when there are too few bytes.
 */
int wire_read_init(struct wire_read *r, u64 format, const void *p, size_t size);

/**
 * wire_read_value - return the count of the @i-th event and store its id and its lost samples,
 * which are 0 when the format lacks them.
 */
u64 wire_read_value(const struct wire_read *r, u64 i, u64 *id, u64 *lost);

#endif
