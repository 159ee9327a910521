// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sentences about refusals. They name the file or limit, its value, the necessary value, how to set
 * it, and the capability that makes it unnecessary. The rules are those of perf_event_open(2) and
 * of Documentation/admin-guide/perf-security of the kernel.
 */
#include "base/compat.h"
#include "kernel/rights.h"

#include "base/alloc.h"
#include "kernel/target.h"

#include <ctype.h>
#include <errno.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* Return the text after @key in a file of lines "Key:\tvalue", or NULL. */
static const char *field(const char *text, const char *key)
{
	const char *p = strstr(text, key);

	return p ? p + strlen(key) : NULL;
}

void rights_read(const struct sysroot *sr, struct rights *r)
{
	struct strbuf sb = STRBUF_INIT;
	unsigned long inside, outside, count;
	const char *p;

	*r = (struct rights){ .paranoid = 2 };
	r->no_file = sysroot_read(sr, &sb, PARANOID) != 0;
	if (!r->no_file)
		r->paranoid = (int)strtol(strbuf_str(&sb), NULL, 10);
	strbuf_reset(&sb);
	if (!sysroot_read(sr, &sb, "/proc/self/status")) {
		p = field(strbuf_str(&sb), "\nCapEff:");
		r->caps = p ? strtoull(p, NULL, 16) : 0;
		p = field(strbuf_str(&sb), "\nSeccomp:");
		r->seccomp = p && strtol(p, NULL, 10) == 2;
	}
	strbuf_reset(&sb);
	if (!sysroot_read(sr, &sb, "/proc/self/uid_map") &&
	    sscanf(strbuf_str(&sb), "%lu %lu %lu", &inside, &outside, &count) == 3)
		r->user_ns = inside || outside || count != UINT32_MAX;
	r->lockdown = sysroot_lockdown(sr);
	strbuf_release(&sb);
}

static bool has_cap(const struct rights *r, int cap)
{
	return !r->user_ns && r->caps >> cap & 1;
}

bool rights_perfmon(const struct rights *r)
{
	return has_cap(r, CAP_PERFMON) || has_cap(r, CAP_SYS_ADMIN);
}

int rights_level(const struct perf_event_attr *a, bool everywhere)
{
	const u64 kernel_branches = PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV;

	if (a->type == PERF_TYPE_TRACEPOINT && (everywhere || a->sample_type & PERF_SAMPLE_RAW))
		return -1;
	if (everywhere)
		return 0;
	if (!a->exclude_kernel || a->sample_type & PERF_SAMPLE_PHYS_ADDR ||
	    (a->sample_type & PERF_SAMPLE_BRANCH_STACK && a->branch_sample_type & kernel_branches))
		return 1;
	return 2;
}

/* Return the reason why the event needs that level, as a phrase that follows its name. */
static const char *because(const struct perf_event_attr *a, bool everywhere)
{
	if (a->type == PERF_TYPE_TRACEPOINT && (everywhere || a->sample_type & PERF_SAMPLE_RAW))
		return ", a tracepoint,";
	if (everywhere)
		return " on whole CPUs (-a, -C)";
	if (a->sample_type & PERF_SAMPLE_PHYS_ADDR)
		return " with physical addresses";
	if (!a->exclude_kernel)
		return " in the kernel";
	return "";
}

static void add_setcap(struct strbuf *out, const char *caps)
{
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	strbuf_addf(out, "sudo setcap %s=ep %.*s", caps, n > 0 ? (int)n : 4, n > 0 ? exe : "perf");
}

/* Append what can be had without more rights; nothing where there is nothing. */
static void add_instead(struct strbuf *out, const struct refused *f, int need)
{
	const struct perf_event_attr *a = &f->e->attr;

	if (f->everywhere)
		strbuf_addf(out, "\nWithout either, processes of your own can be measured: a "
				 "command, -p or -t.");
	else if (a->sample_type & PERF_SAMPLE_PHYS_ADDR)
		strbuf_addf(out, "\nWithout either, leave out --phys-data.");
	else if (need == 1 && a->type != PERF_TYPE_TRACEPOINT && a->type != PERF_TYPE_BREAKPOINT)
		strbuf_addf(out, "\nWithout either, user space can be measured: modifier u "
				 "instead of k.");
}

/* Append sentences when the level forbids the event. */
static void add_level(struct strbuf *out, const struct rights *r, const struct refused *f, int need)
{
	strbuf_addf(
		out,
		"The %s event%s needs " PARANOID
		" to be %d or lower; it is %d, and the capability CAP_PERFMON is missing.\n"
		"To allow it: sudo sysctl kernel.perf_event_paranoid=%d (for everybody, until the "
		"next boot), or for this program  ",
		f->name, because(&f->e->attr, f->everywhere), need, r->paranoid, need);
	add_setcap(out, "cap_perfmon,cap_sys_ptrace");
	add_instead(out, f, need);
}

