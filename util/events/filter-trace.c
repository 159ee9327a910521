// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's language of tracepoint filters, checked against the format of an event, because the
 * kernel only says "Invalid argument" when a filter is set through perf.
 */
#include "base/compat.h"
#include "events/filter-internal.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>

#define PATTERN_MAX 256 /* bytes of a string, the limit of the kernel */

enum kind {
	K_NUMBER,
	K_STRING,  /* an array of char, inside the record or at its end */
	K_POINTER, /* a pointer to a string of the kernel or, with .ustring, of user space */
	K_CPUMASK, /* a set of CPUs */
	K_CPU,     /* the CPU of the event */
	K_UNKNOWN, /* a type that the kernel cannot compare, such as an array of numbers */
};

static const char *const op_sets[] = {
	[K_NUMBER] = "== != < <= > >= &", [K_STRING] = "== != ~",        [K_POINTER] = "== != ~",
	[K_CPUMASK] = "== != &",          [K_CPU] = "== != < <= > >= &", [K_UNKNOWN] = "",
};

struct trace_parser {
	struct filter_parser fp;
	const struct tf_event *ev;
};

/* Fields that every event has without being in its format. */
static const struct {
	const char *name;
	enum kind kind;
} everywhere[] = {
	{ "CPU", K_CPU },
	{ "cpu", K_CPU },
	{ "COMM", K_STRING },
	{ "comm", K_STRING },
};

static enum kind field_kind(const struct tf_field *f)
{
	const char *t = f->type;

	if (f->flags & TF_ARRAY && strstr(t, "char") && !(f->flags & TF_POINTER))
		return K_STRING;
	if (f->flags & TF_ARRAY && strstr(t, "cpumask"))
		return K_CPUMASK;
	if (f->flags & TF_DYNAMIC)
		return K_UNKNOWN;
	if (!strcmp(t, "char *") || !strcmp(t, "const char *") || !strcmp(t, "char*") ||
	    !strcmp(t, "const char*"))
		return K_POINTER;
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return K_UNKNOWN;
	return K_NUMBER;
}

const char *tracefilter_ops(const struct tf_field *f)
{
	return op_sets[field_kind(f)];
}

void tracefilter_type(const struct tf_field *f, struct strbuf *out)
{
	strbuf_addname(out, f->type);
	if (f->flags & TF_ARRAY && !(f->flags & TF_DYNAMIC) && !strchr(f->type, '['))
		strbuf_addf(out, "[%u]", f->size / MAX(f->elem_size, 1u));
}

/* Append one line for each field that can be used: name, type, operators. */
static void tracefilter_fields(const struct tf_event *ev, struct strbuf *out)
{
	for (u32 i = 0; i < ev->nr_fields; i++) {
		/* fields of the event first, those of all events after them */
		const struct tf_field *f = &ev->fields[(i + ev->nr_common) % ev->nr_fields];
		const char *ops = tracefilter_ops(f);
		struct strbuf type = STRBUF_INIT;

		if (!*ops)
			continue;
		tracefilter_type(f, &type);
		strbuf_addf(out, "  %-24s %-24s %s\n", f->name, strbuf_str(&type), ops);
		strbuf_release(&type);
	}
	strbuf_addf(out, "  %-24s %-24s %s\n", "cpu", "the CPU it happens on", op_sets[K_CPU]);
	strbuf_addf(out, "  %-24s %-24s %s\n", "comm", "the name of the thread", op_sets[K_STRING]);
}

static void help_fields(struct trace_parser *tp)
{
	struct strbuf sb = STRBUF_INIT;

	tracefilter_fields(tp->ev, &sb);
	filter_help(&tp->fp, "Fields of %s:%s and their operators:\n%s", tp->ev->system,
		    tp->ev->name, strbuf_str(&sb));
	strbuf_release(&sb);
}

static int no_field(struct trace_parser *tp, const char *word, size_t len)
{
	size_t nr = 0;
	const char **names = xcalloc(tp->ev->nr_fields + ARRAY_SIZE(everywhere), sizeof(*names));
	char near[96];

	for (u32 i = 0; i < tp->ev->nr_fields; i++)
		names[nr++] = tp->ev->fields[i].name;
	for (size_t i = 0; i < ARRAY_SIZE(everywhere); i++)
		names[nr++] = everywhere[i].name;
	filter_fail(&tp->fp, word, "%s:%s has no field '%.*s'%s", tp->ev->system, tp->ev->name,
		    (int)MIN(len, (size_t)64), word,
		    filter_nearest(word, len, names, nr, near, sizeof(near)));
	free(names);
	help_fields(tp);
	return -EINVAL;
}

