// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The threads that empty rings. A ring's descriptors are polled by its thread alone: the kernel
 * tells only once that there is something.
 */
#include "base/compat.h"
#include "recorder/ring-threads.h"

#include "base/alloc.h"
#include "file/compress.h"
#include "recorder/existing.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MAX_READY 64

/* The file that a ring is written to. */
struct ring_file {
	struct file_writer w;
	struct compressor *comp; /* owned; NULL: as it is */
	struct scan *scan;       /* owned */
	struct record_scan seen;
	struct map64 tasks;   /* owned; what the scan has noted, until the threads stop */
	struct strbuf packed; /* owned */
	u64 comp_raw, comp_packed;
};

struct ring_thread {
	struct ring_threads *all;
	pthread_t id;
	bool running;
	int epoll, stop; /* stop: an eventfd */
	size_t live;     /* descriptors that have not hung up */
	struct err err;
};

struct ring_threads {
	struct thread_sets sets; /* owned */
	struct ring_thread *v;   /* owned; one for each set, [0] being the main thread */
	struct ring_file *files; /* owned; one for each ring */
	size_t *owner;           /* owned; the thread of each ring */
	size_t nr_files;
	struct write_back *write_back; /* borrowed; behind the files */
	struct ring_threads_start how;
	int wake;       /* an eventfd: a thread has ended, or none of its descriptors is left */
	int folder;     /* the output */
	bool cpu_bound; /* the main thread's mask is that of its set */
	cpu_set_t before;
};

/* --- which ring is whose ----------------------------------------------------- */

/* CPUs that no set names are the main thread's. */
static size_t set_of(const struct ring_threads *t, int cpu)
{
	const struct thread_set *set = thread_set_of(&t->sets, cpu);

	return set ? (size_t)(set - t->sets.v) : 0;
}

bool ring_threads_mine(const struct ring_threads *t, int cpu)
{
	return !t || !set_of(t, cpu);
}

/* --- writing ------------------------------------------------------------------- */

static int write_packed(struct ring_file *f, const struct iovec *iov, int nr, struct err *err)
{
	int rc = 0;

	strbuf_reset(&f->packed);
	for (int i = 0; !rc && i < nr; i++) {
		rc = compressor_add(f->comp, iov[i].iov_base, iov[i].iov_len, &f->packed, err);
		f->comp_raw += iov[i].iov_len;
	}
	f->comp_packed += f->packed.len;
	return rc ? rc : file_writer_write(&f->w, f->packed.buf, f->packed.len, err);
}

static int write_ring(void *ctx, size_t ring, struct iovec *iov, int nr, struct err *err)
{
	struct ring_threads *t = ctx;
	struct ring_file *f = &t->files[ring];

	nr = scan_spans(f->scan, iov, nr);
	return f->comp ? write_packed(f, iov, nr, err) : file_writer_writev(&f->w, iov, nr, err);
}

struct ring_sink ring_threads_sink(struct ring_threads *t)
{
	return (struct ring_sink){
		.write = write_ring, .ctx = t, .owner = t->owner, .write_back = t->write_back
	};
}

/* --- a thread -------------------------------------------------------------------- */

static int wait_ready(struct ring_thread *t, bool *stop)
{
	struct epoll_event ready[MAX_READY];
	int n = epoll_wait(t->epoll, ready, MAX_READY, -1);

	if (n < 0 && errno != EINTR)
		return err_set(&t->err, -errno, "failed to wait for data: %s", err_str(-errno));
	for (int i = 0; i < n; i++) {
		int fd = ready[i].data.fd;

		if (fd == t->stop) {
			*stop = true;
		} else if (ready[i].events & (EPOLLHUP | EPOLLERR)) {
			epoll_ctl(t->epoll, EPOLL_CTL_DEL, fd, NULL);
			__atomic_sub_fetch(&t->live, 1, __ATOMIC_RELEASE);
		}
	}
	return 0;
}

static void wake_main(const struct ring_threads *t)
{
	u64 one = 1;

	(void)!write(t->wake, &one, sizeof(one));
}

