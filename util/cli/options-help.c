// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The option tables as a user sees them: usage lines, help, and the list for completion; also the
 * check of the tables.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "cli/options-internal.h"

#include <ctype.h>
#include <errno.h>
#include <strings.h>

enum {
	HELP_COL = 24, /* after longer names the help begins on the next line */
	HELP_GAP = 2,
};

static void usage_lines(struct strbuf *sb, const char *const usage[])
{
	int i;

	if (!usage || !usage[0])
		return;
	strbuf_addf(sb, "\n Usage: %s\n", usage[0]);
	for (i = 1; usage[i]; i++) {
		if (*usage[i])
			strbuf_addf(sb, "    or: %s\n", usage[i]);
		else
			strbuf_addch(sb, '\n');
	}
	strbuf_addch(sb, '\n');
}

/* Append " <file>", "[=<n>]" or " ...": how the value of an option is shown. */
static void value_shape(struct strbuf *sb, const struct option *o)
{
	const char *argh = o->argh;
	bool opt = o->flags & PARSE_OPT_OPTARG;
	const char *lead = !opt ? " " : o->long_name ? "[=" : "[";

	switch (o->type) {
	case OPTION_INTEGER:
	case OPTION_UINTEGER:
	case OPTION_LONG:
	case OPTION_ULONG:
	case OPTION_U64:
		argh = argh ? argh : "n";
		break;
	case OPTION_STRING:
		break;
	case OPTION_CALLBACK:
		if (!(o->flags & PARSE_OPT_NOARG))
			break;
		return;
	default:
		return;
	}
	if (argh)
		strbuf_addf(sb, "%s<%s>%s", lead, argh, opt ? "]" : "");
	else
		strbuf_addf(sb, "%s...%s", lead, opt ? "]" : "");
}

static void option_help(struct strbuf *sb, const struct option *o)
{
	size_t start = sb->len, width;

	if (o->type == OPTION_GROUP) {
		strbuf_addf(sb, "\n%s\n", o->help ? o->help : "");
		return;
	}
	if (o->short_name)
		strbuf_addf(sb, "    -%c", o->short_name);
	else
		strbuf_addstr(sb, "    ");
	if (o->long_name)
		strbuf_addf(sb, "%s--%s", o->short_name ? ", " : "    ", o->long_name);
	value_shape(sb, o);
	width = sb->len - start;
	if (width > HELP_COL) {
		strbuf_addch(sb, '\n');
		start = sb->len;
	}
	strbuf_pad(sb, start + HELP_COL + HELP_GAP);
	strbuf_addf(sb, "%s\n", o->help ? o->help : "");
}

/* Compare by letter regardless of case, then by long name. Options without a letter come last. */
static int cmp_options(const void *pa, const void *pb)
{
	const struct option *a = *(const struct option *const *)pa,
			    *b = *(const struct option *const *)pb;
	int r;

	if (!a->short_name != !b->short_name)
		return a->short_name ? -1 : 1;
	r = tolower((unsigned char)a->short_name) - tolower((unsigned char)b->short_name);
	if (r)
		return r;
	return strcmp(a->long_name ? a->long_name : "", b->long_name ? b->long_name : "");
}

static bool contains_nocase(const char *text, const char *word)
{
	return text && strcasestr(text, word);
}

/* Tell whether one of the words of `-h WORD...` is about this option. */
static bool asked_for(const struct option *o, int argc, const char **argv)
{
	int i;

	if (!argc)
		return true;
	for (i = 0; i < argc; i++) {
		const char *w = argv[i];

		if (w[0] == '-' && w[1] == '-') {
			if (o->long_name && !strcmp(o->long_name, w + 2))
				return true;
		} else if (w[0] == '-') {
			if (o->short_name && w[1] == o->short_name)
				return true;
		} else if (w[0] && !w[1]) {
			if (o->short_name == w[0])
				return true;
		} else if ((o->long_name && !strcmp(o->long_name, w)) ||
			   contains_nocase(o->help, w)) {
			return true;
		}
	}
	return false;
}

void options_usage(struct strbuf *sb, const char *const usage[], const struct option *opts,
		   int argc, const char **argv, bool all)
{
	const struct option **rows = NULL, *o;
	size_t nr = 0, cap = 0, section = 0, i;

	usage_lines(sb, usage);
	for (o = options_first(opts); o; o = options_next(o)) {
		if (o->type == OPTION_GROUP
			    ? argc > 0
			    : ((o->flags & PARSE_OPT_HIDDEN) && !all) || !asked_for(o, argc, argv))
			continue;
		VEC_GROW(rows, nr + 1, cap);
		rows[nr++] = o;
	}
	for (i = 0; i <= nr; i++) {
		if (i < nr && rows[i]->type != OPTION_GROUP)
			continue;
		if (i > section)
			qsort(rows + section, i - section, sizeof(*rows), cmp_options);
		section = i + 1;
	}
	for (i = 0; i < nr; i++)
		option_help(sb, rows[i]);
	strbuf_addch(sb, '\n');
	free(rows);
}