/* Parse the name of a field. *@f is NULL for those that every event has. */
static int take_field(struct trace_parser *tp, const struct tf_field **f, enum kind *kind,
		      const char **word, size_t *len)
{
	char name[128];

	filter_blank(&tp->fp);
	*word = tp->fp.p;
	*len = filter_word(*word);
	*f = NULL;
	if (!*len)
		return filter_fail(&tp->fp, *word, "%s",
				   **word ? "a field name is expected here"
					  : "the filter ends where a field name is expected");
	tp->fp.p += *len;
	if (*len < sizeof(name)) {
		memcpy(name, *word, *len);
		name[*len] = 0;
		*f = tf_find_field(tp->ev, name);
		if (*f) {
			*kind = field_kind(*f);
			return 0;
		}
		for (size_t i = 0; i < ARRAY_SIZE(everywhere); i++) {
			if (!strcmp(name, everywhere[i].name)) {
				*kind = everywhere[i].kind;
				return 0;
			}
		}
	}
	return no_field(tp, *word, *len);
}

/* Parse == != <= >= < > & ~, the longest first; && is not one of them. Return: its index, or -1. */
static const char *const ops[] = { "==", "!=", "<=", ">=", "<", ">", "&", "~" };
enum { OP_EQ, OP_NE, OP_LE, OP_GE, OP_LT, OP_GT, OP_BAND, OP_GLOB };

static int take_op(struct trace_parser *tp, enum kind kind, int *op)
{
	const char *at, *meant;
	size_t len;

	filter_blank(&tp->fp);
	at = tp->fp.p;
	meant = filter_mistaken_op(at, &len);
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if ((meant && strncmp(at, "==", 2)) || !strncmp(at, "&&", 2))
			break;
		if (!strncmp(at, ops[i], strlen(ops[i])) && strncmp(at, "===", 3)) {
			tp->fp.p += strlen(ops[i]);
			*op = (int)i;
			return 0;
		}
	}
	if (meant)
		return filter_fail(&tp->fp, at, "'%.*s' is no operator, use '%s'", (int)len, at,
				   meant);
	if (!strncmp(at, "!~", 2))
		return filter_fail(&tp->fp, at, "'!~' is no operator, use !(FIELD ~ \"pattern\")");
	return filter_fail(&tp->fp, at, "one of %s is expected here", op_sets[kind]);
}

static int check_op(struct trace_parser *tp, const char *at, const char *word, size_t len,
		    enum kind kind, int op)
{
	const char *hint = "";

	switch (kind) {
	case K_UNKNOWN:
		return filter_fail(
			&tp->fp, word,
			"'%.*s' is neither a number nor a string: the kernel cannot compare it",
			(int)len, word);
	case K_NUMBER:
	case K_CPU:
		if (op != OP_GLOB)
			return 0;
		hint = "'~' is for strings; for bits of a number use '&'";
		break;
	case K_STRING:
	case K_POINTER:
		if (op == OP_EQ || op == OP_NE || op == OP_GLOB)
			return 0;
		hint = op == OP_BAND ? "use '~' with a pattern such as \"*text*\""
				     : "use '==', '!=' or '~'";
		break;
	case K_CPUMASK:
		if (op == OP_EQ || op == OP_NE || op == OP_BAND)
			return 0;
		hint = "use '&', '==' or '!=' with CPUS{list}";
		break;
	}
	return filter_fail(&tp->fp, at, "'%s' does not apply to %s '%.*s': %s", ops[op],
			   kind == K_NUMBER || kind == K_CPU ? "the number"
			   : kind == K_CPUMASK               ? "the set of CPUs"
							     : "the string",
			   (int)MIN(len, (size_t)48), word, hint);
}

/* --- values ------------------------------------------------------------------ */

