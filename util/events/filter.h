/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two languages of --filter. On tracepoints it is the kernel's own
 *(Documentation/trace/events.rst of the kernel, section 5), checked here against the event's format
 *so that a mistake is pointed at:
 *
 *	expr  := and { '||' and }
 *	and   := unary { '&&' unary }
 *	unary := '!' unary | '(' expr ')' | FIELD op value
 *	op    := == | != | < | <= | > | >= | & | ~
 *	value := number | '"' text '"' | "'" text "'" | CPUS{list}
 *
 * On all other events it is ours, and looks at samples; a program made of it runs in the kernel
 * (kernel/bpf-filter.h):
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
	size_t at;        /* byte in the filter */
	char text[256];   /* what is wrong there */
	char help[4096];  /* more lines; "" when there are none */
	char remark[256]; /* of a filter that is taken, but will hardly do what was meant; "" */
};

/** filter_error_format - the filter, a caret below the wrong place, the reason. */
void filter_error_format(const struct filter_error *fe, const char *text, struct strbuf *out);

/* --- tracepoints ------------------------------------------------------------- */

/**
 * tracefilter_check - would the kernel take @text as the filter of @ev?
 * What we cannot judge (a function's name, say) passes. Return: 0, perhaps with a remark in @fe;
 * -EINVAL with @fe filled.
 */
int tracefilter_check(const char *text, const struct tf_event *ev, struct filter_error *fe);
/** tracefilter_ops - the operators of a field, separated by blanks; "" when the kernel does not
 * filter on it. */
const char *tracefilter_ops(const struct tf_field *f);
/** tracefilter_type - append its type, with the length of an array. */
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

/* Where a comparison leads: the next one, or the end. */
enum { FILTER_KEEP = 0xfffe, FILTER_DROP = 0xffff };

/* One comparison. @yes and @no are indices of later nodes, or the ends. */
struct filter_node {
	u8 term, op; /* enum filter_term, enum filter_op */
	u8 shift;    /* of FT_DATA_SRC: the field is (value >> shift) & mask, */
	u8 shift2;   /* ... | (value >> shift2 & 3) << 5 when not 0: two fields under one name */
	u16 mask;
	u16 yes, no;
	u64 value;
	char *cgroup; /* owned; of FT_CGROUP: the path whose id is to be the value, else NULL */
};

#define FILTER_NODES_MAX 64

struct sieve {
	struct filter_node *nodes; /* owned; the first is where it starts */
	size_t nr;
};

/** sieve_parse - compile @text. Return: 0 and @f, to be released; -EINVAL with @fe filled. */
int sieve_parse(struct sieve *f, const char *text, struct filter_error *fe);
/** sieve_release - free the contents. */
void sieve_release(struct sieve *f);
/** sieve_types - the PERF_SAMPLE_* bits without which terms of @f have no value. */
u64 sieve_types(const struct sieve *f);
/** filter_term_name - as it is typed: "period". */
const char *filter_term_name(enum filter_term t);

#endif
