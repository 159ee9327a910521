// SPDX-License-Identifier: GPL-2.0-or-later
/* An event becomes a line, as blkparse has it or in a format of the user's. */
#include "base/compat.h"

#include "blocktext/parse-internal.h"

#include "base/alloc.h"
#include "block/line.h"

#include <errno.h>
#include <stdlib.h>

#define SECTOR 512U
#define NS 1000000000U
#define WIDTH_MAX 200 /* of a field */

static const char *action_of(const struct block_line *l)
{
	return block_letters(l->ev->action) ?: "?";
}

/* ---- lines of blkparse ---- */

static void put_number(struct strbuf *out, u64 v, unsigned int width, char after)
{
	strbuf_dec(out, v, width);
	strbuf_addch(out, after);
}

/* Append ns in nine digits. */
static void put_nine(struct strbuf *out, u32 ns)
{
	char digits[9];

	for (u32 i = sizeof(digits); i--; ns /= 10)
		digits[i] = (char)('0' + ns % 10);
	strbuf_add(out, digits, sizeof(digits));
}

static void put_head(const struct block_event *ev, u32 sequence, u64 time, const char *action,
		     const char *rwbs, struct strbuf *out)
{
	block_put_device(ev->dev, out);
	strbuf_addch(out, ' ');
	put_number(out, ev->cpu, 2, ' ');
	put_number(out, sequence, 8, ' ');
	put_number(out, time / NS, 5, '.');
	put_nine(out, (u32)(time % NS));
	strbuf_addch(out, ' ');
	put_number(out, ev->tid, 5, ' ');
	block_put_action(action, rwbs, out);
}

void block_line_put(const struct block_line *l, struct strbuf *out)
{
	put_head(l->ev, l->sequence, l->time, action_of(l), block_rwbs(l->ev), out);
	block_put_rest(l->ev, l->has_elapsed ? &l->elapsed : NULL, out);
	strbuf_addch(out, '\n');
}

void block_message_put(const struct block_event *ev, u64 time, const char *text, size_t len,
		       struct strbuf *out)
{
	char *copy = xstrndup(text, len);

	struct block_event nobody = *ev;

	nobody.tid = 0;
	put_head(&nobody, 0, time, "m", "N", out);
	strbuf_addname(out, copy);
	strbuf_addch(out, '\n');
	free(copy);
}

/* ---- formats ---- */

static void put_field(const struct block_line *l, char field, struct strbuf *out)
{
	const struct block_event *ev = l->ev;

	switch (field) {
	case 'a':
		strbuf_addstr(out, action_of(l));
		break;
	case 'c':
		strbuf_addf(out, "%u", ev->cpu);
		break;
	case 'C':
		block_put_comm(ev, out);
		break;
	case 'd':
		strbuf_addstr(out, block_rwbs(ev));
		break;
	case 'D':
		block_put_device(ev->dev, out);
		break;
	case 'e':
		strbuf_addf(out, "%d", ev->error);
		break;
	case 'M':
		strbuf_addf(out, "%u", block_major(ev->dev));
		break;
	case 'm':
		strbuf_addf(out, "%u", block_minor(ev->dev));
		break;
	case 'n':
		strbuf_addf(out, "%u", ev->sectors);
		break;
	case 'N':
		strbuf_addf(out, "%" PRIu64, (u64)ev->sectors * SECTOR);
		break;
	case 'p':
		strbuf_addf(out, "%u", ev->tid);
		break;
	case 's':
		strbuf_addf(out, "%u", l->sequence);
		break;
	case 'S':
		strbuf_addf(out, "%" PRIu64, ev->sector);
		break;
	case 't':
		put_nine(out, (u32)(l->time % NS));
		break;
	case 'T':
		strbuf_addf(out, "%" PRIu64, l->time / NS);
		break;
	case 'u':
		if (l->has_elapsed)
			strbuf_addf(out, "%" PRIu64, l->elapsed / 1000);
		break;
	case 'U':
		strbuf_addf(out, "%u", ev->requests);
		break;
	}
}

/* A format has such fields: "%-12C". */
struct field {
	bool left;
	u32 width;
	char letter;
};

/* Read the field that *@p points behind the % of, and go behind it. */
static struct field next_field(const char **p)
{
	struct field f = { 0 };

	if (**p == '-') {
		f.left = true;
		(*p)++;
	}
	while (**p >= '0' && **p <= '9' && f.width < WIDTH_MAX)
		f.width = 10 * f.width + (u32)(*(*p)++ - '0');
	f.letter = **p;
	if (f.letter)
		(*p)++;
	return f;
}

int block_format_check(const char *format, struct err *err)
{
	static const char fields[] = "%acCdDeMmnNpsStTuU";

	for (const char *p = format; *p;) {
		struct field f;

		if (*p++ != '%')
			continue;
		f = next_field(&p);
		if (!f.letter || !strchr(fields, f.letter) || f.width > WIDTH_MAX)
			return err_set(err, -EINVAL,
				       "-f: there is no field `%%%c'. There are %s, with a width "
				       "of at most %u before the letter",
				       f.letter ?: ' ', fields + 1, WIDTH_MAX);
	}
	return 0;
}

static char escaped(char c)
{
	static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
	const char *at = strchr(letters, c);

	return at && c ? values[at - letters] : c;
}

static void put_padded(const struct block_line *l, const struct field *f, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	size_t start = out->len;

	put_field(l, f->letter, &text);
	if (!f->left && text.len < f->width)
		strbuf_pad(out, start + f->width - text.len);
	strbuf_add(out, strbuf_str(&text), text.len);
	strbuf_pad(out, start + f->width);
	strbuf_release(&text);
}

void block_line_format(const struct block_line *l, const char *format, struct strbuf *out)
{
	for (const char *p = format; *p;) {
		struct field f;
		char c = *p++;

		if (c == '\\' && *p) {
			strbuf_addch(out, escaped(*p++));
		} else if (c != '%') {
			strbuf_addch(out, c);
		} else {
			f = next_field(&p);
			if (f.letter == '%')
				strbuf_addch(out, '%');
			else
				put_padded(l, &f, out);
		}
	}
}
