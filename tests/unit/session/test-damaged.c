// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damage: files cut off at every place and with flipped bytes are read as far as they can be.
 * Built files are damaged at every byte; recorded ones (CORPUS, when there) at spread places.
 * What the sanitizers say under SAN=1 is half of the test.
 */
#include "base/compat.h"
#include "drive.h"
#include "pdata-build.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                \
	 PERF_SAMPLE_IDENTIFIER)
#define STC (ST | PERF_SAMPLE_CALLCHAIN)
#define NR_SAMPLES 60
#define FEW 20 /* where every byte is damaged: what that takes grows with their square */

static struct pb_event event(u64 sample_type, u64 id, const char *name)
{
	return (struct pb_event){
		.attr = { .type = 1, .sample_type = sample_type, .sample_id_all = 1 },
		.ids = { id },
		.nr_ids = 1,
		.name = name,
	};
}

static void put_chain_sample(struct pb *b, const struct pb_id *id)
{
	size_t at = pb_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	pb_u64(b, id->id);
	pb_u64(b, 0x401000);
	pb_trailer(b, PERF_SAMPLE_TID | PERF_SAMPLE_TIME, id);
	pb_u64(b, 1);
	pb_u64(b, 3);
	for (u64 i = 0; i < 3; i++)
		pb_u64(b, 0x401000 + i);
	pb_end(b, at);
}

static void build(struct pb *b, u64 samples, bool swap, bool pipe)
{
	struct pb_event ev[] = { event(ST, 7, "one"), event(STC, 8, "two") };
	struct pb_id id = { 10, 11, 0, 7, 0, 0 };

	pb_start(b, swap, pipe, ev, 2);
	if (!pipe)
		pb_event_desc(b, ev, 2);
	pb_feature_str(b, 3, "a-host");
	pb_comm(b, 10, 11, "prog", ST, &id);
	pb_mmap2(b, 10, 0x400000, 0x2000, "/bin/prog", ST, &id);
	for (u64 i = 0; i < samples; i++) {
		id.time = 1000 + i * 10;
		id.id = 7 + (i & 1);
		if (i & 1)
			put_chain_sample(b, &id);
		else
			pb_sample(b, ST, 0x401000, &id, 1);
		if (i % 10 == 9)
			pb_round(b);
	}
	pb_finish(b);
}

/*
 * Sanitizers make each look at a file forty times as dear: with them every eleventh byte is
 * damaged, and check-long damages each. Without them CI damages each, too.
 */
static size_t damage_step(void)
{
#ifdef __SANITIZE_ADDRESS__
	return getenv("LONG") ? 1 : 11;
#else
	return 1;
#endif
}

/* A copy of just that size, so that a byte too far is seen, goes through everything. */
static u64 drive_bytes(const void *data, size_t len, int workers)
{
	char path[64];
	u64 n;
	int fd;

	n = drive_file(pb_save(data, len, &fd, path), workers);
	pb_unsave(fd);
	return n;
}

/* Form 0-3: file or pipe, either byte order. */
static void test_cut_everywhere(void **state)
{
	for (int form = 0; form < 4; form++) {
		u64 last = 0;
		struct pb b;

		build(&b, FEW, form & 1, form & 2);
		for (size_t n = b.out.len % damage_step(); n <= b.out.len; n += damage_step()) {
			u64 got = drive_bytes(b.out.buf, n, 1);

			/* Never less than what a shorter piece gave. */
			if (got < last)
				fail_msg("form %d, %zu bytes: %" PRIu64 " samples, %" PRIu64
					 " with one byte less",
					 form, n, got, last);
			last = got;
		}
		assert_int_equal(last, form & 2 ? FEW : 2 * FEW);
		pb_release(&b);
	}
}

/* Every byte of the data section, two ways: all but a few samples are still read. */
static void test_flip_data(void **state)
{
	static const u8 masks[] = { 0xff, 0x10 };

	for (int swap = 0; swap < 2; swap++) {
		struct pb b;
		size_t end;

		build(&b, FEW, swap, false);
		end = b.out.len;
		for (int i = 0; i < PB_MAX_FEATURES; i++)
			end -= b.body[i].len + (b.features >> i & 1 ? 16 : 0);
		for (size_t at = b.data_start; at < end; at += damage_step()) {
			for (size_t m = 0; m < ARRAY_SIZE(masks); m++) {
				u64 got;

				b.out.buf[at] ^= (char)masks[m];
				got = drive_bytes(b.out.buf, b.out.len, 1);
				b.out.buf[at] ^= (char)masks[m];
				if (got < 2 * (FEW - 4))
					fail_msg("byte %zu ^ %#x, order %d: %" PRIu64
						 " of %d samples",
						 at, masks[m], swap, got, 2 * FEW);
			}
		}
		pb_release(&b);
	}
}

