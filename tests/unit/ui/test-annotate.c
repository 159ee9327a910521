// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the annotate browser on a terminal that is made up: the rows that keys select and show, and
 * types of data, which are looked for as they are shown. */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"
#include "typed-term.h"
#include "ui/views/annotate.h"

#include <setjmp.h>
#include <cmocka.h>

/* A function of three instructions; the source has a line for the first and for the last one. */
struct function {
	struct symbol symbol;
	struct symtab symtab;
	struct annotate_function of;
	struct annotate_hits totals;
	struct annotation a;
	struct annotate_line lines[5];
	struct annotate_hits hits[5];
	const char *type; /* of what the second instruction accesses; NULL: unknown */
	int looked;       /* how often types were looked for */
};

static u32 put(struct annotation *a, const char *text)
{
	u32 at = (u32)a->text.len;

	strbuf_add(&a->text, text, strlen(text) + 1);
	return at;
}

static void function_init(struct function *f, const char *type)
{
	static const struct {
		const char *text;
		enum annotate_kind kind;
		u64 samples;
	} rows[] = {
		{ "first();", ANNOTATE_SOURCE, 0 },
		{ "push %rbx", ANNOTATE_INSN, 1 },
		{ "mov (%rdi),%rax", ANNOTATE_INSN, 3 },
		{ "last();", ANNOTATE_SOURCE, 0 },
		{ "ret", ANNOTATE_INSN, 0 },
	};

	*f = (struct function){
		.symbol = { .end = 8 },
		.symtab = { .syms = &f->symbol, .nr = 1, .strs = (char *)"fun" },
		.of = { .at = { .symtab = &f->symtab }, .totals = &f->totals, .end = 8 },
		.totals = { .samples = 4, .period = 4 },
		.a = { .of = &f->of,
		       .end = 8,
		       .lines = f->lines,
		       .nr = ARRAY_SIZE(rows),
		       .hits = f->hits,
		       .nr_events = 1 },
		.type = type,
	};
	put(&f->a, "");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		f->lines[i].kind = (u8)rows[i].kind;
		f->lines[i].text = put(&f->a, rows[i].text);
		f->lines[i].addr = i;
		f->hits[i].samples = f->hits[i].period = rows[i].samples;
	}
}

static void find_types(void *ctx)
{
	struct function *f = ctx;

	f->looked++;
	if (f->type)
		f->lines[2].type = put(&f->a, f->type);
}

/* Type in the browser. Return: its screen, which the caller releases */
static struct strbuf type(struct function *f, const char *keys)
{
	static const u32 events[] = { 0 };
	struct annotate_text text = { .events = events,
				      .nr_events = 1,
				      .event_names = "cycles",
				      .offset_level = 1,
				      .totals = &f->totals };
	bool no_source = false, no_arrows = false;
	struct annotate_shown shown = { .a = &f->a,
					.text = &text,
					.no_source = &no_source,
					.no_arrows = &no_arrows,
					.line = SIZE_MAX,
					.find_types = find_types,
					.ctx = f };
	struct typed_term t;
	struct ui ui;

	typed_term_open(&t, &ui, keys, 9, 72, false);
	assert_int_equal(annotate_view(&ui, &shown), VIEW_QUIT);
	return typed_term_close(&t, &ui);
}

/* Compare the rows, and the last line of the screen, which has the message. */
static void check(const char *keys, const char *type_text, const char *rows, const char *last)
{
	struct function f;
	struct strbuf shown;
	const char *at, *end;
	char *begin;

	function_init(&f, type_text);
	shown = type(&f, keys);
	at = strstr(strbuf_str(&shown), "cycles', Event co\n");
	assert_non_null(at);
	at = strchr(at, '\n') + 1;
	begin = xasprintf("%.*s", (int)strlen(rows), at);
	assert_string_equal(begin, rows);
	free(begin);
	end = shown.buf + shown.len - strlen(last);
	assert_true(end > at && end[-1] == '\n');
	assert_string_equal(end, last);
	assert_int_equal(f.looked, strchr(keys, 'T') != NULL);
	strbuf_release(&shown);
	strbuf_release(&f.a.text);
}

#define HELP "Press 'h' for help on key bindings\n"
/* These are the rows, with @type behind the second instruction. */
#define ROWS(type)                                                                                 \
	"       |   first();\n"                                                                    \
	" 25.00 |     push %rbx\n"                                                                 \
	" 75.00 |     mov  (%rdi),%rax" type "\n"                                                  \
	"       |   last();\n"                                                                     \
	"       |     ret\n"
#define LONG "                          # data-type: long"

static void test_source(void **state)
{
	check("", NULL, ROWS(""), HELP);
	check("s", NULL,
	      " 25.00 |     push %rbx\n 75.00 |     mov  (%rdi),%rax\n       |     ret\n", HELP);
	check("ss", NULL, ROWS(""), HELP);
}

static void test_types(void **state)
{
	check("T", "long", ROWS(LONG), HELP);
	check("TT", "long", ROWS(""), HELP);
	check("T", NULL, ROWS(""),
	      "The debug information tells no type of data that is accessed here\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
