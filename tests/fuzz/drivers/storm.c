// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * storm [-t SECONDS | -n RUNS] [-s SEED] [-m] -p PERF -o DIR FILE...
 *
 * Damages FILEs (tests/lib/pdata-mutate.h) and runs a reading command of PERF on each result, one
 * after the other. A run fails when the command ends by a signal or with the status of a sanitizer
 * (99), when it does not end, and with -m also when it uses more than a second of processor time
 * or memory out of proportion to its input. Such an input is kept in DIR with its command line.
 * One line per failure, and one at the end. Exit status 1 when any run failed.
 */
#include "base/compat.h"
#include "pdata-mutate.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_INPUT (1 << 20)
#define MAX_ARGS 12
#define SANITIZER_STATUS 99
#define END_SECONDS 60

/* IN and OUT stand for the damaged file and for something to write; "<" says that IN is a pipe. */
static const char *const commands[][MAX_ARGS] = {
	{ "report", "--stdio", "-i", "IN" },
	{ "report", "--stdio", "--no-children", "-g", "caller", "-i", "IN" },
	{ "report", "--stdio", "--sort", "pid,comm,dso,sym,cpu", "-i", "IN" },
	{ "report", "--stats", "-i", "IN" },
	{ "report", "--tasks", "-i", "IN" },
	{ "report", "--mmaps", "-i", "IN" },
	{ "sched", "latency", "--percentiles", "-i", "IN" },
	{ "sched", "map", "--compact", "-i", "IN" },
	{ "sched", "why", "--max", "-n", "50", "-i", "IN" },
	{ "sched", "timehist", "-MVwnS", "--state", "-i", "IN" },
	{ "sched", "latency", "-p", "-i", "-", "<" },
	{ "sched", "stats", "report", "-i", "IN" },
	{ "timechart", "-n", "1000", "-i", "IN", "-o", "OUT" },
	{ "timechart", "--highlight", "1us", "-i", "-", "-o", "-", "<" },
	{ "timechart", "--html", "-i", "IN", "-o", "OUT" },
	{ "timechart", "--pftrace", "-i", "IN", "-o", "OUT" },
	{ "kwork", "report", "-S", "-i", "IN" },
	{ "kwork", "latency", "-i", "-", "<" },
	{ "kwork", "timehist", "-g", "-i", "IN" },
	{ "kwork", "top", "-i", "IN" },
	{ "lock", "report", "-t", "-i", "IN" },
	{ "lock", "info", "-i", "-", "<" },
	{ "lock", "contention", "--user", "-i", "IN" },
	{ "lock", "contention", "-v", "-i", "IN" },
	{ "lock", "contention", "-l", "-x", ",", "-i", "IN" },
	{ "triage", "-i", "IN" },
	{ "triage", "--json", "-a", "-i", "-", "<" },
	{ "kmem", "stat", "--slab", "--page", "--caller", "--alloc", "--leaks", "-i", "IN" },
	{ "kvm", "-v", "stat", "report", "-i", "IN" },
	{ "kvm", "stat", "report", "--event", "mmio", "-i", "-", "<" },
	{ "c2c", "report", "--json", "-c", "pid,tid,iaddr", "-i", "IN" },
	{ "c2c", "report", "--stdio", "-N", "--show-all", "-i", "-", "<" },
	{ "mem", "report", "-D", "-i", "IN" },
	{ "block", "report", "--histogram", "-i", "IN" },
	{ "block", "report", "--by", "task,op,stack", "--json", "-i", "-", "<" },
	{ "report", "--header-only", "-I", "-i", "IN" },
	{ "report", "--html", "OUT", "-i", "IN" },
	{ "annotate", "-i", "IN" },
	{ "annotate", "--json", "--inlined", "-i", "IN" },
	{ "script", "-i", "IN" },
	{ "script", "-i", "-", "<" },
	{ "script", "-D", "-i", "IN" },
	{ "script", "-D", "-i", "-", "<" },
	{ "script", "--show-task-events", "--show-mmap-events", "--show-switch-events",
	  "--show-namespace-events", "--show-lost-events", "--show-bpf-events",
	  "--show-cgroup-events", "--show-text-poke-events", "-i", "IN" },
	{ "script", "--columnar", "OUT", "-i", "IN" },
	{ "script", "--columnar", "-", "-F", "+srcline,+insn,+brstack,+iregs", "-i", "-", "<" },
	{ "evlist", "-v", "-i", "IN" },
	{ "evlist", "--trace-fields", "-i", "IN" },
	{ "buildid-list", "-i", "IN" },
	{ "buildid-list", "-H", "-i", "IN" },
	{ "inject", "-b", "-f", "-i", "IN", "-o", "OUT" },
	{ "inject", "-b", "-i", "-", "-o", "OUT", "<" },
	{ "inject", "-s", "-f", "-i", "IN", "-o", "OUT" },
	{ "data", "convert", "-f", "--all", "--to-json", "OUT", "-i", "IN" },
	{ "data", "convert", "-f", "--all", "--to-ctf", "OUTDIR", "-i", "IN" },
};

