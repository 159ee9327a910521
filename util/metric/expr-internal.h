/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of an expression, which its parser and its evaluation share. */
#ifndef PERF_METRIC_EXPR_INTERNAL_H
#define PERF_METRIC_EXPR_INTERNAL_H

#include "metric/expr.h"

enum expr_kind {
	EXPR_NUMBER,
	EXPR_ID,
	EXPR_LITERAL,
	EXPR_SOURCE_COUNT,
	EXPR_HAS_EVENT,
	EXPR_CPUID,
	/* The kinds below have arguments. */
	EXPR_NEG,
	EXPR_ADD,
	EXPR_SUB,
	EXPR_MUL,
	EXPR_DIV,
	EXPR_MOD,
	EXPR_LESS,
	EXPR_GREATER,
	EXPR_AND,
	EXPR_XOR,
	EXPR_OR,
	EXPR_MIN,
	EXPR_MAX,
	EXPR_D_RATIO,
	EXPR_IF, /* condition, then, else */
};

struct expr_node {
	enum expr_kind kind;
	u32 at;           /* offset in the text */
	u32 depth;        /* of the tree below this node */
	u32 id;           /* for EXPR_ID and EXPR_SOURCE_COUNT: index in ids */
	double number;    /* for EXPR_NUMBER */
	const char *name; /* for kinds with a name: the name without escapes */
	struct expr_node *arg[3];
};

/* Returns the number of arguments of a kind of node. */
static inline int expr_args(enum expr_kind kind)
{
	if (kind == EXPR_IF)
		return 3;
	return kind < EXPR_NEG ? 0 : kind == EXPR_NEG ? 1 : 2;
}

/* Collects the ids below the root again. */
void expr_number_ids(struct arena *a, struct expr *x);

#endif
