// SPDX-License-Identifier: GPL-2.0-or-later
/* Read which classes of work are wanted, and by which keys tables are sorted. */
#include "base/compat.h"

#include "kworktext/kworktext.h"

#include <errno.h>

#define BETWEEN ", " /* characters between words */

static const char *const class_names[KWORK_CLASSES] = {
	[KWORK_IRQ] = "irq",
	[KWORK_SOFTIRQ] = "softirq",
	[KWORK_WORKQUEUE] = "workqueue",
	[KWORK_SCHED] = "sched",
};

static const char *const key_names[KWORK_VIEWS][KWORK_KEYS] = {
	[KWORK_REPORT] = { "runtime", "max", "count" },
	[KWORK_LATENCY] = { "avg", "max", "count" },
	[KWORK_TOP] = { "rate", "runtime", "tid" },
};

/* Users gave a list of words, which is read word by word. */
struct words {
	const char *option;       /* its name */
	const char *at;           /* what was not read yet */
	const char *const *names; /* the words that there are */
	int nr;
};

static int unknown_word(const struct words *w, const char *word, size_t len, struct err *err)
{
	struct strbuf known = STRBUF_INIT;

	for (int i = 0; i < w->nr; i++)
		strbuf_addf(&known, "%s %s", i ? "," : "", w->names[i]);
	err_set(err, -EINVAL, "Unknown --%s key: `%.*s'. There are%s.", w->option, (int)len, word,
		strbuf_str(&known));
	strbuf_release(&known);
	return -EINVAL;
}

/* Return the number of the next word, w->nr at the end of the list, or -EINVAL and a sentence. */
static int next_word(struct words *w, struct err *err)
{
	const char *word = w->at + strspn(w->at, BETWEEN);
	size_t len = strcspn(word, BETWEEN);

	w->at = word + len;
	if (!len)
		return w->nr;
	for (int i = 0; i < w->nr; i++)
		if (strlen(w->names[i]) == len && !strncmp(w->names[i], word, len))
			return i;
	return unknown_word(w, word, len, err);
}

int kwork_classes_parse(u32 *classes, const char *text, struct err *err)
{
	struct words w = { "kwork", text, class_names, KWORK_CLASSES };
	int class;

	*classes = 0;
	while ((class = next_word(&w, err)) >= 0 && class < w.nr)
		*classes |= KWORK_BIT(class);
	return MIN(class, 0);
}

int kwork_order_parse(struct kwork_order *o, enum kwork_view view, const char *text,
		      struct err *err)
{
	struct words w = { "sort", text, key_names[view], KWORK_KEYS };
	int key;

	*o = (struct kwork_order){ 0 };
	while ((key = next_word(&w, err)) >= 0 && key < w.nr)
		if (o->nr < KWORK_KEYS)
			o->keys[o->nr++] = (u8)key;
	return MIN(key, 0);
}

static void add_word(const char *word, struct strbuf *out)
{
	strbuf_addf(out, "%s%s", out->len ? " " : "", word);
}

void kwork_class_words(struct strbuf *out)
{
	for (u32 i = 0; i < KWORK_CLASSES; i++)
		add_word(class_names[i], out);
}

/* Tell whether a table has a key of this name. */
static bool has_key(enum kwork_view view, const char *name)
{
	for (u32 i = 0; i < KWORK_KEYS; i++)
		if (!strcmp(key_names[view][i], name))
			return true;
	return false;
}

void kwork_key_words(struct strbuf *out)
{
	for (u32 view = 0; view < KWORK_VIEWS; view++) {
		for (u32 i = 0; i < KWORK_KEYS; i++) {
			const char *name = key_names[view][i];
			bool told = false;

			for (u32 before = 0; before < view; before++)
				told |= has_key(before, name);
			if (!told)
				add_word(name, out);
		}
	}
}