struct storm {
	const char *perf, *dir;
	bool measure;
	u64 seed;
	char in[256], out[256], outdir[256], err[256];
	u8 *buf;
	u64 runs, failed;
};

static void die(const char *what)
{
	fprintf(stderr, "storm: %s: %s\n", what, strerror(errno));
	exit(2);
}

static size_t load(const char *path, u8 *buf)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	if (!f)
		die(path);
	n = fread(buf, 1, MAX_INPUT, f);
	fclose(f);
	return n;
}

static void save(const char *path, const u8 *buf, size_t size)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(buf, 1, size, f) != size || fclose(f))
		die(path);
}

static int open_or_die(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	if (fd < 0)
		die(path);
	return fd;
}

static void command_run(const struct storm *s, const char *const *cmd)
{
	const char *argv[MAX_ARGS + 4] = { s->perf };
	const char *in = "/dev/null";
	int i, n = 1;

	for (i = 0; i < MAX_ARGS && cmd[i]; i++) {
		if (!strcmp(cmd[i], "<"))
			in = s->in;
		else if (!strcmp(cmd[i], "IN"))
			argv[n++] = s->in;
		else if (!strcmp(cmd[i], "OUT"))
			argv[n++] = s->out;
		else if (!strcmp(cmd[i], "OUTDIR"))
			argv[n++] = s->outdir;
		else
			argv[n++] = cmd[i];
	}
	dup2(open_or_die(in, O_RDONLY), 0);
	dup2(open_or_die("/dev/null", O_WRONLY), 1);
	dup2(open_or_die(s->err, O_WRONLY | O_CREAT | O_TRUNC), 2);
	alarm(END_SECONDS);
	execvp(s->perf, (char *const *)argv);
	_exit(127);
}

/* Why a run failed, NULL when it did not. */
static const char *verdict(const struct storm *s, int status, const struct rusage *ru, size_t size)
{
	double cpu = ru->ru_utime.tv_sec + ru->ru_stime.tv_sec +
		     (ru->ru_utime.tv_usec + ru->ru_stime.tv_usec) / 1e6;

	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGALRM ? "does not end" : "signal";
	if (WEXITSTATUS(status) == SANITIZER_STATUS)
		return "sanitizer";
	if (WEXITSTATUS(status) == 127 || WEXITSTATUS(status) == 129)
		return "not run"; /* there is no such program, command or option */
	if (s->measure && cpu > 1)
		return "slow";
	/* ru_maxrss is in KiB: what is always there, and a hundred times the input. */
	if (s->measure && (u64)ru->ru_maxrss > 96 * 1024 + 100 * (u64)size / 1024)
		return "memory";
	return NULL;
}

