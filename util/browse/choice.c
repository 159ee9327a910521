// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/choice.h"

#include "base/alloc.h"
#include "browse/code.h"

/* The functions of a leader. */
struct chapter {
	struct annotate_columns columns;
	const struct annotate_function **rows; /* owned */
	size_t nr_rows;
	struct annotate_text text;
};

struct book {
	struct chapter *chapters;   /* owned; by leader, empty of other events */
	struct browsed_page *pages; /* owned; all functions of all chapters */
	size_t nr_pages, cap;
};

/* The browser shows and hides the bytes of instructions itself. */
static struct annotate_text first_text(const struct browsed_choice *c)
{
	struct annotate_text t = *c->text;

	t.bytes = c->conf->raw;
	t.raw = false;
	return t;
}

static void add_chapter(struct book *b, const struct browsed_choice *c, struct chapter *ch)
{
	ch->text = first_text(c);
	annotate_columns_show(c->choice, &ch->columns, &ch->text);
	ch->rows = annotate_rows(c->choice, &ch->columns, &ch->nr_rows);
	for (size_t i = 0; i < ch->nr_rows; i++) {
		VEC_GROW(b->pages, b->nr_pages + 1, b->cap);
		b->pages[b->nr_pages++] = (struct browsed_page){ ch->rows[i], &ch->text };
	}
}

static void book_init(struct book *b, const struct browsed_choice *c)
{
	u32 nr = (u32)c->choice->events->nr;

	*b = (struct book){ .chapters = xcalloc(nr + (size_t)1, sizeof(*b->chapters)) };
	for (u32 i = 0; i < nr; i++)
		if (annotate_columns_find(c->choice, i, &b->chapters[i].columns))
			add_chapter(b, c, &b->chapters[i]);
}

static void book_release(struct book *b, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		annotate_columns_release(&b->chapters[i].columns);
		free(b->chapters[i].rows);
	}
	free(b->chapters);
	free(b->pages);
}

void browse_choice(struct ui *ui, const struct browsed_choice *c)
{
	const struct evlist *events = c->choice->events;
	struct annotate_conf conf = *c->conf;
	struct browsed_code code = { .counts = c->choice->counts,
				     .nr_events = (u32)events->nr,
				     .command = c->command,
				     .input = c->input,
				     .no_source = conf.no_source };
	struct book book;

	conf.no_source = conf.raw = false;
	conf.positions = conf.bytes = true;
	book_init(&book, c);
	code.pages = book.pages;
	code.nr_pages = book.nr_pages;
	code.annotator = annotator_new(&conf);
	browse_code(ui, &code, 0);
	annotator_free(code.annotator);
	book_release(&book, events->nr);
}
