/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decoded header features of a perf.data file, which say where and how it was recorded. */
#ifndef PERF_FILE_ENV_H
#define PERF_FILE_ENV_H

#include "base/compat.h"

/* This begins what was known when a recording began, which is after its attrs: "PERFEAR2". */
#define EARLY_MAGIC 0x3252414546524550ULL
#define EARLY_HEAD 40 /* bytes before its table: this magic and the bitmap */

/* Feature bits (Documentation/format/perf.data.md). */
enum header_feature {
	HEADER_TRACING_DATA = 1,
	HEADER_BUILD_ID = 2,
	HEADER_HOSTNAME = 3,
	HEADER_OSRELEASE = 4,
	HEADER_VERSION = 5,
	HEADER_ARCH = 6,
	HEADER_NRCPUS = 7,
	HEADER_CPUDESC = 8,
	HEADER_CPUID = 9,
	HEADER_TOTAL_MEM = 10,
	HEADER_CMDLINE = 11,
	HEADER_EVENT_DESC = 12,
	HEADER_CPU_TOPOLOGY = 13,
	HEADER_NUMA_TOPOLOGY = 14,
	HEADER_BRANCH_STACK = 15,
	HEADER_PMU_MAPPINGS = 16,
	HEADER_GROUP_DESC = 17,
	HEADER_AUXTRACE = 18,
	HEADER_STAT = 19,
	HEADER_CACHE = 20,
	HEADER_SAMPLE_TIME = 21,
	HEADER_MEM_TOPOLOGY = 22,
	HEADER_CLOCKID = 23,
	HEADER_DIR_FORMAT = 24,
	HEADER_BPF_PROG_INFO = 25,
	HEADER_BPF_BTF = 26,
	HEADER_COMPRESSED = 27,
	HEADER_CPU_PMU_CAPS = 28,
	HEADER_CLOCK_DATA = 29,
	HEADER_HYBRID_TOPOLOGY = 30,
	HEADER_PMU_CAPS = 31,
	HEADER_CPU_DOMAIN_INFO = 32,
	HEADER_E_MACHINE = 33,
	HEADER_CLN_SIZE = 34,
	HEADER_FEAT_MAX,
	HEADER_FEAT_BITS = 256
};

struct env_build_id {
	u8 id[20];
	u8 size;
	u16 misc;       /* cpumode of the object */
	s32 pid;        /* -1: the host's kernel and user objects */
	char *filename; /* owned */
};

struct env_group {
	char *name; /* owned, may be "" */
	u32 leader_idx, nr_members;
};

/* A scheduling domain of a CPU: the CPUs among which the kernel balances load with it. */
struct env_domain {
	u32 cpu, level;
	char *name; /* owned; such as "MC"; NULL in files of kernels that do not tell it */
	char *mask; /* owned; its CPUs as in /proc/schedstat */
	char *list; /* owned; such as "0-3" */
};

/* The features. Strings are owned; they are NULL when the feature is absent. */
struct env {
	char *hostname, *os_release, *version, *arch, *cpu_desc, *cpuid;
	u32 nr_cpus_avail, nr_cpus_online;
	u64 total_mem;  /* kB */
	char **cmdline; /* owned, nr_cmdline strings */
	u32 nr_cmdline;
	struct env_build_id *build_ids;
	size_t nr_build_ids;
	struct env_group *groups;
	u32 nr_groups;
	u64 sample_first, sample_last; /* SAMPLE_TIME in ns; both 0 when absent */
	u32 clock; /* CLOCK_DATA: the clock of time stamps (clockid_t); all 0 when absent */
	u64 clock_wall, clock_time; /* one moment in ns, on the wall clock and on that clock */
	const void *tracing_data;   /* TRACING_DATA section; it points into the map or to
				       tracing_copy */
	size_t tracing_size;
	s32 *socket_of; /* owned; CPU_TOPOLOGY: the socket of each CPU, -1 if it was offline */
	/* owned; likewise its core and die, 0 where the file does not tell; or NULL */
	s32 *core_of, *die_of;
	u32 nr_socket_of; /* length of each of these */
	s32 *node_of;     /* owned; NUMA_TOPOLOGY: the node of each CPU, or -1 */
	u32 nr_node_of;
	void *tracing_copy;         /* owned; pipes only */
	u32 schedstat_version;      /* CPU_DOMAIN_INFO: of /proc/schedstat; 0 when absent */
	struct env_domain *domains; /* owned; as in the file, by CPU and level */
	u32 nr_domains;
};

/** env_domain_release - free the texts. */
void env_domain_release(struct env_domain *d);
/** env_release - free the contents. */
void env_release(struct env *env);
/** env_socket - return the processor that a CPU is part of; -1: not known, or the CPU was
 * offline. */
static inline s32 env_socket(const struct env *env, u32 cpu)
{
	return cpu < env->nr_socket_of ? env->socket_of[cpu] : -1;
}
/**
 * env_clock_name - return the name of a clockid_t, such as "monotonic"; "not found" when it is
 * unknown.
 */
const char *env_clock_name(u32 id);

#endif
