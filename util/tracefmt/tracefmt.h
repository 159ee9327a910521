/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoint formats: what the bytes of a raw tracepoint payload mean.
 *
 * A format description (the text of events/SYSTEM/NAME/format in tracefs) lists the
 * fields of an event and a printf-like print fmt. Both are parsed here; the print fmt is
 * compiled once to a print program, so that printing an event is copying literals and
 * formatting integers. A print fmt that uses what we do not know is reported by
 * tf_event.failed and prints as "[FAILED TO PARSE]" and the plain fields, as perf does.
 *
 * Plugins of libtraceevent, where it is there, print events in their own way, and know functions
 * that print formats call. They are looked for when the first event is printed.
 *
 * Sources: the TRACING_DATA section of a perf.data file (tracefmt_read_section()), single
 * formats (tracefmt_add()), or the running kernel (tracefmt_load()). After that everything
 * is read-only, and may be used from any number of threads.
 */
#ifndef PERF_TRACEFMT_TRACEFMT_H
#define PERF_TRACEFMT_TRACEFMT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

struct tracefmt;
struct tf_prog;
struct tf_expr;
struct te_event;

enum tf_field_flags {
	TF_ARRAY = 1,
	TF_POINTER = 2,
	TF_SIGNED = 4,
	TF_STRING = 8,    /* an array (static or dynamic) of char-sized elements */
	TF_DYNAMIC = 16,  /* __data_loc or __rel_loc: the field holds u32 offset | length << 16 */
	TF_RELATIVE = 32, /* __rel_loc: the offset counts from the end of the field */
	TF_LONG = 64,     /* the type is the machine's long, or a pointer */
};

struct tf_field {
	const char *name, *type; /* owned by the tracefmt */
	u32 offset, size;        /* bytes, in the payload */
	u32 elem_size;           /* bytes of one element of an array; size of a scalar */
	u32 flags;               /* enum tf_field_flags */
};

struct tf_event {
	u32 id;
	const char *system, *name; /* owned by the tracefmt */
	struct tf_field *fields;   /* common fields first */
	u32 nr_fields, nr_common;
	bool failed;     /* the print fmt could not be compiled; a plugin may know better */
	const char *why; /* when failed: what was not understood; owned by the tracefmt */
	/* Private to the room: */
	struct tf_prog *prog;
	struct te_event *te;
	const struct tf_expr *calls; /* of functions that only plugins know */
	const char *text;            /* when there are calls: the format as it was read */
	size_t text_len;
	const struct tracefmt *tf;
};

/**
 * Name of a kernel address, for %pS and its like.
 * @start: receives the address the name stands for
 * Return: the name, borrowed until the next call from the same thread, or NULL.
 */
typedef const char *(*tf_ksym_fn)(void *ctx, u64 addr, u64 *start);

/** tracefmt_new - make an empty set for payloads of that byte order and size of long (4 or 8). Free
 * with tracefmt_free(). */
struct tracefmt *tracefmt_new(bool big_endian, unsigned int long_size);
/** tracefmt_free - free it and all its events; NULL is fine. */
void tracefmt_free(struct tracefmt *tf);

/**
 * tracefmt_read_section - parse the TRACING_DATA section of a perf.data file.
 * Layout: Documentation/format/tracing-data.md. A section that is cut off gives what came before.
 * Return: 0 and *@out, or negative errno when it is no tracing data at all. With 0, @err->code may
 * be set: the section is damaged, the sentence says where.
 */
int tracefmt_read_section(const void *data, size_t size, struct tracefmt **out, struct err *err);

/** tracefmt_add - parse one format text. Return: the event, owned by @tf, or NULL and @err. */
const struct tf_event *tracefmt_add(struct tracefmt *tf, const char *system, const char *text,
				    size_t len, struct err *err);

/** tracefmt_load - read one format from the running kernel's tracefs. Return: as tracefmt_add(). */
const struct tf_event *tracefmt_load(struct tracefmt *tf, const struct sysroot *sr,
				     const char *system, const char *name, struct err *err);

/** tracefmt_printk - add the texts that a kernel has at addresses, as its file printk_formats lists
 * them: lines 0xADDRESS : "TEXT". */
void tracefmt_printk(struct tracefmt *tf, const char *text, size_t size);

