// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what a configuration says about sessions, and requests as bytes. */
#include "base/compat.h"
#include "daemon/config.h"
#include "daemon/request.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

static void read_text(const char *text, struct daemon_config *out)
{
	struct config c;
	unsigned int line;

	config_init(&c);
	assert_int_equal(config_parse(&c, text, strlen(text), &line), 0);
	daemon_config_read(out, &c);
	config_release(&c);
}

static void test_sessions(void **state)
{
	const struct daemon_session_config *s;
	struct daemon_config c;

	read_text("[daemon]\nbase = /b\nmetrics = 0\n"
		  "[session-one]\nrun = -e 'a b' -a\nkeep = 10,1M,7d\nevery = 1m\nfor=500ms\n"
		  "rate = 2.5%\non = psi:memory>10,load>3.5,file:/x,event:sched:*>100\n"
		  "[session-two]\nrun = -a\n[other]\nrun = x\n",
		  &c);
	assert_string_equal(c.base, "/b");
	assert_true(c.metrics);
	assert_int_equal(c.port, 0);
	assert_string_equal(strbuf_str(&c.problems), "");
	assert_int_equal(c.nr_sessions, 2);
	s = daemon_config_find(&c, "one");
	assert_string_equal(s->run, "-e 'a b' -a");
	assert_int_equal(s->keep.files, 10);
	assert_int_equal(s->keep.bytes, 1 << 20);
	assert_int_equal(s->keep.age, 7ULL * 86400 * 1000000000);
	assert_int_equal(s->every, 60000000000);
	assert_int_equal(s->window, 500000000);
	assert_int_equal(s->rate, 25);
	assert_int_equal(s->nr_triggers, 4);
	assert_int_equal(s->triggers[0].kind, TRIGGER_PSI);
	assert_string_equal(s->triggers[0].what, "memory");
	assert_true(s->triggers[1].limit > 3.4 && s->triggers[1].limit < 3.6);
	assert_string_equal(s->triggers[2].what, "/x");
	assert_string_equal(s->triggers[3].what, "sched:*");
	assert_true(daemon_config_same(s, s));
	assert_false(daemon_config_same(s, daemon_config_find(&c, "two")));
	assert_null(daemon_config_find(&c, "three"));
	daemon_config_release(&c);
}

/* A session with a fault is left out, with a line that has @why; the other one stays. */
static void check_left_out(const char *section, const char *why)
{
	struct strbuf text = STRBUF_INIT;
	struct daemon_config c;

	strbuf_addf(&text, "%s\n[session-good]\nrun = -a\n", section);
	read_text(strbuf_str(&text), &c);
	assert_int_equal(c.nr_sessions, 1);
	assert_string_equal(c.sessions[0].name, "good");
	assert_non_null(strstr(strbuf_str(&c.problems), why));
	daemon_config_release(&c);
	strbuf_release(&text);
}

static void test_faults(void **state)
{
	check_left_out("[session-a \"../x\"]\nrun = -a", "a directory is named by it");
	check_left_out("[session-]\nrun = -a", "a directory is named by it");
	check_left_out("[session-a]\nkeep = 3", "run is not given");
	check_left_out("[session-a]\nrun = \"-e 'x\"", "is not closed");
	check_left_out("[session-a]\nrun = -a\nkeep = many", "keep is a number");
	check_left_out("[session-a]\nrun = -a\nevery = 5s", "belong together");
	check_left_out("[session-a]\nrun = -a\nevery = 5s\nfor = 6s", "shorter than every");
	check_left_out("[session-a]\nrun = -a\nrate = 200%", "0.1 to 100");
	check_left_out("[session-a]\nrun = -a\non = psi:disk>3", "cpu, memory or io");
	check_left_out("[session-a]\nrun = -a\non = load", "ends in a limit");
	check_left_out(
		"[session-a]\nrun = -a\non = /a,/b,/c,/d,/e,/f,/g,/h,/i,/j,/k,/l,/m,/n,/o,/p,/q",
		"more than 16 reasons");
	check_left_out("[session-a]\nrun = -a\non = moon>3", "is no reason");
	check_left_out("[session-a]\nrun = -a\non = file:x", "no path from the root");
	check_left_out("[session-a]\nrun = -a\nruns = 3", "is no setting");
}

static void check_words(const char *line, const char *joined)
{
	struct strbuf out = STRBUF_INIT;
	struct names words = { 0 };

	assert_int_equal(daemon_words(line, &words, NULL), 0);
	for (size_t i = 0; i < words.nr; i++)
		strbuf_addf(&out, "<%s>", words.v[i]);
	assert_string_equal(strbuf_str(&out), joined);
	strbuf_release(&out);
	names_release(&words);
}

static void test_words(void **state)
{
	check_words("", "");
	check_words(" a  b\tc ", "<a><b><c>");
	check_words("-e 'x y' \"p\\\"q\" a\\ b ''", "<-e><x y><p\"q><a b><>");
}

static void test_requests(void **state)
{
	struct daemon_request r = { .verb = REQUEST_LIST, .verbose = true, .separator = "\t:" };
	struct daemon_request back;
	struct strbuf line = STRBUF_INIT;

	assert_int_equal(request_put(&r, &line), 0);
	assert_string_equal(strbuf_str(&line), "list\t1\t\t\t:\n");
	assert_int_equal(request_parse(&back, strbuf_str(&line), line.len - 1), 0);
	assert_int_equal(back.verb, REQUEST_LIST);
	assert_true(back.verbose);
	assert_string_equal(back.separator, "\t:");
	assert_int_equal(request_parse(&back, "ping\t0\tone\t", 11), 0);
	assert_string_equal(back.session, "one");
	assert_int_equal(request_parse(&back, "ping", 4), -EINVAL);
	assert_int_equal(request_parse(&back, "pong\t0\t\t", 8), -EINVAL);
	assert_int_equal(request_parse(&back, "ping\t0\ta\0b\t", 11), -EINVAL);
	snprintf(r.session, sizeof(r.session), "a\nb");
	assert_int_equal(request_put(&r, &line), -EINVAL);
	strbuf_release(&line);
}

static void test_files(void **state)
{
	static const char text[] = "[daemon]\nbase=/b\n[session-../x]\nrun = -a\n[session-b]\n";
	char path[] = "/tmp/test-config-XXXXXX";
	int fd = mkstemp(path);
	struct daemon_config c;
	struct err err = { 0 };
	char why[128];

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(daemon_config_load(&c, path, NULL, false, &err), 0);
	assert_string_equal(c.base, "/b");
	assert_int_equal(c.nr_sessions, 0);
	daemon_config_release(&c);
	/* Sessions would be missing. */
	assert_int_equal(daemon_config_load(&c, path, NULL, true, &err), -EINVAL);
	snprintf(why, sizeof(why), "bad config file line 3 in %s", path);
	assert_string_equal(err.msg, why);
	unlink(path);
	assert_int_equal(daemon_config_load(&c, path, NULL, false, &err), -ENOENT);
	snprintf(why, sizeof(why), "cannot read the configuration %s: No such file or directory",
		 path);
	assert_string_equal(err.msg, why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sessions), cmocka_unit_test(test_faults),
		cmocka_unit_test(test_files),    cmocka_unit_test(test_words),
		cmocka_unit_test(test_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
