// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Live rings of a busy program, and a file of the same moment: what the kernel writes is handed to
 * a session and, record by record, written to a perf.data file. Both give the same samples.
 */
#include "base/compat.h"
#include "drive.h"
#include "live/live.h"
#include "session/session.h"

#include "base/alloc.h"
#include "events/parse.h"
#include "file/writer.h"
#include "kernel/open.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define MIN_SAMPLES 500
#define MAX_ROUNDS 2000

/* --- the busy program ---------------------------------------------------------- */

static volatile u64 spun;

static __attribute__((noinline)) void spin(unsigned int n)
{
	while (n--)
		spun++;
}

/* Time goes by in several threads, which come, go and map memory meanwhile. */
static void *busy_thread(void *arg)
{
	for (int i = 0; i < 20; i++) {
		void *p =
			mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		spin(200000);
		munmap(p, 4096);
	}
	return arg;
}

static void busy(int go)
{
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(go, &c, 1) != 1)
		_exit(1);
	prctl(PR_SET_NAME, "busy");
	for (;;) {
		pthread_t t[2];

		for (size_t i = 0; i < ARRAY_SIZE(t); i++)
			if (pthread_create(&t[i], NULL, busy_thread, NULL))
				_exit(1);
		busy_thread(NULL);
		for (size_t i = 0; i < ARRAY_SIZE(t); i++)
			pthread_join(t[i], NULL);
	}
}

/* --- a source that copies what goes by to a file --------------------------------- */

struct tee {
	struct source base;
	struct source *from;   /* owned */
	struct file_writer *w; /* borrowed */
};

static int tee_next(struct source *src, struct pipe_record *out, struct diag *diag, struct err *err)
{
	struct tee *t = (struct tee *)src;
	int ret = source_next(t->from, out, diag, err);

	if (ret > 0 && file_writer_write(t->w, out->rec, out->size, err))
		return -EIO;
	return ret;
}

static u64 tee_tell(const struct source *src)
{
	return source_tell(((const struct tee *)src)->from);
}

static void tee_close(struct source *src)
{
	source_close(((struct tee *)src)->from);
	free(src);
}

static struct source *tee_new(struct source *from, struct file_writer *w)
{
	static const struct source_ops ops = { .next = tee_next,
					       .tell = tee_tell,
					       .close = tee_close };
	struct tee *t = xzalloc(sizeof(*t));

	*t = (struct tee){ { &ops }, from, w };
	return &t->base;
}

/* --- what is compared ------------------------------------------------------------ */

/* A file tells its state before its samples, a stream in between: so each has a text of its own. */
struct texts {
	struct strbuf samples, state;
};

static void texts_release(struct texts *t)
{
	strbuf_release(&t->samples);
	strbuf_release(&t->state);
}

static int put_sample(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		      struct err *err)
{
	const struct sample *s = ev->sample;
	struct strbuf *text = &((struct texts *)ctx)->samples;

	(void)worker;
	(void)out;
	(void)err;
	strbuf_addf(text, "%s %u/%u %u %" PRIu64 " %" PRIx64, ev->evsel->name, s->pid, s->tid,
		    s->cpu, s->time, s->ip);
	for (u64 i = 0; i < s->nr_callchain; i++)
		strbuf_addf(text, " %" PRIx64, s->callchain[i]);
	strbuf_addch(text, '\n');
	return 0;
}

static int put_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct strbuf *text = &((struct texts *)ctx)->state;

	(void)err;
	strbuf_addf(text, "%s %" PRIu64 " %u\n", record_name(ev->hdr->type), ev->time,
		    ev->hdr->size);
	return 0;
}

static const struct session_ordered_ops compared_ops = { .state = { .state = put_state },
							 .format = put_sample };

/* --- the test -------------------------------------------------------------------- */

struct live_test {
	struct sysroot sr;
	struct evlist l;
	struct int_list cpus, tids; /* a ring for each CPU: their order is the session's to make */
	struct kevents k;
	struct rings rings;
	struct strbuf before;
	struct session s;
	int rounds;
	u64 shown; /* samples the sinks had had when half of the rounds were over */
	struct texts texts;
};

static int wait_for_more(void *ctx, struct err *err)
{
	struct live_test *t = ctx;
	struct pollfd pfd[64];
	size_t nr = MIN(t->rings.nr, ARRAY_SIZE(pfd));

	(void)err;
	for (size_t i = 0; i < nr; i++)
		pfd[i] = (struct pollfd){ .fd = t->rings.v[i].fd, .events = POLLIN };
	poll(pfd, nr, 20);
	t->rounds++;
	if (!t->shown)
		t->shown = t->texts.samples.len;
	/* a sample is more than 40 bytes of text */
	if (t->rounds < MAX_ROUNDS && t->texts.samples.len < MIN_SAMPLES * 100)
		return 1;
	kevents_enable(&t->k, false);
	return 0;
}

