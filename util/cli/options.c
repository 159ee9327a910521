// SPDX-License-Identifier: GPL-2.0-or-later
/* Parse command lines; the texts of the help are in options-help.c. */
#include "base/compat.h"

#include "cli/options.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/suggest.h"
#include "cli/options-internal.h"

#include <errno.h>
#include <limits.h>

/*
 * The state of one parse. Words are taken from argv[next]; remaining arguments are moved down to
 * argv[kept].
 */
struct parse {
	const char **argv;
	int argc;
	int next;
	int kept;
	const char *word;          /* the current word with its dashes */
	const char *rest;          /* the unread part of combined short options, or NULL */
	const char *attached;      /* the value after "=" of a long option, or NULL */
	const struct option *excl; /* the exclusive option seen so far */
	bool excl_short;           /* it was given by its letter */
	const struct option *opts;
	const char *const *usage;
	int flags;
	struct options_out *out;
};

enum {
	GO_ON = 0,
	REFUSED = -1, /* out->text is complete */
	UNKNOWN = -2,
};

const struct option *options_next(const struct option *o)
{
	return options_first(o + 1);
}

const struct option *options_first(const struct option *o)
{
	while (o && (o->type == OPTION_END || o->type == OPTION_GONE))
		o = o->type == OPTION_END ? o->parent : o + 1;
	return o;
}

static int refuse(struct parse *p, int status)
{
	p->out->status = status;
	return REFUSED;
}

/* Set the text to " Error: switch `x' <what>", followed by the usage of that option. */
static int __printf(4, 5)
	bad_option(struct parse *p, const struct option *o, bool is_short, const char *fmt, ...)
{
	struct strbuf *sb = &p->out->text;
	const char *word = is_short ? NULL : p->word + 2;
	char letter[2] = { o->short_name, 0 };
	va_list ap;

	if (is_short)
		strbuf_addf(sb, " Error: switch `%c' ", o->short_name);
	else
		strbuf_addf(sb, " Error: option `%s%s' ",
			    strncmp(word, "no-", 3) || !strncmp(o->long_name, word, 3) ? "" : "no-",
			    o->long_name);
	va_start(ap, fmt);
	strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
	options_usage_one(sb, p->usage, p->opts, is_short ? letter : word, is_short);
	return refuse(p, OPTIONS_STATUS_USAGE);
}

/* "-" alone is a value, standard input or output. */
static bool looks_like_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/*
 * Get the value of an option: the attached one, the default, or the next word. *val is NULL when
 * none was given.
 */
static int take_value(struct parse *p, const struct option *o, bool is_short, const char **val)
{
	bool last = p->next >= p->argc;

	*val = NULL;
	if (is_short && p->rest) {
		*val = p->rest;
		p->rest = NULL;
	} else if (p->attached) {
		*val = p->attached;
		p->attached = NULL;
	} else if (o->flags & PARSE_OPT_OPTARG) {
		*val = o->type == OPTION_STRING ? (const char *)o->defval : NULL;
	} else if ((o->flags & PARSE_OPT_LASTARG_DEFAULT) &&
		   (last || looks_like_option(p->argv[p->next]))) {
		*val = (const char *)o->defval;
	} else if (last) {
		return bad_option(p, o, is_short, "requires a value");
	} else {
		*val = p->argv[p->next++];
	}
	return GO_ON;
}

static void store_number(const struct option *o, u64 v)
{
	switch (o->type) {
	case OPTION_INTEGER:
		*(int *)o->value = (int)v;
		break;
	case OPTION_UINTEGER:
		*(unsigned int *)o->value = (unsigned int)v;
		break;
	case OPTION_LONG:
		*(long *)o->value = (long)v;
		break;
	case OPTION_ULONG:
		*(unsigned long *)o->value = (unsigned long)v;
		break;
	default:
		*(u64 *)o->value = v;
	}
}

static int set_number(struct parse *p, const struct option *o, bool is_short, const char *s)
{
	bool is_signed = o->type == OPTION_INTEGER || o->type == OPTION_LONG;
	long long sv;
	unsigned long long uv;
	char *end;

	if (!is_signed && s[0] == '-')
		return bad_option(p, o, is_short, "expects an unsigned numerical value");
	errno = 0;
	sv = is_signed ? strtoll(s, &end, 10) : 0;
	uv = is_signed ? 0 : strtoull(s, &end, 10);
	/* an empty value means zero, as it always has */
	if (*end)
		return bad_option(p, o, is_short, "expects a numerical value");
	if (errno == ERANGE || (o->type == OPTION_INTEGER && (sv < INT_MIN || sv > INT_MAX)) ||
	    (o->type == OPTION_UINTEGER && uv > UINT_MAX))
		return bad_option(p, o, is_short, "expects a smaller number");
	store_number(o, is_signed ? (u64)sv : uv);
	return GO_ON;
}

