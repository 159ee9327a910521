// SPDX-License-Identifier: GPL-2.0-or-later
/* Formatted text is appended whole, whatever room there was. */
#include "base/compat.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void test_addf(void **state)
{
	char want[600];

	/* texts end before, at and behind the end of the room that there is */
	for (int before = 0; before < 130; before++)
		for (int len = 0; len < 150; len++) {
			struct strbuf sb = STRBUF_INIT;
			const int n =
				snprintf(want, sizeof(want), "%*s%0*d", before, "", MAX(len, 1), 7);

			for (int i = 0; i < before; i++)
				strbuf_addch(&sb, ' ');
			strbuf_addf(&sb, "%0*d", MAX(len, 1), 7);
			assert_int_equal(sb.len, n);
			assert_true(sb.len < sb.alloc);
			assert_string_equal(strbuf_str(&sb), want);
			strbuf_addf(&sb, "%s", "");
			assert_string_equal(strbuf_str(&sb), want);
			strbuf_release(&sb);
		}
}

static void test_empty(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "%s", "");
	assert_int_equal(sb.len, 0);
	assert_string_equal(strbuf_str(&sb), "");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addf),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