static void open_events(struct live_test *t)
{
	struct parse_env env = { .sr = &t->sr };
	struct open_opts o = { .sysroot = &t->sr, .cpus = &t->cpus, .tids = &t->tids };
	struct parse_error pe = { 0 };
	struct err err = { 0 };

	assert_int_equal(cpu_list_online(&t->sr, &t->cpus, &err), 0);
	assert_int_equal(parse_events(&t->l, "cpu-clock,context-switches,page-faults", &env, &pe),
			 0);
	for (size_t i = 0; i < t->l.nr; i++) {
		struct evsel *e = t->l.evsels[i];

		e->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				      PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN;
		e->attr.sample_period = i ? 1 : 200000; /* ns of cpu-clock, else each one */
		e->attr.sample_id_all = e->attr.disabled = e->attr.exclude_kernel = 1;
		e->attr.exclude_callchain_kernel = 1;
		e->attr.mmap = e->attr.mmap2 = e->attr.comm = e->attr.task = !i;
		e->attr.inherit = 1;
		e->attr.wakeup_events = 1;
		e->attr.read_format = PERF_FORMAT_ID;
		layout_init(&e->layout, &e->attr);
	}
	if (kevents_open(&t->k, &t->l, &o, &err) ||
	    rings_map(&t->rings, &t->sr, &t->k, 4, true, &err)) {
		print_message("SKIP: events cannot be opened here: %s\n", err.msg);
		skip();
	}
	evlist_index(&t->l);
}

/* It waits until events have been opened; the threads that it starts later are counted too. */
static pid_t start_busy(struct live_test *t, int *go)
{
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		close(fds[1]);
		busy(fds[0]);
	}
	close(fds[0]);
	*go = fds[1];
	int_list_add(&t->tids, pid);
	return pid;
}

/* Samples and state of the file, by the two passes over its mapping or as a stream. */
static void check_file(const struct live_test *t, const char *path, bool as_stream)
{
	struct texts texts = { STRBUF_INIT, STRBUF_INIT };
	struct err err = { 0 };
	struct session s;

	assert_int_equal(session_open(&s, path, true, &err), 0);
	s.as_stream = as_stream;
	assert_int_equal(session_ordered(&s, &compared_ops, &texts, 1, &err), 0);
	assert_int_equal(s.nr_samples, t->s.nr_samples);
	assert_int_equal(s.first_time, t->s.first_time);
	assert_int_equal(s.last_time, t->s.last_time);
	assert_memory_equal(s.counts, t->s.counts, sizeof(s.counts));
	assert_memory_equal(s.diag.count, t->s.diag.count, sizeof(s.diag.count));
	assert_string_equal(strbuf_str(&texts.samples), strbuf_str(&t->texts.samples));
	assert_string_equal(strbuf_str(&texts.state), strbuf_str(&t->texts.state));
	session_close(&s);
	texts_release(&texts);
}

static void start_file(struct file_writer *w, const char *path, const struct evlist *l)
{
	struct writer_attr attrs[3];
	struct err err = { 0 };

	assert_int_equal(l->nr, ARRAY_SIZE(attrs));
	for (size_t i = 0; i < l->nr; i++)
		attrs[i] = (struct writer_attr){ .attr = &l->evsels[i]->attr,
						 .ids = l->evsels[i]->ids,
						 .nr_ids = l->evsels[i]->nr_ids,
						 .name = l->evsels[i]->name };
	assert_int_equal(file_writer_open(w, path, &err), 0);
	assert_int_equal(file_writer_start(w, attrs, l->nr, &err), 0);
}

/* The file has no names of events: those that the attrs stand for are the same. */
static void test_same_as_file(void **state)
{
	struct live_test t = { .rounds = 0 };
	struct live_conf conf = {
		.rings = &t.rings, .before = &t.before, .wait = wait_for_more, .ctx = &t
	};
	struct live_state before = { .sysroot = &t.sr, .tids = &t.tids };
	char dir[] = "/tmp/perf-live-XXXXXX", path[64];
	struct file_writer w = { 0 };
	struct err err = { 0 };
	pid_t pid;
	int go;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/perf.data", dir);
	pid = start_busy(&t, &go);
	open_events(&t);
	for (size_t i = 0; i < t.l.nr; i++)
		evsel_rename(t.l.evsels[i]);
	before.layout = &t.l.evsels[0]->layout;
	assert_int_equal(live_before(&before, &t.before, &err), 0);
	assert_true(t.before.len > 0);
	start_file(&w, path, &t.l);
	session_open_source(&t.s, tee_new(live_source_new(&conf), &w), "rings", &t.l);
	live_describe(t.s.file, &t.sr);
	assert_non_null(t.s.file->env.arch);
	assert_true(t.s.file->env.nr_cpus_online > 0);

	kevents_enable(&t.k, true);
	assert_int_equal(write(go, "g", 1), 1);
	assert_int_equal(session_ordered(&t.s, &compared_ops, &t.texts, 1, &err), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(file_writer_finish(&w, NULL, 0, &err), 0);
	assert_int_equal(file_writer_close(&w, &err), 0);

	assert_true(t.rings.nr == t.cpus.nr);
	assert_true(t.s.nr_samples >= 100);
	assert_true(t.s.counts[PERF_RECORD_FORK] > 0);
	assert_true(t.s.counts[PERF_RECORD_COMM] > 1);  /* before, and prctl() */
	assert_true(t.s.counts[PERF_RECORD_MMAP2] > 1); /* before, and mmap() */
	assert_true(t.shown > 0);                       /* samples came while it ran */
	check_file(&t, path, false);
	check_file(&t, path, true);

	session_close(&t.s);
	rings_release(&t.rings);
	kevents_release(&t.k);
	evlist_release(&t.l);
	int_list_release(&t.cpus);
	int_list_release(&t.tids);
	strbuf_release(&t.before);
	texts_release(&t.texts);
	unlink(path);
	rmdir(dir);
	close(go);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_as_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