void options_usage_one(struct strbuf *sb, const char *const usage[], const struct option *opts,
		       const char *name, bool short_name)
{
	const struct option *o;
	bool every = name && !short_name && *name && !strncmp("no-", name, strlen(name));

	usage_lines(sb, usage);
	if (!name)
		return;
	for (o = options_first(opts); o; o = options_next(o)) {
		if (o->type == OPTION_GROUP)
			continue;
		if (short_name
			    ? o->short_name == *name && *name
			    : o->long_name && (every || !strncmp(o->long_name, name, strlen(name))))
			option_help(sb, o);
	}
}

void options_subcommand_usage(struct strbuf *sb, const char *cmd, const char *const subcommands[])
{
	int i;

	strbuf_addf(sb, "perf %s [<options>] {", cmd);
	for (i = 0; subcommands[i]; i++)
		strbuf_addf(sb, "%s%s", i ? "|" : "", subcommands[i]);
	strbuf_addch(sb, '}');
}

void options_list(struct strbuf *sb, const struct option *opts)
{
	const struct option *o;

	for (o = options_first(opts); o; o = options_next(o))
		if (o->long_name && o->type != OPTION_GROUP)
			strbuf_addf(sb, "--%s ", o->long_name);
	strbuf_addch(sb, '\n');
}

static const char *value_kind(const struct option *o)
{
	switch (o->type) {
	case OPTION_BOOLEAN:
	case OPTION_INCR:
	case OPTION_SET_UINT:
	case OPTION_SET_INT:
		return "none";
	default:
		return o->flags & PARSE_OPT_NOARG    ? "none"
		       : o->flags & PARSE_OPT_OPTARG ? "optional"
						     : "required";
	}
}

void options_table(struct strbuf *sb, const struct option *opts)
{
	const struct option *o;

	for (o = options_first(opts); o; o = options_next(o)) {
		if (o->type == OPTION_GROUP)
			continue;
		strbuf_addf(sb, "%c\t%s\t%s\t%s\t%s\t%.*s\n", o->short_name ? o->short_name : '-',
			    o->long_name ? o->long_name : "-", value_kind(o),
			    o->argh ? o->argh : "-",
			    o->flags & PARSE_OPT_HIDDEN ? "hidden" : "shown",
			    o->help ? (int)strcspn(o->help, "\n\t") : 0, o->help ? o->help : "");
	}
}

static int check_row(const struct option *o, struct err *err)
{
	const char *name = o->long_name ? o->long_name : "";
	unsigned int arity = o->flags &
			     (PARSE_OPT_OPTARG | PARSE_OPT_NOARG | PARSE_OPT_LASTARG_DEFAULT);

	if (!o->help)
		return err_set(err, -EINVAL, "option `%s' (%c) has no help text", name,
			       o->short_name ? o->short_name : '-');
	if (!o->short_name && !o->long_name)
		return err_set(err, -EINVAL, "option \"%s\" has no name", o->help);
	if (o->short_name && (!isgraph((unsigned char)o->short_name) || o->short_name == '-'))
		return err_set(err, -EINVAL, "option `%s' has a letter that cannot be typed", name);
	if (o->long_name && (!*name || *name == '-' || strpbrk(name, "= \t")))
		return err_set(err, -EINVAL, "option `%s' has a name that cannot be parsed", name);
	if (o->type == OPTION_CALLBACK ? !o->callback : !o->value)
		return err_set(err, -EINVAL, "option `%s' (%c) leads nowhere", name,
			       o->short_name ? o->short_name : '-');
	if (arity & (arity - 1))
		return err_set(err, -EINVAL, "option `%s' has contradictory flags about its value",
			       name);
	if ((arity & PARSE_OPT_NOARG) && o->type != OPTION_CALLBACK)
		return err_set(err, -EINVAL, "option `%s': PARSE_OPT_NOARG is for callbacks", name);
	if ((o->flags & PARSE_OPT_NOEMPTY) && o->type != OPTION_STRING)
		return err_set(err, -EINVAL, "option `%s': PARSE_OPT_NOEMPTY is for strings", name);
	return 0;
}

int options_check(const struct option *opts, struct err *err)
{
	const struct option *a, *b;
	int r;

	for (a = options_first(opts); a; a = options_next(a)) {
		if (a->type == OPTION_GROUP)
			continue;
		r = check_row(a, err);
		if (r)
			return r;
		for (b = options_next(a); b; b = options_next(b)) {
			if (b->type == OPTION_GROUP)
				continue;
			if (a->short_name && a->short_name == b->short_name)
				return err_set(err, -EINVAL, "the letter `%c' is used twice",
					       a->short_name);
			if (a->long_name && b->long_name && !strcmp(a->long_name, b->long_name))
				return err_set(err, -EINVAL, "the name `%s' is used twice",
					       a->long_name);
		}
	}
	return 0;
}
