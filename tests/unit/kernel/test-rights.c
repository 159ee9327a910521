// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what the kernel refuses, why, and what helps, on made-up machines; control groups and
 * users. */
#include "base/compat.h"
#include "base/alloc.h"
#include "kernel/cgroup.h"
#include "kernel/rights.h"
#include "kernel/target.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct sysroot sr;

static void put(const char *path, const char *text)
{
	tree_put(sr.prefix, path, text);
}

/* A machine: NULL leaves a file out. */
static void machine(const char *paranoid, const char *caps, const char *uid_map,
		    const char *lockdown)
{
	char *status = xasprintf("Name:\tperf\nCapEff:\t%s\nSeccomp:\t0\n", caps);

	if (sr.prefix)
		tmp_remove((char *)sr.prefix);
	sr.prefix = tmp_dir();
	if (paranoid)
		put("proc/sys/kernel/perf_event_paranoid", paranoid);
	put("proc/self/status", status);
	put("proc/self/uid_map", uid_map ? uid_map : "         0          0 4294967295\n");
	if (lockdown)
		put("sys/kernel/security/lockdown", lockdown);
	free(status);
}

static int teardown(void **state)
{
	if (sr.prefix)
		tmp_remove((char *)sr.prefix);
	sr.prefix = NULL;
	return 0;
}

#define NONE "0000000000000000"
#define ALL "000001ffffffffff"
#define PERFMON "0000004000000000"
#define SYS_ADMIN "0000000000200000"

static void test_read(void **state)
{
	struct rights r;

	machine("-1\n", PERFMON, NULL, "none [integrity] confidentiality\n");
	rights_read(&sr, &r);
	assert_int_equal(r.paranoid, -1);
	assert_true(rights_perfmon(&r));
	assert_false(r.user_ns);
	assert_int_equal(r.lockdown, LOCKDOWN_INTEGRITY);
	machine("4\n", SYS_ADMIN, NULL, "[none] integrity confidentiality\n");
	rights_read(&sr, &r);
	assert_int_equal(r.paranoid, 4);
	assert_true(rights_perfmon(&r));
	assert_int_equal(r.lockdown, LOCKDOWN_NONE);
	/* all capabilities, but of a user namespace */
	machine("2\n", ALL, "         0       1000          1\n", NULL);
	rights_read(&sr, &r);
	assert_true(r.user_ns);
	assert_false(rights_perfmon(&r));
	machine(NULL, NONE, NULL, NULL);
	rights_read(&sr, &r);
	assert_true(r.no_file);
	assert_int_equal(r.paranoid, 2);
}