/* Return the real user of a thread, or -1. */
static s64 owner(const struct sysroot *sr, int tid)
{
	struct strbuf sb = STRBUF_INIT;
	const char *p;
	s64 uid = -1;

	if (tid > 0 && !sysroot_read(sr, &sb, "/proc/%d/status", tid)) {
		p = field(strbuf_str(&sb), "\nUid:");
		uid = p ? strtoll(p, NULL, 10) : -1;
	}
	strbuf_release(&sb);
	return uid;
}

static void add_lockdown(struct strbuf *out, const struct refused *f)
{
	bool regs = f->e->attr.sample_type & PERF_SAMPLE_REGS_INTR;

	strbuf_addf(
		out,
		"The kernel is locked down: /sys/kernel/security/lockdown is confidentiality, which keeps "
		"the %s event%s from everybody, root too.\n"
		"It would have to be integrity or none, which only the boot command line decides "
		"(lockdown=).%s",
		f->name, regs ? " with registers (-I)" : "",
		regs ? "\nWithout -I it can be recorded." : "");
}

/* Append whose thread it is, if that is the reason. */
static bool add_owner(struct strbuf *out, const struct rights *r, const struct sysroot *sr,
		      const struct refused *f)
{
	s64 uid = owner(sr, f->tid);

	if (uid < 0 || uid == (s64)getuid())
		return false;
	strbuf_addf(out,
		    "The %s event was refused: thread %d belongs to another user (uid %" PRId64
		    ", this is uid %u), whatever kernel.perf_event_paranoid is (%d).\n"
		    "Run as that user or as root, or give perf the capabilities CAP_PERFMON and "
		    "CAP_SYS_PTRACE:  ",
		    f->name, f->tid, uid, (unsigned int)getuid(), r->paranoid);
	add_setcap(out, "cap_perfmon,cap_sys_ptrace");
	return true;
}

/* Append sentences when the level allows the event, so that something else forbids it. */
static void add_other(struct strbuf *out, const struct rights *r, const struct sysroot *sr,
		      const struct refused *f, int need)
{
	if (f->code == -EPERM && r->lockdown == LOCKDOWN_CONFIDENTIALITY) {
		add_lockdown(out, f);
		return;
	}
	if (r->user_ns && r->caps) {
		strbuf_addf(
			out,
			"The %s event was refused: capabilities of a user namespace do not count for perf "
			"(/proc/self/uid_map says that this is one), and kernel.perf_event_paranoid is %d.\n"
			"Run perf outside of it, or have sudo sysctl kernel.perf_event_paranoid=%d done there.",
			f->name, r->paranoid, need);
		return;
	}
	if (f->e->attr.namespaces && !rights_perfmon(r)) {
		strbuf_addf(
			out,
			"The %s event with --namespaces needs the capability CAP_PERFMON, at any "
			"kernel.perf_event_paranoid (it is %d).\nRun as root, or:  ",
			f->name, r->paranoid);
		add_setcap(out, "cap_perfmon,cap_sys_ptrace");
		return;
	}
	if (add_owner(out, r, sr, f))
		return;
	strbuf_addf(
		out,
		"The %s event was refused: the target belongs to another user, or the kernel refuses "
		"perf to everybody (kernel.perf_event_paranoid is %d)%s.\n"
		"Run as that user or as root, or give perf the capabilities CAP_PERFMON and "
		"CAP_SYS_PTRACE:  ",
		f->name, r->paranoid,
		r->seccomp
			? ", or a seccomp filter does, as those of containers do (docker run --cap-add "
			  "PERFMON, or --security-opt seccomp=FILE with perf_event_open in it)"
			: "");
	add_setcap(out, "cap_perfmon,cap_sys_ptrace");
}

int rights_refused(const struct sysroot *sr, const struct refused *f, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	struct rights r;
	int need = rights_level(&f->e->attr, f->everywhere);

	rights_read(sr, &r);
	if (r.no_file)
		strbuf_addf(&sb,
			    "The %s event was refused, and " PARANOID
			    " is not there: a kernel without "
			    "CONFIG_PERF_EVENTS, or a container that hides it.",
			    f->name);
	else if (!rights_perfmon(&r) && r.paranoid > need && !(r.user_ns && r.caps))
		add_level(&sb, &r, f, need);
	else
		add_other(&sb, &r, sr, f, need);
	err_set(err, f->code, "%s%s",
		r.no_file
			? ""
			: "Access to performance monitoring and observability operations is limited.\n",
		strbuf_str(&sb));
	strbuf_release(&sb);
	return f->code;
}

