// SPDX-License-Identifier: GPL-2.0-or-later
/* Test tracepoint payloads to text: literal formats and bytes in, text out, in both byte orders. */
#include "base/compat.h"
#include "tracefmt/tracefmt.h"

#include <setjmp.h>
#include <cmocka.h>

#define HEAD                                                                                       \
	"name: probe\nID: 77\nformat:\n"                                                           \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELDS                                                                                     \
	"\tfield:int num;\toffset:8;\tsize:4;\tsigned:1;\n"                                        \
	"\tfield:u64 big;\toffset:16;\tsize:8;\tsigned:0;\n"                                       \
	"\tfield:char comm[8];\toffset:24;\tsize:8;\tsigned:0;\n"                                  \
	"\tfield:__data_loc char[] name;\toffset:32;\tsize:4;\tsigned:0;\n"                        \
	"\tfield:u8 mac[6];\toffset:36;\tsize:6;\tsigned:0;\n"                                     \
	"\tfield:__data_loc u32[] list;\toffset:44;\tsize:4;\tsigned:0;\n"                         \
	"\tfield:void * ptr;\toffset:48;\tsize:8;\tsigned:0;\n"                                    \
	"\tfield:u16 half;\toffset:56;\tsize:2;\tsigned:0;\n"                                      \
	"\tfield:s8 tiny;\toffset:58;\tsize:1;\tsigned:1;\n"                                       \
	"\tfield:short small;\toffset:60;\tsize:2;\tsigned:1;\n"                                   \
	"\tfield:const char * text;\toffset:64;\tsize:8;\tsigned:0;\n\n"
#define SIZE 96

static void put(u8 *p, u64 v, unsigned int size, bool big)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		p[big ? size - 1 - i : i] = (u8)(v >> 8 * i);
}

/* num -5, big 0x123456789a, comm "swap", name "eth0", mac 2..., list {7, 8}, ptr 0xffff1000, half
 * 0x1f4, tiny -7, small -300 */
static void payload(u8 *p, bool big)
{
	static const u8 mac[] = { 0x02, 0x11, 0x22, 0x33, 0x44, 0xff };

	memset(p, 0, SIZE);
	put(p, 77, 2, big);
	put(p + 4, 1234, 4, big);
	put(p + 8, (u64)-5, 4, big);
	put(p + 16, 0x123456789aULL, 8, big);
	memcpy(p + 24, "swap", 4);
	put(p + 32, 72 | 5 << 16, 4, big);
	memcpy(p + 36, mac, 6);
	put(p + 44, 80 | 8 << 16, 4, big);
	put(p + 48, 0xffff1000, 8, big);
	put(p + 56, 500, 2, big);
	put(p + 58, (u64)-7, 1, big);
	put(p + 60, (u64)-300, 2, big);
	put(p + 64, 0xffff2000, 8, big);
	memcpy(p + 72, "eth0", 5);
	put(p + 80, 7, 4, big);
	put(p + 84, 8, 4, big);
}

static const char *ksym(void *ctx, u64 addr, u64 *start)
{
	*start = 0xffff0f00;
	return addr >= 0xffff0f00 && addr < 0xffff1100 ? ctx : NULL;
}

static char *print(const char *print_fmt, bool big, size_t size)
{
	struct tf_printer pr = { .ksym = ksym, .ksym_ctx = (void *)"do_it" };
	struct tracefmt *tf = tracefmt_new(big, 8);
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	const struct tf_event *ev;
	u8 raw[SIZE];

	strbuf_addf(&text, "%s%sprint fmt: %s\n", HEAD, FIELDS, print_fmt);
	ev = tracefmt_add(tf, "unit", strbuf_str(&text), text.len, NULL);
	assert_non_null(ev);
	assert_ptr_equal(tracefmt_event(tf, 77), ev);
	assert_ptr_equal(tracefmt_find(tf, "unit", "probe"), ev);
	payload(raw, big);
	tf_print(ev, &pr, raw, size, &out);
	strbuf_release(&text);
	strbuf_release(&pr.tmp);
	tracefmt_free(tf);
	return strbuf_detach(&out);
}