static void *thread_main(void *arg)
{
	struct ring_thread *t = arg;
	struct ring_threads *all = t->all;
	const struct ring_sink to = ring_threads_sink(all);
	struct rings *rings = &all->how.ev->rings;
	size_t me = (size_t)(t - all->v);
	bool stop = false, told = false;
	int rc;

	sched_setaffinity(0, sizeof(cpu_set_t), &all->sets.v[me].run);
	realtime_set(all->how.opts->realtime, NULL);
	notice(all->how.notes->detail, "threads[%d]: started on cpu%d\n", gettid(), sched_getcpu());
	/* what was there before epoll was asked */
	rc = drain_rings(rings, &to, me, 0, NULL, &t->err);
	while (rc >= 0 && !stop) {
		rc = wait_ready(t, &stop);
		if (rc >= 0)
			rc = drain_rings(rings, &to, me, stop ? 0 : all->how.opts->flush, NULL,
					 &t->err);
		if (!t->live && !told) {
			told = true;
			wake_main(all);
		}
	}
	/* nothing more comes: the events are disabled before we are told to stop */
	while (rc > 0)
		rc = drain_rings(rings, &to, me, 0, NULL, &t->err);
	if (rc < 0)
		wake_main(all);
	return NULL;
}

bool ring_threads_live(const struct ring_threads *t)
{
	for (size_t i = 1; t && i < t->sets.nr; i++)
		if (__atomic_load_n(&t->v[i].live, __ATOMIC_ACQUIRE))
			return true;
	return false;
}

/* An error of a thread, or its last descriptor has hung up. */
static int on_wake(void *ctx, int fd, u32 events __unused, struct err *err)
{
	struct ring_threads *t = ctx;
	u64 n;

	(void)!read(fd, &n, sizeof(n));
	for (size_t i = 1; i < t->sets.nr; i++) {
		/* written before the thread woke us */
		if (t->v[i].err.code) {
			*err = t->v[i].err;
			return t->v[i].err.code;
		}
	}
	return *t->how.live || ring_threads_live(t) ? EVENT_LOOP_GO_ON : EVENT_LOOP_STOP;
}

/* --- start and end ----------------------------------------------------------------- */

int ring_threads_new(struct ring_threads **out, const char *text, const struct sysroot *sr,
		     const struct int_list *cpus, struct err *err)
{
	struct ring_threads *t = xzalloc(sizeof(*t));
	int rc = thread_sets_parse(&t->sets, sr, text, cpus, err);

	if (rc) {
		thread_sets_release(&t->sets);
		free(t);
		return rc;
	}
	t->v = xcalloc(t->sets.nr, sizeof(*t->v));
	*out = t;
	return 0;
}

static int open_file(struct ring_threads *t, size_t i, const char *output,
		     const struct scan_opts *scan, int level, struct err *err)
{
	struct ring_file *f = &t->files[i];
	struct scan_opts o = *scan;
	char name[32];

	snprintf(name, sizeof(name), "data.%zu", i);
	f->w.path = xasprintf("%s/%s", output, name);
	f->w.fd = openat(t->folder, name, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0600);
	if (f->w.fd < 0)
		return err_set(err, -errno, "failed to open %s : %s", f->w.path, err_str(-errno));
	o.tasks = scan->tasks ? &f->tasks : NULL;
	f->scan = scan_new(&o, &f->seen);
	return level ? compressor_new(&f->comp, level, err) : 0;
}

int ring_threads_open(struct ring_threads *t, const char *output, struct rings *rings,
		      const struct scan_opts *scan, int level, struct err *err)
{
	int rc = 0;

	t->folder = open(output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t->folder < 0)
		return err_set(err, -errno, "failed to open %s : %s", output, err_str(-errno));
	t->files = xcalloc(rings->nr, sizeof(*t->files));
	t->owner = xcalloc(rings->nr, sizeof(*t->owner));
	for (size_t i = 0; i < rings->nr && !rc; i++) {
		t->owner[i] = set_of(t, rings->v[i].cpu);
		rc = open_file(t, i, output, scan, level, err);
		t->nr_files++;
	}
	return rc;
}

void ring_threads_write_back(struct ring_threads *t, struct write_back *w)
{
	if (!t)
		return;
	t->write_back = w;
	for (size_t i = 0; i < t->nr_files; i++)
		write_back_add(w, &t->files[i].w);
}

static int watch_rings(struct ring_threads *all, size_t thread, struct err *err)
{
	const struct kevents *kevents = &all->how.ev->kevents;
	struct ring_thread *t = &all->v[thread];
	struct epoll_event ev = { .events = EPOLLIN };

	t->all = all;
	t->epoll = epoll_create1(EPOLL_CLOEXEC);
	t->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ev.data.fd = t->stop;
	if (t->epoll < 0 || t->stop < 0 || epoll_ctl(t->epoll, EPOLL_CTL_ADD, t->stop, &ev))
		return err_set(err, -errno, "failed to set up waiting: %s", err_str(-errno));
	for (size_t i = 0; i < kevents->nr; i++) {
		const struct kfd *k = &kevents->fds[i];

		if (k->evsel != all->how.watched || set_of(all, k->cpu) != thread)
			continue;
		ev.data.fd = k->fd;
		if (epoll_ctl(t->epoll, EPOLL_CTL_ADD, k->fd, &ev))
			return err_set(err, -errno, "failed to wait for a descriptor: %s",
				       err_str(-errno));
		t->live++;
	}
	return 0;
}