int rights_files(const struct sysroot *sr, size_t needed, size_t opened, int code, struct err *err)
{
	struct rlimit lim = { 0, 0 };
	u64 file_max = 0, nr_open = 0;

	if (code == -ENFILE) {
		sysroot_read_u64(sr, &file_max, "/proc/sys/fs/file-max");
		return err_set(
			err, code,
			"Too many events are opened (%zu so far): the whole system may have %" PRIu64
			" open files (/proc/sys/fs/file-max), and these events take %zu.\n"
			"Hint: sudo sysctl fs.file-max=%" PRIu64
			", or record fewer events, threads or CPUs.",
			opened, file_max, needed, file_max + needed);
	}
	getrlimit(RLIMIT_NOFILE, &lim);
	sysroot_read_u64(sr, &nr_open, "/proc/sys/fs/nr_open");
	return err_set(
		err, code,
		"Too many events are opened (%zu so far): each event takes a file descriptor per CPU and thread, "
		"%zu together beside those of other files, and this process may have %" PRIu64
		" (the soft limit was raised to the hard one).\n"
		"Hint: raise the limit with 'ulimit -n %zu' as root%s, give perf the capability CAP_SYS_RESOURCE, or "
		"record fewer events, threads or CPUs.",
		opened, needed, (u64)lim.rlim_cur, needed + FILES_SPARE,
		nr_open && needed + FILES_SPARE > nr_open ? " after sysctl fs.nr_open" : "");
}

void rights_memory(const struct sysroot *sr, size_t nr, size_t pages, struct strbuf *out)
{
	const u64 page_kb = (u64)sysconf(_SC_PAGESIZE) / 1024;
	const u64 need = nr * (pages + 1) * page_kb;
	struct int_list cpus = { 0 };
	struct rlimit lim = { 0, 0 };
	u64 per_cpu = 0, ncpus;

	sysroot_read_u64(sr, &per_cpu, "/proc/sys/kernel/perf_event_mlock_kb");
	cpu_list_online(sr, &cpus, NULL);
	ncpus = cpus.nr ? cpus.nr : 1;
	int_list_release(&cpus);
	getrlimit(RLIMIT_MEMLOCK, &lim);
	strbuf_addf(out,
		    "%zu rings of %zu pages need %" PRIu64
		    " kB of locked memory. This user has %" PRIu64
		    " kB (/proc/sys/kernel/perf_event_mlock_kb) for each of %" PRIu64
		    " CPUs, for all its recordings, and %" PRIu64 " kB more here (ulimit -l).\n",
		    nr, pages, need, per_cpu, ncpus, (u64)lim.rlim_cur / 1024);
	strbuf_addf(
		out,
		"To have them: sudo sysctl kernel.perf_event_mlock_kb=%" PRIu64
		", or ulimit -l %" PRIu64
		", or the capability CAP_IPC_LOCK for perf, or kernel.perf_event_paranoid=-1.\n",
		(need + ncpus - 1) / ncpus, need);
}

/* Tell whether all addresses in kallsyms are zero. */
static bool zeros(const struct sysroot *sr)
{
	int fd = sysroot_open(sr, "/proc/kallsyms");
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	bool all = fd >= 0 || fd == -EACCES || fd == -EPERM;
	char line[512], type = 0;
	u64 addr;

	/* the first symbols may be per-CPU variables, which begin at zero */
	while (f && tolower(type) != 't' && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 " %c", &addr, &type) == 2 && addr)
			all = false;
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return all;
}

bool rights_addresses(const struct sysroot *sr, struct strbuf *out)
{
	struct rights r;
	u64 restrict_ = 0;

	if (!zeros(sr))
		return false;
	rights_read(sr, &r);
	sysroot_read_u64(sr, &restrict_, "/proc/sys/kernel/kptr_restrict");
	strbuf_addf(out,
		    "the kernel hides its addresses: /proc/sys/kernel/kptr_restrict is %" PRIu64
		    ", kernel.perf_event_paranoid %d.\n",
		    restrict_, r.paranoid);
	if (restrict_ >= 2)
		strbuf_addf(out, "To see them: sudo sysctl kernel.kptr_restrict=0%s.\n",
			    has_cap(&r, CAP_SYSLOG) ? "" : ", and the capability CAP_SYSLOG");
	else if (restrict_ == 1)
		strbuf_addf(
			out,
			"To see them: sudo sysctl kernel.kptr_restrict=0 with "
			"kernel.perf_event_paranoid=1, or the capability CAP_SYSLOG for perf.\n");
	else
		strbuf_addf(
			out,
			"To see them: sudo sysctl kernel.perf_event_paranoid=1, or the capability "
			"CAP_SYSLOG for perf.\n");
	return true;
}
