/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table tells for what CPUs were idle: it has sums of idle time by the call chain in which the
 * last task before it left the CPU. */
#ifndef PERF_SCHEDTEXT_IDLE_CHAINS_H
#define PERF_SCHEDTEXT_IDLE_CHAINS_H

#include "base/strbuf.h"

struct idle_chains;

/** idle_chains_new - make empty sums; idle_chains_free() frees them. */
struct idle_chains *idle_chains_new(void);
void idle_chains_free(struct idle_chains *ic);
/** idle_chains_begin - a CPU has no task from now on. @chain: the text of the chain; copied */
void idle_chains_begin(struct idle_chains *ic, u32 cpu, const struct strbuf *chain);
/** idle_chains_end - it has one again. @ns: how long it had none */
void idle_chains_end(struct idle_chains *ic, u32 cpu, u64 ns);
/** idle_chains_text - append the sums of each CPU, longest first. @cpus: there are at least so many
 */
void idle_chains_text(const struct idle_chains *ic, u32 cpus, struct strbuf *out);

#endif
