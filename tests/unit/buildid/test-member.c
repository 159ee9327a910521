// SPDX-License-Identifier: GPL-2.0-or-later
/* Test names in archives: which of them a build-id cache takes, and where its links may lead. */
#include "base/compat.h"
#include "buildid/member.h"

#include <setjmp.h>
#include <cmocka.h>

#define HEX "0123456789abcdef0123456789abcdef01234567"

static void test_names(void **state)
{
	(void)state;
	assert_int_equal(cache_member("usr/bin/ls/" HEX "/elf"), CACHE_MEMBER_FILE);
	assert_int_equal(cache_member("[kernel.kallsyms]/" HEX "/kallsyms"), CACHE_MEMBER_FILE);
	assert_int_equal(cache_member("[kernel.kcore]/" HEX "/2026010203040506/kcore"),
			 CACHE_MEMBER_FILE);
	assert_int_equal(cache_member(".build-id/01/23456789abcdef"), CACHE_MEMBER_LINK);
	assert_int_equal(cache_member("perf.data"), CACHE_MEMBER_TOP);
	assert_int_equal(cache_member(""), CACHE_MEMBER_BAD);
	assert_int_equal(cache_member("/usr/" HEX "/elf"), CACHE_MEMBER_BAD);
	assert_int_equal(cache_member("a/../" HEX "/elf"), CACHE_MEMBER_BAD);
	assert_int_equal(cache_member("a/./" HEX "/elf"), CACHE_MEMBER_BAD);
	assert_int_equal(cache_member("a//" HEX "/elf"), CACHE_MEMBER_BAD);
	assert_int_equal(cache_member("a/" HEX), CACHE_MEMBER_BAD);
	assert_int_equal(cache_member("a/b/elf"), CACHE_MEMBER_BAD);
	assert_int_equal(cache_member(".build-id/xy/23456789"), CACHE_MEMBER_BAD);
	assert_int_equal(cache_member(".build-id/01/23/elf"), CACHE_MEMBER_BAD);
	assert_true(cache_member_target(".build-id/01/23456789", "../../usr/bin/ls/0123456789"));
	assert_false(cache_member_target(".build-id/01/23456789", "../../usr/bin/ls/0123456788"));
	assert_false(cache_member_target(".build-id/01/23456789", "/usr/bin/ls/0123456789"));
	assert_false(cache_member_target(".build-id/01/23456789", "../../../x/0123456789"));
	assert_false(cache_member_target(".build-id/01/23456789", "../../0123456789"));
	assert_false(cache_member_target("usr/bin/01/23456789", "../../usr/bin/ls/0123456789"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
