// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the checks of a machine on machines that are made up, and how findings are shown. */
#include "base/compat.h"

#include "base/alloc.h"
#include "doctor/doctor.h"
#include "tmp-tree.h"

#include <errno.h>
#include <sys/stat.h>

#include <setjmp.h>
#include <cmocka.h>

#define PROC "proc/sys/kernel/"
#define PMUS "sys/bus/event_source/devices/"

static bool counts_all(u32 type, u64 config)
{
	return true;
}

static bool counts_none(u32 type, u64 config)
{
	return false;
}

static int loads(struct err *err)
{
	return 0;
}

static int may_not_load(struct err *err)
{
	return err_set(err, -EPERM, "it is for root.\nBecome root.");
}

static const struct doctor_part all_parts[] = {
	{ "debuginfod", true },
	{ "libcapstone", true },
	{ "libpython", true },
	{ "libperl", true },
	{ "libelf", true },
	{ "libslang", true },
	{ "zstd", true },
	{ "zlib", true },
	{ "lzma", true },
	{ "libiberty", true },
	{ "libtraceevent", true },
	{ "libpfm4", true },
	{ NULL },
};

struct box {
	char *root;
	struct sysroot sr;
	struct doctor_here here;
};

static void box_init(struct box *b)
{
	*b = (struct box){ .root = tmp_dir() };
	b->sr.prefix = b->root;
	b->here = (struct doctor_here){ .sr = &b->sr,
					.parts = all_parts,
					.cpus = 4,
					.open_files = 1024,
					.open_files_most = 4096,
					.locked_memory = 64 << 10,
					.counts = counts_all,
					.loads_bpf = loads };
}

static void box_release(struct box *b)
{
	tmp_remove(b->root);
}

