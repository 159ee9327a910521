// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the engines on scheduling with whole recordings: of both byte orders, and with losses. */
#include "base/compat.h"
#include "analysis/analysis.h"
#include "analyze/io-calls.h"
#include "analyze/sched-replay.h"
#include "analyze/sched-why.h"
#include "pdata-build.h"
#include "schedtext/map.h"
#include "schedtext/schedtext.h"
#include "schedtext/timehist.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |           \
	 PERF_SAMPLE_RAW)
#define MS 1000000U
#define COMM 16
#define TRACING_DATA 1 /* the bit of the feature */

/* ---- formats ---- */

#define COMMON                                                                                     \
	"format:\n"                                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char format_of_switch[] =
	"name: sched_switch\nID: 300\n" COMMON
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
static const char format_of_waking[] =
	"name: sched_waking\nID: 301\n" COMMON
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
static const char format_of_runtime[] =
	"name: sched_stat_runtime\nID: 302\n" COMMON
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 runtime;\toffset:32;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";

static void put_text(struct pb *b, const char *text)
{
	pb_u64(b, strlen(text));
	pb_bytes(b, text, strlen(text));
}

static void put_formats(struct pb *b)
{
	struct pb body;

	pb_init(&body, b->swap);
	pb_bytes(&body, "\027\010\104tracing0.6", 14);
	pb_u8(&body, b->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__));
	pb_u8(&body, 8);
	pb_u32(&body, 4096);
	pb_bytes(&body, "header_page", 12);
	put_text(&body, "");
	pb_bytes(&body, "header_event", 13);
	put_text(&body, "");
	pb_u32(&body, 0); /* formats of ftrace */
	pb_u32(&body, 1); /* systems */
	pb_bytes(&body, "sched", 6);
	pb_u32(&body, 3);
	put_text(&body, format_of_switch);
	put_text(&body, format_of_waking);
	put_text(&body, format_of_runtime);
	pb_u32(&body, 0); /* addresses of functions */
	pb_u32(&body, 0); /* texts of printk */
	pb_u64(&body, 0); /* names of tasks */
	pb_feature(b, TRACING_DATA, &body);
	pb_release(&body);
}

/* ---- samples ---- */

enum { SWITCH = 300, WAKING, RUNTIME };

static void put_comm(struct pb *b, u32 tid)
{
	char comm[COMM] = "swapper";

	if (tid)
		snprintf(comm, COMM, "task%u", tid);
	pb_bytes(b, comm, COMM);
}

/* Begin a sample on CPU 0 in the task @tid, with @size bytes of raw data, of which the common
 * fields are there. */
static size_t begin(struct pb *b, u32 event, u64 ms, u32 tid, u32 size)
{
	const struct pb_id id = { tid, tid, 1000000000 + ms * MS, event, 0, 0 };
	size_t at = pb_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);

	pb_u64(b, event); /* its id */
	pb_trailer(b, ST & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU), &id);
	pb_u32(b, size + 4);
	pb_u16(b, (u16)event);
	pb_u16(b, 0);
	pb_u32(b, tid);
	return at;
}

static void end(struct pb *b, size_t at)
{
	pb_u32(b, 0); /* fills the last eight bytes */
	pb_end(b, at);
}

static void put_switch(struct pb *b, u64 ms, u32 prev, u64 state, u32 next)
{
	size_t at = begin(b, SWITCH, ms, prev, 64);

	put_comm(b, prev);
	pb_u32(b, prev);
	pb_u32(b, 120);
	pb_u64(b, state);
	put_comm(b, next);
	pb_u32(b, next);
	pb_u32(b, 120);
	end(b, at);
}

static void put_waking(struct pb *b, u64 ms, u32 waker, u32 task)
{
	size_t at = begin(b, WAKING, ms, waker, 32);

	put_comm(b, task);
	pb_u32(b, task);
	pb_u32(b, 0);
	end(b, at);
}

