/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Printers of single header features, private to the room. Each stops where its bytes end. */
#ifndef PERF_DUMP_HEADER_INTERNAL_H
#define PERF_DUMP_HEADER_INTERNAL_H

#include "base/cur.h"
#include "dump/header-text.h"

/** put_cpu_topology - append CPU_TOPOLOGY. @nr_cpus: NRCPUS of the same header, 0 when unknown */
void put_cpu_topology(struct cur *c, u32 nr_cpus, struct strbuf *out);
/** put_numa - append NUMA_TOPOLOGY. */
void put_numa(struct cur *c, struct strbuf *out);
/** put_caches - append CACHE. */
void put_caches(struct cur *c, struct strbuf *out);
/** put_memory - append MEM_TOPOLOGY. */
void put_memory(struct cur *c, struct strbuf *out);
/** put_hybrid - append HYBRID_TOPOLOGY. */
void put_hybrid(struct cur *c, struct strbuf *out);
/** put_cpu_domains - append CPU_DOMAIN_INFO. */
void put_cpu_domains(const struct env *env, struct strbuf *out);
/**
 * put_bpf_programs - append BPF_PROG_INFO. @btf: the body of BPF_BTF, which has the names of
 * functions
 */
void put_bpf_programs(const struct cur *info, const struct cur *btf, struct strbuf *out);
/** put_btf - append the list of BTF objects in BPF_BTF. */
void put_btf(struct cur *c, struct strbuf *out);

#endif
