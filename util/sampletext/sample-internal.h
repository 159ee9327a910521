/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the printers of samples (sample-text.c) and of addresses
 * (sample-place.c). */
#ifndef PERF_SAMPLETEXT_SAMPLE_INTERNAL_H
#define PERF_SAMPLETEXT_SAMPLE_INTERNAL_H

#include "resolve/callchain.h"
#include "sampletext/sample-cache.h"
#include "sampletext/sample-code.h"
#include "sampletext/sample-inline.h"
#include "sampletext/sample-text.h"

struct text_event {
	u64 fields;
	bool chain;  /* its samples show their call chain */
	bool branch; /* its samples are branches */
	bool lbr;    /* branch stacks contain the user part of its chains */
	const struct tf_event *tf;
	char *name; /* owned; "   cpu-clock: " */
	u32 name_len;
};

struct sample_text {
	struct sample_text_conf conf;
	struct text_event *events; /* by evsel idx */
	size_t nr;
	struct callchain_conf chains; /* the source of frames */
	struct srclines *lines;       /* of all writers */
};

struct sample_writer {
	const struct sample_text *st;
	struct sample_cache cache;
	struct tf_printer pr;
	struct sample_times times;
	const struct arch *arch;
	struct callchain_maker chains;
	struct sample_code *code;
	struct sample_inlines *inlines; /* NULL: not requested */
	u32 data_src_width;             /* the widest one so far */
};

/* The role of an address. */
enum place_kind {
	PLACE_NONE,  /* the address of a sample without a call chain */
	PLACE_FRAME, /* in a chain: the place of an interruption, or of a call instruction */
	PLACE_CALL,  /* in a chain: a return address */
};

/** sample_wants_place - tell whether the columns show more of an address than its number. */
bool sample_wants_place(u64 fields);
/**
 * sample_put_place - append an address with its symbol and object. For frames it is the address in
 * the object, for a single sampled address the one in memory.
 */
void sample_put_place(struct sample_writer *w, const struct thread_at *at, u8 cpumode, u64 fields,
		      enum place_kind frame, u64 ip, struct strbuf *out);
/** sample_put_frame - append the line of an entry of a call chain, behind one line for each
 * function that was inlined there. @frame: not zero */
void sample_put_frame(struct sample_writer *w, const struct thread_at *at, u8 cpumode, u64 fields,
		      enum place_kind frame, u64 ip, struct strbuf *out);
/** sample_put_branches - append source, target and flags of each entry of the branch stack. */
void sample_put_branches(struct sample_writer *w, u64 fields, const struct thread_at *at,
			 const struct sample *s, struct strbuf *out);
/** sample_place_verdict - return the PLACE_* conditions that the names at @ip fulfil. */
unsigned int sample_place_verdict(struct sample_writer *w, const struct thread_at *at, u8 cpumode,
				  u64 ip);
/** sample_render_name - the put_name() of a sample_cache whose ctx is a struct sample_text. */
void sample_render_name(const void *ctx, const struct location *l, unsigned int style,
			struct strbuf *out);

#endif
