// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/scripts.h"

#include "base/alloc.h"
#include "browse/child.h"
#include "browse/files.h"
#include "ui/views/lines.h"
#include "ui/widgets/popup.h"

/* The first line of the menu stands for perf script itself. */
#define SAMPLES "Samples as text, without a script"

/* Make a menu of the list of scripts, in which each line but the first begins with a name. The text
 * is changed; the caller frees the result. */
static const char **menu_lines(char *text, size_t *nr)
{
	const char **lines = NULL;
	size_t cap = 0;
	char *line, *rest = text;

	VEC_GROW(lines, 1, cap);
	lines[0] = SAMPLES;
	for (*nr = 1; (line = strsep(&rest, "\n"));) {
		if (strncmp(line, "  ", 2) != 0)
			continue;
		VEC_GROW(lines, *nr + 1, cap);
		lines[(*nr)++] = line + strspn(line, " ");
	}
	return lines;
}

static void save(void *ctx __unused, const struct strbuf *text, struct strbuf *said)
{
	browse_save("perf.script", text, said);
}

/* Show what a command has written. @command: becomes ours */
static void show(struct ui *ui, const char *title, char *command, const struct strbuf *text)
{
	const struct lines_shown shown = {
		.title = title, .command = command, .text = text, .save = save
	};

	lines_view(ui, &shown);
	free(command);
}

/* Run a script, or with @name NULL none, and show what it writes. */
static void run(struct ui *ui, const char *input, const char *symbol, const char *name)
{
	const char *argv[9] = { "perf", "script", "-i", input };
	struct strbuf out = STRBUF_INIT;
	size_t nr = 4;

	if (symbol) {
		argv[nr++] = "-S";
		argv[nr++] = symbol;
	}
	if (name) {
		argv[nr++] = "report";
		argv[nr++] = name;
	}
	argv[nr] = NULL;
	ui_busy(ui, "Running %s...", name ? name : "perf script");
	browse_output(argv, &out);
	show(ui, name ? name : SAMPLES, browse_command((int)nr - 1, argv + 1), &out);
	strbuf_release(&out);
}

void browse_scripts(struct ui *ui, const char *input, const char *symbol)
{
	static const char *const list[] = { "perf", "script", "-l", NULL };
	struct strbuf text = STRBUF_INIT;
	const char **lines;
	char *name = NULL;
	size_t nr;
	int at;

	browse_output(list, &text);
	strbuf_addch(&text, '\n');
	lines = menu_lines(text.buf, &nr);
	at = popup_menu(ui, symbol ? "Scripts for samples of the function" : "Scripts", lines, nr,
			0);
	if (at > 0)
		name = xstrndup(lines[at], strcspn(lines[at], " "));
	if (at >= 0)
		run(ui, input, symbol, name);
	free(name);
	free((void *)lines);
	strbuf_release(&text);
}