static const struct {
	const char *fmt, *text;
} cases[] = {
	{ "\"plain\"", "plain" },
	{ "\"n=%d u=%u x=%x\", REC->num, REC->num, REC->num", "n=-5 u=4294967291 x=fffffffb" },
	{ "\"%d %d %5d|%hd %u %x %hhx\", REC->tiny, REC->small, REC->tiny, REC->small, REC->tiny, "
	  "REC->small, REC->tiny",
	  "-7 -300    -7|-300 4294967289 fffffed4 f9" },
	{ "\"%d %s %s\", REC->tiny + 1, __print_symbolic(REC->tiny, {-1, \"a\"}, {-7, \"b\"}), "
	  "REC->small < 0 ? \"minus\" : \"plus\"",
	  "-6 b minus" },
	{ "\"%5d|%-5d|%05d|%+d\", REC->num, REC->num, REC->num, 3", "   -5|-5   |-0005|+3" },
	{ "\"%llx %#lx %08lx %o %X\", REC->big, REC->big, 0x1fUL, 8, 0xab",
	  "123456789a 0x123456789a 0000001f 10 AB" },
	{ "\"%#o %#o %#.o [%.o] [%.x] %#.3o\", 8, 0, 0, 0, 0, 8", "010 0 0 [] [] 010" },
	{ "\"%d%% %c\", 50, 'x'", "50% x" },
	{ "\"[%s] [%8s] [%-8s] [%.2s] [%.*s]\", REC->comm, REC->comm, REC->comm, REC->comm, 3, "
	  "REC->comm",
	  "[swap] [    swap] [swap    ] [sw] [swa]" },
	{ "\"%s/%s\", __get_str(name), REC->num ? \"yes\" : \"no\"", "eth0/yes" },
	{ "\"%s\", __print_symbolic(REC->half, {1, \"one\"}, { 500, \"five\" \"hundred\" })",
	  "fivehundred" },
	{ "\"%s %-5s.\", __print_symbolic(REC->half, {1, \"one\"}), __print_symbolic(1, {1, \"one\"})",
	  "0x1f4 one  ." },
	{ "\"%s\", __print_flags(REC->half, \"|\", { 0x100, \"A\" }, { (1 << 4), \"B\" }, {4, \"C\"})",
	  "A|B|C|0xe0" },
	{ "\"<%s>\", __print_flags(0, \"|\", { 1, \"A\" })", "<>" },
	{ "\"%02x:%02x %pM\", REC->mac[0], REC->mac[5], REC->mac", "02:ff 02:11:22:33:44:ff" },
	{ "\"%s|%s\", __print_hex(REC->mac, 3), __print_hex_str(REC->mac, 6)",
	  "02 11 22|0211223344ff" },
	{ "\"%s %d\", __print_array(__get_dynamic_array(list), "
	  "__get_dynamic_array_len(list) / sizeof(u32), 4), __get_dynamic_array_len(list)",
	  "{0x7,0x8} 8" },
	{ "\"%u\", ((u32 *)__get_dynamic_array(list))[1]", "8" },
	{ "\"%p %pS %ps %pS\", REC->ptr, REC->ptr, REC->ptr, REC->big",
	  "0xffff1000 do_it+0x100 do_it 0x123456789a" },
	{ "\"%p\", 0", "(nil)" },
	{ "\"%d,%d\", ((unsigned int) ((REC->half) >> 4)), (REC->half & ((1U << 4) - 1))", "31,4" },
	{ "\"%d %d %d\", 2 + 3 * 4, (2 + 3) * 4, 100 / 7 % 5", "14 20 4" },
	{ "\"%d %d\", REC->num < 0 ? -REC->num : 0, REC->half > 499 && !(REC->half == 3)", "5 1" },
	{ "\"%d\", (s16)0xffff", "-1" },
	{ "\"%d %d %x %s\", -1 < 1, (2 + 3) * -4, ~0x0f & 0xff, 1 - 1 ? \"a\" : \"b\"",
	  "1 -20 f0 b" },
	{ "\"%d %s\", REC->num < 2 - 1, REC->num < -2 ? \"less\" : \"more\"", "0 less" },
	{ "\"%x\", REC->half & ((((0x0 | 0x1 | 0x2 | 0x40) + 1) << 1) - 1)", "84" },
	{ "\"%03d %-5d| %5o\", REC->half, REC->half, 8", "500 500  |    10" },
	{ "\"%s\", REC->text", "ffff2000" },
	{ "\"tab\\there \\\"q\\\" %s\", \"a\\\\b\"", "tab\there \"q\" a\\b" },
	{ "\"%lu\", sizeof(u16)", "2" },
	{ "\"%*pbl\", 8, __get_bitmask(list)", "0-2" },
	{ "\"%d\", 1 / 0", "0" },
	{ "\"%d\", __builtin_expect(REC->num, 0)", "-5" },
};

