// SPDX-License-Identifier: GPL-2.0-or-later
/* Arguments of probes: what the user writes, and what the kernel fetches (its documentation,
 * trace/kprobetrace.rst and trace/uprobetracer.rst). */
#include "base/compat.h"
#include "probe/definition.h"

#include "base/alloc.h"
#include "base/suggest.h"
#include "probe/definition-internal.h"

#include <ctype.h>
#include <errno.h>

#define NAME_MAX_LEN 31 /* bytes of a name that every kernel takes */
#define ELEMENTS_MAX 64 /* of an array that the kernel fetches */

/* ---- types ---- */

#define TYPE_WORDS                                                                                 \
	"u8 u16 u32 u64 s8 s16 s32 s64 x8 x16 x32 x64 u s x char string ustring symbol symstr"

static bool is_word(const char *words, const char *p, size_t len)
{
	for (; *words; words += strcspn(words, " "), words += *words == ' ')
		if (strcspn(words, " ") == len && !memcmp(words, p, len))
			return true;
	return false;
}

/* Tell whether a type is a bit field, "b<width>@<offset>/<container>". */
static bool is_bitfield(const char *p, size_t len)
{
	unsigned int width, offset, container;
	char text[32];
	int end = 0;

	if (len >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)len, p);
	return sscanf(text, "b%u@%u/%u%n", &width, &offset, &container, &end) == 3 &&
	       (size_t)end == len && width && container && container <= 64 && width <= container &&
	       offset <= container - width;
}

/* Return the length of a type without its "[N]"; 0: what stands in the brackets is no length. */
static size_t scalar_len(const char *type)
{
	size_t len = strcspn(type, "["), digits;

	if (!type[len])
		return len;
	digits = strspn(type + len + 1, "0123456789");
	return digits && !strcmp(type + len + 1 + digits, "]") ? len : 0;
}

static int check_type(const char *type, struct err *err)
{
	size_t len = scalar_len(type);

	if (len && (is_word(TYPE_WORDS, type, len) || is_bitfield(type, len)))
		return 0;
	err_set(err, -EINVAL,
		"\"%s\" is no type of an argument: these are u8..u64, s8..s64, x8..x64, char, string, "
		"ustring, symbol, symstr, b<bits>@<offset>/<size> and arrays of them, u8[4].",
		type);
	return len ? err_suggest(err, type, len, TYPE_WORDS) : -EINVAL;
}

/* ---- values ---- */

/* Tell whether a value is one that the kernel fetches, and not a variable of the program. */
static bool is_fetched(const char *value)
{
	return strchr("$%@+-\\", *value) || isdigit((unsigned char)*value);
}

/* Check what goes to the kernel as it is. */
static int check_fetched(const char *value, struct err *err)
{
	int depth = 0;

	for (const char *p = value; *p; p++) {
		if (!isgraph((unsigned char)*p))
			return err_set(err, -EINVAL,
				       "The argument \"%s\" has a character that is not allowed.",
				       value);
		depth += (*p == '(') - (*p == ')');
		if (depth < 0)
			break;
	}
	if (depth)
		return err_set(err, -EINVAL, "The parentheses of the argument \"%s\" do not match.",
			       value);
	return 0;
}

static void add_step(struct probe_arg *a, struct probe_step step)
{
	VEC_GROW_FROM(a->steps, a->nr_steps + 1, a->cap_steps, 4);
	a->steps[a->nr_steps++] = step;
}

/* Read the last index of "[N-M]" at @p. Return: what is behind it; NULL: it is none. */
static const char *parse_last(struct probe_step *step, const char *p)
{
	char *end;
	s64 last = strtoll(p, &end, 0);

	if (end == p || *end != ']' || last < step->index ||
	    (u64)last - (u64)step->index >= ELEMENTS_MAX || end[1])
		return NULL;
	step->count = (u32)(last - step->index) + 1;
	return end + 1;
}

/* Read "[N]" or "[N-M]" at @p. Return: what is behind it, or NULL and a sentence. */
static const char *parse_index(struct probe_arg *a, const char *p, const char *all, struct err *err)
{
	struct probe_step step = { 0 };
	const char *behind = NULL;
	char *end;

	errno = 0;
	step.index = strtoll(p + 1, &end, 0);
	if (end > p + 1 && *end == ']')
		behind = end + 1;
	else if (end > p + 1 && *end == '-')
		behind = parse_last(&step, end + 1);
	if (!behind || errno) {
		err_set(err, -EINVAL,
			"Array index must be a number: \"%s\"; or the first and the last one of at "
			"most %d elements, [0-3], with nothing behind.",
			all, ELEMENTS_MAX);
		return NULL;
	}
	add_step(a, step);
	return behind;
}

/* Read "->member" or ".member" at @p. */
static const char *parse_member(struct probe_arg *a, const char *p, const char *all,
				struct err *err)
{
	bool through = p[0] == '-' && p[1] == '>';
	size_t len;

