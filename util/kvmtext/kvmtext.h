/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exits of guests (kvm/kvm.h) become text, in the layout of perf 6.1:
 *
 *	struct kvm_show show = { 0 };
 *	kvm_what_parse(&show, "mmio", &err);
 *	table = kvm_table_new(&show, analysis, NULL, &err);
 *	kvm_table_run(table, &err);
 *	kvm_table_put(table, &text);
 *	kvm_table_free(table);
 */
#ifndef PERF_KVMTEXT_KVMTEXT_H
#define PERF_KVMTEXT_KVMTEXT_H

#include "analysis/analysis.h"
#include "kvm/kvm.h"
#include "recordopts/verb-args.h"

/* Users choose what is shown. Strings are borrowed. */
struct kvm_show {
	enum kvm_what what;
	bool by_time;          /* rows are sorted by their mean time, not by their number */
	const char *vcpu;      /* only this one, as given; NULL: all */
	const char *pids;      /* only these processes; NULL: all */
	unsigned int duration; /* us: what took longer is told at once; 0: nothing is */
	const char *heatmap;   /* a file for the times over time; NULL: none */
	bool verbose;          /* with what could not be counted */
};

/* Each takes a word as given on the command line. Return: 0, or -EINVAL and a sentence. */

/** kvm_what_parse - "vmexit", "mmio", "ioport", "msr" or "hcall". */
int kvm_what_parse(struct kvm_show *s, const char *name, struct err *err);
/** kvm_key_parse - "sample" or "time". */
int kvm_key_parse(struct kvm_show *s, const char *name, struct err *err);

/** kvm_what_words, kvm_key_words - append the words that these are chosen from, with blanks between
 * them. */
void kvm_what_words(struct strbuf *out);
void kvm_key_words(struct strbuf *out);

/* A table is filled while events come. */
struct kvm_table;

/**
 * kvm_table_new - prepare; kvm_table_free() frees it.
 * @s, @a: borrowed
 * @slow: takes a line on each span that took longer than s->duration; may be NULL
 * Return: NULL and a sentence when a value is wrong.
 */
struct kvm_table *kvm_table_new(const struct kvm_show *s, struct analysis *a,
				void (*slow)(const char *line), struct err *err);
void kvm_table_free(struct kvm_table *t);
/** kvm_table_run - read the recording, or follow what happens; write the heat map. Return: 0, or
 * negative and a sentence, as analysis_run(). */
int kvm_table_run(struct kvm_table *t, struct err *err);
/** kvm_table_put - append the table of what there is. */
void kvm_table_put(const struct kvm_table *t, struct strbuf *out);
/** kvm_table_put_notes - append lines on what is missing. */
void kvm_table_put_notes(const struct kvm_table *t, struct strbuf *out);
/** kvm_table_clear - start all sums anew. */
void kvm_table_clear(struct kvm_table *t);

/**
 * kvm_record_args - make the arguments of `record`: the events of guests that this kernel has.
 * @output: the file, unless the user names another one; NULL: that of the recorder; borrowed
 * @argc, @argv: of the verb
 */
void kvm_record_args(struct verb_args *a, const struct sysroot *sr, const char *output, int argc,
		     const char **argv);

#endif
