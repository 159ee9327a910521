// SPDX-License-Identifier: GPL-2.0-or-later
/* Bind expressions to the facts about a machine, and evaluate them. */
#include "base/compat.h"
#include "metric/expr-internal.h"

#include <errno.h>
#include <math.h>

/* --- one operation ------------------------------------------------------------ */

/* Convert to an integer; values out of range become the nearest one. */
static s64 integer(double v)
{
	if (v >= 0x1p63)
		return INT64_MAX;
	return v <= -0x1p63 ? INT64_MIN : (s64)v;
}

static double modulo(double a, double b)
{
	s64 n = integer(b);

	if (!n)
		return NAN;
	/* the negation of the lowest number does not exist */
	return n == -1 ? 0 : (double)(integer(a) % n);
}

static double apply(enum expr_kind kind, double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	switch (kind) {
	case EXPR_NEG:
		return -a;
	case EXPR_ADD:
		return a + b;
	case EXPR_SUB:
		return a - b;
	case EXPR_MUL:
		return a * b;
	case EXPR_DIV:
		return b == 0 ? NAN : a / b;
	case EXPR_MOD:
		return modulo(a, b);
	case EXPR_LESS:
		return a < b;
	case EXPR_GREATER:
		return a > b;
	case EXPR_AND:
		return (double)(integer(a) & integer(b));
	case EXPR_XOR:
		return (double)(integer(a) ^ integer(b));
	case EXPR_OR:
		return (double)(integer(a) | integer(b));
	case EXPR_MIN:
		return MIN(a, b);
	case EXPR_MAX:
		return MAX(a, b);
	case EXPR_D_RATIO:
		return b == 0 ? 0 : a / b;
	default:
		return NAN;
	}
}

/* --- binding ------------------------------------------------------------------ */

static struct expr_node *number_at(struct expr_node *n, double v)
{
	n->kind = EXPR_NUMBER;
	n->number = v;
	return n;
}

static bool is_number(const struct expr_node *n, double v)
{
	return n->kind == EXPR_NUMBER && n->number == v;
}

static struct expr_node *bind_leaf(struct expr_node *n, const struct expr_env *env,
				   struct expr_error *e)
{
	double v;

	switch (n->kind) {
	case EXPR_LITERAL:
		if (!env->literal(env->ctx, n->name, &v))
			return number_at(n, v);
		e->at = n->at;
		snprintf(e->text, sizeof(e->text), "unknown literal '#%.40s'", n->name);
		return NULL;
	case EXPR_HAS_EVENT:
		return number_at(n, env->has_event(env->ctx, n->name));
	case EXPR_CPUID:
		return number_at(n, env->cpuid_matches(env->ctx, n->name));
	default:
		return n;
	}
}

/*
 * Bind a subtree. An "if" with a known condition is replaced by the selected side; the other side
 * is not evaluated.
 */
static struct expr_node *bind(struct expr_node *n, const struct expr_env *env, struct expr_error *e)
{
	int nr = expr_args(n->kind);
	bool known = true;

	if (!nr)
		return bind_leaf(n, env, e);
	for (int i = 0; i < nr; i++) {
		n->arg[i] = bind(n->arg[i], env, e);
		if (!n->arg[i])
			return NULL;
		if (n->kind == EXPR_IF && n->arg[0]->kind == EXPR_NUMBER) {
			double v = n->arg[0]->number;

			return isnan(v) ? number_at(n, v) : bind(n->arg[v != 0 ? 1 : 2], env, e);
		}
		known = known && n->arg[i]->kind == EXPR_NUMBER;
	}
	if (n->kind == EXPR_AND && (is_number(n->arg[0], 0) || is_number(n->arg[1], 0)))
		return number_at(n, 0);
	if (known && n->kind != EXPR_IF)
		number_at(n, apply(n->kind, n->arg[0]->number, nr > 1 ? n->arg[1]->number : 0));
	return n;
}

int expr_bind(struct arena *a, struct expr *x, const struct expr_env *env, struct expr_error *e)
{
	memset(e, 0, sizeof(*e));
	x->root = bind(x->root, env, e);
	if (!x->root)
		return -EINVAL;
	expr_number_ids(a, x);
	return 0;
}

/* --- values ------------------------------------------------------------------- */

static double eval(const struct expr_node *n, const struct expr_input *in)
{
	double v;

	switch (n->kind) {
	case EXPR_NUMBER:
		return n->number;
	case EXPR_ID:
		return in->values[n->id];
	case EXPR_SOURCE_COUNT:
		return in->sources ? in->sources[n->id] : 1;
	case EXPR_IF:
		v = eval(n->arg[0], in);
		return isnan(v) ? v : eval(n->arg[v != 0 ? 1 : 2], in);
	case EXPR_NEG:
		return apply(n->kind, eval(n->arg[0], in), 0);
	case EXPR_LITERAL:
	case EXPR_HAS_EVENT:
	case EXPR_CPUID:
		return NAN;
	default:
		return apply(n->kind, eval(n->arg[0], in), eval(n->arg[1], in));
	}
}

double expr_eval(const struct expr *x, const struct expr_input *in)
{
	return eval(x->root, in);
}

bool expr_constant(const struct expr *x, double *value)
{
	*value = x->root->number;
	return x->root->kind == EXPR_NUMBER;
}
