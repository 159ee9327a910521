/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two languages of --filter. For tracepoints it is the kernel's own language
 * (Documentation/trace/events.rst of the kernel, section 5). It is checked here against the format
 * of the event, so that the message can point at a mistake:
 *
 *	expr  := and { '||' and }
 *	and   := unary { '&&' unary }
 *	unary := '!' unary | '(' expr ')' | FIELD op value
 *	op    := == | != | < | <= | > | >= | & | ~
 *	value := number | '"' text '"' | "'" text "'" | CPUS{list}
 *
 * For all other events the language is our own and selects samples. It is compiled to a BPF program
 * that runs in the kernel (bpf/filter.h):
 *
 *	list  := or { ',' or }                                 all of them
 *	or    := and { '||' and }
 *	and   := unary { '&&' unary }
 *	unary := '!' unary | '(' list ')' | TERM op value
 *	op    := == | != | < | <= | > | >= | &
 *	value := number | a name that TERM knows | /path of a cgroup
 */
#ifndef PERF_EVENTS_FILTER_H
#define PERF_EVENTS_FILTER_H

#include "base/err.h"
#include "base/strbuf.h"
#include "tracefmt/tracefmt.h"

struct filter_error {
	size_t at;        /* offset in the filter */
	char text[256];   /* what is wrong there */
	char help[4096];  /* more lines; "" when there are none */
	char remark[256]; /* a warning about an accepted filter that hardly does what was meant; or
			     "" */
};

/** filter_error_format - append the filter, a caret below the fault, and the reason. */
void filter_error_format(const struct filter_error *fe, const char *text, struct strbuf *out);

/* --- tracepoints ------------------------------------------------------------- */

/**
 * tracefilter_check - check whether the kernel would accept @text as the filter of @ev. Parts that
 * cannot be checked here, such as the name of a function, are accepted.
 * Return: 0, perhaps with a remark in @fe; -EINVAL with the error in @fe.
 */
int tracefilter_check(const char *text, const struct tf_event *ev, struct filter_error *fe);
/**
 * tracefilter_ops - return the operators that a field allows, separated by blanks; "" when the
 * kernel cannot filter by it.
 */
const char *tracefilter_ops(const struct tf_field *f);
/** tracefilter_type - append the type of a field, with the length of an array. */
void tracefilter_type(const struct tf_field *f, struct strbuf *out);

/* --- samples ----------------------------------------------------------------- */

enum filter_term {
	FT_IP,
	FT_ID,
	FT_TID,
	FT_PID,
	FT_CPU,
	FT_TIME,
	FT_ADDR,
	FT_PERIOD,
	FT_TXN,
	FT_WEIGHT,
	FT_WEIGHT1,
	FT_WEIGHT2,
	FT_WEIGHT3,
	FT_PHYS_ADDR,
	FT_CODE_PGSZ,
	FT_DATA_PGSZ,
	FT_DATA_SRC, /* with shift and mask */
	FT_UID,
	FT_GID,
	FT_CGROUP,
	FT_NR
};

enum filter_op { FO_EQ, FO_NE, FO_GT, FO_GE, FO_LT, FO_LE, FO_AND };

/* Targets of a comparison that end the filter. */
enum { FILTER_KEEP = 0xfffe, FILTER_DROP = 0xffff };

/* One comparison. @yes and @no are indices of later nodes, FILTER_KEEP or FILTER_DROP. */
struct filter_node {
	u8 term, op; /* enum filter_term, enum filter_op */
	u8 shift;    /* for FT_DATA_SRC: the field is (value >> shift) & mask, */
	u8 shift2;   /* and if not 0, | (value >> shift2 & 3) << 5: two fields with one name */
	u16 mask;
	u16 yes, no;
	u64 value;
	char *cgroup; /* owned; for FT_CGROUP, the path whose id becomes the value; else NULL */
};

#define FILTER_NODES_MAX 64

struct compiled_filter {
	struct filter_node *nodes; /* owned; evaluation starts with the first */
	size_t nr;
};

/**
 * compiled_filter_parse - compile @text. Return: 0 and @f, which compiled_filter_release() frees;
 * -EINVAL with the error in @fe.
 */
int compiled_filter_parse(struct compiled_filter *f, const char *text, struct filter_error *fe);
/** compiled_filter_release - free the nodes. */
void compiled_filter_release(struct compiled_filter *f);
/** compiled_filter_types - return the PERF_SAMPLE_* bits that the terms of @f need. */
u64 compiled_filter_types(const struct compiled_filter *f);
/** filter_term_name - return the name of a term as it is typed, such as "period". */
const char *filter_term_name(enum filter_term t);

#endif
