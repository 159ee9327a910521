// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which files and which arguments follow from the options of the front. */
#include "base/compat.h"
#include "kvmtext/front.h"

#include <setjmp.h>
#include <cmocka.h>

#define USER "x", "-a", "-o"

static const struct {
	struct kvm_front front;
	const char *command, *words, *notes;
} cases[] = {
	{ { .guest = true }, "record", "record --machines guest -o perf.data.guest -a -o", "" },
	{ { .host = true, .guest = true },
	  "record",
	  "record --machines host,guest -o perf.data.kvm -a -o",
	  "" },
	{ { .host = true }, "report", "report -i perf.data.host -a -o", "" },
	{ { .host = true, .guest = true, .file = "f", .verbose = 2 },
	  "buildid-list",
	  "buildid-list -v -v -i f -a -o",
	  "" },
	{ { .guest = true, .symbols = { "m", "k", "o", "v", true } },
	  "top",
	  "top --machines guest --guestmount m --guestkallsyms k --guestmodules o --guestvmlinux v "
	  "--guest-code -a -o",
	  "" },
	{ { .guest = true, .symbols = { .kallsyms = "k" } },
	  "stat",
	  "stat --machines guest -a -o",
	  "kvm stat: the files of guests are needed later: give their options to kvm report\n" },
	{ { .guest = true }, "diff", "diff -a -o perf.data.host perf.data.guest", "" },
};

static void test_args(void **state)
{
	const char *argv[] = { USER };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf words = STRBUF_INIT, notes = STRBUF_INIT;
		struct verb_args a;

		kvm_front_args(&cases[i].front, &a, cases[i].command, ARRAY_SIZE(argv), argv,
			       &notes);
		for (int n = 0; n < a.nr; n++)
			strbuf_addf(&words, "%s%s", n ? " " : "", a.v[n]);
		assert_string_equal(strbuf_str(&words), cases[i].words);
		assert_string_equal(strbuf_str(&notes), cases[i].notes);
		verb_args_release(&a);
		strbuf_release(&words);
		strbuf_release(&notes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_args) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
