// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The language of sample filters: it is compiled to a list of comparisons, each of which says where
 * evaluation continues. They are in the order of the text and only refer to later ones, so
 * evaluation always ends.
 */
#include "base/compat.h"
#include "events/filter-internal.h"

#include "base/alloc.h"
#include "wire/event.h"

#include <ctype.h>
#include <errno.h>
#include <strings.h>

/* Names of values. Several sets share one table: @set selects one. */
enum value_set { V_NONE, V_OP, V_LVL, V_SNOOP, V_REMOTE, V_LOCK, V_DTLB, V_BLK, V_HOPS };

static const struct {
	const char *name;
	u8 set;
	u16 value;
} values[] = {
	{ "na", V_OP, PERF_MEM_OP_NA },
	{ "load", V_OP, PERF_MEM_OP_LOAD },
	{ "store", V_OP, PERF_MEM_OP_STORE },
	{ "pfetch", V_OP, PERF_MEM_OP_PFETCH },
	{ "exec", V_OP, PERF_MEM_OP_EXEC },
	{ "l1", V_LVL, 1 },
	{ "l2", V_LVL, 2 },
	{ "l3", V_LVL, 3 },
	{ "l4", V_LVL, 4 },
	{ "uncached", V_LVL, 8 },
	{ "cxl", V_LVL, 9 },
	{ "io", V_LVL, 0xa },
	{ "any_cache", V_LVL, 0xb },
	{ "lfb", V_LVL, 0xc },
	{ "ram", V_LVL, 0xd },
	{ "pmem", V_LVL, 0xe },
	{ "na", V_LVL, 0xf },
	{ "na", V_SNOOP, PERF_MEM_SNOOP_NA },
	{ "none", V_SNOOP, PERF_MEM_SNOOP_NONE },
	{ "hit", V_SNOOP, PERF_MEM_SNOOP_HIT },
	{ "miss", V_SNOOP, PERF_MEM_SNOOP_MISS },
	{ "hitm", V_SNOOP, PERF_MEM_SNOOP_HITM },
	{ "fwd", V_SNOOP, 1 << 5 },
	{ "peer", V_SNOOP, 2 << 5 },
	{ "remote", V_REMOTE, 1 },
	{ "na", V_LOCK, PERF_MEM_LOCK_NA },
	{ "locked", V_LOCK, PERF_MEM_LOCK_LOCKED },
	{ "na", V_DTLB, PERF_MEM_TLB_NA },
	{ "l1_hit", V_DTLB, PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT },
	{ "l1_miss", V_DTLB, PERF_MEM_TLB_L1 | PERF_MEM_TLB_MISS },
	{ "l2_hit", V_DTLB, PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT },
	{ "l2_miss", V_DTLB, PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS },
	{ "any_hit", V_DTLB, PERF_MEM_TLB_HIT },
	{ "any_miss", V_DTLB, PERF_MEM_TLB_MISS },
	{ "walk", V_DTLB, PERF_MEM_TLB_WK },
	{ "fault", V_DTLB, PERF_MEM_TLB_OS },
	{ "na", V_BLK, 1 },
	{ "by_data", V_BLK, 2 },
	{ "by_addr", V_BLK, 4 },
	{ "hops0", V_HOPS, 1 },
	{ "hops1", V_HOPS, 2 },
	{ "hops2", V_HOPS, 3 },
	{ "hops3", V_HOPS, 4 },
};

#ifndef PERF_SAMPLE_WEIGHT_STRUCT
#define PERF_SAMPLE_WEIGHT_STRUCT (1U << 24)
#endif