	if (!through && *p != '.') {
		err_set(err, -EINVAL,
			"Argument parse error: \"%s\" goes on with . or -> or [number], not with "
			"\"%s\".",
			all, p);
		return NULL;
	}
	p += through ? 2 : 1;
	len = strcspn(p, ".[-");
	if (!probe_is_name(p, len)) {
		err_set(err, -EINVAL, "\"%.*s\" in \"%s\" is no name of a member.", (int)len, p,
			all);
		return NULL;
	}
	add_step(a, (struct probe_step){ .member = xstrndup(p, len), .through = through });
	return p + len;
}

/* Read a variable and the steps behind it. */
static int parse_variable(struct probe_arg *a, const char *text, struct err *err)
{
	size_t len = strcspn(text, ".[-");
	const char *p = text + len;

	if (!probe_is_name(text, len))
		return err_set(err, -EINVAL,
			       "\"%s\" is neither a variable nor what the kernel fetches "
			       "(%%register, $retval, @symbol, +offset(value)).",
			       text);
	a->variable = true;
	a->value = xstrndup(text, len);
	while (p && *p)
		p = *p == '[' ? parse_index(a, p, text, err) : parse_member(a, p, text, err);
	return p ? 0 : -EINVAL;
}

/* ---- arguments ---- */

bool probe_arg_is_set(const struct probe_arg *a)
{
	return !strcmp(a->value, "$vars") || !strcmp(a->value, "$params") ||
	       !strcmp(a->value, "$args");
}

static int check_name(const char *name, struct err *err)
{
	if (!probe_is_name(name, strlen(name)))
		return err_set(err, -EINVAL,
			       "\"%s\" is no name of an argument: it takes letters, digits and _.",
			       name);
	if (strlen(name) > NAME_MAX_LEN)
		return err_set(err, -EINVAL, "The name of the argument \"%s\" is longer than %d.",
			       name, NAME_MAX_LEN);
	return 0;
}

/* Cut "@user" off. The symbol of "@user" alone is one. */
static bool take_user(char *text)
{
	char *at = strrchr(text, '@');

	if (!at || at == text || strcmp(at, "@user"))
		return false;
	*at = 0;
	return true;
}

/* An option behind the definition is a word of it: the first word ends the options. */
static int check_option(const char *text, struct err *err)
{
	if (text[0] != '-' || !(text[1] == '-' || (isalpha((unsigned char)text[1]) && !text[2])))
		return 0;
	return err_set(err, -EINVAL,
		       "\"%s\" stands behind the definition, where it would be an argument of the "
		       "probe: options stand before it.",
		       text);
}

static int parse_value(struct probe_arg *a, char *text, struct err *err)
{
	char *type;
	int rc;

	a->user = take_user(text);
	type = strchr(text, ':');
	if (type) {
		*type++ = 0;
		rc = check_type(type, err);
		if (rc)
			return rc;
		a->type = xstrdup(type);
	}
	if (!*text)
		return err_set(err, -EINVAL, "An argument has no value.");
	if (!is_fetched(text))
		return parse_variable(a, text, err);
	a->value = xstrdup(text);
	return check_fetched(text, err);
}

int probe_arg_parse(struct probe_arg *a, const char *text, struct err *err)
{
	const char *equal = strchr(text, '=');
	int rc = check_option(text, err);
	char *value;

	*a = (struct probe_arg){ 0 };
	if (!rc && equal) {
		a->name = xstrndup(text, (size_t)(equal - text));
		rc = check_name(a->name, err);
	}
	if (rc)
		return rc;
	value = xstrdup(equal ? equal + 1 : text);
	rc = parse_value(a, value, err);
	free(value);
	return rc;
}

static void step_text(const struct probe_step *s, struct strbuf *out)
{
	if (s->member)
		strbuf_addf(out, "%s%s", s->through ? "->" : ".", s->member);
	else
		strbuf_addf(out, s->count ? "[%" PRId64 "-%" PRId64 "]" : "[%" PRId64 "]", s->index,
			    s->index + s->count - 1);
}

/* Return the name of the last member, which the argument gets; NULL: it is none's. */
static const char *last_member(const struct probe_arg *a)
{
	for (size_t i = a->nr_steps; i--;)
		if (a->steps[i].member)
			return a->steps[i].member;
	return NULL;
}

void probe_arg_text(const struct probe_arg *a, struct strbuf *out)
{
	const char *name = a->name ? a->name : last_member(a);

	if (name)
		strbuf_addf(out, "%s=", name);
	strbuf_addstr(out, a->value);
	for (size_t i = 0; i < a->nr_steps; i++)
		step_text(&a->steps[i], out);
	if (a->type)
		strbuf_addf(out, ":%s", a->type);
	if (a->user)
		strbuf_addstr(out, "@user");
}
