// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the text of a whole profile: what stands above and below the rows of each event, which
 * events are shown, names of groups, and an output that is gone. */
#include "base/compat.h"
#include "pdata-build.h"
#include "profiletext/profile-text.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define ST PB_TWO_SAMPLE_TYPE

/* A profile of two events; the second one, "two", has no samples unless it is said. */
struct bed {
	struct pb b;
	char path[64];
	int fd;
	struct recording_options source;
	struct recording r;
	struct profile *p;
	struct strbuf out;
	size_t room; /* bytes that the output takes before it is gone */
};

static void begin(struct bed *t, const struct profile_options *asked, bool both, u64 lost)
{
	struct pb_id id = { 10, 11, 1000, 7, 0, 0 };
	struct err err = { 0 };
	size_t at;

	*t = (struct bed){ .out = STRBUF_INIT, .room = SIZE_MAX };
	pb_start_two(&t->b, ST, false, "one", "two");
	for (int i = 0; i < 3; i++)
		pb_sample(&t->b, ST, 0x400100, &id, 10);
	id.pid = id.tid = 21;
	pb_sample(&t->b, ST, 0x400100, &id, 10);
	id.id = 8;
	if (both)
		pb_sample(&t->b, ST, 0x400100, &id, 2);
	if (lost) {
		at = pb_begin(&t->b, PERF_RECORD_LOST_SAMPLES, 0);
		pb_u64(&t->b, lost);
		pb_trailer(&t->b, ST, &id);
		pb_end(&t->b, at);
	}
	pb_finish(&t->b);
	t->source.input = pb_save(t->b.out.buf, t->b.out.len, &t->fd, t->path);
	assert_int_equal(recording_open(&t->r, &t->source, NULL, &err), 0);
	t->p = profile_new(asked, &t->r);
	if (profile_run(t->p, &err))
		fail_msg("%s", err.msg);
}

static void end(struct bed *t)
{
	profile_drop(t->p);
	recording_close(&t->r);
	pb_unsave(t->fd);
	pb_release(&t->b);
	strbuf_release(&t->out);
}

static int put(void *ctx, const char *text, size_t len)
{
	struct bed *t = ctx;

	if (len > t->room)
		return -EPIPE;
	t->room -= len;
	strbuf_add(&t->out, text, len);
	return 0;
}

static const char *text(struct bed *t, const struct profile_text_conf *conf)
{
	strbuf_reset(&t->out);
	assert_int_equal(profile_text(t->p, &t->r.session, conf, put, t), 0);
	return strbuf_str(&t->out);
}

static const struct profile_options by_comm = { .sort = "comm", .socket = -1, .workers = 1 };

#define LOSSES(nr) "#\n# Total Lost Samples: " nr "\n#\n"
#define ONE                                                                                        \
	"# Samples: 4  of event 'one'\n# Event count (approx.): 40\n#\n"                           \
	"# Overhead  Command\n# ........  .......\n#\n"                                            \
	"    75.00%  first  \n    25.00%  second \n\n\n"
#define TIP "#\n# (Tip: Callers of a hot function are one `perf report -G` away)\n#\n"

static void test_whole(void **state)
{
	const struct profile_text_conf conf = { .socket = -1, .skip_empty = true };
	struct bed t;

	begin(&t, &by_comm, false, 5);
	assert_string_equal(text(&t, &conf), LOSSES("5") ONE TIP);
	end(&t);
}

/* An event without samples is shown unless it is to be skipped. */
static void test_empty(void **state)
{
	struct profile_text_conf conf = { .socket = -1 };
	struct bed t;

	begin(&t, &by_comm, false, 0);
	assert_non_null(strstr(text(&t, &conf), "# Samples: 0  of event 'two'\n"));
	conf.skip_empty = true;
	assert_null(strstr(text(&t, &conf), "'two'"));
	end(&t);
	begin(&t, &by_comm, true, 0);
	assert_non_null(strstr(text(&t, &conf), "# Samples: 1  of event 'two'\n"));
	end(&t);
}

/* Nothing but rows is written for programs. */
static void test_quiet(void **state)
{
	const struct profile_text_conf conf = { .socket = -1,
						.skip_empty = true,
						.report = { .quiet = true, .sep = ";" } };
	struct bed t;

	begin(&t, &by_comm, false, 5);
	assert_string_equal(text(&t, &conf), " 75.00% ;first  \n 25.00% ;second \n\n\n");
	end(&t);
}

/* The head tells which samples were asked for. */
static void test_head(void **state)
{
	const struct profile_text_conf conf = { .socket = 2, .slices = "10%/2" };
	struct bed t;

	begin(&t, &by_comm, true, 0);
	assert_non_null(strstr(text(&t, &conf), " of event 'one' (time slices: 10%/2)\n"));
	assert_non_null(strstr(strbuf_str(&t.out), "\n# Processor Socket: 2\n"));
	end(&t);
}

static void check_name(struct bed *t, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	profile_event_name(profile_hist(t->p), &t->r.session, 0, &out);
	assert_string_equal(strbuf_str(&out), want);
	strbuf_release(&out);
}

/* Events that users make a group have their names alone; those of no group have one name. */
static void test_names(void **state)
{
	struct profile_options forced = by_comm;
	struct bed t;

	begin(&t, &by_comm, true, 0);
	check_name(&t, "one");
	end(&t);
	forced.group = forced.group_set = true;
	begin(&t, &forced, true, 0);
	check_name(&t, "one, two");
	end(&t);
}

/* The writer stops at the first failure, wherever that is. */
static void test_gone(void **state)
{
	const struct profile_text_conf conf = { .socket = -1 };
	struct bed t;
	size_t all;

	begin(&t, &by_comm, true, 0);
	text(&t, &conf);
	all = t.out.len;
	for (size_t room = 0; room < all; room += 7) {
		t.room = room;
		strbuf_reset(&t.out);
		assert_int_equal(profile_text(t.p, &t.r.session, &conf, put, &t), -EPIPE);
		assert_true(t.out.len <= room);
	}
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole), cmocka_unit_test(test_empty),
		cmocka_unit_test(test_quiet), cmocka_unit_test(test_head),
		cmocka_unit_test(test_names), cmocka_unit_test(test_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