static void put_runtime(struct pb *b, u64 ms, u32 task, u64 runtime)
{
	size_t at = begin(b, RUNTIME, ms, task, 40);

	put_comm(b, task);
	pb_u32(b, task);
	pb_u32(b, 0);
	pb_u64(b, runtime);
	end(b, at);
}

static void put_lost(struct pb *b, u64 ms, u64 nr)
{
	const struct pb_id id = { 0, 0, 1000000000 + ms * MS, SWITCH, 0, 0 };
	size_t at = pb_begin(b, PERF_RECORD_LOST, 0);

	pb_u64(b, SWITCH);
	pb_u64(b, nr);
	pb_trailer(b, ST, &id);
	pb_end(b, at);
}

static void start(struct pb *b, bool swap)
{
	struct pb_event ev[3];

	for (u32 i = 0; i < ARRAY_SIZE(ev); i++)
		ev[i] = (struct pb_event){
			.attr = { .type = PERF_TYPE_TRACEPOINT,
				  .config = SWITCH + i,
				  .sample_type = ST,
				  .sample_id_all = true },
			.ids = { SWITCH + i },
			.nr_ids = 1,
		};
	pb_start(b, swap, false, ev, ARRAY_SIZE(ev));
}

/* Task 7 runs for 3 ms, sleeps for 5, waits for 2 and runs for 2. @lossy: nobody saw it leave the
 * CPU in between. */
static void build(struct pb *b, bool swap, bool lossy)
{
	start(b, swap);
	put_switch(b, 0, 0, 0, 7);
	put_runtime(b, 3, 7, 3 * MS);
	if (lossy) {
		put_lost(b, 4, 5);
	} else {
		put_switch(b, 3, 7, 1, 0);
		put_waking(b, 8, 0, 7);
	}
	put_switch(b, 10, 0, 0, 7);
	put_runtime(b, 12, 7, 2 * MS);
	put_switch(b, 12, 7, 1, 0);
	put_formats(b);
	pb_finish(b);
}

#define ROUNDS 600

/* A recording of many rounds has at most one of these peculiarities. */
enum special {
	PLAIN,
	STRANGER,       /* no record tells of task 9 */
	NAMED_LATE,     /* one tells of it when it has run for long */
	LOSS_COMES_LATE /* much later than it was */
};

/* Tasks 7 and 9 run in each of many rounds. */
static void build_rounds(struct pb *b, enum special special)
{
	const struct pb_id id = { 7, 7, 0, SWITCH, 0, 0 };
	const struct pb_id late = { 9, 9, 1000000000 + 10ULL * (ROUNDS - 50) * MS, SWITCH, 0, 0 };

	start(b, false);
	pb_comm(b, 0, 0, "swapper", ST, &id);
	pb_comm(b, 7, 7, "named7", ST, &id);
	if (special == PLAIN || special == LOSS_COMES_LATE)
		pb_comm(b, 9, 9, "named9", ST, &id);
	for (u32 i = 0; i < ROUNDS; i++) {
		put_switch(b, 10 * i, 0, 0, 7);
		put_switch(b, 10 * i + 3, 7, 1, 9);
		put_switch(b, 10 * i + 4, 9, 1, 0);
		put_waking(b, 10 * i + 8, 7, 7);
		if (special == NAMED_LATE && i == ROUNDS - 50)
			pb_comm(b, 9, 9, "late9", ST, &late);
		if (special == LOSS_COMES_LATE && i == ROUNDS - 20)
			put_lost(b, 10 * (i - 500) + 4, 5);
		pb_round(b);
	}
	put_formats(b);
	pb_finish(b);
}

/* ---- what engines make of it ---- */

static unsigned int taken_back; /* how often text was */

static bool take_back(void *ctx)
{
	strbuf_reset(ctx);
	taken_back++;
	return true;
}

/* Nothing can be taken back. */
static bool keep_all(void *ctx)
{
	return false;
}

static int add_text(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
	return 0;
}

static void put_delays(struct delay_show *show, struct analysis *a, const struct sched_latency *l,
		       struct strbuf *out)
{
	struct err err;

	assert_int_equal(delay_order_parse(&show->order, "max", &err), 0);
	delay_put(show, a, l, out);
}