/* The names that users type. The first one of a term is its main name. */
static const struct term {
	const char *name;
	u8 term, set, shift, shift2;
	u16 mask;
} terms[] = {
	{ "ip", FT_IP, V_NONE, 0, 0, 0 },
	{ "id", FT_ID, V_NONE, 0, 0, 0 },
	{ "tid", FT_TID, V_NONE, 0, 0, 0 },
	{ "pid", FT_PID, V_NONE, 0, 0, 0 },
	{ "cpu", FT_CPU, V_NONE, 0, 0, 0 },
	{ "time", FT_TIME, V_NONE, 0, 0, 0 },
	{ "addr", FT_ADDR, V_NONE, 0, 0, 0 },
	{ "period", FT_PERIOD, V_NONE, 0, 0, 0 },
	{ "txn", FT_TXN, V_NONE, 0, 0, 0 },
	{ "weight", FT_WEIGHT, V_NONE, 0, 0, 0 },
	{ "weight1", FT_WEIGHT1, V_NONE, 0, 0, 0 },
	{ "weight2", FT_WEIGHT2, V_NONE, 0, 0, 0 },
	{ "weight3", FT_WEIGHT3, V_NONE, 0, 0, 0 },
	{ "ins_lat", FT_WEIGHT2, V_NONE, 0, 0, 0 },
	{ "retire_lat", FT_WEIGHT3, V_NONE, 0, 0, 0 },
	{ "p_stage_cyc", FT_WEIGHT3, V_NONE, 0, 0, 0 },
	{ "phys_addr", FT_PHYS_ADDR, V_NONE, 0, 0, 0 },
	{ "code_pgsz", FT_CODE_PGSZ, V_NONE, 0, 0, 0 },
	{ "data_pgsz", FT_DATA_PGSZ, V_NONE, 0, 0, 0 },
	{ "mem_op", FT_DATA_SRC, V_OP, 0, 0, 0x1f },
	{ "mem_lvl", FT_DATA_SRC, V_LVL, 33, 0, 0xf },
	{ "mem_snoop", FT_DATA_SRC, V_SNOOP, 19, 38, 0x1f },
	{ "mem_remote", FT_DATA_SRC, V_REMOTE, 37, 0, 1 },
	{ "mem_lock", FT_DATA_SRC, V_LOCK, 24, 0, 3 },
	{ "mem_dtlb", FT_DATA_SRC, V_DTLB, 26, 0, 0x7f },
	{ "mem_blk", FT_DATA_SRC, V_BLK, 40, 0, 7 },
	{ "mem_hops", FT_DATA_SRC, V_HOPS, 43, 0, 7 },
	{ "uid", FT_UID, V_NONE, 0, 0, 0 },
	{ "gid", FT_GID, V_NONE, 0, 0, 0 },
	{ "cgroup", FT_CGROUP, V_NONE, 0, 0, 0 },
};

/* An expression before it is linked. A leaf is a node of the filter. */
struct expr {
	char kind; /* '=' for a comparison, '&' for and, '|' for or, '!' for not */
	u16 leaf;  /* for '=' */
	u16 first; /* the leftmost leaf below */
	struct expr *a, *b;
};

struct sample_parser {
	struct filter_parser fp;
	struct compiled_filter *f;
	struct expr pool[FILTER_NODES_MAX * 2 + FILTER_DEPTH_MAX * 2];
	size_t nr;
};

const char *filter_term_name(enum filter_term t)
{
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (terms[i].term == t)
			return terms[i].name;
	return "?";
}

void compiled_filter_release(struct compiled_filter *f)
{
	for (size_t i = 0; i < f->nr; i++)
		free(f->nodes[i].cgroup);
	free(f->nodes);
	memset(f, 0, sizeof(*f));
}

u64 compiled_filter_types(const struct compiled_filter *f)
{
	static const u64 bits[FT_NR] = {
		[FT_IP] = PERF_SAMPLE_IP,
		[FT_ID] = PERF_SAMPLE_IDENTIFIER,
		[FT_TID] = PERF_SAMPLE_TID,
		[FT_PID] = PERF_SAMPLE_TID,
		[FT_TIME] = PERF_SAMPLE_TIME,
		[FT_ADDR] = PERF_SAMPLE_ADDR,
		[FT_TXN] = PERF_SAMPLE_TRANSACTION,
		[FT_WEIGHT] = PERF_SAMPLE_WEIGHT_STRUCT,
		[FT_WEIGHT1] = PERF_SAMPLE_WEIGHT_STRUCT,
		[FT_WEIGHT2] = PERF_SAMPLE_WEIGHT_STRUCT,
		[FT_WEIGHT3] = PERF_SAMPLE_WEIGHT_STRUCT,
		[FT_PHYS_ADDR] = PERF_SAMPLE_PHYS_ADDR,
		[FT_CODE_PGSZ] = PERF_SAMPLE_CODE_PAGE_SIZE,
		[FT_DATA_PGSZ] = PERF_SAMPLE_DATA_PAGE_SIZE,
		[FT_DATA_SRC] = PERF_SAMPLE_DATA_SRC,
	};
	u64 all = 0;

	for (size_t i = 0; i < f->nr; i++)
		all |= bits[f->nodes[i].term];
	return all;
}

/* --- comparisons --------------------------------------------------------------- */

static const struct term *take_term(struct sample_parser *sp)
{
	const char *names[ARRAY_SIZE(terms)], *at;
	char near[96];
	size_t len;

	filter_blank(&sp->fp);
	at = sp->fp.p;
	len = filter_word(at);
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++) {
		names[i] = terms[i].name;
		if (strlen(names[i]) == len && !strncasecmp(at, names[i], len)) {
			sp->fp.p += len;
			return &terms[i];
		}
	}
	if (!len) {
		filter_fail(&sp->fp, at, "%s",
			    *at ? "the name of a sample's field is expected here"
				: "the filter ends where the name of a field is expected");
		return NULL;
	}
	filter_fail(&sp->fp, at, "samples have no field '%.*s'%s", (int)MIN(len, (size_t)64), at,
		    filter_nearest(at, len, names, ARRAY_SIZE(names), near, sizeof(near)));
	filter_help(&sp->fp, "Fields:");
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		filter_help(&sp->fp, "%s%s", i % 10 ? " " : "\n  ", terms[i].name);
	filter_help(&sp->fp,
		    "\nOperators: == != > >= < <= &; joined by ',' (all of them) and '||'\n");
	return NULL;
}

