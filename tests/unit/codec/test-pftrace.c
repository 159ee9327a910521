// SPDX-License-Identifier: GPL-2.0-or-later
/* Test packets for Perfetto, byte by byte: tracks, values, events with names and arrows. */
#include "base/compat.h"
#include "codec/pftrace.h"

#include <setjmp.h>

#include <cmocka.h>

#define EXPECT(out, text)                                                                          \
	do {                                                                                       \
		assert_int_equal((out)->len, sizeof(text) - 1);                                    \
		assert_memory_equal((out)->buf, text, sizeof(text) - 1);                           \
		strbuf_release(out);                                                               \
	} while (0)

static void test_tracks(void **state)
{
	struct strbuf out = STRBUF_INIT;

	/* A packet (1) of the sequence (10) 1 with a descriptor (60): uuid, parent, name. */
	pftrace_track(&out, 5, 4, "CPU");
	EXPECT(&out, "\x0a\x0e\x50\x01\xe2\x03\x09\x08\x05\x28\x04\x12\x03"
		     "CPU");
	pftrace_process(&out, 7, 0, "\xff");
	EXPECT(&out, "\x0a\x11\x50\x01\xe2\x03\x0c\x08\x07\x1a\x08\x08\x00\x32\x04\\xff");
	pftrace_thread(&out, 8, 7, 1, 2, "t");
	EXPECT(&out,
	       "\x0a\x12\x50\x01\xe2\x03\x0d\x08\x08\x28\x07\x22\x07\x08\x01\x10\x02\x2a\x01t");
	pftrace_counter(&out, 9, 0, "f", "kHz");
	EXPECT(&out, "\x0a\x11\x50\x01\xe2\x03\x0c\x08\x09\x12\x01"
		     "f\x42\x05\x32\x03kHz");
}

static void test_events(void **state)
{
	struct strbuf out = STRBUF_INIT;

	pftrace_value(&out, 3, 9, 0);
	EXPECT(&out, "\x0a\x0d\x50\x01\x40\x03\x5a\x07\x48\x04\x58\x09\xf0\x01\x00");
	pftrace_event(&out, &(struct pftrace_event){ 3, 5, PFTRACE_SLICE_END });
	EXPECT(&out, "\x0a\x0a\x50\x01\x40\x03\x5a\x04\x48\x02\x58\x05");
	pftrace_event(&out, &(struct pftrace_event){ 3, 5, PFTRACE_INSTANT, "c", "n",
						     .arrow_from = 258 });
	EXPECT(&out, "\x0a\x1c\x50\x01\x40\x03\x5a\x16\x48\x03\x58\x05\xb2\x01\x01"
		     "c\xba\x01\x01n\xf9\x02\x02\x01\0\0\0\0\0\0");
	pftrace_event(&out, &(struct pftrace_event){ .time = 3,
						     .track = 5,
						     .type = PFTRACE_SLICE_BEGIN,
						     .name_iid = 2,
						     .arrow_to = 1 });
	EXPECT(&out, "\x0a\x18\x50\x01\x40\x03\x68\x02\x5a\x10\x48\x01\x50\x02\x58\x05"
		     "\x81\x03\x01\0\0\0\0\0\0\0");
}

static void test_names(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct pftrace_names n = pftrace_names(&out);

	assert_int_equal(pftrace_name(&out, &n, "a"), 1);
	assert_int_equal(pftrace_name(&out, &n, ""), 2);
	pftrace_names_end(&out, &n);
	EXPECT(&out, "\x0a\x13\x50\x01\x68\x01\x62\x0d\x12\x05\x08\x01\x12\x01"
		     "a\x12\x04\x08\x02\x12\x00");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tracks),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