static int take_string(struct trace_parser *tp, enum kind kind, bool numeric_field)
{
	const char *at = tp->fp.p;
	const char *end = strchr(at + 1, *at);

	if (!end)
		return filter_fail(&tp->fp, at, "this string has no closing %c", *at);
	if (numeric_field)
		return filter_fail(&tp->fp, at, "a number is expected here, not a string");
	if (kind == K_CPUMASK)
		return filter_fail(&tp->fp, at, "a set of CPUs is expected here: CPUS{0-3,7}");
	if (end - at - 1 >= PATTERN_MAX)
		return filter_fail(&tp->fp, at, "this string is longer than the kernel's %d bytes",
				   PATTERN_MAX - 1);
	tp->fp.p = end + 1;
	return 0;
}

static int take_number(struct trace_parser *tp, const struct tf_field *f, enum kind kind)
{
	const char *at = tp->fp.p;
	size_t len = (*at == '-') + filter_word(at + (*at == '-'));
	bool sign = kind == K_CPU || (f && f->flags & TF_SIGNED);
	char text[72], *end;

	if (kind == K_STRING || kind == K_POINTER)
		return filter_fail(&tp->fp, at, "a string in quotes is expected here: \"%.*s\"",
				   (int)MIN(len, (size_t)48), at);
	if (kind == K_CPUMASK)
		return filter_fail(&tp->fp, at, "a set of CPUs is expected here: CPUS{%.*s}",
				   (int)MIN(len, (size_t)48), at);
	if (len >= sizeof(text))
		return filter_fail(&tp->fp, at, "this is no number");
	memcpy(text, at, len);
	text[len] = 0;
	if (*at == '-' && !sign)
		return filter_fail(&tp->fp, at, "this field has no sign: it is never negative");
	errno = 0;
	(void)(sign ? (u64)strtoll(text, &end, 0) : strtoull(text, &end, 0));
	if (*end || end == text || !isdigit((unsigned char)text[*at == '-']))
		return filter_fail(&tp->fp, at,
				   "'%s' is no number (decimal, 0x hexadecimal, 0 octal)", text);
	if (errno == ERANGE)
		return filter_fail(&tp->fp, at, "%s is too large", text);
	tp->fp.p += len;
	return 0;
}

static int take_cpus(struct trace_parser *tp, enum kind kind, int op)
{
	const char *at = tp->fp.p, *end = strchr(at, '}'), *bad;

	if (!end)
		return filter_fail(&tp->fp, at, "this set of CPUs has no closing }");
	if (kind == K_STRING || kind == K_POINTER)
		return filter_fail(&tp->fp, at, "a string in quotes is expected here");
	if (op != OP_EQ && op != OP_NE && op != OP_BAND)
		return filter_fail(&tp->fp, at, "a set of CPUs is compared with '&', '==' or '!='");
	bad = at + 5 + strspn(at + 5, "0123456789-,:/ ");
	if (bad != end || end == at + 5)
		return filter_fail(&tp->fp, bad, "a list of CPUs is expected here: CPUS{0-3,7}");
	tp->fp.p = end + 1;
	return 0;
}

static int take_value(struct trace_parser *tp, const struct tf_field *f, enum kind kind, int op)
{
	const char *at;
	size_t len;
	char c = filter_blank(&tp->fp);

	at = tp->fp.p;
	if (c == '"' || c == '\'')
		return take_string(tp, kind, kind == K_NUMBER || kind == K_CPU);
	if (!strncmp(at, "CPUS{", 5))
		return take_cpus(tp, kind, op);
	if (isdigit((unsigned char)c) || (c == '-' && isdigit((unsigned char)at[1])))
		return take_number(tp, f, kind);
	if (!c)
		return filter_fail(&tp->fp, at, "the filter ends where a value is expected");
	len = strcspn(at, " \t\n()&|!<>=~\"'");
	if (len && (kind == K_STRING || kind == K_POINTER))
		return filter_fail(&tp->fp, at, "strings stand in quotes: \"%.*s\"",
				   (int)MIN(len, (size_t)64), at);
	if (len)
		return filter_fail(
			&tp->fp, at,
			"'%.*s' is no number (the kernel does not know names of constants here)",
			(int)MIN(len, (size_t)64), at);
	return filter_fail(&tp->fp, at, "a value is expected here");
}

/*
 * Parse the name or address of a function, for call_site.function and the like, which only the
 * kernel can check.
 */
