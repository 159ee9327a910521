// SPDX-License-Identifier: GPL-2.0-or-later
/* Test digests as the published examples and the system's sha256sum have them. */
#include "base/compat.h"

#include "codec/sha256.h"

#include <setjmp.h>

#include <cmocka.h>

static void check(const void *data, size_t len, const char *want)
{
	u8 digest[32];
	char text[65];

	sha256(data, len, digest);
	for (int i = 0; i < 32; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	assert_string_equal(text, want);
}

static void test_known(void **state)
{
	char nothing[1000];
	struct {
		size_t len;
		const char *want;
	} zeros[] = {
		/* around the ends of blocks */
		{ 55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7" },
		{ 56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb" },
		{ 64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b" },
		{ 1000, "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53" },
	};

	check("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	check("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	memset(nothing, 0, sizeof(nothing));
	for (size_t i = 0; i < ARRAY_SIZE(zeros); i++)
		check(nothing, zeros[i].len, zeros[i].want);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_known) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