static void test_print(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases) * 2; i++) {
		char *got = print(cases[i / 2].fmt, i & 1, SIZE);

		/* the bit mask is one big-endian long of two words in the other order */
		if (!strstr(cases[i / 2].fmt, "%*pbl") || !(i & 1))
			assert_string_equal(got, cases[i / 2].text);
		free(got);
	}
}

/* Formats that cannot be understood print as plain fields. */
static void test_failed(void **state)
{
	static const char *const bad[] = {
		"\"%d\"",
		"\"%d\", REC->nosuch",
		"\"%d\", unheard_of(1)",
		"\"%d\", (1",
		"\"%y\", 1",
		"\"%s\", __print_symbolic(REC->num, {1})",
		"\"unterminated",
		"REC->num",
		"\"%d\", ({ int x = 1; x; })",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		char *got = print(bad[i], false, SIZE);

		assert_string_equal(
			got,
			"[FAILED TO PARSE] num=-5 big=78187493530 comm=swap name=eth0 "
			"mac=ARRAY[02, 11, 22, 33, 44, ff] list=ARRAY[07, 00, 00, 00, "
			"08, 00, 00, 00] ptr=0xffff1000 half=500 tiny=-7 small=-300 text=0xffff2000");
		free(got);
	}
}

/* A payload that ends early never reads past its end: every prefix of it prints something. */
static void test_short(void **state)
{
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		for (size = 0; size < SIZE; size++)
			free(print(cases[i].fmt, false, size));
}

static void test_fields(void **state)
{
	static const char text[] = HEAD FIELDS "print fmt: \"\"\n";
	struct tracefmt *tf = tracefmt_new(true, 8);
	const struct tf_event *ev = tracefmt_add(tf, "unit", text, sizeof(text) - 1, NULL);
	u8 raw[SIZE];
	size_t len;
	u64 v;

	payload(raw, true);
	assert_int_equal(ev->nr_common, 2);
	assert_int_equal(ev->nr_fields, 13);
	assert_true(tf_field_int(ev, tf_find_field(ev, "common_pid"), raw, SIZE, &v));
	assert_int_equal(v, 1234);
	assert_true(tf_field_int(ev, tf_find_field(ev, "num"), raw, SIZE, &v));
	assert_int_equal((s64)v, -5);
	assert_false(tf_field_int(ev, tf_find_field(ev, "num"), raw, 11, &v));
	assert_false(tf_field_int(ev, tf_find_field(ev, "comm"), raw, 20, &v));
	assert_null(tf_find_field(ev, "nosuch"));
	assert_string_equal(tf_field_data(ev, tf_find_field(ev, "name"), raw, SIZE, &len), "eth0");
	assert_int_equal(len, 5);
	assert_null(tf_field_data(ev, tf_find_field(ev, "name"), raw, 70, &len));
	assert_string_equal(tf_find_field(ev, "name")->type, "char[]");
	assert_int_equal(tf_find_field(ev, "mac")->elem_size, 1);
	assert_true(tf_find_field(ev, "list")->flags & TF_DYNAMIC);
	tracefmt_free(tf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_failed),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
