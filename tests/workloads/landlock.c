// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

#include <sys/syscall.h>
#include <unistd.h>

/* Since Linux 5.13, the same number on every architecture but alpha. */
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif
#define RULE_PATH_BENEATH 1
#define RULE_NET_PORT 2

/* The two structures landlock_add_rule(2) takes, as its manual page gives them. */
struct rule_path_beneath {
	u64 allowed_access;
	s32 parent_fd;
} __attribute__((packed));

struct rule_net_port {
	u64 allowed_access;
	u64 port;
};

void landlock_calls(void);

/* The descriptor and the flags are not valid: the calls change nothing, but can be traced. */
WORKLOAD_FN void landlock_calls(void)
{
	struct rule_path_beneath path = { .allowed_access = 1, .parent_fd = 3 };
	struct rule_net_port port = { .allowed_access = 1, .port = 443 };

	syscall(SYS_landlock_add_rule, 11, RULE_PATH_BENEATH, &path, 45);
	syscall(SYS_landlock_add_rule, 11, RULE_NET_PORT, &port, 45);
}

int wl_landlock(int argc __unused, const char **argv __unused)
{
	landlock_calls();
	return 0;
}
