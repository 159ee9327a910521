// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/diff.h"

#include "base/alloc.h"
#include "browse/child.h"
#include "browse/files.h"
#include "ui/views/diff.h"
#include "ui/widgets/popup.h"

struct browsed_diff {
	const struct differ *d;
	const char *command;
	u32 event;         /* of the first file */
	struct diff *diff; /* of that event */
	struct diff_text text;
};

static void forget(struct browsed_diff *b)
{
	diff_paths_free(b->text.paths);
	diff_free(b->diff);
	b->text.paths = NULL;
	b->diff = NULL;
}

static void compare(void *ctx, const struct diff_conf *conf, int step, struct diff_shown *shown)
{
	struct browsed_diff *b = ctx;
	const struct differ *d = b->d;
	const struct evlist *l = &d->files[0].rec.session.evlist;
	u32 nr = (u32)l->nr;

	forget(b);
	b->event = (b->event + nr + (u32)step) % nr;
	b->diff = differ_compare(d, l->evsels[b->event], conf);
	if (d->graph)
		b->text.paths = diff_paths_new(b->diff, d->path_limit);
	shown->diff = b->diff;
	shown->text = &b->text;
	shown->event = l->evsels[b->event]->name;
}

/* An option that is given twice counts as it is given last. */
static void put_command(void *ctx, const struct diff_conf *conf, struct strbuf *out)
{
	const struct browsed_diff *b = ctx;

	strbuf_addstr(out, b->command);
	if (conf->compute != b->d->conf.compute)
		strbuf_addf(out, " -c %s", differ_compute_name(conf->compute));
	if (conf->order != b->d->conf.order)
		strbuf_addf(out, " -o %u", conf->order);
}

static void save(void *ctx, const struct strbuf *text, struct strbuf *said)
{
	browse_save("perf.diff", text, said);
}

/* Let the user choose a recording. Return: its number; -1: none */
static int choose_file(const struct browsed_diff *b, struct ui *ui)
{
	const char **names = xcalloc(b->d->nr_files, sizeof(*names));
	int at;

	for (u32 i = 0; i < b->d->nr_files; i++)
		names[i] = b->d->files[i].rec.session.file->path;
	at = popup_menu(ui, "Look into the function in", names, b->d->nr_files, 0);
	free((void *)names);
	return at;
}

static void annotate(void *ctx, struct ui *ui, const struct diff_row *row)
{
	const struct browsed_diff *b = ctx;
	const struct hist *h = b->diff->sides[row->side].hist;
	const char *name =
		hist_config(h)->cols.need & NEED_SYM ? hist_symbol_name(h, row->row->place) : NULL;
	const char *argv[] = { "perf", "annotate", "-i", NULL, "-s", name, NULL };
	int at;

	if (!name) {
		ui_say(ui, "There is no function here to look into");
		return;
	}
	at = choose_file(b, ui);
	if (at < 0)
		return;
	argv[3] = b->d->files[at].rec.session.file->path;
	if (browse_child(ui, argv))
		ui_say(ui, "%s cannot be annotated in %s", name, argv[3]);
}

void browse_diff(struct ui *ui, const struct differ *d, const char *command)
{
	struct browsed_diff b = { .d = d, .command = command, .text = d->text };
	struct diff_shown shown = {
		.compare = compare,
		.command = put_command,
		.annotate = annotate,
		.save = save,
		.ctx = &b,
	};

	diff_view(ui, &shown, &d->conf);
	forget(&b);
}
