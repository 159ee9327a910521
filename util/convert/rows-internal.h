/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of rows of samples, private to the room. */
#ifndef PERF_CONVERT_ROWS_INTERNAL_H
#define PERF_CONVERT_ROWS_INTERNAL_H

#include "convert/rows-chunk.h"
#include "convert/rows.h"

#include "sampletext/sample-cache.h"
#include "sampletext/sample-code.h"
#include "sampletext/sample-inline.h"
#include "resolve/callchain.h"
#include "arch/arch.h"

/* The source and the form of a value. */
enum row_kind {
	ROW_DEC, /* a number of the sample, at offset .at */
	ROW_SIGNED,
	ROW_HEX,
	ROW_TIME,
	ROW_PID,
	ROW_TID,
	ROW_SYMOFF, /* for the address of the sample */
	ROW_DSOFF,
	ROW_TF_INT, /* a field of the tracepoint */
	ROW_TF_PTR,
	/* The following values may have any length. */
	ROW_COMM,
	ROW_SYM,
	ROW_DSO,
	ROW_TF_STRING,
	ROW_TF_ARRAY,
	ROW_TF_BYTES,
	ROW_TOD,
	ROW_EVENT, /* in text not a step but a part of what stands before the next one */
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
	ROW_BYTES, /* the undecoded data of a tracepoint */
	ROW_FIELDS,
};

struct row_step {
	enum row_kind kind;
	u8 size; /* of a number of the sample, at offset @at */
	u16 at;
	u32 column;                   /* packed: the number of its column */
	u32 name;                     /* packed: of the event */
	const struct tf_field *field; /* for ROW_TF_* */
	char *before;                 /* owned */
	u32 before_len;
};

struct row_event {
	struct row_step *steps; /* owned */
	size_t nr, cap;
	char *end; /* owned: the end of the row */
	u32 end_len;
	size_t room; /* enough for all values of limited length */
	u64 fields;
	unsigned int style; /* style of frames */
	bool place;         /* a step shows the address of the sample */
	bool lbr;           /* branch stacks contain the user part of chains */
	const struct tf_event *tf;
};

/* A column of packed rows. */
struct row_column_type {
	char *name;                 /* owned; UTF-8 */
	enum arrow_type type, item; /* item: of ARROW_LIST */
};

struct rows {
	enum rows_format format;
	struct row_store *store;         /* borrowed; NULL unless packed */
	struct row_column_type *columns; /* owned; of packed rows */
	size_t nr_columns, cap_columns;
	u64 chain_fields; /* what frames have, of any event */
	struct sample_text_conf conf;
	const struct arch *arch;
	struct callchain_conf chains; /* the source of frames */
	struct srclines *lines;       /* of all writers */
	struct row_event *events;     /* by evsel idx */
	size_t nr;
	char *head; /* owned */
};

struct rows_writer {
	const struct rows *r;
	struct sample_cache cache;
	struct sample_code *code;
	struct sample_inlines *inlines; /* NULL: not requested */
	struct strbuf tmp;
	struct row_chunk *chunk; /* packed: the rows that are not in the output yet; or NULL */
	struct strbuf frames;    /* packed: of one chain */
	struct map64 comms;      /* packed: the names of comm ids */
	u32 last_comm, last_comm_name; /* packed: one of them; name 0: none yet */
	struct callchain_maker chains;
	struct sample_times times;
};

/* Styles of the cached text of addresses: a pair of values, or a frame with these parts. */
enum { ROW_CELLS = 1, ROW_FRAME = 8, ROW_FRAME_SYM = 1, ROW_FRAME_OFF = 2, ROW_FRAME_DSO = 4 };

/* The cached text of an address; the texts follow. */
struct row_place {
	/* lengths in bytes: of symbol and object; for a frame, of the text around the offset. In
	 * packed rows they are not lengths, but the names of symbol and object, or ROW_NO_NAME */
	u32 head, tail;
	bool known;  /* for a pair, there is a symbol; for a frame, the offset is shown */
	bool mapped; /* there is an object */
	bool stop;   /* a chain ends here */
};

/* A frame of a packed chain. */
struct packed_frame {
	u64 ip;
	u32 sym, dso; /* names; ROW_NO_NAME: unknown, or not asked for */
	u32 symoff;
	u16 has_symoff, inlined;
};

/* The data of one sample from which values are made. */
struct row_sample {
	const struct row_event *re;
	const struct evsel *e;
	const struct sample *s;
	const struct cached_thread *t;
	const struct cached_place *place; /* NULL unless re->place */
	struct row_place pair;            /* for that address */
};

/** row_text - append a text value: null or nothing when @text is NULL. */
void row_text(enum rows_format format, const char *text, size_t len, struct strbuf *out);
/** row_put_name - the put_name() of the writers' sample_cache. */
void row_put_name(const void *ctx, const struct location *l, unsigned int style,
		  struct strbuf *out);
/** row_put_value - append a value of any length. In packed rows it is text, and nothing where it is
 * null. */
void row_put_value(struct rows_writer *w, const struct row_step *step, const struct row_sample *rs,
		   struct strbuf *out);
/** row_put_frames - append the frames of the sample's call chain: as text, or in packed rows as
 * struct packed_frame. */
void row_put_frames(struct rows_writer *w, const struct row_sample *rs, struct strbuf *out);
/** row_field_data - return the bytes of an array or a text of a tracepoint; NULL: it has none. */
const void *row_field_data(const struct row_step *st, const struct row_sample *rs, size_t *len);
/** row_pack_place - do what row_put_name() does for packed rows. */
void row_pack_place(const struct rows *r, const struct location *l, unsigned int style,
		    struct row_place *pl);
/** row_pack_frame - append a packed frame. */
void row_pack_frame(const struct row_place *pl, u64 ip, u32 symoff, struct strbuf *out);
/** row_pack_inlined - append that of an inlined function. */
void row_pack_inlined(const struct rows *r, const char *name, unsigned int style, u64 ip,
		      u32 symoff, struct strbuf *out);
/** row_pack - add a row to those that are packed; full chunks are appended to @out. */
void row_pack(struct rows_writer *w, const struct row_sample *rs, struct strbuf *out);

#endif