static int delays_as(enum table_form form, struct analysis *a, struct strbuf *out, struct err *err)
{
	struct delay_show show = { .form = form };
	struct sched_latency *l = delay_state_new(&show, a);
	int ret = delay_run(&show, a, &l, false, err);

	put_delays(&show, a, l, out);
	sched_latency_free(l);
	return ret;
}

static int delays(struct analysis *a, struct strbuf *out, struct err *err)
{
	return delays_as(TABLE_TEXT, a, out, err);
}

static int delay_rows(struct analysis *a, struct strbuf *out, struct err *err)
{
	return delays_as(TABLE_CSV, a, out, err);
}

static int run_history(const struct timehist_show *show, struct analysis *a, struct strbuf *out,
		       struct err *err)
{
	struct sched_counts counts;
	int ret = timehist_run(show, a, &counts, err);
	struct analysis_losses losses = analysis_losses(a);

	sched_put_losses(&counts, &losses, out);
	return ret;
}

static int history(struct analysis *a, struct strbuf *out, struct err *err)
{
	const struct timehist_show show = {
		.rows = true,
		.sums = true,
		.wakeups = true,
		.state = true,
		.cpus = 1,
		.write = add_text,
		.take_back = take_back,
		.ctx = out,
	};

	return run_history(&show, a, out, err);
}

static int history_rows(struct analysis *a, struct strbuf *out, struct err *err)
{
	const struct timehist_show show = {
		.form = TABLE_JSON,
		.rows = true,
		.wakeups = true,
		.write = add_text,
		.take_back = take_back,
		.ctx = out,
	};

	return run_history(&show, a, out, err);
}

static int map(struct analysis *a, struct strbuf *out, struct err *err)
{
	const struct sched_map_show show = {
		.nr_cpus = 1, .write = add_text, .take_back = take_back, .ctx = out
	};
	struct sched_counts counts;
	int ret = sched_map_run(&show, a, &counts, err);
	struct analysis_losses losses = analysis_losses(a);

	sched_put_losses(&counts, &losses, out);
	return ret;
}

/* A map whose text stays. */
static int kept_map(struct analysis *a, struct strbuf *out, struct err *err)
{
	const struct sched_map_show show = {
		.nr_cpus = 1, .write = add_text, .take_back = keep_all, .ctx = out
	};
	struct sched_counts counts;

	return sched_map_run(&show, a, &counts, err);
}

static void put_programs(const struct replay_programs *p, struct strbuf *out)
{
	for (u32 i = 0; i < p->nr; i++)
		for (size_t k = 0; k < p->v[i].nr; k++)
			strbuf_addf(out, "%u:%d:%" PRIu64 " ", i, p->v[i].steps[k].kind,
				    p->v[i].steps[k].ns / MS);
}

static int programs(struct analysis *a, struct strbuf *out, struct err *err)
{
	struct sched_replay *r = sched_replay_new(analysis_tasks(a));
	int ret = analysis_run(a, sched_replay_engine(), r, err);

	put_programs(sched_replay_programs(r), out);
	sched_replay_free(r);
	return ret;
}

/* Two engines are fed in one pass, and a third one whose events the recording does not have. */
static int delays_and_programs(struct analysis *a, struct strbuf *out, struct err *err)
{
	struct delay_show show = { .form = TABLE_TEXT };
	struct sched_latency *l = delay_state_new(&show, a);
	struct sched_replay *r = sched_replay_new(analysis_tasks(a));
	struct io_engine *calls =
		io_engine_new(&(struct io_calls_conf){ .tasks = analysis_tasks(a) });
	struct analysis_part parts[] = {
		{ .engine = sched_latency_engine(), .state = l },
		{ .engine = io_engine(), .state = calls, .optional = true },
		{ .engine = sched_replay_engine(), .state = r, .optional = true },
	};
	int ret = analysis_run_parts(a, parts, ARRAY_SIZE(parts), err);

	put_delays(&show, a, l, out);
	put_programs(sched_replay_programs(r), out);
	assert_int_equal(parts[0].missing.code, 0);
	assert_int_equal(parts[1].missing.code, -ENOENT);
	assert_non_null(strstr(parts[1].missing.msg, "none of"));
	assert_int_equal(parts[2].missing.code, 0);
	assert_string_equal(analysis_missing(a), "");
	io_engine_free(calls);
	sched_replay_free(r);
	sched_latency_free(l);
	return ret;
}