/* A machine on which an ordinary user may do all that perf can. */
static void put_good(struct box *b)
{
	tree_put(b->root, PROC "perf_event_paranoid", "-1\n");
	tree_put(b->root, PROC "kptr_restrict", "0\n");
	tree_put(b->root, PROC "perf_event_mlock_kb", "516\n");
	tree_put(b->root, PROC "perf_event_max_sample_rate", "100000\n");
	tree_put(b->root, PROC "nmi_watchdog", "0\n");
	tree_put(b->root, PROC "unprivileged_bpf_disabled", "0\n");
	tree_put(b->root, "proc/self/status",
		 "Name:\tperf\nCapEff:\t0000000000000000\n"
		 "Seccomp:\t0\n");
	tree_put(b->root, "proc/self/uid_map", "         0          0 4294967295\n");
	tree_put(b->root, "proc/kallsyms", "ffffffff81000000 T _stext\n");
	tree_put(b->root, "proc/cpuinfo", "flags\t\t: fpu vme\n");
	tree_put(b->root, "proc/1/cgroup", "0::/init.scope\n");
	tree_put(b->root, PMUS "cpu/type", "4\n");
	tree_put(b->root, PMUS "cpu/caps/branches", "32\n");
	tree_put(b->root, PMUS "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	tree_put(b->root, PMUS "cpu/format/event", "config:0-7\n");
	tree_put(b->root, "sys/kernel/tracing/events/sched/sched_switch/id", "314\n");
	tree_put(b->root, "sys/kernel/tracing/kprobe_events", "");
	tree_put(b->root, "sys/kernel/tracing/uprobe_events", "");
	tree_put(b->root, "sys/kernel/btf/vmlinux", "x");
	b->here.servers = "https://example.org";
}

static const struct doctor_finding *find(const struct doctor_findings *f, const char *name)
{
	size_t i;

	for (i = 0; i < f->nr; i++)
		if (!strcmp(f->v[i].name, name))
			return &f->v[i];
	fail_msg("there is no check %s", name);
	return NULL;
}

/* Check one finding: its verdict, a part of its text, a part of what is to be done (NULL:
 * nothing). */
static void check(struct box *b, const char *name, enum doctor_verdict verdict, const char *text,
		  const char *fix)
{
	struct doctor_findings found = { 0 };
	const struct doctor_finding *f;

	doctor_machine(&b->here, &found);
	f = find(&found, name);
	if (f->verdict != verdict || !strstr(f->text, text) || !f->fix != !fix ||
	    (fix && !strstr(f->fix, fix)))
		fail_msg("%s: %d, %s, %s", name, f->verdict, f->text, f->fix ? f->fix : "no fix");
	if (strchr(f->text, '\n') || (f->fix && strchr(f->fix, '\n')))
		fail_msg("%s takes several lines", name);
	doctor_findings_release(&found);
}

static void test_good(void **state)
{
	struct doctor_findings found = { 0 };
	struct box b;
	size_t i;

	box_init(&b);
	put_good(&b);
	doctor_machine(&b.here, &found);
	assert_true(found.nr > 15);
	for (i = 0; i < found.nr; i++) {
		if (found.v[i].verdict != DOCTOR_OK || found.v[i].fix)
			fail_msg("%s: %s", found.v[i].name, found.v[i].text);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(found.v[i].name, found.v[j].name);
	}
	doctor_findings_release(&found);
	box_release(&b);
}

/* A machine without any file of /proc and /sys: nothing crashes, and all has a text. */
static void test_empty(void **state)
{
	struct doctor_findings found = { 0 };
	struct box b;
	size_t i;

	box_init(&b);
	b.here.parts = NULL;
	b.here.counts = NULL;
	b.here.loads_bpf = NULL;
	doctor_machine(&b.here, &found);
	for (i = 0; i < found.nr; i++)
		assert_non_null(found.v[i].text);
	assert_int_equal(find(&found, "events")->verdict, DOCTOR_MISSING);
	assert_int_equal(find(&found, "pmu")->verdict, DOCTOR_MISSING);
	assert_int_equal(find(&found, "tracefs")->verdict, DOCTOR_MISSING);
	assert_int_equal(find(&found, "bpf")->verdict, DOCTOR_MISSING);
	assert_int_equal(find(&found, "disassembler")->verdict, DOCTOR_MISSING);
	doctor_findings_release(&found);
	box_release(&b);
}

static void test_rights(void **state)
{
	static const struct {
		const char *paranoid;
		enum doctor_verdict verdict;
		const char *text, *fix;
	} levels[] = {
		{ "-1", DOCTOR_OK, "everything, tracepoints", NULL },
		{ "0", DOCTOR_LIMITED, "but tracepoints", "perf_event_paranoid=-1" },
		{ "1", DOCTOR_LIMITED, "own processes, with", "setcap" },
		{ "2", DOCTOR_LIMITED, "user space of own", "setcap" },
		{ "4", DOCTOR_MISSING, "may measure nothing", "setcap" },
	};
	struct box b;
	size_t i;

	box_init(&b);
	put_good(&b);
	for (i = 0; i < ARRAY_SIZE(levels); i++) {
		tree_put(b.root, PROC "perf_event_paranoid", levels[i].paranoid);
		check(&b, "rights", levels[i].verdict, levels[i].text, levels[i].fix);
	}
	/* CAP_PERFMON counts, unless it is one of a user namespace. */
	tree_put(b.root, "proc/self/status", "Name:\tperf\nCapEff:\t0000004000000000\n");
	check(&b, "rights", DOCTOR_OK, "by capability", NULL);
	check(&b, "container", DOCTOR_OK, "no container", NULL);
	tree_put(b.root, "proc/self/uid_map", "         0       1000          1\n");
	check(&b, "rights", DOCTOR_MISSING, "nothing", "leave the user namespace");
	check(&b, "container", DOCTOR_LIMITED, "in a user namespace", "host");
	tree_put(b.root, ".dockerenv", "");
	check(&b, "container", DOCTOR_LIMITED, "in a container of Docker, in a user namespace",
	      "cap-add");
	check(&b, "lockdown", DOCTOR_OK, "not locked down", NULL);
	tree_put(b.root, "sys/kernel/security/here", "");
	check(&b, "lockdown", DOCTOR_LIMITED, "not known: securityfs is not mounted", "mount -t");
	tree_put(b.root, "sys/kernel/security/lsm", "capability,yama");
	check(&b, "lockdown", DOCTOR_OK, "not locked down", NULL);
	tree_put(b.root, "sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	check(&b, "lockdown", DOCTOR_LIMITED, "confidentiality", "lockdown=integrity");
	tree_put(b.root, "sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	check(&b, "lockdown", DOCTOR_LIMITED, "integrity", NULL);
	box_release(&b);
}

static void test_limits(void **state)
{
	struct box b;

	box_init(&b);
	put_good(&b);
	check(&b, "ring-memory", DOCTOR_OK, "516 kB for each CPU", NULL);
	tree_put(b.root, PROC "perf_event_mlock_kb", "64\n");
	check(&b, "ring-memory", DOCTOR_LIMITED, "64 kB", "perf_event_mlock_kb=516");
	b.here.locked_memory = UINT64_MAX;
	check(&b, "ring-memory", DOCTOR_OK, "any size", NULL);
	check(&b, "open-files", DOCTOR_OK, "4096 files may be open: 1008 events on 4 CPUs", NULL);
	b.here.open_files_most = b.here.open_files = 100;
	check(&b, "open-files", DOCTOR_LIMITED, "9 events", "ulimit -n 320");
	b.here.open_files_most = b.here.open_files = 10;
	check(&b, "open-files", DOCTOR_LIMITED, "0 events", "ulimit");
	tree_put(b.root, PROC "perf_event_max_sample_rate", "1000\n");
	check(&b, "sample-rate", DOCTOR_LIMITED, "up to 1000", "perf_event_max_sample_rate=100000");
	tree_put(b.root, PROC "nmi_watchdog", "1\n");
	check(&b, "watchdog", DOCTOR_LIMITED, "one hardware counter", "nmi_watchdog=0");
	box_release(&b);
}

static void test_kernel(void **state)
{
	struct box b;

	box_init(&b);
	put_good(&b);
	check(&b, "branches", DOCTOR_OK, "last 32 branches", NULL);
	tree_put(b.root, "proc/kallsyms", "0000000000000000 T _stext\n");
	tree_put(b.root, PROC "kptr_restrict", "2\n");
	check(&b, "kernel-symbols", DOCTOR_MISSING, "kptr_restrict is 2", "kptr_restrict=0");
	b.here.loads_bpf = may_not_load;
	check(&b, "bpf", DOCTOR_MISSING, "cannot be loaded: it is for root", "Become root");
	b.here.counts = counts_none;
	check(&b, "pmu", DOCTOR_MISSING, "do not count cycles", "something else");
	tree_put(b.root, "proc/cpuinfo", "flags\t\t: fpu hypervisor vme\n");
	check(&b, "pmu", DOCTOR_MISSING, "do not count cycles", "virtual machine");
	box_release(&b);

	box_init(&b);
	tree_put(b.root, PMUS "ibs_op/type", "9\n");
	check(&b, "mem-events", DOCTOR_OK, "ibs_op", NULL);
	check(&b, "branches", DOCTOR_MISSING, "not offered", NULL);
	check(&b, "btf", DOCTOR_LIMITED, "types", "CONFIG_DEBUG_INFO_BTF");
	check(&b, "tracefs", DOCTOR_MISSING, "not mounted", "mount -t tracefs");
	tree_put(b.root, "sys/kernel/tracing/events/enable", "0\n");
	check(&b, "tracefs", DOCTOR_MISSING, "cannot be read", "root");
	check(&b, "kprobes", DOCTOR_MISSING, "kprobe_events does not exist",
	      "CONFIG_KPROBE_EVENTS");
	check(&b, "uprobes", DOCTOR_MISSING, "uprobe_events does not exist",
	      "CONFIG_UPROBE_EVENTS");
	box_release(&b);
}

static void test_build(void **state)
{
	static const struct doctor_part few[] = { { "libpython", true },
						  { "libelf", true },
						  { NULL } };
	struct box b;
	char *path;

	box_init(&b);
	check(&b, "debuginfod", DOCTOR_LIMITED, "no debuginfod servers", "DEBUGINFOD_URLS");
	b.here.parts = few;
	check(&b, "debuginfod", DOCTOR_LIMITED, "cannot ask", "static");
	check(&b, "interpreters", DOCTOR_LIMITED, "Python, but not in Perl", "libperl");
	check(&b, "libraries", DOCTOR_LIMITED, "(libslang), compressed recordings", "build");
	check(&b, "disassembler", DOCTOR_MISSING, "no objdump", "binutils");
	b.here.path = "/none:/usr/local/bin:/opt/bin";
	tree_put(b.root, "opt/bin/objdump", "#!");
	path = xasprintf("%s/opt/bin/objdump", b.root);
	assert_int_equal(chmod(path, 0755), 0);
	free(path);
	check(&b, "disassembler", DOCTOR_LIMITED, "objdump is there", "libcapstone");
	box_release(&b);
}

static void test_show(void **state)
{
	struct doctor_finding v[] = {
		{ "pmu", DOCTOR_OK, (char *)"all \"well\"", NULL },
		{ "long-name-of-it", DOCTOR_MISSING, (char *)"it\nbreaks", (char *)"mend it" },
	};
	struct doctor_findings f = { v, ARRAY_SIZE(v), ARRAY_SIZE(v) };
	struct strbuf out = STRBUF_INIT;

	doctor_text(&f, "it", &out);
	assert_string_equal(strbuf_str(&out),
			    "ok       pmu              all \"well\"\n"
			    "missing  long-name-of-it  it\\x0abreaks. Fix: mend it\n"
			    "# it: 1 ok, 0 limited, 1 missing\n");
	strbuf_reset(&out);
	doctor_json(&f, &out);
	assert_string_equal(
		strbuf_str(&out),
		"{\"checks\":[\n"
		"{\"name\":\"pmu\",\"verdict\":\"ok\",\"text\":\"all \\\"well\\\"\"},\n"
		"{\"name\":\"long-name-of-it\",\"verdict\":\"missing\",\"text\":\"it\\nbreaks\","
		"\"fix\":\"mend it\"}\n"
		"]}\n");
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),   cmocka_unit_test(test_empty),
		cmocka_unit_test(test_rights), cmocka_unit_test(test_limits),
		cmocka_unit_test(test_kernel), cmocka_unit_test(test_build),
		cmocka_unit_test(test_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