static int run_callback(struct parse *p, const struct option *o, bool is_short, bool unset)
{
	const char *val = NULL;
	char letter[2] = { o->short_name, 0 };
	const char *word = is_short ? letter : p->word + 2;

	if (!unset && !(o->flags & PARSE_OPT_NOARG) && take_value(p, o, is_short, &val))
		return REFUSED;
	if (!o->callback(o, val, unset))
		return GO_ON;
	options_usage_one(&p->out->text, p->usage, p->opts, word, is_short);
	return refuse(p, OPTIONS_STATUS_USAGE);
}

static int apply_valued(struct parse *p, const struct option *o, bool is_short, bool unset)
{
	const char *val;

	if (o->type == OPTION_CALLBACK)
		return run_callback(p, o, is_short, unset);
	if (o->type == OPTION_STRING) {
		if (unset) {
			*(const char **)o->value = NULL;
			return GO_ON;
		}
		if (take_value(p, o, is_short, &val))
			return REFUSED;
		if ((o->flags & PARSE_OPT_NOEMPTY) && val && !*val)
			return bad_option(p, o, is_short, "requires a value");
		*(const char **)o->value = val;
		return GO_ON;
	}
	if (unset) {
		store_number(o, 0);
		return GO_ON;
	}
	if (take_value(p, o, is_short, &val))
		return REFUSED;
	if (val && val != (const char *)o->defval)
		return set_number(p, o, is_short, val);
	store_number(o, (u64)o->defval);
	return GO_ON;
}

static bool takes_no_value(const struct option *o)
{
	switch (o->type) {
	case OPTION_BOOLEAN:
	case OPTION_INCR:
	case OPTION_SET_UINT:
	case OPTION_SET_INT:
		return true;
	default:
		return o->flags & PARSE_OPT_NOARG;
	}
}

static int check_exclusive(struct parse *p, const struct option *o, bool is_short)
{
	struct strbuf *sb = &p->out->text;
	char letter[2] = { 0, 0 };

	if (!(o->flags & PARSE_OPT_EXCLUSIVE))
		return GO_ON;
	if (!p->excl || p->excl == o) {
		p->excl = o;
		p->excl_short = is_short;
		return GO_ON;
	}
	if (is_short)
		strbuf_addf(sb, " Error: switch `%c' cannot be used with ", o->short_name);
	else
		strbuf_addf(sb, " Error: option `%s' cannot be used with ", o->long_name);
	if (p->excl_short)
		strbuf_addf(sb, "switch `%c'", p->excl->short_name);
	else
		strbuf_addf(sb, "%s", p->excl->long_name);
	letter[0] = o->short_name;
	options_usage_one(sb, p->usage, p->opts, is_short ? letter : o->long_name, is_short);
	letter[0] = p->excl->short_name;
	options_usage_one(sb, NULL, p->opts, p->excl_short ? letter : p->excl->long_name,
			  p->excl_short);
	return refuse(p, OPTIONS_STATUS_USAGE);
}

static int apply(struct parse *p, const struct option *o, bool is_short, bool unset)
{
	int r;

	if (unset && p->attached)
		return bad_option(p, o, is_short, "takes no value");
	if (unset && (o->flags & PARSE_OPT_NONEG))
		return bad_option(p, o, is_short, "isn't available");
	if (!is_short && p->attached && takes_no_value(o))
		return bad_option(p, o, is_short, "takes no value");
	r = check_exclusive(p, o, is_short);
	if (r)
		return r;
	switch (o->type) {
	case OPTION_BOOLEAN:
		*(bool *)o->value = !unset;
		break;
	case OPTION_INCR:
		*(int *)o->value = unset ? 0 : *(int *)o->value + 1;
		break;
	case OPTION_SET_UINT:
		*(unsigned int *)o->value = unset ? 0 : (unsigned int)o->defval;
		break;
	case OPTION_SET_INT:
		*(int *)o->value = unset ? 0 : (int)o->defval;
		break;
	default:
		r = apply_valued(p, o, is_short, unset);
	}
	if (!r && o->set)
		*o->set = true;
	return r;
}

/* A word like -all-cpus is a long option that lacks a dash. */
static int check_one_dash(struct parse *p, const char *word)
{
	const struct option *o;
	bool typo = !strncmp(word, "no-", 3);

	if (strlen(word) < 3)
		return GO_ON;
	for (o = options_first(p->opts); o && !typo; o = options_next(o))
		typo = o->long_name && !strncmp(o->long_name, word, strlen(word));
	if (!typo)
		return GO_ON;
	strbuf_addf(&p->out->text, " Error: did you mean `--%s` (with two dashes ?)\n", word);
	return refuse(p, OPTIONS_STATUS_USAGE);
}

