/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of samples; private to the room. */
#ifndef PERF_CONVERT_ROWS_INTERNAL_H
#define PERF_CONVERT_ROWS_INTERNAL_H

#include "convert/rows.h"

#include "sampletext/sample-cache.h"
#include "sampletext/sample-code.h"
#include "sampletext/sample-inline.h"
#include "resolve/callchain.h"
#include "arch/arch.h"

/* How a value is found and written. */
enum row_kind {
	ROW_DEC, /* a number of the sample, at .at in it */
	ROW_SIGNED,
	ROW_HEX,
	ROW_TIME,
	ROW_PID,
	ROW_TID,
	ROW_SYMOFF, /* of the place of the sample */
	ROW_DSOFF,
	ROW_TF_INT, /* a field of the payload */
	ROW_TF_PTR,
	/* From here on of any length. */
	ROW_COMM,
	ROW_SYM,
	ROW_DSO,
	ROW_TF_STRING,
	ROW_TF_ARRAY,
	ROW_TF_BYTES,
	ROW_TOD,
	ROW_EVENT, /* not a step: part of the text before the next */
	ROW_CGROUP,
	ROW_DATA_SRC,
	ROW_MACHINE_PID,
	ROW_VCPU,
	ROW_SRCLINE,
	ROW_INSN,
	ROW_INSNLEN,
	ROW_DISASM,
	ROW_IREGS,
	ROW_UREGS,
	ROW_BRANCHES,
	ROW_CHAIN,
	ROW_BYTES, /* the payload as it is */
	ROW_FIELDS,
};

struct row_step {
	enum row_kind kind;
	u8 size; /* of a number of the sample, at @at in it */
	u16 at;
	const struct tf_field *field; /* of ROW_TF_* */
	char *before;                 /* owned */
	u32 before_len;
};

struct row_event {
	struct row_step *steps; /* owned */
	size_t nr, cap;
	char *end; /* owned: what ends the row */
	u32 end_len;
	size_t room; /* enough for all that is of limited length */
	u64 fields;
	unsigned int style; /* of frames */
	bool place;         /* some step shows where the sample was */
	bool lbr;           /* the user part of chains is in branch stacks */
	const struct tf_event *tf;
};

struct rows {
	enum rows_format format;
	struct sample_text_conf conf;
	const struct arch *arch;
	struct leaf_callers *leaves;  /* owned; NULL: chains lack none */
	struct callchain_conf chains; /* where frames come from */
	struct row_event *events;     /* by evsel idx */
	size_t nr;
	char *head; /* owned */
};

struct rows_writer {
	const struct rows *r;
	struct sample_cache cache;
	struct sample_code *code;
	struct sample_inlines *inlines; /* NULL: not asked for */
	struct strbuf tmp;
	struct callchain_maker chains;
	struct sample_times times;
};

/* Styles of what is kept rendered of places: a pair of values, or a frame that shows these. */
enum { ROW_CELLS = 1, ROW_FRAME = 8, ROW_FRAME_SYM = 1, ROW_FRAME_OFF = 2, ROW_FRAME_DSO = 4 };

/* What a place is rendered to; the texts follow. */
struct row_place {
	u32 head, tail; /* bytes: symbol and object; of a frame what is around the offset */
	bool known;     /* of a pair: there is a symbol. Of a frame: the offset goes in between */
	bool mapped;    /* there is an object */
	bool stop;      /* a chain ends here */
};

/* Everything about one sample that values are made from. */
struct row_sample {
	const struct row_event *re;
	const struct evsel *e;
	const struct sample *s;
	const struct cached_thread *t;
	const struct cached_place *place; /* NULL unless re->place */
	struct row_place pair;            /* of that place */
};

/** row_text - append a value that is text: null or nothing when @text is NULL. */
void row_text(enum rows_format format, const char *text, size_t len, struct strbuf *out);
/** row_put_name - sample_cache.put_name of the writers. */
void row_put_name(const void *ctx, const struct location *l, unsigned int style,
		  struct strbuf *out);
/** row_put_value - append a value of any length. */
void row_put_value(struct rows_writer *w, const struct row_step *step, const struct row_sample *rs,
		   struct strbuf *out);

#endif
