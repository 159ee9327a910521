// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The layout of --stdio2: numbers, then addresses counted from the function's start where something
 * leads to them, then arrows and instructions whose targets are named.
 */
#include "base/compat.h"

#include "annotatetext/annotate-text.h"

#include "base/alloc.h"

enum {
	BYTES_WIDTH = 22, /* of the bytes of most instructions */
	IPC_WIDTH = 6,
	CYCLES_WIDTH = 6,
	RANGE_WIDTH = 19, /* of cycles with the fewest and the most */
};

static int cycles_width(const struct annotate_text *t)
{
	return t->cycle_ranges ? RANGE_WIDTH : CYCLES_WIDTH;
}

static int hex_width(u64 v)
{
	return snprintf(NULL, 0, "%" PRIx64, v);
}

/* Return an address as it is shown. */
static u64 shown_address(const struct annotate_text *t, const struct annotation *a, u64 addr)
{
	return t->whole_addresses ? addr : addr - a->start;
}

static size_t name_len(const char *text)
{
	return strcspn(text, " ");
}

static bool is_nop(const char *text)
{
	size_t len = name_len(text);

	return len >= 3 && len <= 4 && !memcmp(text, "nop", 3);
}

void annotate_measure(const struct annotate_text *t, const struct annotation *a,
		      struct annotate_widths *w)
{
	size_t numbers = (t->total_period ? 12 : 7) * t->nr_events;
	u32 most = 0;

	*w = (struct annotate_widths){ .numbers = numbers,
				       .cycles = a->has_cycles
							 ? (size_t)(IPC_WIDTH + cycles_width(t) + 1)
							 : 0 };
	for (size_t i = 0; i < a->nr; i++) {
		const struct annotate_line *line = &a->lines[i];
		const char *text = annotation_text(a, line->text);

		if (line->kind != ANNOTATE_INSN)
			continue;
		most = MAX(most, line->jumps);
		w->name = MAX(w->name, is_nop(text) ? (size_t)3 : name_len(text));
	}
	w->address = (size_t)hex_width(t->whole_addresses ? a->end : a->end - a->start);
	if (t->jump_counts && !t->whole_addresses)
		w->jumps = (size_t)snprintf(NULL, 0, "%u ", most);
	w->address += w->jumps;
}

/* ---- columns ---- */

static void put_numbers(const struct annotate_text *t, const struct annotation *a, size_t line,
			struct strbuf *out)
{
	bool any = false;

	for (size_t c = 0; c < t->nr_events; c++)
		any |= annotation_hits(a, line, t->events[c])->samples > 0;
	for (size_t c = 0; any && c < t->nr_events; c++) {
		const struct annotate_hits *h = annotation_hits(a, line, t->events[c]);

		if (t->total_period)
			strbuf_dec(out, h->period, 11);
		else if (t->nr_samples)
			strbuf_dec(out, h->samples, 6);
		else
			strbuf_addf(out, "%6.2f", annotate_percent(t, a, line, c));
		strbuf_addch(out, ' ');
	}
}

/* Append instructions per cycle, and the cycles of the block that ends here. */
static void put_cycles(const struct annotate_text *t, const struct annotate_line *line,
		       const struct annotate_widths *w, size_t begun, struct strbuf *out)
{
	char range[3 * 24];

	if (!w->cycles || line->ipc <= 0)
		return;
	strbuf_pad(out, begun + w->numbers);
	strbuf_addf(out, "%*.2f", IPC_WIDTH, line->ipc);
	if (!line->cycles)
		return;
	snprintf(range, sizeof(range), "%" PRIu64 "(%" PRIu64 "/%" PRIu64 ")", line->cycles,
		 line->least, line->most);
	if (t->cycle_ranges)
		strbuf_addf(out, "%*s", cycles_width(t), range);
	else
		strbuf_dec(out, line->cycles, CYCLES_WIDTH);
}

/* Append the address of an instruction, if it is to be shown. */
static void put_address(const struct annotate_text *t, const struct annotation *a,
			const struct annotate_line *line, const struct annotate_widths *w,
			size_t begun, struct strbuf *out)
{
	bool shown = line->jumps || t->offset_level > 2 ||
		     (t->offset_level == 2 && line->flow == FLOW_CALL);
	size_t column = begun + w->numbers + w->cycles + 1;

	strbuf_pad(out, column);
	if (shown) {
		if (w->jumps && line->jumps)
			strbuf_addf(out, "%*u ", (int)w->jumps - 1, line->jumps);
		strbuf_pad(out, column + w->jumps);
		strbuf_addf(out, "%*" PRIx64 ":", (int)(w->address - w->jumps),
			    shown_address(t, a, line->addr));
	}
	strbuf_pad(out, column + w->address + 2);
}

