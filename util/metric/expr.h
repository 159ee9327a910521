/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metric expressions: counts of events to one number.
 *
 *	if   := or [ "if" or "else" if ]
 *	or   := xor { "|" xor }		xor := and { "^" and }		and := cmp { "&" cmp }
 *	cmp  := sum { ("<"|">") sum }	sum := mul { ("+"|"-") mul }	mul := neg { ("*"|"/"|"%")
 *neg } neg  := "-" neg | NUMBER | ID | "#"LITERAL | "(" if ")" | ("min"|"max"|"d_ratio") "(" if ","
 *if ")" | ("source_count"|"has_event"|"strcmp_cpuid_str") "(" ID ")"
 *
 * An ID is an event, or another metric: letters, digits, "_.:=?" and any byte behind a backslash;
 * "@" stands for "/" in it ("cpu@event\=0x3c\,edge@k").
 *
 * Values are doubles. NaN means unknown and makes everything unknown that needs it; so does
 * dividing by zero, but for d_ratio(), which is 0 then. "| ^ & %" work on integers, "< >" give 0
 *or 1.
 */
#ifndef PERF_METRIC_EXPR_H
#define PERF_METRIC_EXPR_H

#include "base/arena.h"

#define EXPR_LENGTH_MAX 65536 /* bytes of text */
#define EXPR_DEPTH_MAX 1024   /* operations within each other: "a + b + c" is two */
#define EXPR_NEST_MAX 256     /* brackets, signs and conditions within each other */

struct expr_node;

struct expr {
	struct expr_node *root; /* in the arena */
	const char **ids;       /* in the arena: as events are written, each once, in order */
	u32 nr_ids;
};

struct expr_error {
	size_t at;      /* byte in the text */
	char text[160]; /* what is wrong there */
};

/* What is known before anything was counted. */
struct expr_env {
	/* The value of "#name", @name without the sign; -ENOENT when there is no such name. */
	int (*literal)(void *ctx, const char *name, double *value);
	bool (*has_event)(void *ctx, const char *event);
	bool (*cpuid_matches)(void *ctx, const char *pattern);
	void *ctx;
};

/* What was counted, by index in ids. */
struct expr_input {
	const double *values;
	const u32 *sources; /* how many PMUs an event was counted on; NULL: one */
};

/** expr_parse - read @text into @x. Return: 0; -EINVAL with @e filled. */
int expr_parse(struct arena *a, const char *text, struct expr *x, struct expr_error *e);

/**
 * expr_bind - put in what @env knows, work out what is constant, and keep only the ids that are
 * still needed ("A if #smt_on else B" needs one of them).
 * Return: 0; -EINVAL with @e filled when a literal is not known.
 */
int expr_bind(struct arena *a, struct expr *x, const struct expr_env *env, struct expr_error *e);

/** expr_eval - the value; NaN when it is not known. All of @x must be bound. */
double expr_eval(const struct expr *x, const struct expr_input *in);

/** expr_constant - is it a number whatever is counted? */
bool expr_constant(const struct expr *x, double *value);

#endif
