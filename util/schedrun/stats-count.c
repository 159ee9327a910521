// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the counters of the scheduler before and after a run, with the kernel's counting switched
 * on. */
#include "base/compat.h"
#include "schedrun/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define COUNTERS "/proc/schedstat"
#define SWITCH "/proc/sys/kernel/sched_schedstats"

/* ---- the kernel's switch ---- */

static int write_switch(const struct sysroot *sr, const char *value)
{
	char *path = sysroot_path(sr, SWITCH);
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = fd < 0 ? -errno : 0;

	free(path);
	if (fd < 0)
		return ret;
	if (write(fd, value, strlen(value)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/*
 * Switch counting on. Kernels before 4.6 have no switch and count always.
 * @switched: set to whether it was off
 */
static int switch_on(const struct sysroot *sr, bool *switched, struct err *err)
{
	u64 on;
	int ret;

	*switched = false;
	if (sysroot_read_u64(sr, &on, SWITCH) || on)
		return 0;
	ret = write_switch(sr, "1");
	if (ret)
		return err_set(err, ret,
			       "the kernel does not count (" SWITCH
			       " is 0), and that cannot be changed: %s; as root: "
			       "sysctl kernel.sched_schedstats=1",
			       err_str(ret));
	*switched = true;
	return 0;
}

static int switch_off(const struct sysroot *sr, struct err *err)
{
	int ret = write_switch(sr, "0");

	return ret ? err_set(err, ret, SWITCH " was 0 and cannot be set back: %s", err_str(ret))
		   : 0;
}

/* ---- counters ---- */

static int read_counters(const struct stats_run *r, struct schedstat *out, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = sysroot_read(r->sysroot, &text, COUNTERS);

	if (ret == -ENOENT)
		err_set(err, ret,
			"this kernel has no " COUNTERS ": it was built without CONFIG_SCHEDSTATS");
	else if (ret)
		err_set(err, ret, COUNTERS " cannot be read: %s", err_str(ret));
	else
		ret = schedstat_parse(out, strbuf_str(&text), err);
	strbuf_release(&text);
	if (!ret)
		schedstat_keep(out, r->cpus);
	if (!ret && !out->nr_cpus)
		ret = err_set(err, -EINVAL, "none of these CPUs is in " COUNTERS);
	return ret;
}

/* ---- the run ---- */

/* This is handed through while the command is there. */
struct counting {
	const struct stats_run *run;
	struct stats_counted *out;
};

/* Read the counters, let the command run, and read them again. */
static int count(const struct counting *c, struct workload *w, const sigset_t *set, struct err *err)
{
	const struct stats_run *r = c->run;

	return read_counters(r, &c->out->before, err)			    ?:
	       workload_run(w, r->command[0], set, &c->out->signal, err) ?:
	       read_counters(r, &c->out->after, err);
}

static int count_switched(void *ctx, struct workload *w, const sigset_t *set, struct err *err)
{
	const struct counting *c = ctx;
	bool switched;
	int off, ret = switch_on(c->run->sysroot, &switched, err);

	if (ret)
		return ret;
	ret = count(c, w, set, err);
	off = switched ? switch_off(c->run->sysroot, ret ? NULL : err) : 0;
	return ret ? ret : off;
}

int stats_count(const struct stats_run *r, struct stats_counted *out, struct err *err)
{
	struct counting c = { r, out };
	int ret = workload_around(r->command, r->output, count_switched, &c, err);

	if (ret)
		stats_counted_release(out);
	return ret;
}

void stats_counted_release(struct stats_counted *c)
{
	schedstat_release(&c->before);
	schedstat_release(&c->after);
}