/* ---- instructions ---- */

static const char *arrow(const struct annotation *a, const struct annotate_line *line)
{
	if (line->flow == FLOW_CALL)
		return "\xe2\x86\x92"; /* to the right */
	if (line->flow == FLOW_RETURN)
		return "\xe2\x86\x90"; /* to the left */
	if (line->flow != FLOW_JUMP)
		return NULL;
	if (!line->has_target || line->target < a->start || line->target >= a->end)
		return "\xe2\x86\x92";
	return line->target > line->addr ? "\xe2\x86\x93" : "\xe2\x86\x91"; /* down, up */
}

/* Append the name in "address <name>", or all of it when there is none. */
static void put_named(const char *s, struct strbuf *out)
{
	const char *open = strchr(s, '<'), *close = strrchr(s, '>');

	if (!open || !close || close < open) {
		strbuf_addname(out, s);
		return;
	}
	while (++open < close) {
		const char c[2] = { *open, '\0' };

		strbuf_addname(out, c);
	}
}

/* Append operands of which one is a place in memory that has a name: the name stands for it. */
static bool put_data(const char *operands, struct strbuf *out)
{
	const char *note = strstr(operands, "        # "), *at = strstr(operands, "(%rip)");
	const char *from = at, *name = note ? strchr(note, '<') : NULL;

	if (!note || !at || at > note || !name)
		return false;
	while (from > operands && from[-1] != ',' && from[-1] != '*' && from[-1] != ' ')
		from--;
	strbuf_add(out, operands, (size_t)(from - operands));
	put_named(name, out);
	at += strlen("(%rip)");
	strbuf_add(out, at, (size_t)(note - at));
	return true;
}

/* Append the operands of a jump or call, whose target is the last of them. */
static void put_target(const struct annotate_text *t, const struct annotation *a,
		       const struct annotate_line *line, const char *operands, struct strbuf *out)
{
	bool within = line->has_target && line->target >= a->start && line->target < a->end;
	const char *open = strchr(operands, '<'), *last = operands;

	for (const char *p = operands; *p && p != open; p++)
		if (*p == ',')
			last = p + 1 + (p[1] == ' ');
	if (!line->has_target) {
		strbuf_addname(out, operands);
		return;
	}
	strbuf_add(out, operands, (size_t)(last - operands));
	if (within && line->flow == FLOW_JUMP && !t->whole_addresses)
		strbuf_addf(out, "%" PRIx64, line->target - a->start);
	else if (t->whole_addresses)
		strbuf_addname(out, last);
	else if (line->target_name)
		strbuf_addname(out, annotation_text(a, line->target_name));
	else if (line->flow == FLOW_CALL)
		put_named(last, out);
	else
		strbuf_addname(out, last);
}

static void put_insn(const struct annotate_text *t, const struct annotation *a,
		     const struct annotate_line *line, const struct annotate_widths *w,
		     struct strbuf *out)
{
	const char *text = annotation_text(a, line->text), *mark = arrow(a, line);
	size_t name = name_len(text), begun;
	const char *operands = text + name + strspn(text + name, " ");

	strbuf_addstr(out, mark ? mark : " ");
	strbuf_addch(out, ' ');
	if (t->bytes)
		strbuf_addf(out, "%-*s ", BYTES_WIDTH, annotation_text(a, line->bytes));
	begun = out->len;
	if (t->raw) {
		strbuf_addname(out, text);
	} else if (is_nop(text)) {
		strbuf_addstr(out, "nop");
	} else {
		strbuf_add(out, text, name);
		if (*operands) {
			strbuf_pad(out, begun + w->name);
			strbuf_addch(out, ' ');
		}
		if (line->flow == FLOW_JUMP || line->flow == FLOW_CALL)
			put_target(t, a, line, operands, out);
		else if (!put_data(operands, out))
			strbuf_addname(out, operands);
	}
	strbuf_pad(out, begun + w->numbers + w->address + 5);
	annotate_put_type(t, a, line, begun, out);
}