/* Tell what a pass says that feeds an engine whose events are missing. */
static int nothing_for(bool optional, struct analysis *a, struct strbuf *out, struct err *err)
{
	struct io_engine *calls =
		io_engine_new(&(struct io_calls_conf){ .tasks = analysis_tasks(a) });
	struct analysis_part part = { .engine = io_engine(), .state = calls, .optional = optional };

	assert_int_equal(analysis_run_parts(a, &part, 1, err), -ENOENT);
	strbuf_addf(out, "%s\n", err->msg);
	io_engine_free(calls);
	return 0;
}

static int nothing(struct analysis *a, struct strbuf *out, struct err *err)
{
	return nothing_for(false, a, out, err);
}

static int nothing_optional(struct analysis *a, struct strbuf *out, struct err *err)
{
	return nothing_for(true, a, out, err);
}

/* The engine has what it needs, and tells what it would have known with more. */
static int less(struct analysis *a, struct strbuf *out, struct err *err)
{
	struct sched_why *w = sched_why_new(
		&(struct sched_why_conf){ .tasks = analysis_tasks(a), .most = 1, .depth = 1 });
	int ret = analysis_run(a, sched_why_engine(), w, err);

	strbuf_addstr(out, analysis_missing(a));
	sched_why_free(w);
	return ret;
}

typedef int (*text_fn)(struct analysis *a, struct strbuf *out, struct err *err);

/* Return the text of a recording, or the sentence on what failed; the caller frees it. @once: the
 * file is read once if the engine allows it. */
static char *text_of_bytes(text_fn fn, struct pb *b, bool once)
{
	struct recording_options o = { .buildid_dir = "" };
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };
	struct recording r;
	struct analysis *a;
	char path[64];
	int fd;

	o.input = pb_save(b->out.buf, b->out.len, &fd, path);
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	r.session.one_pass_from = once ? 1 : UINT64_MAX;
	a = analysis_new(&r);
	if (fn(a, &out, &err)) {
		strbuf_reset(&out);
		strbuf_addstr(&out, err.msg);
	}
	analysis_free(a);
	recording_close(&r);
	pb_unsave(fd);
	pb_release(b);
	return strbuf_detach(&out);
}

static char *text_of(text_fn fn, bool swap, bool lossy)
{
	struct pb b;

	build(&b, swap, lossy);
	return text_of_bytes(fn, &b, false);
}

