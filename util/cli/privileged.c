// SPDX-License-Identifier: GPL-2.0-or-later
/* Become the copy of perf with capabilities, and give these up again. */
#include "base/compat.h"
#include "cli/privileged.h"

#include "base/alloc.h"

#include <libgen.h>
#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KEPT "PERF_KEPT_"

/*
 * These variables glibc removes from the environment of a program with capabilities, but the loader
 * and malloc of a measured command may need them. Ours has started when they come back, so that
 * they have no effect on it. Variables that name files which a library would read later, in our own
 * process (GCONV_PATH, LOCPATH, NLSPATH and their like), do not come back.
 */
static const char *const kept[] = {
	"LD_LIBRARY_PATH",
	"LD_PRELOAD",
	"LD_AUDIT",
	"LD_BIND_NOT",
	"LD_DEBUG",
	"LD_DEBUG_OUTPUT",
	"LD_DYNAMIC_WEAK",
	"LD_PROFILE",
	"GLIBC_TUNABLES",
	"MALLOC_ARENA_MAX",
	"MALLOC_CHECK_",
	"MALLOC_MMAP_MAX_",
	"MALLOC_PERTURB_",
	"MALLOC_TOP_PAD_",
	"MALLOC_MMAP_THRESHOLD_",
	"MALLOC_TRACE",
	"MALLOC_TRIM_THRESHOLD_",
	"TMPDIR",
};

/* Tell whether the file that was executed gave rights which the user does not have. */
static bool privileged(void)
{
	return getauxval(AT_SECURE) && getuid() && getuid() == geteuid();
}

/* Give each variable the value of its counterpart with another prefix, if that has one. */
static void copy_variables(const char *to, const char *from)
{
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		char *name = xasprintf("%s%s", to, kept[i]),
		     *other = xasprintf("%s%s", from, kept[i]);

		if (getenv(other))
			setenv(name, getenv(other), 1);
		free(name);
		free(other);
	}
}

static void forget_variables(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		char *name = xasprintf(KEPT "%s", kept[i]);

		unsetenv(name);
		free(name);
	}
}

void privileged_start(void)
{
	if (!privileged())
		return;
	copy_variables("", KEPT);
	forget_variables();
}

/* Tell whether this program is in a folder. */
static bool runs_in(const char *folder)
{
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (n <= 0)
		return false;
	exe[n] = 0;
	return !strcmp(dirname(exe), folder);
}

void privileged_become(const char *copy, const char *installed, const char **argv)
{
	if (!geteuid() || getauxval(AT_SECURE) || !runs_in(installed) || access(copy, X_OK))
		return;
	copy_variables(KEPT, "");
	/* A container without these capabilities refuses; then we go on as we are. */
	execv(copy, (char *const *)argv);
	forget_variables();
}

void privileged_drop(bool names)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (!privileged())
		return;
	if (names && !syscall(SYS_capget, &head, caps)) {
		u32 keep = caps[CAP_TO_INDEX(CAP_SYSLOG)].permitted & CAP_TO_MASK(CAP_SYSLOG);

		memset(caps, 0, sizeof(caps));
		caps[CAP_TO_INDEX(CAP_SYSLOG)].permitted = keep;
		caps[CAP_TO_INDEX(CAP_SYSLOG)].effective = keep;
	}
	/* Giving up rights cannot fail, unless the kernel has no capabilities at all. */
	(void)syscall(SYS_capset, &head, caps);
}