static void put_text(const struct annotate_text *t, const struct annotation *a,
		     const struct annotate_line *line, const struct annotate_widths *w,
		     size_t begun, struct strbuf *out)
{
	const char *text = annotation_text(a, line->text);
	size_t from;

	if (!*text) {
		strbuf_pad(out, begun + w->cycles + 2 * w->numbers + 1);
		return;
	}
	begun += w->cycles;
	strbuf_pad(out, begun + w->numbers + 1);
	if (t->line_numbers)
		strbuf_addf(out, "%-*u ", (int)w->address + 1, line->number);
	strbuf_pad(out, begun + w->numbers + w->address + 3);
	from = out->len;
	strbuf_addname(out, text);
	annotate_calls_text(t, a, line, out);
	strbuf_pad(out, from + w->numbers + w->address + 1);
}

/* ---- headings ---- */

/* Append a number with a unit of three digits each. */
static void put_count(u64 n, struct strbuf *out)
{
	char unit = ' ';

	for (const char *u = "KMG"; n > 1000 && *u; u++) {
		n /= 1000;
		unit = *u;
	}
	strbuf_addf(out, "%" PRIu64 "%c", n, unit);
}

void annotate_stdio2_title(const struct annotate_text *t, struct strbuf *out)
{
	u64 samples = 0;

	for (size_t c = 0; c < t->nr_events; c++)
		samples += t->totals[t->events[c]].samples;
	strbuf_addstr(out, "Samples: ");
	put_count(samples, out);
	strbuf_addf(out, " of event%s '", t->nr_events > 1 ? "s" : "");
	strbuf_addname(out, t->event_names);
	strbuf_addstr(out, "', ");
	if (t->frequency)
		strbuf_addf(out, "%" PRIu64 " Hz, ", t->frequency);
	strbuf_addf(out, "Event count (approx.): %" PRIu64, t->totals[t->events[0]].period);
}

void annotate_stdio2_heads(const struct annotate_text *t, const struct annotate_widths *w,
			   struct strbuf *out)
{
	size_t begun = out->len;

	strbuf_addstr(out, t->total_period ? "Period" : t->nr_samples ? "Samples" : "Percent");
	if (!w->cycles)
		return;
	strbuf_pad(out, begun + w->numbers);
	strbuf_addf(out, "%*s%*s", IPC_WIDTH, "IPC", cycles_width(t),
		    t->cycle_ranges ? "Cycle(min/max)" : "Cycle");
}

static void put_heading(const struct annotate_text *t, const struct annotation *a,
			const struct annotate_widths *w, struct strbuf *out)
{
	const struct location *l = &a->of->at;
	size_t begun;

	annotate_stdio2_title(t, out);
	strbuf_addf(out, ", [percent: %s]\n", annotate_text_name(t));
	strbuf_addname(out, location_symbol(l));
	strbuf_addstr(out, "() ");
	strbuf_addname(out, location_dso_long(l));
	strbuf_addch(out, '\n');
	annotate_callees_text(t, a, out);
	begun = out->len;
	annotate_stdio2_heads(t, w, out);
	strbuf_pad(out, begun + w->cycles + 2 * w->numbers + 1);
	strbuf_addch(out, '\n');
}

void annotate_stdio2_line(const struct annotate_text *t, const struct annotation *a,
			  const struct annotate_widths *w, size_t i, struct strbuf *out)
{
	const struct annotate_line *line = &a->lines[i];
	size_t begun = out->len;

	if (line->kind != ANNOTATE_INSN) {
		put_text(t, a, line, w, begun, out);
		return;
	}
	put_numbers(t, a, i, out);
	put_cycles(t, line, w, begun, out);
	put_address(t, a, line, w, begun, out);
	put_insn(t, a, line, w, out);
}

void annotate_stdio2(const struct annotate_text *t, const struct annotation *a, struct strbuf *out)
{
	struct annotate_widths w;

	annotate_measure(t, a, &w);
	put_heading(t, a, &w, out);
	/* The first line of what objdump writes is empty. */
	for (size_t i = a->nr && !*annotation_text(a, a->lines[0].text); i < a->nr; i++) {
		annotate_stdio2_line(t, a, &w, i, out);
		strbuf_addch(out, '\n');
	}
}
