// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/fetch.h"

#include "arch/arch.h"
#include "arch/elf.h"
#include "base/alloc.h"
#include "probe/variable.h"

#include <ctype.h>
#include <errno.h>

void probe_fetches_release(struct probe_fetches *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		free(f->v[i].name);
		free(f->v[i].value);
		free(f->v[i].type);
	}
	free(f->v);
	*f = (struct probe_fetches){ 0 };
}

void probe_fetch_add(struct probe_fetches *f, const char *name, const char *value, const char *type)
{
	VEC_GROW_FROM(f->v, f->nr + 1, f->cap, 4);
	f->v[f->nr++] = (struct probe_fetch){
		.name = name ? xstrdup(name) : NULL,
		.value = xstrdup(value),
		.type = type ? xstrdup(type) : NULL,
	};
}

/* Append a register as the kernel calls it: "%RDI", "%edi" and "%di" are "%di". */
static void put_register(const struct arch_elf *elf, const char *reg, size_t len,
			 struct strbuf *out)
{
	struct strbuf lower = STRBUF_INIT, known = STRBUF_INIT;

	for (size_t i = 0; i < len; i++)
		strbuf_addch(&lower, (char)tolower((unsigned char)reg[i]));
	if (elf->operand && elf->operand(strbuf_str(&lower), lower.len, &known))
		strbuf_addstr(out, strbuf_str(&known));
	else
		strbuf_addstr(out, strbuf_str(&lower));
	strbuf_release(&lower);
	strbuf_release(&known);
}

static int no_symbol(const struct probe_object *o, const char *name, int code,
		     const struct near *near, struct err *err)
{
	struct strbuf names = STRBUF_INIT;

	if (code == -EDOM)
		return err_set(err, code,
			       "Sorry, we don't support this variable location yet: %s is a "
			       "variable of which each thread has its own, and probes cannot tell "
			       "where.",
			       name);
	for (size_t i = 0; i < near->nr; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "\nDid you mean ", near->best[i]);
	err_set(err, code, "Failed to find the symbol of @%s in %s.%s%s", name,
		probe_object_name(o), strbuf_str(&names), near->nr ? "?" : "");
	strbuf_release(&names);
	return code;
}

int probe_symbol_find(const struct probe_object *o, const char *name, u64 *addr, struct err *err)
{
	struct near near = { .word = name };
	struct elf_place place = { 0 };
	int rc = object_find_place(o->file, name, &place, &near);

	if (rc == -ENOENT && o->debug)
		rc = object_find_place(o->debug, name, &place, &near);
	*addr = place.addr;
	if (rc)
		rc = no_symbol(o, name, rc, &near, err);
	near_release(&near);
	return rc;
}

/*
 * Append memory at a symbol, "@NAME", "@NAME+N" or "@NAME-N" at @value. The kernel looks up its own
 * symbols alone: that of a program is told by its place in the file (probe_value_text()).
 * Return: the length of the text, or a negative errno and a sentence.
 */
static int put_symbol(const struct probe_object *o, const struct probe_point *p, const char *value,
		      struct strbuf *out, struct err *err)
{
	size_t len = strcspn(value + 1, "+-()");
	char *name = xstrndup(value + 1, len), *end = (char *)(uintptr_t)value + 1 + len;
	u64 addr = 0;
	int rc = probe_symbol_find(o, name, &addr, err);

	free(name);
	if (rc)
		return rc;
	if (*end == '+' || *end == '-')
		addr += (u64)strtoll(end, &end, 0);
	strbuf_addf(out, "@+%" PRId64, (s64)(addr - p->addr + p->offset));
	return (int)(end - value);
}

/* Append what the kernel fetches, with its registers as the kernel calls them, and symbols of
 * programs by where they are. */
static int put_fetched(const struct probe_object *o, const struct probe_point *p, const char *value,
		       struct strbuf *out, struct err *err)
{
	const struct arch_elf *elf = o->functions.machine ? arch_elf_of(o->functions.machine)
							  : arch_host()->elf;
	int rc = 0;

	while (rc >= 0 && *value) {
		size_t len = strcspn(value, "%@");

		strbuf_add(out, value, len);
		value += len;
		len = *value ? 1 : 0;
		while (*value == '%' && isalnum((unsigned char)value[len]))
			len++;
		if (*value == '%') {
			put_register(elf, value, len, out);
		} else if (*value && o->user &&
			   (isalpha((unsigned char)value[1]) || value[1] == '_')) {
			rc = put_symbol(o, p, value, out, err);
			len = (size_t)MAX(rc, 0);
		} else {
			strbuf_add(out, value, len);
		}
		value += len;
	}
	return MIN(rc, 0);
}

static int fetch_arg(struct probe_object *o, const struct probe_arg *a, const struct probe_point *p,
		     struct probe_fetches *out, struct err *err)
{
	struct strbuf value = STRBUF_INIT;
	bool set = probe_arg_is_set(a);
	int rc = a->variable || set ? probe_object_debug(o, err) : 0;

	if (rc)
		return rc;
	if (set)
		return probe_fetch_visible(o, strcmp(a->value, "$vars"), p, out, err);
	if (a->variable)
		return probe_fetch_variable(o, a, p, out, err);
	rc = put_fetched(o, p, a->value, &value, err);
	if (!rc)
		probe_fetch_add(out, a->name, strbuf_str(&value), a->type);
	strbuf_release(&value);
	return rc;
}

/* Add the arguments that a marker has. They are "argN=VALUE:TYPE". */
static void add_marker_args(const char *args, struct probe_fetches *out)
{
	size_t len;

	for (; args += strspn(args, " "), len = strcspn(args, " "); args += len) {
		const char *equal = memchr(args, '=', len), *colon = memchr(args, ':', len);
		size_t end = colon ? (size_t)(colon - args) : len;
		char *name, *value, *type;

		if (!equal || (colon && colon < equal))
			continue;
		name = xstrndup(args, (size_t)(equal - args));
		value = xstrndup(equal + 1, end - (size_t)(equal + 1 - args));
		type = colon ? xstrndup(colon + 1, len - end - 1) : NULL;
		probe_fetch_add(out, name, value, type);
		free(name);
		free(value);
		free(type);
	}
}

static bool is_taken(const struct probe_fetches *f, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (f->v[i].name && !strcmp(f->v[i].name, name))
			return true;
	return false;
}

/* Give arguments whose name another one has a number. */
static void tell_apart(struct probe_fetches *f)
{
	for (size_t i = 1; i < f->nr; i++) {
		char *base = f->v[i].name;

		if (!base)
			continue;
		f->v[i].name = xstrdup(base);
		for (int n = 1; is_taken(f, i, f->v[i].name); n++) {
			free(f->v[i].name);
			f->v[i].name = xasprintf("%s_%d", base, n);
		}
		free(base);
	}
}

int probe_fetch_args(struct probe_object *o, const struct probe_definition *d,
		     const struct probe_point *p, struct probe_fetches *out, struct err *err)
{
	int rc = 0;

	if (p->args && !d->nr_args)
		add_marker_args(p->args, out);
	for (size_t i = 0; !rc && i < d->nr_args; i++)
		rc = fetch_arg(o, &d->args[i], p, out, err);
	tell_apart(out);
	return rc;
}