static void test_level(void **state)
{
	static const struct {
		struct perf_event_attr a;
		bool everywhere;
		int level;
	} t[] = {
		{ { .exclude_kernel = 1 }, false, 2 },
		{ { .exclude_kernel = 0 }, false, 1 },
		{ { .exclude_kernel = 1 }, true, 0 },
		{ { .exclude_kernel = 0 }, true, 0 },
		{ { .exclude_kernel = 1, .sample_type = PERF_SAMPLE_PHYS_ADDR }, false, 1 },
		{ { .type = PERF_TYPE_TRACEPOINT }, true, -1 },
		{ { .type = PERF_TYPE_TRACEPOINT, .sample_type = PERF_SAMPLE_RAW }, false, -1 },
		{ { .exclude_kernel = 1,
		    .sample_type = PERF_SAMPLE_BRANCH_STACK,
		    .branch_sample_type = PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_ANY },
		  false,
		  1 },
		{ { .exclude_kernel = 1,
		    .sample_type = PERF_SAMPLE_BRANCH_STACK,
		    .branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY },
		  false,
		  2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		assert_int_equal(rights_level(&t[i].a, t[i].everywhere), t[i].level);
}

/* The message of a refusal there. */
static const char *refusal_of(const struct perf_event_attr *a, int tid, bool everywhere, int code)
{
	struct refused f;
	static struct err err;
	struct evlist l = { 0 };
	struct evsel *e = evlist_add(&l, a, "cycles");

	memset(&err, 0, sizeof(err));
	f = (struct refused){ e, "asked", tid, everywhere, code };
	assert_int_equal(rights_refused(&sr, &f, &err), code);
	assert_non_null(strstr(err.msg, "The asked event") ?: strstr(err.msg, "the asked event"));
	evlist_release(&l);
	return err.msg;
}

static const char *refusal(const struct perf_event_attr *a, bool everywhere, int code)
{
	return refusal_of(a, -1, everywhere, code);
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_refused(void **state)
{
	const struct perf_event_attr user = { .exclude_kernel = 1 }, kernel = { 0 };
	const struct perf_event_attr tp = { .type = PERF_TYPE_TRACEPOINT },
				     regs = { .sample_type = PERF_SAMPLE_REGS_INTR };
	const struct perf_event_attr phys = { .exclude_kernel = 1,
					      .sample_type = PERF_SAMPLE_PHYS_ADDR };
	char level[8], is[64];
	const char *m;

	for (int p = 1; p <= 4; p++) {
		snprintf(level, sizeof(level), "%d\n", p);
		machine(level, NONE, NULL, NULL);
		m = refusal(&user, true, -EACCES);
		snprintf(is, sizeof(is), "perf_event_paranoid to be 0 or lower; it is %d", p);
		has(m, is);
		has(m, "sudo sysctl kernel.perf_event_paranoid=0");
		has(m, "setcap cap_perfmon");
		m = refusal(&kernel, false, -EACCES);
		if (p > 1)
			has(m, "to be 1 or lower");
		else
			has(m, "belongs to another user");
		m = refusal(&user, false, -EACCES);
		if (p > 2)
			has(m, "to be 2 or lower");
		else
			has(m, "belongs to another user");
		has(refusal(&tp, true, -EPERM),
		    "a tracepoint, needs /proc/sys/kernel/perf_event_paranoid to be -1");
	}
	machine("2\n", NONE, NULL, NULL);
	put("proc/7/status", "Name:\ta\nUid:\t4000000000\t1\t1\t1\n");
	m = refusal_of(&user, 7, false, -EACCES);
	has(m, "thread 7 belongs to another user (uid 4000000000, this is uid");
	has(m, "CAP_SYS_PTRACE");
	has(refusal_of(&user, 8, false, -EACCES), "the target belongs to another user, or");
	has(refusal(&phys, false, -EACCES), "leave out --phys-data");
	machine("-1\n", NONE, NULL, NULL);
	has(refusal(&kernel, true, -EACCES), "CAP_PERFMON");
	machine("2\n", ALL, "0 1000 1\n", NULL);
	m = refusal(&kernel, true, -EACCES);
	has(m, "capabilities of a user namespace do not count");
	has(m, "kernel.perf_event_paranoid=0");
	machine("2\n", ALL, NULL, "none integrity [confidentiality]\n");
	m = refusal(&regs, false, -EPERM);
	has(m, "/sys/kernel/security/lockdown is confidentiality");
	has(m, "Without -I");
	machine(NULL, NONE, NULL, NULL);
	has(refusal(&kernel, true, -EACCES), "perf_event_paranoid is not there");
}

static void test_limits(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	struct err err = { 0 };

	machine("2\n", NONE, NULL, NULL);
	put("proc/sys/kernel/perf_event_mlock_kb", "516\n");
	put("sys/devices/system/cpu/online", "0-3\n");
	rights_memory(&sr, 4, 1023, &sb);
	has(strbuf_str(&sb), "4 rings of 1023 pages need");
	has(strbuf_str(&sb), "516 kB (/proc/sys/kernel/perf_event_mlock_kb) for each of 4 CPUs");
	if (sysconf(_SC_PAGESIZE) == 4096)
		has(strbuf_str(&sb), "kernel.perf_event_mlock_kb=4096, or ulimit -l 16384");
	strbuf_release(&sb);
	put("proc/sys/fs/file-max", "1000\n");
	assert_int_equal(rights_files(&sr, 5000, 990, -ENFILE, &err), -ENFILE);
	has(err.msg, "1000 open files (/proc/sys/fs/file-max)");
	has(err.msg, "fs.file-max=6000");
	assert_int_equal(rights_files(&sr, 5000, 990, -EMFILE, &err), -EMFILE);
	has(err.msg, "ulimit -n 5064");
}

static void test_addresses(void **state)
{
	static const struct {
		const char *restrict_, *remedy;
	} t[] = {
		{ "0\n", "kernel.perf_event_paranoid=1, or the capability CAP_SYSLOG" },
		{ "1\n", "kernel.kptr_restrict=0" },
		{ "2\n", "kernel.kptr_restrict=0, and the capability CAP_SYSLOG" },
	};
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		machine("2\n", NONE, NULL, NULL);
		put("proc/kallsyms", "0000000000000000 A fixed\n0000000000000000 T _text\n");
		put("proc/sys/kernel/kptr_restrict", t[i].restrict_);
		strbuf_reset(&sb);
		assert_true(rights_addresses(&sr, &sb));
		has(strbuf_str(&sb), "kptr_restrict is");
		has(strbuf_str(&sb), t[i].remedy);
	}
	strbuf_reset(&sb);
	put("proc/kallsyms", "0000000000000000 A fixed\nffffffff81000000 T _text\n");
	assert_false(rights_addresses(&sr, &sb));
	assert_int_equal(sb.len, 0);
	strbuf_release(&sb);
}

/* --- control groups --------------------------------------------------------- */

#define V2 "none /sys/fs/cgroup/my\\040groups cgroup2 rw,relatime 0 0\n"
#define V1 "none /cg/pe cgroup rw,cpu,perf_event 0 0\n"

static void mount_is(const char *mounts, bool v2, const char *want)
{
	struct strbuf sb = STRBUF_INIT;
	int rc;

	put("proc/self/mounts", mounts);
	rc = cgroup_mount(&sr, v2, &sb);
	assert_int_equal(rc, want ? 0 : -ENOENT);
	assert_string_equal(strbuf_str(&sb), want ? want : "");
	strbuf_release(&sb);
}

static void test_mounts(void **state)
{
	machine("2\n", NONE, NULL, NULL);
	mount_is(V2, false, "/sys/fs/cgroup/my groups");
	mount_is(V2 V1, false, "/cg/pe");
	mount_is(V1 V2, false, "/cg/pe");
	mount_is(V1 V2, true, "/sys/fs/cgroup/my groups");
	mount_is(V1, true, NULL);
	mount_is("none /cg cgroup rw,perf_eventx,cpu 0 0\n", false, NULL);
	mount_is("tmpfs /tmp tmpfs rw 0 0\nbroken\n\n", false, NULL);
	mount_is("", false, NULL);
}

static void events(struct evlist *l, size_t nr)
{
	struct perf_event_attr a = { 0 };

	for (size_t i = 0; i < nr; i++)
		evlist_add(l, &a, i ? "b" : "a");
}

static void cgroups_are(const struct evlist *l, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < l->nr; i++)
		strbuf_addf(&sb, "%s:%s ", l->evsels[i]->name,
			    l->evsels[i]->cgroup ? l->evsels[i]->cgroup : "-");
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static void test_cgroups(void **state)
{
	struct evlist l = { 0 };
	struct err err = { 0 };
	size_t given = 0;

	machine("2\n", NONE, NULL, NULL);
	put("proc/self/mounts", V1);
	put("cg/pe/x/tasks", "");
	put("cg/pe/x/y/tasks", "");
	put("cg/pe/z/tasks", "");
	assert_int_equal(evlist_set_cgroups(&l, &sr, "x", &given, &err), -EINVAL);
	events(&l, 3);
	assert_int_equal(evlist_set_cgroups(&l, &sr, "x", &given, &err), 0);
	cgroups_are(&l, "a:x b:x b:x ");
	assert_int_equal(evlist_set_cgroups(&l, &sr, ",x/y", &given, &err), 0);
	cgroups_are(&l, "a:x b:- b:x/y ");
	assert_int_equal(evlist_set_cgroups(&l, &sr, "z", &given, &err), -EINVAL);
	given = 0;
	assert_int_equal(evlist_set_cgroups(&l, &sr, "no", &given, &err), -ENOENT);
	has(err.msg, "no access to cgroup /cg/pe/no");
	evlist_release(&l);

	events(&l, 2);
	l.evsels[0]->nr_members = 2;
	l.evsels[1]->leader = 0;
	assert_int_equal(evlist_for_each_cgroup(&l, &sr, "z,x,z", &err), 0);
	cgroups_are(&l, "a,z:z b,z:z a,x:x b,x:x ");
	assert_int_equal(l.evsels[3]->leader, 2);
	assert_int_equal(l.evsels[2]->nr_members, 2);
	evlist_release(&l);
	events(&l, 1);
	assert_int_equal(evlist_for_each_cgroup(&l, &sr, "^x,none?", &err), 0);
	cgroups_are(&l, "a,x:x a,x/y:x/y ");
	assert_int_equal(evlist_for_each_cgroup(&l, &sr, "q[0-9]", &err), -ENOENT);
	cgroups_are(&l, "a,x:x a,x/y:x/y ");
	evlist_release(&l);
}

static void test_users(void **state)
{
	struct int_list tids = { 0 };
	struct err err = { 0 };
	unsigned int uid;

	machine("2\n", NONE, NULL, NULL);
	put("proc/7/status", "Name:\ta\nUid:\t1\t5000\t1\t1\n");
	put("proc/7/task/7/comm", "");
	put("proc/7/task/9/comm", "");
	put("proc/8/status", "Name:\tb\nUid:\t5000\t1\t1\t1\n");
	put("proc/8/task/8/comm", "");
	put("proc/10/status", "no user\n");
	assert_int_equal(thread_list_uid(&sr, 5000, &tids, &err), 0);
	assert_int_equal(tids.nr, 2);
	assert_int_equal(tids.v[0], 7);
	assert_int_equal(tids.v[1], 9);
	int_list_release(&tids);
	assert_int_equal(thread_list_uid(&sr, 6, &tids, &err), -ESRCH);
	assert_int_equal(user_parse("4242", &uid, &err), 0);
	assert_int_equal(uid, 4242);
	assert_int_equal(user_parse("root", &uid, &err), 0);
	assert_int_equal(uid, 0);
	assert_int_equal(user_parse("no such user", &uid, &err), -ENOENT);
	assert_int_equal(user_parse("12x", &uid, &err), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),      cmocka_unit_test(test_level),
		cmocka_unit_test(test_refused),   cmocka_unit_test(test_limits),
		cmocka_unit_test(test_addresses), cmocka_unit_test(test_mounts),
		cmocka_unit_test(test_cgroups),   cmocka_unit_test(test_users),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
