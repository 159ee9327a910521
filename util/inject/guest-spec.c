// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "inject/guest.h"

#include "base/alloc.h"

#include <errno.h>
#include <math.h>

/* Return the length of the part before the next comma, and move *@p behind that. */
static size_t take_part(const char **p)
{
	size_t len = strcspn(*p, ",");

	*p += len + ((*p)[len] == ',');
	return len;
}

/* Parse a number of @len characters, decimal, or hexadecimal after 0x. Return: whether it is
 * one. */
static bool parse_offset(const char *s, size_t len, u64 *out)
{
	char *end;

	if (!len) /* left out */
		return true;
	errno = 0;
	*out = s[0] == '-' ? (u64)strtoll(s, &end, 0) : strtoull(s, &end, 0);
	return !errno && end == s + len;
}

static bool parse_scale(const char *s, size_t len, double *out)
{
	char *end;

	if (!len)
		return true;
	*out = strtod(s, &end);
	return end == s + len && isfinite(*out) && *out > 0;
}

static bool parse_pid(const char *s, size_t len, u32 *out)
{
	char *end;
	unsigned long pid;

	errno = 0;
	pid = strtoul(s, &end, 10);
	*out = (u32)pid;
	return len && *s >= '0' && *s <= '9' && !errno && end == s + len && pid && pid <= INT32_MAX;
}

/* Parse all of @text. Return: what it lacks, NULL: nothing. */
static const char *parse(struct guest_spec *g, const char *text)
{
	const char *part = text;
	size_t len = take_part(&text);

	g->path = xstrndup(part, len);
	if (!len)
		return "the name of the guest's recording";
	part = text;
	if (!parse_pid(part, take_part(&text), &g->pid))
		return "the PID of the process that runs the virtual machine";
	part = text;
	if (!parse_offset(part, take_part(&text), &g->offset))
		return "an offset of time stamps that is a whole number";
	part = text;
	if (!parse_scale(part, take_part(&text), &g->scale))
		return "a scale of time stamps that is a number above 0";
	return *text ? "an end after the scale" : NULL;
}

int guest_specs_add(struct guest_specs *gs, const char *text, struct err *err)
{
	struct guest_spec g = { .scale = 1 };
	const char *lacks = parse(&g, text);

	if (lacks) {
		free(g.path);
		return err_set(err, -EINVAL,
			       "--guest-data=%s lacks %s: it is FILE,PID[,OFFSET[,SCALE]]", text,
			       lacks);
	}
	VEC_GROW(gs->v, gs->nr + 1, gs->cap);
	gs->v[gs->nr++] = g;
	return 0;
}

void guest_specs_release(struct guest_specs *gs)
{
	for (size_t i = 0; i < gs->nr; i++)
		free(gs->v[i].path);
	free(gs->v);
	*gs = (struct guest_specs){ 0 };
}
