// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "base/color.h"

#include <ctype.h>
#include <errno.h>
#include <strings.h>
#include <unistd.h>

int color_parse_when(const char *s, enum color_when *when)
{
	if (!strcasecmp(s, "always"))
		*when = COLOR_ALWAYS;
	else if (!strcasecmp(s, "never") || !strcasecmp(s, "false") || !strcasecmp(s, "no"))
		*when = COLOR_NEVER;
	else if (!strcasecmp(s, "auto") || !strcasecmp(s, "true") || !strcasecmp(s, "yes"))
		*when = COLOR_AUTO;
	else
		return -EINVAL;
	return 0;
}

bool color_wanted(enum color_when when, int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when != COLOR_AUTO)
		return when == COLOR_ALWAYS;
	return isatty(fd) && !(no && *no) && term && strcmp(term, "dumb");
}

void palette_init(struct palette *p)
{
	memset(p, 0, sizeof(*p));
	memcpy(p->top, "\033[31m", 6);
	memcpy(p->medium, "\033[32m", 6);
}

/* Return the digit of a colour, -1 for the default, -2 for an unknown colour. */
static int color_digit(const char *s, size_t len)
{
	static const char *const names[] = {
		"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	};
	size_t i;

	if ((len == 7 && !strncasecmp(s, "default", 7)) ||
	    (len == 6 && !strncasecmp(s, "normal", 6)))
		return -1;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == len && !strncasecmp(s, names[i], len))
			return (int)i;
	return -2;
}

/* Return the next word of "fg, bg" and advance *s beyond it. */
static int next_color(const char **s)
{
	size_t len;
	int digit;

	*s += strspn(*s, " \t");
	len = strcspn(*s, ", \t");
	digit = color_digit(*s, len);
	*s += len;
	*s += strspn(*s, " \t");
	return digit;
}

int color_parse(const char *spec, char *seq, size_t size)
{
	int fg = next_color(&spec), bg = -1;

	if (*spec == ',') {
		spec++;
		bg = next_color(&spec);
	}
	if (*spec || fg < -1 || bg < -1)
		return -EINVAL;
	if (fg < 0 && bg < 0)
		snprintf(seq, size, "%s", "");
	else if (bg < 0)
		snprintf(seq, size, "\033[3%dm", fg);
	else if (fg < 0)
		snprintf(seq, size, "\033[4%dm", bg);
	else
		snprintf(seq, size, "\033[3%d;4%dm", fg, bg);
	return 0;
}

const char *palette_percent(const struct palette *p, double percent)
{
	double size = percent < 0 ? -percent : percent;

	return size >= 5.0 ? p->top : size > 0.5 ? p->medium : p->normal;
}

void strbuf_add_percent(struct strbuf *sb, const struct palette *p, double percent, int width)
{
	const char *seq = p ? palette_percent(p, percent) : "";

	strbuf_addf(sb, "%s%*.2f%%%s", seq, width, percent, *seq ? COLOR_RESET : "");
}
