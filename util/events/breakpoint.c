// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Breakpoints: mem:ADDR[/LEN][:ACCESS], mem:SYMBOL[+OFFSET][@OBJECT][/LEN][:ACCESS]. A symbol is
 * looked up in the object if there is one, then in the running kernel, and otherwise in the
 * program, whose addresses are known only when it runs.
 */
#include "base/compat.h"
#include "events/parse-internal.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>

#define MAX_LEN 8

struct kernel_symbol {
	u64 addr;
	bool code;
	bool late; /* the symbol @name may belong to the program; @addr is the offset */
	char name[128];
	const char *object; /* in the text; NULL: none */
	size_t object_len;
};

/*
 * Find the first line "ADDR TYPE NAME..." of @name; @near receives similar names. Return: 0,
 * -ENOENT.
 */
static int scan_kallsyms(const char *text, const char *name, struct kernel_symbol *sym,
			 struct near *near)
{
	char word[128];

	for (const char *p = text; *p;) {
		const char *eol = p + strcspn(p, "\n");
		char *end;
		u64 addr = strtoull(p, &end, 16);
		size_t len;

		if (end < eol && *end == ' ' && end + 3 < eol) {
			len = strcspn(end + 3, " \t\n");
			if (len < sizeof(word)) {
				memcpy(word, end + 3, len);
				word[len] = 0;
				if (!strcmp(word, name)) {
					sym->addr = addr;
					sym->code = strchr("tTwW", end[1]) != NULL;
					return 0;
				}
				near_add(near, word);
			}
		}
		p = *eol ? eol + 1 : eol;
	}
	return -ENOENT;
}

static int find_symbol(struct evparse *ep, const char *at, const char *name,
		       struct kernel_symbol *sym)
{
	struct near near = { .word = name };
	struct strbuf sb = STRBUF_INIT;
	int rc = sysroot_read(ep->sr, &sb, "/proc/kallsyms");

	if (!rc)
		rc = scan_kallsyms(strbuf_str(&sb), name, sym, &near);
	strbuf_release(&sb);
	if ((rc || !sym->addr) && ep->env->programs) {
		sym->late = true;
		rc = 0;
	} else if (rc) {
		parse_fail(ep, at, rc, "the running kernel has no symbol '%s'", name);
		parse_help_near(ep, &near);
	} else if (!sym->addr) {
		rc = parse_fail(ep, at, -EACCES, "addresses of the kernel are hidden");
		parse_help(ep, "See /proc/sys/kernel/kptr_restrict, or run as root.\n");
	}
	near_release(&near);
	return rc;
}

static size_t number_len(const char *p)
{
	size_t len = 0;

	while (isalnum((unsigned char)p[len]))
		len++;
	return len;
}

/* Parse a number at ep->p. */
static int take_number(struct evparse *ep, u64 *v)
{
	size_t len = number_len(ep->p);

	if (!parse_number(ep->p, len, v))
		return parse_fail(ep, ep->p, -EINVAL, "parser error");
	ep->p += len;
	return 0;
}

/*
 * Parse @OBJECT: a path or a name, perhaps in single quotes. Without quotes it ends at a colon, and
 * a last part that is a number is the length.
 */
static int take_object(struct evparse *ep, struct kernel_symbol *sym)
{
	const char *at = ++ep->p;
	size_t len, digits = 0;

	if (!ep->env->programs)
		return parse_fail(ep, at, -EINVAL,
				  "symbols of object files are for perf record only");
	if (*at == '\'') {
		len = strcspn(++at, "'");
		if (!at[len])
			return parse_fail(ep, at - 1, -EINVAL, "the quote is not closed");
		ep->p = at + len + 1;
	} else {
		len = strcspn(at, ":,{} \t\n");
		while (digits < len && isdigit((unsigned char)at[len - 1 - digits]))
			digits++;
		if (digits && digits + 1 < len && at[len - 1 - digits] == '/')
			len -= digits + 1;
		ep->p = at + len;
	}
	if (!len)
		return parse_fail(ep, at, -EINVAL, "the name of an object file is expected");
	sym->object = at;
	sym->object_len = len;
	sym->late = true;
	return 0;
}

/* Parse ADDR or SYMBOL[+OFFSET][@OBJECT]. */
static int take_address(struct evparse *ep, struct kernel_symbol *sym)
{
	const char *at = ep->p;
	size_t len = 0;
	u64 offset = 0;
	int rc = 0;

	if (isdigit((unsigned char)*at))
		return take_number(ep, &sym->addr);
	while (isalnum((unsigned char)at[len]) || (at[len] && strchr("_.$", at[len])))
		len++;
	if (!len || len >= sizeof(sym->name))
		return parse_fail(ep, at, -EINVAL, "parser error");
	memcpy(sym->name, at, len);
	sym->name[len] = 0;
	ep->p += len;
	if (*ep->p == '+') {
		ep->p++;
		rc = take_number(ep, &offset);
	}
	if (!rc && *ep->p == '@')
		rc = take_object(ep, sym);
	else if (!rc)
		rc = find_symbol(ep, at, sym->name, sym);
	sym->addr += offset;
	return rc;
}

/* Parse [:rwx]. A colon with other letters begins the modifiers. */
static int take_access(struct evparse *ep, u32 *type)
{
	size_t n = 1;

	if (*ep->p != ':')
		return 0;
	for (; ep->p[n] && strchr("rwx", ep->p[n]); n++) {
		u32 bit = ep->p[n] == 'r'   ? HW_BREAKPOINT_R
			  : ep->p[n] == 'w' ? HW_BREAKPOINT_W
					    : HW_BREAKPOINT_X;

		if (*type & bit)
			return parse_fail(ep, ep->p + 1, -EINVAL, "Bad modifier");
		*type |= bit;
	}
	if (n > 1)
		ep->p += n;
	return 0;
}

void breakpoint_kind(struct evsel *e, u32 type, u32 len, bool code)
{
	if (!type)
		type = code ? HW_BREAKPOINT_X : HW_BREAKPOINT_RW;
	e->attr.bp_type = type;
	e->attr.bp_len = len ? len : type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
}

/* Use an address that no program has until the place is known. */
static void set_late(struct evsel *e, const struct kernel_symbol *sym, u32 type, u32 len)
{
	e->late = xzalloc(sizeof(*e->late));
	e->late->symbol = xstrdup(sym->name);
	e->late->object = sym->object ? xstrndup(sym->object, sym->object_len) : NULL;
	e->late->offset = sym->addr;
	e->late->type = type;
	e->late->len = len;
	e->attr.bp_addr = 0;
}

int parse_breakpoint(struct evparse *ep, const char *at)
{
	struct kernel_symbol sym = { 0 };
	struct evsel *e;
	u64 len = 0;
	u32 type = 0;
	int rc = take_address(ep, &sym);

	if (!rc && *ep->p == '/') {
		ep->p++;
		rc = take_number(ep, &len);
		if (!rc && (!len || len > MAX_LEN))
			rc = parse_fail(ep, ep->p - number_len(ep->p) - 1, -EINVAL,
					"a breakpoint covers 1 to %d bytes", MAX_LEN);
	}
	if (!rc)
		rc = take_access(ep, &type);
	if (rc)
		return rc;
	e = parse_add(ep, PERF_TYPE_BREAKPOINT, 0, at, ep->p);
	e->attr.bp_addr = sym.addr;
	if (sym.late)
		set_late(e, &sym, type, (u32)len);
	breakpoint_kind(e, type, (u32)len, sym.code);
	e->attr.sample_period = 1;
	return 0;
}
