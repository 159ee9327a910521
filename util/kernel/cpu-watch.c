// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's messages about devices, from a netlink socket that anybody may open: "ACTION@PATH"
 * and then properties. It causes no wakeups as long as no device comes or goes.
 */
#include "base/compat.h"
#include "kernel/cpu-watch.h"

#include <ctype.h>
#include <errno.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#define GROUP_KERNEL 1 /* messages of the kernel, not those of device managers */
#define ONLINE "online@/devices/system/cpu/cpu"

int cpu_watch_open(void)
{
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_groups = GROUP_KERNEL };
	int fd =
		socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
	int code;

	if (fd < 0)
		return -errno;
	if (!bind(fd, (const struct sockaddr *)&addr, sizeof(addr)))
		return fd;
	code = -errno;
	close(fd);
	return code;
}

int cpu_watch_parse(const char *text, size_t len)
{
	size_t head = sizeof(ONLINE) - 1, at = head;
	int cpu = 0;

	if (len <= head || strncmp(text, ONLINE, head) != 0)
		return -1;
	while (at < len && isdigit((unsigned char)text[at]) && cpu < 1000000)
		cpu = cpu * 10 + text[at++] - '0';
	return at > head && (at == len || !text[at]) ? cpu : -1;
}

int cpu_watch_read(int fd)
{
	char text[4096];

	for (;;) {
		struct sockaddr_nl from = { 0 };
		socklen_t size = sizeof(from);
		ssize_t n = recvfrom(fd, text, sizeof(text), 0, (struct sockaddr *)&from, &size);
		int cpu;

		if (n < 0 && (errno == EINTR || errno == ENOBUFS))
			continue;
		if (n <= 0)
			return -1;
		/* other processes could send such messages as well */
		cpu = from.nl_pid ? -1 : cpu_watch_parse(text, (size_t)n);
		if (cpu >= 0)
			return cpu;
	}
}
