// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "mem/passed.h"

#include "base/alloc.h"

/* Append the option as a word that the other command understands in the same way. */
static int pass(const struct option *opt, const char *arg, int unset)
{
	struct verb_args *args = opt->value;
	const char *no = unset ? "no-" : "";

	if (!opt->long_name) {
		verb_args_own(args, xasprintf("-%c", opt->short_name));
		if (arg)
			verb_args_own(args, xstrdup(arg));
	} else if (arg) {
		verb_args_own(args, xasprintf("--%s=%s", opt->long_name, arg));
	} else {
		verb_args_own(args, xasprintf("--%s%s", no, opt->long_name));
	}
	return 0;
}

static size_t rows_of(const struct option *o)
{
	size_t nr = 0;

	while (o[nr].type != OPTION_END)
		nr++;
	return nr;
}

static bool has_name(const struct option *own, const char *name)
{
	for (; own->type != OPTION_END; own++)
		if (name && own->long_name && !strcmp(own->long_name, name))
			return true;
	return false;
}

static bool has_letter(const struct option *own, char letter)
{
	for (; own->type != OPTION_END; own++)
		if (own->short_name == letter)
			return true;
	return false;
}

static bool valueless(const struct option *o)
{
	return o->type == OPTION_BOOLEAN || o->type == OPTION_INCR || o->type == OPTION_SET_UINT ||
	       o->type == OPTION_SET_INT || o->flags & PARSE_OPT_NOARG;
}

/* Make the row of an option that is handed on; false: the command's own ones hide it. */
static bool passed_row(struct option *row, const struct option *o, const struct option *own,
		       struct verb_args *args)
{
	*row = *o;
	if (o->type == OPTION_GROUP || o->type == OPTION_GONE)
		return false;
	if (has_letter(own, o->short_name))
		row->short_name = 0;
	if (has_name(own, o->long_name))
		row->long_name = NULL;
	row->type = OPTION_CALLBACK;
	row->value = args;
	row->callback = pass;
	row->set = NULL;
	row->flags |= PARSE_OPT_HIDDEN | (valueless(o) ? PARSE_OPT_NOARG : 0);
	return row->short_name || row->long_name;
}

struct option *passed_options(const struct option *own, const struct option *other,
			      struct verb_args *args)
{
	size_t nr = rows_of(own);
	struct option *all = xcalloc(nr + rows_of(other) + 1, sizeof(*all));

	memcpy(all, own, nr * sizeof(*all));
	for (; other->type != OPTION_END; other++)
		if (passed_row(&all[nr], other, own, args))
			nr++;
	all[nr] = (struct option)OPT_END();
	return all;
}