static int parse_letter(struct parse *p)
{
	const struct option *o;
	char c = *p->rest;

	for (o = options_first(p->opts); o; o = options_next(o)) {
		if (o->type == OPTION_GROUP || !o->short_name || o->short_name != c)
			continue;
		p->rest = p->rest[1] ? p->rest + 1 : NULL;
		return apply(p, o, true, false);
	}
	return UNKNOWN;
}

/* The ways in which a word can match the name of an option. */
enum match { NO_MATCH, PREFIX, EXACT };

static enum match match_word(const char *word, size_t len, const char *name)
{
	if (strncmp(word, name, len))
		return NO_MATCH;
	return name[len] ? PREFIX : EXACT;
}

/* A word may be the name of an option, its negation (--no-x), or its name without a leading no-. */
static enum match match_long(const struct option *o, const char *word, size_t len, bool *unset)
{
	enum match m = match_word(word, len, o->long_name);

	*unset = false;
	if (m)
		return m;
	*unset = true;
	if (!strncmp(o->long_name, "no-", 3)) {
		m = match_word(word, len, o->long_name + 3);
		if (m)
			return m;
	}
	if (len <= 3)
		return len && !strncmp("no-", word, len) ? PREFIX : NO_MATCH;
	return strncmp(word, "no-", 3) ? NO_MATCH : match_word(word + 3, len - 3, o->long_name);
}

static int parse_long(struct parse *p, const char *word)
{
	const struct option *o, *found = NULL, *other = NULL;
	size_t len = strcspn(word, "=");
	bool unset, found_unset = false, other_unset = false;
	enum match m;

	p->attached = word[len] ? word + len + 1 : NULL;
	for (o = options_first(p->opts); o; o = options_next(o)) {
		if (!o->long_name || o->type == OPTION_GROUP)
			continue;
		m = match_long(o, word, len, &unset);
		if (m == EXACT)
			return apply(p, o, false, unset);
		if (m == PREFIX) {
			other = found;
			other_unset = found_unset;
			found = o;
			found_unset = unset;
		}
	}
	if (!found)
		return UNKNOWN;
	if (!other)
		return apply(p, found, false, found_unset);
	strbuf_addf(&p->out->text, " Error: Ambiguous option: %s (could be --%s%s or --%s%s)\n",
		    word, other_unset ? "no-" : "", other->long_name, found_unset ? "no-" : "",
		    found->long_name);
	options_usage_one(&p->out->text, p->usage, p->opts, word, false);
	return refuse(p, OPTIONS_STATUS_USAGE);
}

static int show_help(struct parse *p, bool all)
{
	options_usage(&p->out->text, p->usage, p->opts, p->argc - p->next, p->argv + p->next, all);
	p->out->whole_usage = true;
	return refuse(p, OPTIONS_STATUS_USAGE);
}

/* The option that may have been meant, of those that the help shows. @word: without its dashes */
static void put_nearest(const struct parse *p, const char *word, struct strbuf *sb)
{
	char *name = xstrndup(word, strcspn(word, "="));
	struct near near = { .word = name };

	for (const struct option *o = options_first(p->opts); o; o = options_next(o))
		if (o->long_name && !(o->flags & PARSE_OPT_HIDDEN))
			near_add(&near, o->long_name);
	if (near.nr)
		strbuf_addf(sb, "  Did you mean --%s?\n", near.best[0]);
	near_release(&near);
	free(name);
}

/* Return what to write instead of an option of earlier versions; NULL when they had no such one. */
static const char *instead_of(const struct option *o, const char *word, char letter)
{
	size_t len = strcspn(word, "=");

	for (; o; o = o->type == OPTION_END ? o->parent : o + 1) {
		const char *name = o->long_name;

		if (o->type != OPTION_GONE)
			continue;
		if (word[1] != '-'
			    ? o->short_name == letter
			    : name && strlen(name) == len - 2 && !strncmp(name, word + 2, len - 2))
			return o->help;
	}
	return NULL;
}

static int unknown_option(struct parse *p, const char *word)
{
	const char *instead = instead_of(p->opts, word, word[1] == '-' ? 0 : *p->rest);
	struct strbuf *sb = &p->out->text;
	char name[128];

	if (word[1] == '-') {
		escape_name(name, sizeof(name), word + 2);
		strbuf_addf(sb, "  Error: unknown option `%s'\n", name);
		if (!instead)
			put_nearest(p, word + 2, sb);
	} else {
		snprintf(name, sizeof(name), "%c", *p->rest);
		strbuf_addf(sb, "  Error: unknown switch `");
		strbuf_addname(sb, name);
		strbuf_addstr(sb, "'\n");
	}
	if (instead)
		strbuf_addf(sb, "  %s\n", instead);
	options_usage(sb, p->usage, p->opts, 0, NULL, false);
	p->out->whole_usage = true;
	return refuse(p, OPTIONS_STATUS_USAGE);
}