/* Headers, attrs, features, pipes: anything may be lost, nothing may break. */
static void test_flip_rest(void **state)
{
	static const u8 masks[] = { 0xff, 0x01, 0x80 };
	u64 sum = 0;

	for (int form = 0; form < 4; form++) {
		struct pb b;

		build(&b, FEW, form & 1, form & 2);
		for (size_t at = 0; at < b.out.len; at += damage_step()) {
			for (size_t m = 0; m < ARRAY_SIZE(masks); m++) {
				b.out.buf[at] ^= (char)masks[m];
				sum += drive_bytes(b.out.buf, b.out.len, 1);
				b.out.buf[at] ^= (char)masks[m];
			}
		}
		pb_release(&b);
	}
	assert_true(sum > 1000 * FEW);
}

/* A hole of zeros, as a crashed machine leaves them: what is behind it is found. */
static void test_hole(void **state)
{
	for (int swap = 0; swap < 2; swap++) {
		struct err err = { 0 };
		struct drive d = { 0 };
		struct session s;
		struct pb b;

		build(&b, NR_SAMPLES, swap, false);
		memset(b.out.buf + b.data_start + 1000, 0, 600);
		session_open_built(&s, &b);
		assert_int_equal(drive_samples(&s, &d, 2, &err), 0);
		assert_true(d.samples >= NR_SAMPLES - 600 / 48 - 3);
		assert_true(d.samples < NR_SAMPLES);
		assert_true(s.diag.count[DIAG_BAD_SIZE] >= 1);
		assert_in_range(s.diag.first[DIAG_BAD_SIZE], b.data_start + 900,
				b.data_start + 1100);
		session_close(&s);
		drive_release(&d);
		pb_release(&b);
	}
}

/* The recorder was killed: data size 0 in the header, the last record cut. */
static void test_unfinished(void **state)
{
	struct err err = { 0 };
	struct drive d = { 0 };
	struct session s;
	struct pb b;

	build(&b, NR_SAMPLES, false, false);
	memset(b.out.buf + b.data_size_at, 0, 8);
	b.out.len = b.data_start + 2000;
	session_open_built(&s, &b);
	assert_true(s.file->unfinished);
	assert_int_equal(drive_samples(&s, &d, 2, &err), 0);
	assert_in_range(d.samples, 15, 2000 / 48);
	assert_int_equal(s.diag.count[DIAG_UNFINISHED], 1);
	assert_int_equal(s.diag.count[DIAG_TRUNCATED], 1);
	/* no EVENT_DESC to name it */
	assert_non_null(strstr(s.evlist.evsels[0]->name, "cpu-clock"));
	session_close(&s);
	drive_release(&d);
	pb_release(&b);
}

/* ---- recorded files ---- */

static u8 *slurp(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	u8 *buf = NULL;
	long size;

	if (f && !fseek(f, 0, SEEK_END) && (size = ftell(f)) > 0) {
		rewind(f);
		buf = malloc((size_t)size);
		*len = fread(buf, 1, (size_t)size, f);
	}
	if (f)
		fclose(f);
	return buf;
}

static u64 next_random(u64 *seed)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return *seed >> 17;
}

static void damage_recorded(const char *path)
{
	size_t len = 0;
	u8 *data = slurp(path, &len);
	u64 seed = len, whole, got;
	int rounds = (len > 300000 ? 8 : 40) / (int)damage_step();

	if (!data)
		return;
	whole = drive_bytes(data, len, 2);
	for (int i = 0; i < rounds; i++) {
		size_t cut = next_random(&seed) % len;

		got = drive_bytes(data, cut, 1 + i % 2);
		if (got > whole)
			fail_msg("%s cut to %zu: %" PRIu64 " samples, the whole has %" PRIu64, path,
				 cut, got, whole);
	}
	for (int i = 0; i < rounds; i++) {
		size_t at[8];

		for (int k = 0; k < 8; k++) {
			/* Half of them where the structure is: the first kilobytes. */
			at[k] = next_random(&seed) % (k & 1 ? MIN(len, (size_t)4096) : len);
			data[at[k]] ^= (u8)(1 << (next_random(&seed) & 7));
		}
		drive_bytes(data, len, 1 + i % 2);
		for (int k = 7; k >= 0; k--)
			data[at[k]] ^= 0x55;
	}
	free(data);
}

static void test_recorded(void **state)
{
	const char *dir = getenv("CORPUS");
	struct dirent **list;
	char path[PATH_MAX];
	int n, seen = 0;

	n = scandir(dir ? dir : "../shared/corpus", &list, NULL, alphasort);
	if (n < 0)
		skip();
	for (int i = 0; i < n; i++) {
		if (strstr(list[i]->d_name, "data")) {
			snprintf(path, sizeof(path), "%s/%s", dir ? dir : "../shared/corpus",
				 list[i]->d_name);
			damage_recorded(path);
			seen++;
		}
		free(list[i]);
	}
	free(list);
	if (!seen)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_everywhere), cmocka_unit_test(test_flip_data),
		cmocka_unit_test(test_flip_rest),      cmocka_unit_test(test_hole),
		cmocka_unit_test(test_unfinished),     cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