static int take_op(struct sample_parser *sp, u8 *op)
{
	static const struct {
		const char *text;
		u8 op;
	} ops[] = {
		{ "==", FO_EQ }, { "!=", FO_NE }, { ">=", FO_GE }, { "<=", FO_LE },
		{ ">", FO_GT },  { "<", FO_LT },  { "&", FO_AND },
	};
	const char *at, *meant;
	size_t len;

	filter_blank(&sp->fp);
	at = sp->fp.p;
	for (size_t i = 0; i < ARRAY_SIZE(ops) && strncmp(at, "&&", 2); i++) {
		len = strlen(ops[i].text);
		if (!strncmp(at, ops[i].text, len) && at[len] != '=' && strncmp(at, "<>", 2)) {
			*op = ops[i].op;
			sp->fp.p += len;
			return 0;
		}
	}
	meant = filter_mistaken_op(at, &len);
	if (*at == '~' || (meant && *meant == '~'))
		return filter_fail(&sp->fp, at, "'~' is for strings, of which samples have none");
	if (meant)
		return filter_fail(&sp->fp, at, "'%.*s' is no operator, use '%s'", (int)len, at,
				   meant);
	return filter_fail(&sp->fp, at, "one of == != > >= < <= & is expected here");
}

static int take_number(struct sample_parser *sp, struct filter_node *n)
{
	const char *at = sp->fp.p;
	size_t len = filter_word(at);
	char text[72], *end;

	snprintf(text, sizeof(text), "%.*s", (int)len, at);
	errno = 0;
	n->value = strtoull(text, &end, 0);
	if (*end || len >= sizeof(text))
		return filter_fail(&sp->fp, at,
				   "'%s' is no number (decimal, 0x hexadecimal, 0 octal)", text);
	if (errno == ERANGE)
		return filter_fail(&sp->fp, at, "%s is too large", text);
	sp->fp.p += len;
	return 0;
}

static int take_name(struct sample_parser *sp, const struct term *t, struct filter_node *n)
{
	const char *names[ARRAY_SIZE(values)], *at = sp->fp.p;
	size_t len = filter_word(at), nr = 0;
	char near[96];

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		if (values[i].set != t->set)
			continue;
		names[nr++] = values[i].name;
		if (strlen(values[i].name) == len && !strncasecmp(at, values[i].name, len)) {
			n->value = values[i].value;
			sp->fp.p += len;
			return 0;
		}
	}
	if (!nr)
		return filter_fail(&sp->fp, at, "%s",
				   *at ? "a number is expected here"
				       : "the filter ends where a value is expected");
	filter_fail(&sp->fp, at, "'%.*s' is no value of %s%s", (int)MIN(len, (size_t)64), at,
		    t->name, filter_nearest(at, len, names, nr, near, sizeof(near)));
	filter_help(&sp->fp, "Values of %s:", t->name);
	for (size_t i = 0; i < nr; i++)
		filter_help(&sp->fp, " %s", names[i]);
	filter_help(&sp->fp, "\n");
	return -EINVAL;
}

static int take_cgroup(struct sample_parser *sp, struct filter_node *n)
{
	size_t len = strcspn(sp->fp.p, " \t\n,|&()!");

	if (!len)
		return filter_fail(&sp->fp, sp->fp.p, "the path of a cgroup is expected here");
	n->cgroup = xstrndup(sp->fp.p, len);
	sp->fp.p += len;
	return 0;
}

static int take_value(struct sample_parser *sp, const struct term *t, struct filter_node *n)
{
	char c = filter_blank(&sp->fp);

	if (isdigit((unsigned char)c))
		return take_number(sp, n);
	if (t->term == FT_CGROUP)
		return take_cgroup(sp, n);
	return take_name(sp, t, n);
}

static struct expr *new_expr(struct sample_parser *sp, char kind, struct expr *a, struct expr *b)
{
	struct expr *x;

	if (sp->nr == ARRAY_SIZE(sp->pool)) {
		filter_fail(&sp->fp, sp->fp.p, "this filter is too long");
		return NULL;
	}
	x = &sp->pool[sp->nr++];
	*x = (struct expr){ .kind = kind, .a = a, .b = b, .first = a ? a->first : 0 };
	return x;
}

