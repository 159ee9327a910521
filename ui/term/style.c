// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/term/style.h"

#include <ctype.h>

/* The names are those of the configuration; NULL: it cannot be set. The defaults can be read on
 * light and on dark backgrounds. */
static const struct {
	const char *name, *fg, *bg;
} defaults[NR_STYLES] = {
	[STYLE_NORMAL] = { "normal", "default", "default" },
	[STYLE_TOP] = { "top", "red", "default" },
	[STYLE_MEDIUM] = { "medium", "green", "default" },
	[STYLE_SELECTED] = { "selected", "black", "yellow" },
	[STYLE_JUMP_ARROWS] = { "jump_arrows", "blue", "default" },
	[STYLE_ADDR] = { "addr", "magenta", "default" },
	[STYLE_ROOT] = { "root", "white", "blue" },
	[STYLE_MATCH] = { "match", "black", "cyan" },
	[STYLE_DIM] = { "dim", "blue", "default" },
	[STYLE_BAR] = { NULL, "black", "yellow" },
	[STYLE_BAR + 1] = { NULL, "black", "brown" },
	[STYLE_BAR + 2] = { NULL, "white", "red" },
	[STYLE_BAR + 3] = { NULL, "black", "green" },
	[STYLE_BAR + 4] = { NULL, "black", "cyan" },
	[STYLE_BAR + 5] = { NULL, "black", "lightgray" },
};

/* Copy the word at @s, without blanks, up to a comma. */
static void copy_word(char *out, size_t size, const char *s)
{
	size_t n;

	while (isspace((unsigned char)*s))
		s++;
	n = strcspn(s, ", \t");
	if (n && n < size)
		snprintf(out, size, "%.*s", (int)n, s);
}

static void configure(struct look *l, const struct config *c, const char *name)
{
	char key[40];
	const char *v, *comma;

	snprintf(key, sizeof(key), "colors.%s", name);
	v = config_get(c, key);
	if (!v)
		return;
	copy_word(l->fg, sizeof(l->fg), v);
	comma = strchr(v, ',');
	if (comma)
		copy_word(l->bg, sizeof(l->bg), comma + 1);
}

void looks_init(struct looks *l, const struct config *c)
{
	const char *no = getenv("NO_COLOR"), *ui = c ? config_get(c, "color.ui") : NULL;
	enum color_when when = COLOR_AUTO;

	for (size_t i = 0; i < NR_STYLES; i++) {
		snprintf(l->of[i].fg, sizeof(l->of[i].fg), "%s", defaults[i].fg);
		snprintf(l->of[i].bg, sizeof(l->of[i].bg), "%s", defaults[i].bg);
		if (c && defaults[i].name)
			configure(&l->of[i], c, defaults[i].name);
	}
	if (ui)
		color_parse_when(ui, &when);
	l->colored = when != COLOR_NEVER && !(no && *no);
}

void style_sequence(enum style style, char *seq, size_t size)
{
	snprintf(seq, size, "\033[%u%c", style, STYLE_END);
}

struct palette style_palette(void)
{
	struct palette p;

	style_sequence(STYLE_TOP, p.top, sizeof(p.top));
	style_sequence(STYLE_MEDIUM, p.medium, sizeof(p.medium));
	*p.normal = 0;
	return p;
}
