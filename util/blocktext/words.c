// SPDX-License-Identifier: GPL-2.0-or-later
/* Users choose by words what rows are about, and which latency is looked at. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include <errno.h>
#include <strings.h>

static const char *const by_names[] = { "dev", "task", "op", "cgroup", "stack" };

const char *block_by_name(u32 at)
{
	return at < ARRAY_SIZE(by_names) ? by_names[at] : NULL;
}

const char *block_kind_name(enum block_kind kind)
{
	static const char *const names[BLOCK_KINDS] = {
		[BLOCK_READ] = "read",   [BLOCK_WRITE] = "write", [BLOCK_DISCARD] = "discard",
		[BLOCK_FLUSH] = "flush", [BLOCK_OTHER] = "other",
	};

	return names[kind];
}

void block_by_words(struct strbuf *out)
{
	for (u32 i = 0; block_by_name(i); i++)
		strbuf_addf(out, "%s%s", i ? " " : "", block_by_name(i));
}

void block_span_words(struct strbuf *out)
{
	for (u32 i = 0; i < BLOCK_SPANS; i++) {
		strbuf_addstr(out, i ? " " : "");
		for (const char *p = block_span_name(i); *p; p++)
			strbuf_addch(out, (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p));
	}
}

static int no_word(const char *option, const char *word, size_t len,
		   void (*words)(struct strbuf *out), struct err *err)
{
	struct strbuf known = STRBUF_INIT;

	words(&known);
	err_set(err, -EINVAL, "Unknown --%s key: `%.*s'. There are: %s", option, (int)len, word,
		strbuf_str(&known));
	strbuf_release(&known);
	return -EINVAL;
}

int block_by_parse(u32 *by, const char *words, struct err *err)
{
	const char *p = words + strspn(words, ", ");

	*by = 0;
	while (*p) {
		size_t len = strcspn(p, ", ");
		u32 i = 0;

		while (block_by_name(i) &&
		       (strlen(block_by_name(i)) != len || strncmp(block_by_name(i), p, len)))
			i++;
		if (!block_by_name(i))
			return no_word("by", p, len, block_by_words, err);
		*by |= 1U << i;
		p += len;
		p += strspn(p, ", ");
	}
	return *by ? 0 : no_word("by", "", 0, block_by_words, err);
}

int block_span_parse(enum block_span *span, const char *word, struct err *err)
{
	for (u32 i = 0; i < BLOCK_SPANS; i++) {
		if (!strcasecmp(block_span_name(i), word)) {
			*span = i;
			return 0;
		}
	}
	return no_word("latency", word, strlen(word), block_span_words, err);
}