int ring_threads_start(struct ring_threads *t, const struct ring_threads_start *s, struct err *err)
{
	int rc;

	if (!t)
		return 0;
	t->how = *s;
	t->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (t->wake < 0)
		return err_set(err, -errno, "failed to set up waiting: %s", err_str(-errno));
	rc = event_loop_watch(s->loop, t->wake, EPOLLIN, on_wake, t, err);
	for (size_t i = 1; i < t->sets.nr && !rc; i++) {
		rc = watch_rings(t, i, err);
		if (rc)
			break;
		rc = -pthread_create(&t->v[i].id, NULL, thread_main, &t->v[i]);
		if (rc)
			err_set(err, rc, "no thread for emptying rings: %s", err_str(rc));
		t->v[i].running = !rc;
	}
	t->cpu_bound = !sched_getaffinity(0, sizeof(t->before), &t->before) &&
		       !sched_setaffinity(0, sizeof(cpu_set_t), &t->sets.v[0].run);
	if (!rc)
		notice(s->notes->detail, "threads[%d]: started on cpu%d\n", gettid(),
		       sched_getcpu());
	return rc;
}

int ring_threads_stop(struct ring_threads *t, struct map64 *tasks, struct err *err)
{
	u64 one = 1;
	int rc = 0;

	for (size_t i = 1; t && i < t->sets.nr; i++) {
		if (!t->v[i].running)
			continue;
		(void)!write(t->v[i].stop, &one, sizeof(one));
		pthread_join(t->v[i].id, NULL);
		t->v[i].running = false;
		if (t->v[i].err.code && !rc) {
			rc = t->v[i].err.code;
			*err = t->v[i].err;
		}
	}
	if (t && t->cpu_bound)
		sched_setaffinity(0, sizeof(t->before), &t->before);
	for (size_t i = 0; t && i < t->nr_files; i++)
		tasks_join(tasks, &t->files[i].tasks);
	return rc;
}

void ring_threads_look_back(struct ring_threads *t, bool failed, struct record_output *out,
			    const struct notices *detail)
{
	for (size_t i = 0; t && i < t->nr_files; i++) {
		struct ring_file *f = &t->files[i];
		struct cut cut;

		if (!f->scan || !out->scan)
			continue;
		if (failed) {
			cut = cut_find(f->w.fd, 0, f->w.data_size, f->w.data_size);
			if (!f->comp)
				f->seen.samples = cut.samples;
			if (!ftruncate(f->w.fd, (off_t)cut.keep))
				f->w.data_size = cut.keep;
		}
		scan_merge(out->scan, f->scan);
		f->scan = NULL;
		out->comp_raw += f->comp_raw;
		out->comp_packed += f->comp_packed;
		if (f->comp)
			notice(detail,
			       "data.%zu: transferred=%" PRIu64 ", compressed=%" PRIu64 "\n", i,
			       f->comp_raw, f->comp_packed);
		else
			notice(detail, "data.%zu: written=%" PRIu64 "\n", i, f->w.data_size);
	}
}

u64 ring_threads_written(const struct ring_threads *t)
{
	u64 all = 0;

	for (size_t i = 0; t && i < t->nr_files; i++)
		all += __atomic_load_n(&t->files[i].w.data_size, __ATOMIC_RELAXED);
	return all;
}

void ring_threads_share(const struct ring_threads *t, struct own_share *share)
{
	for (size_t i = 0; t && i < t->nr_files; i++) {
		const struct record_scan *seen = &t->files[i].seen;

		share->samples += __atomic_load_n(&seen->samples, __ATOMIC_RELAXED);
		share->own += __atomic_load_n(&seen->own, __ATOMIC_RELAXED);
	}
}

static void close_fd(int fd)
{
	if (fd > 0)
		close(fd);
}

void ring_threads_free(struct ring_threads *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nr_files; i++) {
		struct ring_file *f = &t->files[i];

		close_fd(f->w.fd);
		free(f->w.path);
		compressor_free(f->comp);
		map64_release(&f->tasks);
		strbuf_release(&f->packed);
		record_scan_release(&f->seen);
	}
	for (size_t i = 1; i < t->sets.nr; i++) {
		close_fd(t->v[i].epoll);
		close_fd(t->v[i].stop);
	}
	close_fd(t->wake);
	close_fd(t->folder);
	free(t->files);
	free(t->owner);
	free(t->v);
	thread_sets_release(&t->sets);
	free(t);
}
