// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what a recording says of itself before its first record. */
#include "base/compat.h"
#include "recording/recording.h"
#include "pdata-build.h"

#include <setjmp.h>
#include <cmocka.h>

/* A stream is read up to its first record; a file has told all of it before. */
static void test_header(void **state)
{
	const struct pb_event ev = { .attr = { .type = PERF_TYPE_SOFTWARE,
					       .sample_type = PERF_SAMPLE_IP },
				     .ids = { 7 },
				     .nr_ids = 1,
				     .name = "named" };
	const struct pb_id id = { 1, 1, 1, 7, 0, 0 };

	for (int pipe = 0; pipe < 2; pipe++) {
		struct recording_options o = { 0 };
		struct err err = { 0 };
		struct recording r;
		char path[64];
		struct pb b;
		int fd;

		pb_start(&b, false, pipe, &ev, 1);
		pb_comm(&b, 1, 1, "first", 0, NULL);
		pb_sample(&b, PERF_SAMPLE_IP, 1, &id, 1);
		pb_finish(&b);
		o.input = pb_save(b.out.buf, b.out.len, &fd, path);
		assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
		assert_int_equal(r.session.evlist.nr, pipe ? 0 : 1);
		assert_int_equal(recording_read_header(&r, &err), 0);
		assert_int_equal(r.session.evlist.nr, 1);
		evlist_name_by_attr(&r.session.evlist);
		assert_int_equal(strncmp(r.session.evlist.evsels[0]->name, "cpu-clock", 9), 0);
		recording_close(&r);
		pb_unsave(fd);
		pb_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