/** tracefmt_event - return the event of an id (attr.config of a tracepoint), or NULL. */
const struct tf_event *tracefmt_event(const struct tracefmt *tf, u32 id);
/** tracefmt_find - return the event of that name, or NULL. */
const struct tf_event *tracefmt_find(const struct tracefmt *tf, const char *system,
				     const char *name);
/** tracefmt_nr, tracefmt_at - walk all events. */
size_t tracefmt_nr(const struct tracefmt *tf);
const struct tf_event *tracefmt_at(const struct tracefmt *tf, size_t i);

/** tf_find_field - return a field by name, common ones too; NULL when there is none. */
const struct tf_field *tf_find_field(const struct tf_event *ev, const char *name);
/** tf_field_int - get the value of a scalar field, sign-extended when it is signed; false when it
 * is not inside @raw. */
bool tf_field_int(const struct tf_event *ev, const struct tf_field *f, const void *raw, size_t size,
		  u64 *out);
/** tf_field_data - return the bytes of an array or dynamic field, borrowed from @raw; NULL when not
 * inside it. */
const void *tf_field_data(const struct tf_event *ev, const struct tf_field *f, const void *raw,
			  size_t size, size_t *len);

/** tf_field_element - return the @i-th element of what tf_field_data() gave, sign-extended when
 * signed; the caller has checked that it is inside. 0 when elements are no integers. */
u64 tf_field_element(const struct tf_event *ev, const struct tf_field *f, const void *data,
		     size_t i);

/** tf_field_elements - get the first @nr elements at once, as tf_field_element() gets each. */
void tf_field_elements(const struct tf_event *ev, const struct tf_field *f, const void *data,
		       size_t nr, u64 *out);

/* A value of a field that the print fmt shows as a word. */
struct tf_sym {
	u64 value;
	const char *str; /* not terminated; owned by the tracefmt */
	u32 len;
};

/* The words for the values of one field. */
struct tf_words {
	const struct tf_field *field;
	bool flags;        /* bits, of which several may be set, not whole values */
	const char *delim; /* stands between the words of flags; not terminated */
	u32 delim_len;
	const struct tf_sym *syms;
	u32 nr_syms;
};

/**
 * tf_walk_words - call @fn for each __print_flags() and __print_symbolic() of the print fmt that
 * shows a field, in their order. Nothing is called for a print fmt that could not be compiled.
 */
void tf_walk_words(const struct tf_event *ev, void (*fn)(void *ctx, const struct tf_words *w),
		   void *ctx);

/* The state for printing: names of kernel addresses, and scratch memory. Each thread has its
 * own. */
struct tf_printer {
	tf_ksym_fn ksym; /* may be NULL: addresses stay numbers */
	void *ksym_ctx;
	u32 cpu;           /* of the payload: a plugin indents by what each CPU did before */
	struct strbuf tmp; /* scratch; release with strbuf_release() */
};

/**
 * tf_print - append to @out the text of one payload, as `perf script` shows it (no newline added).
 * Bytes outside of @raw read as zero or as nothing, and never fail.
 */
void tf_print(const struct tf_event *ev, struct tf_printer *pr, const void *raw, size_t size,
	      struct strbuf *out);
/** tf_print_field - append to @out the value of one field: decimal, 0x and hex for pointers and
 * longs without sign, the text of a string, "ARRAY[..]" of bytes. */
void tf_print_field(const struct tf_event *ev, const struct tf_field *f, const void *raw,
		    size_t size, struct strbuf *out);
/**
 * tf_print_field_as - append the value of a field as the text of the event has it behind the
 * field's name: "R+" of a state, "8,0" of a device. A field that is not in it, or only with others,
 * or without its name, as tf_print_field() does.
 */
void tf_print_field_as(const struct tf_event *ev, const struct tf_field *f, struct tf_printer *pr,
		       const void *raw, size_t size, struct strbuf *out);
/** tf_print_element - append the @i-th element of what tf_field_data() gave, as a field of one
 * number is printed; the caller has checked that it is inside. */
void tf_print_element(const struct tf_event *ev, const struct tf_field *f, const void *data,
		      size_t i, struct strbuf *out);
/** tf_print_fields - append all fields but the common ones as "name=value name=value". */
void tf_print_fields(const struct tf_event *ev, const void *raw, size_t size, struct strbuf *out);

#endif
