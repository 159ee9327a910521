/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BPF programs that are loaded: what the header features BPF_PROG_INFO and BPF_BTF say of them,
 * from bpf(2). A program is asked for while it lives; what has been learned stays.
 */
#ifndef PERF_BPF_PROG_H
#define PERF_BPF_PROG_H

#include "kernel/synth.h"

struct bpf_thing; /* a program, or the BTF of some: bpf-prog.c */

struct bpf_things {
	struct bpf_thing **v; /* owned, sorted by id */
	size_t nr, cap;
};

struct bpf_progs {
	struct bpf_things progs, btfs;
};

/** bpf_progs_all - every program there is. Return: 0, -EPERM and the like when we may not know. */
int bpf_progs_all(struct bpf_progs *l);
/** bpf_progs_add - one program, unless it is known already. Return: 0, negative errno: -ENOENT when
 * it is gone. */
int bpf_progs_add(struct bpf_progs *l, u32 id);
/** bpf_progs_release - free the contents. */
void bpf_progs_release(struct bpf_progs *l);

/** bpf_progs_info - append the body of BPF_PROG_INFO. */
void bpf_progs_info(const struct bpf_progs *l, struct strbuf *out);
/** bpf_progs_btf - append the body of BPF_BTF. */
void bpf_progs_btf(const struct bpf_progs *l, struct strbuf *out);

/** synth_bpf - a KSYMBOL record for each function of each program, and a BPF_EVENT behind them. */
void synth_bpf(struct synth *s, const struct bpf_progs *l);

#endif
