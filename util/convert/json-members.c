// SPDX-License-Identifier: GPL-2.0-or-later
/* Write members of JSON objects: numbers, and what is made of several of them. */
#include "base/compat.h"
#include "convert/json-internal.h"

void json_key(struct strbuf *out, const char *key)
{
	strbuf_add(out, ", \"", 3);
	strbuf_addstr(out, key);
	strbuf_add(out, "\": ", 3);
}

void json_number(struct strbuf *out, const char *key, u64 v)
{
	json_key(out, key);
	strbuf_dec(out, v, 0);
}

void json_signed(struct strbuf *out, const char *key, s64 v)
{
	json_key(out, key);
	if (v < 0)
		strbuf_addch(out, '-');
	strbuf_dec(out, v < 0 ? -(u64)v : (u64)v, 0);
}

static void put_hex(struct strbuf *out, u64 v)
{
	strbuf_add(out, "\"0x", 3);
	strbuf_hex(out, v, 1, 0);
	strbuf_addch(out, '"');
}

void json_hex(struct strbuf *out, const char *key, u64 v)
{
	json_key(out, key);
	put_hex(out, v);
}

void json_member(struct strbuf *out, const char *key, const char *s)
{
	json_key(out, key);
	json_string(out, s);
}

void hex_bytes(struct strbuf *out, const void *p, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	const u8 *b = p;
	char *to;

	strbuf_grow(out, 2 * size);
	to = out->buf + out->len;
	for (size_t i = 0; i < size; i++) {
		*to++ = digits[b[i] >> 4];
		*to++ = digits[b[i] & 15];
	}
	*to = '\0';
	out->len += 2 * size;
}

void json_bytes(struct strbuf *out, const char *key, const void *p, size_t size)
{
	json_key(out, key);
	strbuf_addch(out, '"');
	hex_bytes(out, p, size);
	strbuf_addch(out, '"');
}

void json_words(struct strbuf *out, const char *key, const u64_una *v, u64 nr)
{
	json_key(out, key);
	strbuf_addch(out, '[');
	for (u64 i = 0; i < nr; i++) {
		strbuf_addstr(out, i ? ", " : " ");
		put_hex(out, v[i]);
	}
	strbuf_add(out, " ]", 2);
}

/* Begin "key": value inside an object on one line. */
static void put_inner(struct strbuf *out, bool *first, const char *key)
{
	strbuf_addstr(out, *first ? " \"" : ", \"");
	strbuf_addstr(out, key);
	strbuf_add(out, "\": ", 3);
	*first = false;
}

static void put_inner_number(struct strbuf *out, bool *first, const char *key, u64 v)
{
	put_inner(out, first, key);
	strbuf_dec(out, v, 0);
}

/* Append the counts of a sample or of a READ record. */
static void json_read(struct strbuf *out, u64 format, const void *p, size_t size)
{
	struct wire_read r;
	bool first = true;
	u64 i, id, lost;

	if (wire_read_init(&r, format, p, size))
		return;
	json_key(out, "read");
	strbuf_addch(out, '{');
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put_inner_number(out, &first, "time_enabled", r.enabled);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put_inner_number(out, &first, "time_running", r.running);
	put_inner(out, &first, "values");
	strbuf_addch(out, '[');
	for (i = 0; i < r.nr; i++) {
		u64 value = wire_read_value(&r, i, &id, &lost);

		strbuf_addstr(out, i ? ", {" : " {");
		first = true;
		put_inner_number(out, &first, "value", value);
		if (format & PERF_FORMAT_ID)
			put_inner_number(out, &first, "id", id);
		if (format & PERF_FORMAT_LOST)
			put_inner_number(out, &first, "lost", lost);
		strbuf_add(out, " }", 2);
	}
	strbuf_add(out, " ] }", 4);
}

/* The bits of perf_branch_entry behind its two addresses (linux/perf_event.h). */
static const struct {
	const char *key;
	u8 shift, bits;
} branch_bits[] = {
	{ "mispred", 0, 1 }, { "predicted", 1, 1 }, { "in_tx", 2, 1 },
	{ "abort", 3, 1 },   { "cycles", 4, 16 },   { "type", 20, 4 },
	{ "spec", 24, 2 },   { "new_type", 26, 4 }, { "priv", 30, 3 },
};

void json_branch(struct strbuf *out, const u64_una *b)
{
	bool first = true;

	put_inner(out, &first, "from");
	put_hex(out, b[0]);
	put_inner(out, &first, "to");
	put_hex(out, b[1]);
	for (size_t i = 0; i < ARRAY_SIZE(branch_bits); i++) {
		u64 v = b[2] >> branch_bits[i].shift & ((1ULL << branch_bits[i].bits) - 1);

		if (v)
			put_inner_number(out, &first, branch_bits[i].key, v);
	}
}

static void put_branches(struct strbuf *out, const struct sample *s)
{
	bool first;

	if (s->has_hw_idx)
		json_signed(out, "branch_hw_idx", (s64)s->branch_hw_idx);
	json_key(out, "branch_stack");
	strbuf_addch(out, '[');
	for (u64 i = 0; i < s->nr_branches; i++) {
		strbuf_addstr(out, i ? ", {" : "{");
		json_branch(out, s->branches + 3 * i);
		if (s->branch_counters) {
			first = false;
			put_inner(out, &first, "counters");
			put_hex(out, s->branch_counters[i]);
		}
		strbuf_add(out, " }", 2);
	}
	strbuf_addch(out, ']');
}

/* Registers that have no name are told apart by their number. */
static void put_reg_key(struct strbuf *out, const struct arch *arch, unsigned int bit)
{
	const char *name = arch_reg_name(arch, bit);
	bool first = false;
	char text[16];

	snprintf(text, sizeof(text), "reg%u", bit);
	put_inner(out, &first, strcmp(name, "unknown") ? name : text);
}

void json_regs(struct strbuf *out, const struct arch *arch, const struct wire_regs *r)
{
	bool first = true;
	unsigned int bit, n = 0;

	strbuf_addch(out, '{');
	put_inner_number(out, &first, "abi", r->abi);
	for (bit = 0; r->regs && bit < 64; bit++) {
		if (!(r->mask >> bit & 1))
			continue;
		put_reg_key(out, arch, bit);
		put_hex(out, r->regs[n++]);
	}
	strbuf_add(out, " }", 2);
}

void json_rest(struct strbuf *out, const struct wire_layout *l, const struct arch *arch,
	       const struct sample *s)
{
	if (s->read)
		json_read(out, l->read_format, s->read, s->read_size);
	if (l->sample_type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(out, s);
	if (l->sample_type & PERF_SAMPLE_REGS_USER) {
		json_key(out, "user_regs");
		json_regs(out, arch, &s->user_regs);
	}
	if (l->sample_type & PERF_SAMPLE_STACK_USER)
		json_bytes(out, "user_stack", s->user_stack, s->user_stack ? s->user_stack_dyn : 0);
	if (l->sample_type & PERF_SAMPLE_REGS_INTR) {
		json_key(out, "intr_regs");
		json_regs(out, arch, &s->intr_regs);
	}
	if (s->aux)
		json_bytes(out, "aux", s->aux, s->aux_size);
}
