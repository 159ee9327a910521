/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * I/O of block devices (block/flow.h, block/sums.h) becomes text, cells and JSON:
 *
 *	block_by_parse(&show.by, "task,dev", &err);	as the options come
 *	block_report_run(&show, analysis, &text, &err);
 */
#ifndef PERF_BLOCKTEXT_BLOCKTEXT_H
#define PERF_BLOCKTEXT_BLOCKTEXT_H

#include "analysis/analysis.h"
#include "block/sums.h"
#include "recordopts/verb-args.h"
#include "blocktext/source.h"
#include "codec/table.h"

/* ---- devices ---- */

/* Users name devices, which stand for their partitions, too. It starts zeroed. */
struct block_devices {
	u32 *v; /* owned; numbers as block_dev() */
	size_t nr, cap;
	u32 *disks; /* owned; those that have the partitions which were named */
	size_t nr_disks, cap_disks;
};

/**
 * block_devices_add - add a device by its name ("loop0", "/dev/vda") or number ("7:0").
 * Return: 0, or a negative errno and a sentence.
 */
int block_devices_add(struct block_devices *d, const struct sysroot *sr, const char *name,
		      struct err *err);
/** block_devices_has - tell whether a device is among them, or none was named. */
bool block_devices_has(const struct block_devices *d, u32 dev);
void block_devices_release(struct block_devices *d);

/* ---- the recorder ---- */

/**
 * block_record_args - make the arguments of the recorder. @file: the output; NULL: the recorder's
 * default; @argv: the user's, from the verb on. verb_args_release() frees them.
 */
void block_record_args(struct verb_args *a, const struct block_devices *devices,
		       const struct sysroot *sr, const char *file, int argc, const char **argv);
/** block_record_summary - append how many events of each device there are on each CPU, and how many
 * were dropped. Return: 0, or negative and a sentence, as analysis_run(). */
int block_record_summary(struct analysis *a, struct strbuf *out, struct err *err);

/* ---- the report ---- */

struct block_show {
	u32 by; /* BLOCK_BY_DEV and the like; 0: the whole report */
	enum table_form form;
	const struct block_devices *devices;
	enum block_span span; /* of the histogram and of the heat map */
	bool histogram;
	bool details;        /* sizes, seeks and depths of each device */
	const char *heatmap; /* a file; NULL: none */
};

/** block_by_parse - read "task,dev,op,cgroup,stack". Return: 0, or -EINVAL and a sentence. */
int block_by_parse(u32 *by, const char *words, struct err *err);
/** block_span_parse - read "q2c" and the like. Return: 0, or -EINVAL and a sentence. */
int block_span_parse(enum block_span *span, const char *word, struct err *err);
/** block_by_words, block_span_words - append the words that there are, with blanks between them. */
void block_by_words(struct strbuf *out);
void block_span_words(struct strbuf *out);

/**
 * block_report_run - read the recording and append the report; write the heat map.
 * Return: 0, or a negative errno and a sentence; -ENOENT: the recording lacks what is needed.
 */
int block_report_run(const struct block_show *show, const struct block_source *source,
		     struct strbuf *out, struct err *err);

/* ---- while it happens ---- */

struct block_live;

/** block_live_args - make the arguments that open what @show needs. */
void block_live_args(struct verb_args *a, const struct block_show *show, const struct sysroot *sr);
/** block_live_new - prepare; block_live_free() frees it. @show, @source: borrowed */
struct block_live *block_live_new(const struct block_show *show, const struct block_source *source);
void block_live_free(struct block_live *l);
/** block_live_run - take events until there are no more, and append the report of all of them.
 * Return: 0, or a negative errno and a sentence. */
int block_live_run(struct block_live *l, struct strbuf *out, struct err *err);
/** block_live_put - append what there was since the last call, during block_live_run(). */
void block_live_put(struct block_live *l, struct strbuf *out);

/* ---- files of blktrace ---- */

/** block_to_blktrace - write the events of a recording as such files into a folder, and append a
 * sentence on that. Return: 0, or a negative errno and a sentence. */
int block_to_blktrace(struct analysis *a, const char *dir, struct strbuf *text, struct err *err);

#endif
