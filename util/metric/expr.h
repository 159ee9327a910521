/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metric expressions, which compute one number from the counts of events:
 *
 *	if   := or [ "if" or "else" if ]
 *	or   := xor { "|" xor }
 *	xor  := and { "^" and }
 *	and  := cmp { "&" cmp }
 *	cmp  := sum { ("<"|">") sum }
 *	sum  := mul { ("+"|"-") mul }
 *	mul  := neg { ("*"|"/"|"%") neg }
 *	neg  := "-" neg | NUMBER | ID | "#"LITERAL | "(" if ")"
 *		| ("min"|"max"|"d_ratio") "(" if "," if ")"
 *		| ("source_count"|"has_event"|"strcmp_cpuid_str") "(" ID ")"
 *
 * An ID is the name of an event or of another metric. It consists of letters, digits, "_.:=?" and
 * any byte after a backslash; "@" stands for "/" ("cpu@event\=0x3c\,edge@k").
 *
 * Values are doubles. NaN means unknown, and whatever needs an unknown value is unknown. A division
 * by zero is unknown, except in d_ratio(), whose result is 0 then. "| ^ & %" work on integers, and
 * "< >" yield 0 or 1.
 */
#ifndef PERF_METRIC_EXPR_H
#define PERF_METRIC_EXPR_H

#include "base/arena.h"

#define EXPR_LENGTH_MAX 65536 /* bytes of text */
#define EXPR_DEPTH_MAX 1024   /* nested operations: "a + b + c" counts as two */
#define EXPR_BRACKETS_MAX 256 /* nested brackets, signs and conditions */

struct expr_node;

struct expr {
	struct expr_node *root; /* in the arena */
	const char **ids;       /* in the arena: the events as written, each once, in order */
	u32 nr_ids;
};

struct expr_error {
	size_t at;      /* offset in the text */
	char text[160]; /* what is wrong there */
};

/* Facts that are known before anything is counted. */
struct expr_env {
	/* Stores the value of "#name", @name being without the sign; -ENOENT: unknown name. */
	int (*literal)(void *ctx, const char *name, double *value);
	bool (*has_event)(void *ctx, const char *event);
	bool (*cpuid_matches)(void *ctx, const char *pattern);
	void *ctx;
};

/* The counts, by index in ids. */
struct expr_input {
	const double *values;
	const u32 *sources; /* the number of PMUs that counted an event; NULL: one */
};

/** expr_parse - parse @text into @x. Return: 0, or -EINVAL with @e filled in. */
int expr_parse(struct arena *a, const char *text, struct expr *x, struct expr_error *e);

/**
 * expr_bind - insert the facts that @env knows, evaluate what is constant, and keep only the ids
 * that are still needed ("A if #smt_on else B" needs one of the two).
 * Return: 0, or -EINVAL with @e filled in when a literal is unknown.
 */
int expr_bind(struct arena *a, struct expr *x, const struct expr_env *env, struct expr_error *e);

/** expr_eval - return the value, or NaN when it is unknown. @x must be bound. */
double expr_eval(const struct expr *x, const struct expr_input *in);

/**
 * expr_constant - tell whether the value does not depend on any count; if so, store it in @value.
 */
bool expr_constant(const struct expr *x, double *value);

#endif