static const struct {
	const char *name;
	text_fn fn;
	bool lossy;
	const char *has[4], *lacks;
} rows[] = {
	{ "latency",
	  delays,
	  false,
	  { "task7:7", "5.000 ms |        2 |", "max:   2.000 ms" },
	  "INFO" },
	{ "latency with losses",
	  delays,
	  true,
	  { "5.000 ms |        1 |", "lost events (5 out of 6, in 1 chunks)" },
	  "max:   2.000 ms" },
	{ "rows of latency",
	  delay_rows,
	  false,
	  { "comm,tid,tasks,cgroup,runtime_ns,", "task7,7,1,,5000000,2,2000000,1000000,2000000," },
	  "true" },
	{ "timehist",
	  history,
	  false,
	  { "    1.003000 [0000]  task7[7]                            0.000      0.000      3.000",
	    "awakened: task7[7]",
	    "    1.012000 [0000]  task7[7]                            7.000      2.000      2.000" },
	  NULL },
	{ "timehist with losses",
	  history,
	  true,
	  { "    1.012000 [0000]  task7[7]  ", "INFO:", "lost events (5 out of 6, in 1 chunks)",
	    "times reach over lost events" },
	  "awakened" },
	{ "rows of timehist",
	  history_rows,
	  false,
	  { "{\"kind\":\"switch\",\"time_ns\":1003000000,\"cpu\":0,\"comm\":\"task7\",\"tid\":7",
	    "\"kind\":\"wakeup\"", "\"wait_ns\":7000000,\"delay_ns\":2000000" },
	  "lossy" },
	{ "rows of timehist with losses",
	  history_rows,
	  true,
	  { "\"lossy\":true}", "INFO:" },
	  "wakeup" },
	{ "map",
	  map,
	  false,
	  { "  *A0       1.000000 secs A0 => task7:7\n", "  *.        1.003000 secs",
	    "  *A0       1.010000 secs" },
	  NULL },
	{ "map with losses",
	  map,
	  true,
	  { "  *A0       1.000000 secs A0 => task7:7\n", "  *A0       1.010000 secs" },
	  "1.003000" },
	{ "replay", programs, false, { "1:0:3 1:3:0 1:2:0 1:0:2 " }, NULL },
	{ "replay with losses", programs, true, { "1:0:2 " }, "1:2" },
	{ "less",
	  less,
	  false,
	  { "INFO: the recording has no sched:sched_migrate_task: where tasks waited" },
	  "sched_waking" },
	{ "nothing", nothing, false, { "none of", "Record the events with" }, NULL },
	{ "nothing optional", nothing_optional, false, { "none of", "Record the events" }, NULL },
};

static void test_texts(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = text_of(rows[i].fn, false, rows[i].lossy);
		char *swapped = text_of(rows[i].fn, true, rows[i].lossy);

		for (size_t k = 0; k < ARRAY_SIZE(rows[i].has) && rows[i].has[k]; k++)
			if (!strstr(text, rows[i].has[k]))
				fail_msg("%s lacks '%s': %s", rows[i].name, rows[i].has[k], text);
		if (rows[i].lacks && strstr(text, rows[i].lacks))
			fail_msg("%s has '%s': %s", rows[i].name, rows[i].lacks, text);
		assert_string_equal(text, swapped);
		free(text);
		free(swapped);
	}
}

static void test_one_pass(void **state)
{
	for (int lossy = 0; lossy < 2; lossy++) {
		char *together = text_of(delays_and_programs, false, lossy);
		char *first = text_of(delays, false, lossy);
		char *second = text_of(programs, false, lossy);
		struct strbuf both = STRBUF_INIT;

		strbuf_addf(&both, "%s%s", first, second);
		assert_string_equal(together, strbuf_str(&both));
		strbuf_release(&both);
		free(together);
		free(first);
		free(second);
	}
}

/* Text is written while a file is read once, and is taken back if all has to begin again. */
static void test_read_once(void **state)
{
	static const struct {
		const char *name;
		text_fn fn;
		bool writes;
	} texts[] = { { "latency", delays, false },
		      { "timehist", history, true },
		      { "rows of timehist", history_rows, true },
		      { "map", map, true } };
	struct pb b;

	for (size_t i = 0; i < 4 * ARRAY_SIZE(texts); i++) {
		enum special special = i % 4;
		char *twice, *once;

		build_rounds(&b, special);
		twice = text_of_bytes(texts[i / 4].fn, &b, false);
		taken_back = 0;
		build_rounds(&b, special);
		once = text_of_bytes(texts[i / 4].fn, &b, true);
		if (strcmp(once, twice) != 0)
			fail_msg("%s, %d: %s", texts[i / 4].name, special, once);
		assert_true(strlen(once) > 100);
		assert_int_equal(taken_back, special >= NAMED_LATE && texts[i / 4].writes);
		free(twice);
		free(once);
	}
}

/* If it cannot be taken back after all, that is told. */
static void test_text_stays(void **state)
{
	struct pb b;
	char *text;

	build_rounds(&b, LOSS_COMES_LATE);
	text = text_of_bytes(kept_map, &b, true);
	assert_string_equal(text, OUTPUT_STAYS);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_once),
		cmocka_unit_test(test_text_stays),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_one_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
