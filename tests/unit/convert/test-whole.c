// SPDX-License-Identifier: GPL-2.0-or-later
/* Test whole recordings in other formats: only samples of the time that was asked for appear;
 * messages. */
#include "base/compat.h"
#include "base/alloc.h"
#include "convert/convert.h"
#include "recording/recording.h"
#include "pdata-build.h"
#include "tmp-tree.h"

#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

#define ST (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

/* Ten samples, one each second from 1 s on. Return: samples in the output. */
static u64 converted(bool pipe, enum convert_format format, const char *time)
{
	const struct pb_event ev = {
		.attr = { .type = PERF_TYPE_SOFTWARE, .sample_type = ST, .sample_id_all = true },
	};
	char *dir = tmp_dir(), *out = xasprintf("%s/out", dir), path[64];
	const struct convert_options o = { .path = out, .workers = 1 };
	struct recording_options ro = { .time = time, .buildid_dir = "" };
	struct convert_counts n = { 0 };
	struct err err = { 0 };
	struct recording r;
	struct pb b;
	int fd;

	pb_start(&b, false, pipe, &ev, 1);
	for (u64 i = 1; i <= 10; i++) {
		const struct pb_id id = { .pid = 1, .tid = 1, .time = i * 1000000000 };

		pb_sample(&b, ST, 0x1000, &id, 1);
	}
	pb_finish(&b);
	ro.input = pb_save(b.out.buf, b.out.len, &fd, path);
	assert_int_equal(recording_open(&r, &ro, NULL, &err), 0);
	assert_int_equal(convert_recording(&r, format, &o, &n, &err), 0);
	assert_int_equal(access(out, F_OK), 0);
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&b);
	free(out);
	tmp_remove(dir);
	return n.samples;
}

static void test_time(void **state)
{
	for (int pipe = 0; pipe < 2; pipe++) {
		assert_int_equal(converted(pipe, CONVERT_JSON, NULL), 10);
		assert_int_equal(converted(pipe, CONVERT_JSON, "3,5"), 3);
		assert_int_equal(converted(pipe, CONVERT_CTF, "3,5"), 3);
	}
}

static void test_text(void **state)
{
	struct convert_counts n = { .bytes = 1 << 20, .samples = 7 };
	struct strbuf out = STRBUF_INIT;

	convert_text("a", "CTF", "b", &n, &out);
	assert_string_equal(strbuf_str(&out),
			    "[ perf data convert: Converted 'a' into CTF data 'b' ]\n"
			    "[ perf data convert: Converted and wrote 1.000 MB (7 samples) ]\n");
	strbuf_reset(&out);
	n.others = 2;
	n.late = 3;
	convert_text("a", "CTF", "b", &n, &out);
	assert_int_equal(strncmp(strbuf_str(&out), "Warning:\n3 events came after later ones", 39),
			 0);
	assert_non_null(strstr(strbuf_str(&out), " (7 samples, 2 non-samples) ]\n"));
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
