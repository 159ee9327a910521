/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BPF programs that are loaded, as the header features BPF_PROG_INFO and BPF_BTF describe them.
 * The data come from bpf(2). A program can be queried only while it is loaded; the data stay
 * afterwards.
 */
#ifndef PERF_BPF_PROG_H
#define PERF_BPF_PROG_H

#include "kernel/synth.h"

struct bpf_thing; /* a program, or the BTF of some; see prog.c */

struct bpf_things {
	struct bpf_thing **v; /* owned, sorted by id */
	size_t nr, cap;
};

struct bpf_progs {
	struct bpf_things progs, btfs;
};

/**
 * bpf_progs_all - add every program that is loaded. Return: 0, or a negative errno such as -EPERM.
 */
int bpf_progs_all(struct bpf_progs *l);
/**
 * bpf_progs_add - add one program, unless it is known. Return: 0, or a negative errno; -ENOENT when
 * it is not loaded any more.
 */
int bpf_progs_add(struct bpf_progs *l, u32 id);
/** bpf_progs_release - free the contents. */
void bpf_progs_release(struct bpf_progs *l);

/** bpf_progs_info - append the body of BPF_PROG_INFO. */
void bpf_progs_info(const struct bpf_progs *l, struct strbuf *out);
/** bpf_progs_btf - append the body of BPF_BTF. */
void bpf_progs_btf(const struct bpf_progs *l, struct strbuf *out);

/**
 * synth_bpf - make a KSYMBOL record for each function of each program, followed by a BPF_EVENT
 * record.
 */
void synth_bpf(struct synth *s, const struct bpf_progs *l);

#endif