static int parse_short_word(struct parse *p, const char *word)
{
	bool first = true;
	int r;

	p->attached = NULL;
	p->rest = word + 1;
	while (p->rest) {
		r = parse_letter(p);
		if (r == UNKNOWN && *p->rest == 'h' && !(p->flags & PARSE_OPT_KEEP_HELP))
			return show_help(p, false);
		if (r == UNKNOWN && (!first || !(p->flags & PARSE_OPT_KEEP_UNKNOWN)))
			return first || !check_one_dash(p, word + 1) ? unknown_option(p, word)
								     : REFUSED;
		if (r)
			return r;
		if (first && p->rest && check_one_dash(p, word + 1))
			return REFUSED;
		first = false;
	}
	return GO_ON;
}

/* Print the table for completion, unless the table itself is not valid. */
static int show_list(struct parse *p, bool table)
{
	struct err err = { 0 };

	if (options_check(p->opts, &err)) {
		strbuf_addf(&p->out->text, "%s\n", err.msg);
		return refuse(p, 128);
	}
	if (table)
		options_table(&p->out->text, p->opts);
	else
		options_list(&p->out->text, p->opts);
	p->out->to_stdout = true;
	return refuse(p, OPTIONS_STATUS_LIST);
}

static int parse_long_word(struct parse *p, const char *word)
{
	bool help = !(p->flags & PARSE_OPT_KEEP_HELP);
	int r;

	if (help && !strcmp(word, "--help-all"))
		return show_help(p, true);
	if (help && !strcmp(word, "--help"))
		return show_help(p, false);
	if (!strcmp(word, "--list-opts") || !strcmp(word, "--list-opts=table"))
		return show_list(p, word[strlen("--list-opts")] == '=');
	if (!strcmp(word, "--list-cmds")) {
		strbuf_addch(&p->out->text, '\n');
		p->out->to_stdout = true;
		return refuse(p, OPTIONS_STATUS_LIST);
	}
	r = parse_long(p, word + 2);
	if (r == UNKNOWN && !(p->flags & PARSE_OPT_KEEP_UNKNOWN))
		return unknown_option(p, word);
	return r;
}

int options_parse(int argc, const char **argv, const struct option *opts, const char *const usage[],
		  int flags, struct options_out *out)
{
	struct parse p = { .argv = argv,
			   .argc = argc,
			   .next = 1,
			   .opts = opts,
			   .usage = usage,
			   .flags = flags,
			   .out = out };
	const char *word;
	int r;

	if (argc < 1)
		return 0;
	p.kept = flags & PARSE_OPT_KEEP_ARGV0 ? 1 : 0;
	while (p.next < argc) {
		word = argv[p.next++];
		if (!strcmp(word, "--")) {
			if (flags & PARSE_OPT_KEEP_DASHDASH)
				p.next--;
			break;
		}
		if (word[0] != '-' || !word[1]) {
			if (flags & PARSE_OPT_STOP_AT_NON_OPTION) {
				p.next--;
				break;
			}
			argv[p.kept++] = word;
			continue;
		}
		p.word = word;
		r = word[1] == '-' ? parse_long_word(&p, word) : parse_short_word(&p, word);
		if (r == REFUSED)
			return -1;
		if (r == UNKNOWN)
			argv[p.kept++] = word;
	}
	while (p.next < argc)
		argv[p.kept++] = argv[p.next++];
	if (p.kept < argc)
		argv[p.kept] = NULL;
	return p.kept;
}

int options_parse_subcommand(int argc, const char **argv, const struct option *opts,
			     const char *const subcommands[], const char *const usage[], int flags,
			     struct options_out *out)
{
	const char *made_usage[2] = { NULL, NULL };
	struct strbuf line = STRBUF_INIT;
	int i, r;

	if (argc > 1 && !strcmp(argv[1], "--list-cmds")) {
		for (i = 0; subcommands[i]; i++)
			strbuf_addf(&out->text, "%s ", subcommands[i]);
		strbuf_addch(&out->text, '\n');
		out->to_stdout = true;
		out->status = OPTIONS_STATUS_LIST;
		return -1;
	}
	if (!usage || !usage[0]) {
		options_subcommand_usage(&line, argc ? argv[0] : "", subcommands);
		made_usage[0] = strbuf_str(&line);
		usage = made_usage;
	}
	r = options_parse(argc, argv, opts, usage, flags, out);
	strbuf_release(&line);
	return r;
}

void options_out_release(struct options_out *out)
{
	strbuf_release(&out->text);
}
