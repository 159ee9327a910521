/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Printers of single header features; private to the room. Each stops where its bytes end. */
#ifndef PERF_DUMP_HEADER_INTERNAL_H
#define PERF_DUMP_HEADER_INTERNAL_H

#include "base/cur.h"
#include "dump/header-text.h"

/** put_cpu_topology - CPU_TOPOLOGY. @nr_cpus: NRCPUS of the same header, 0 when not known */
void put_cpu_topology(struct cur *c, u32 nr_cpus, struct strbuf *out);
/** put_numa, put_caches, put_memory, put_hybrid - NUMA_TOPOLOGY, CACHE, MEM_TOPOLOGY,
 * HYBRID_TOPOLOGY. */
void put_numa(struct cur *c, struct strbuf *out);
void put_caches(struct cur *c, struct strbuf *out);
void put_memory(struct cur *c, struct strbuf *out);
void put_hybrid(struct cur *c, struct strbuf *out);
/** put_bpf_programs - BPF_PROG_INFO. @btf: the body of BPF_BTF, which names their functions */
void put_bpf_programs(struct cur *c, const struct cur *btf, struct strbuf *out);
/** put_btf - BPF_BTF: which there are. */
void put_btf(struct cur *c, struct strbuf *out);

#endif