static int take_function(struct trace_parser *tp, int op, const char *at)
{
	char c = filter_blank(&tp->fp);

	if (op != OP_EQ && op != OP_NE)
		return filter_fail(&tp->fp, at, "a function is compared with '==' or '!='");
	if (c == '"' || c == '\'')
		return take_string(tp, K_STRING, false);
	if (!filter_word(tp->fp.p))
		return filter_fail(&tp->fp, tp->fp.p, "the name of a function is expected here");
	tp->fp.p += strcspn(tp->fp.p, " \t\n()&|!<>=~\"'");
	return 0;
}

/* --- the grammar ------------------------------------------------------------- */

static int take_pred(struct trace_parser *tp)
{
	const struct tf_field *f;
	const char *word, *at;
	bool function = false, user = false;
	enum kind kind = K_UNKNOWN;
	size_t len;
	int op = OP_EQ, rc = take_field(tp, &f, &kind, &word, &len);

	if (rc)
		return rc;
	at = tp->fp.p;
	if (!strncmp(at, ".ustring", 8) && !filter_word(at + 8)) {
		tp->fp.p += 8;
		user = true;
		if (kind != K_POINTER && kind != K_STRING)
			return filter_fail(&tp->fp, at, "'.ustring' is for strings");
	} else if (!strncmp(at, ".function", 9) && !filter_word(at + 9)) {
		tp->fp.p += 9;
		function = true;
		if (kind != K_NUMBER || f->size != sizeof(long))
			return filter_fail(&tp->fp, at,
					   "'.function' is for addresses of functions");
	}
	filter_blank(&tp->fp);
	at = tp->fp.p;
	rc = take_op(tp, kind, &op);
	if (!rc && function)
		return take_function(tp, op, at);
	if (!rc)
		rc = check_op(tp, at, word, len, kind, op);
	if (!rc)
		rc = take_value(tp, f, kind, op);
	if (!rc && kind == K_POINTER && !user && !strcmp(tp->ev->system, "syscalls"))
		snprintf(
			tp->fp.fe->remark, sizeof(tp->fp.fe->remark),
			"%s points to the user's memory, where the kernel does not look unless told to: %s.ustring",
			f->name, f->name);
	return rc;
}

static int take_or(struct trace_parser *tp);

static int take_unary(struct trace_parser *tp)
{
	const char *at;
	int rc;

	filter_blank(&tp->fp);
	at = tp->fp.p;
	if (*at != '!' && *at != '(')
		return take_pred(tp);
	if (tp->fp.depth == FILTER_DEPTH_MAX)
		return filter_fail(&tp->fp, at, "more than %d levels of parentheses",
				   FILTER_DEPTH_MAX);
	tp->fp.depth++;
	tp->fp.p++;
	rc = *at == '!' ? take_unary(tp) : take_or(tp);
	if (!rc && *at == '(' && !filter_take(&tp->fp, ")"))
		rc = filter_fail(&tp->fp, at, "this parenthesis is not closed");
	tp->fp.depth--;
	return rc;
}

static int take_and(struct trace_parser *tp)
{
	int rc = take_unary(tp);

	while (!rc && filter_take(&tp->fp, "&&"))
		rc = take_unary(tp);
	return rc;
}

static int take_or(struct trace_parser *tp)
{
	int rc = take_and(tp);

	while (!rc && filter_take(&tp->fp, "||"))
		rc = take_and(tp);
	return rc;
}

static int trailing(struct trace_parser *tp)
{
	const char *at = tp->fp.p;

	if (*at == ')')
		return filter_fail(&tp->fp, at, "no parenthesis is open here");
	if (*at == ',')
		return filter_fail(&tp->fp, at, "',' does not join conditions, use '&&' or '||'");
	if (*at == '&' || !strncasecmp(at, "and ", 4))
		return filter_fail(&tp->fp, at, "conditions are joined by '&&'");
	if (*at == '|' || !strncasecmp(at, "or ", 3))
		return filter_fail(&tp->fp, at, "conditions are joined by '||'");
	return filter_fail(&tp->fp, at, "'&&', '||' or the end is expected here");
}

int tracefilter_check(const char *text, const struct tf_event *ev, struct filter_error *fe)
{
	struct trace_parser tp = { .fp = { .text = text, .p = text, .fe = fe }, .ev = ev };
	int rc;

	memset(fe, 0, sizeof(*fe));
	rc = take_or(&tp);
	if (!rc && filter_blank(&tp.fp))
		rc = trailing(&tp);
	return rc;
}