static void keep(struct storm *s, const char *why, const char *const *cmd, size_t size,
		 const struct rusage *ru)
{
	char path[512];
	int i;

	snprintf(path, sizeof(path), "%s/storm-%s-%" PRIx64, s->dir, why, s->seed);
	save(path, s->buf, size);
	printf("%s: perf", why);
	for (i = 0; i < MAX_ARGS && cmd[i]; i++)
		printf(" %s", cmd[i]);
	printf(": %s (%ld.%02ld s, %ld KiB)\n", path, (long)ru->ru_utime.tv_sec,
	       (long)ru->ru_utime.tv_usec / 10000, ru->ru_maxrss);
	snprintf(path, sizeof(path), "%s/storm-%s-%" PRIx64 ".err", s->dir, why, s->seed);
	rename(s->err, path);
	fflush(stdout);
	s->failed++;
}

static u64 next_seed(u64 seed)
{
	return seed * 6364136223846793005ULL + 1442695040888963407ULL;
}

static void one(struct storm *s, char **files, size_t nr)
{
	const char *const *cmd;
	struct rusage ru;
	const char *why;
	size_t size, i;
	int status;
	pid_t pid;

	s->seed = next_seed(s->seed);
	size = load(files[(s->seed >> 33) % nr], s->buf);
	for (i = 0; i <= (s->seed >> 20) % 4; i++)
		size = pdata_mutate(s->buf, size, MAX_INPUT, s->seed + i);
	save(s->in, s->buf, size);
	cmd = commands[(s->seed >> 40) % ARRAY_SIZE(commands)];
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		command_run(s, cmd);
	if (wait4(pid, &status, 0, &ru) != pid)
		die("wait4");
	s->runs++;
	why = verdict(s, status, &ru, size);
	if (why)
		keep(s, why, cmd, size, &ru);
	unlink(s->out);
}

static void set_up(struct storm *s)
{
	snprintf(s->in, sizeof(s->in), "%s/in.%d", s->dir, getpid());
	snprintf(s->out, sizeof(s->out), "%s/out.%d", s->dir, getpid());
	snprintf(s->outdir, sizeof(s->outdir), "%s/outdir.%d", s->dir, getpid());
	snprintf(s->err, sizeof(s->err), "%s/err.%d", s->dir, getpid());
	setenv("ASAN_OPTIONS", "exitcode=99:allocator_may_return_null=1:detect_leaks=1", 1);
	setenv("LSAN_OPTIONS", "exitcode=99", 1);
	setenv("UBSAN_OPTIONS", "halt_on_error=1:exitcode=99:print_stacktrace=1", 1);
	s->buf = malloc(MAX_INPUT);
	if (!s->buf || !s->perf || !s->dir)
		die("usage: storm [-t SECONDS | -n RUNS] [-s SEED] [-m] -p PERF -o DIR FILE...");
}

int main(int argc, char **argv)
{
	struct storm s = { .seed = 1 };
	u64 runs = ~0ULL;
	time_t end = 0;
	int c;

	while ((c = getopt(argc, argv, "t:n:s:mp:o:")) != -1) {
		switch (c) {
		case 't':
			end = time(NULL) + strtol(optarg, NULL, 10);
			break;
		case 'n':
			runs = strtoull(optarg, NULL, 10);
			break;
		case 's':
			s.seed = strtoull(optarg, NULL, 0);
			break;
		case 'm':
			s.measure = true;
			break;
		case 'p':
			s.perf = optarg;
			break;
		case 'o':
			s.dir = optarg;
			break;
		default:
			return 2;
		}
	}
	if (optind == argc)
		return 2;
	set_up(&s);
	while (s.runs < runs && (!end || time(NULL) < end))
		one(&s, argv + optind, argc - optind);
	printf("%" PRIu64 " runs, %" PRIu64 " failed\n", s.runs, s.failed);
	unlink(s.in);
	unlink(s.err);
	free(s.buf);
	return s.failed ? 1 : 0;
}
