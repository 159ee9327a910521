// SPDX-License-Identifier: GPL-2.0-or-later
/* Which of the things beside the rows there are, behind one descriptor to wait on. */
#include "base/compat.h"
#include "cmd/common/http.h"
#include "statrun/statrun.h"

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

static int watch(struct stat_side *side, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN };

	if (side->fd < 0)
		side->fd = epoll_create1(EPOLL_CLOEXEC);
	return side->fd < 0 || epoll_ctl(side->fd, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

int side_start(struct stat_cmd *s, struct err *err)
{
	struct stat_side *side = &s->side;
	int rc = monitor_start(s, err);

	if (!rc)
		rc = live_start(s, err);
	if (!rc && side->monitor.http)
		rc = watch(side, http_fd(side->monitor.http));
	if (!rc && side->live.signals >= 0)
		rc = watch(side, side->live.signals);
	if (!rc && side->live.changed)
		rc = watch(side, side->live.keys);
	if (rc && !*err->msg)
		err_set(err, rc, "failed to wait for more than counts: %s", err_str(rc));
	return rc;
}

void side_serve(struct stat_cmd *s)
{
	if (s->side.monitor.http)
		http_serve(s->side.monitor.http);
	live_serve(s);
}

void side_interval(struct stat_cmd *s, u64 time)
{
	monitor_interval(s);
	live_interval(s, time);
}

void side_run_end(struct stat_cmd *s)
{
	monitor_interval(s);
}

void side_leave(struct stat_cmd *s)
{
	live_leave(s);
}

void side_run_over(struct stat_cmd *s)
{
	monitor_run_over(s);
}

int side_end(struct stat_cmd *s)
{
	if (s->side.fd >= 0)
		close(s->side.fd);
	s->side.fd = -1;
	live_end(s);
	return monitor_end(s);
}