static struct expr *take_comparison(struct sample_parser *sp)
{
	const struct term *t = take_term(sp);
	struct filter_node *n;
	struct expr *x;

	if (!t)
		return NULL;
	if (sp->f->nr == FILTER_NODES_MAX) {
		filter_fail(&sp->fp, sp->fp.p, "a filter has at most %d comparisons",
			    FILTER_NODES_MAX);
		return NULL;
	}
	n = &sp->f->nodes[sp->f->nr];
	*n = (struct filter_node){
		.term = t->term, .shift = t->shift, .shift2 = t->shift2, .mask = t->mask
	};
	if (take_op(sp, &n->op) || take_value(sp, t, n))
		return NULL;
	x = new_expr(sp, '=', NULL, NULL);
	if (x) {
		x->leaf = x->first = (u16)sp->f->nr++;
	} else {
		free(n->cgroup);
	}
	return x;
}

/* --- the grammar --------------------------------------------------------------- */

static struct expr *take_list(struct sample_parser *sp);

static struct expr *take_unary(struct sample_parser *sp)
{
	struct expr *x;
	const char *at;

	filter_blank(&sp->fp);
	at = sp->fp.p;
	if (*at != '!' && *at != '(')
		return take_comparison(sp);
	if (sp->fp.depth == FILTER_DEPTH_MAX) {
		filter_fail(&sp->fp, at, "more than %d levels of parentheses", FILTER_DEPTH_MAX);
		return NULL;
	}
	sp->fp.depth++;
	sp->fp.p++;
	x = *at == '!' ? take_unary(sp) : take_list(sp);
	if (x && *at == '!')
		x = new_expr(sp, '!', x, NULL);
	if (x && *at == '(' && !filter_take(&sp->fp, ")")) {
		filter_fail(&sp->fp, at, "this parenthesis is not closed");
		x = NULL;
	}
	sp->fp.depth--;
	return x;
}

/* Parse one level of the grammar: operands @next joined by @token. */
static struct expr *take_joined(struct sample_parser *sp,
				struct expr *(*next)(struct sample_parser *), const char *token,
				char kind)
{
	struct expr *x = next(sp);

	while (x && filter_take(&sp->fp, token)) {
		struct expr *y = next(sp);

		x = y ? new_expr(sp, kind, x, y) : NULL;
	}
	return x;
}

static struct expr *take_and(struct sample_parser *sp)
{
	return take_joined(sp, take_unary, "&&", '&');
}

static struct expr *take_or(struct sample_parser *sp)
{
	return take_joined(sp, take_and, "||", '|');
}

static struct expr *take_list(struct sample_parser *sp)
{
	return take_joined(sp, take_or, ",", '&');
}

/* Link the comparisons below @x to the nodes where evaluation continues. */
static void link_expr(struct sample_parser *sp, const struct expr *x, u16 yes, u16 no)
{
	switch (x->kind) {
	case '&':
		link_expr(sp, x->a, x->b->first, no);
		link_expr(sp, x->b, yes, no);
		break;
	case '|':
		link_expr(sp, x->a, yes, x->b->first);
		link_expr(sp, x->b, yes, no);
		break;
	case '!':
		link_expr(sp, x->a, no, yes);
		break;
	default:
		sp->f->nodes[x->leaf].yes = yes;
		sp->f->nodes[x->leaf].no = no;
		break;
	}
}

static void trailing(struct sample_parser *sp)
{
	const char *at = sp->fp.p;

	if (*at == ')')
		filter_fail(&sp->fp, at, "no parenthesis is open here");
	else if (*at == '&' || !strncasecmp(at, "and ", 4))
		filter_fail(&sp->fp, at, "conditions that must all hold are joined by ','");
	else if (*at == '|' || !strncasecmp(at, "or ", 3))
		filter_fail(&sp->fp, at, "conditions of which one must hold are joined by '||'");
	else
		filter_fail(&sp->fp, at, "',', '||' or the end is expected here");
}

int compiled_filter_parse(struct compiled_filter *f, const char *text, struct filter_error *fe)
{
	struct sample_parser *sp = xzalloc(sizeof(*sp));
	struct expr *x;
	int rc = 0;

	memset(fe, 0, sizeof(*fe));
	f->nr = 0;
	f->nodes = xcalloc(FILTER_NODES_MAX, sizeof(*f->nodes));
	sp->fp = (struct filter_parser){ .text = text, .p = text, .fe = fe };
	sp->f = f;
	x = take_list(sp);
	if (x && filter_blank(&sp->fp)) {
		trailing(sp);
		x = NULL;
	}
	if (x) {
		link_expr(sp, x, FILTER_KEEP, FILTER_DROP);
	} else {
		compiled_filter_release(f);
		rc = -EINVAL;
	}
	free(sp);
	return rc;
}
