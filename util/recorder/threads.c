// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record --threads: several threads empty the rings, each those of its CPUs. The output is a
 * folder, "data" being a file like any other and "data.N" the records of ring N alone, so that no
 * two threads ever wait for each other. The first set is emptied by the loop of the main thread.
 *
 * A ring's descriptors are polled by its thread alone: the kernel tells only once that there is
 * something.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "file/compress.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MAX_READY 64

/* What a ring is written to. */
struct ring_file {
	struct file_writer w;
	struct compressor *comp; /* owned; NULL without -z */
	struct scan *scan;       /* owned */
	struct record_scan seen;
	struct map64 tasks;   /* owned; what the scan has noted, until pumps_stop() */
	struct strbuf packed; /* owned */
	u64 comp_raw, comp_packed;
	size_t thread; /* whose it is */
};

struct record_thread {
	struct record *r;
	pthread_t id;
	bool running;
	int epoll, stop; /* stop: an eventfd */
	size_t live;     /* descriptors that have not hung up */
	struct err err;
};

struct record_threads {
	struct thread_sets sets; /* owned */
	struct record_thread *v; /* owned; one for each set, [0] being the main thread */
	struct ring_file *files; /* owned; one for each ring */
	size_t nr_files;
	int wake;       /* an eventfd: a thread has ended, or none of its descriptors is left */
	int folder;     /* the output */
	bool cpu_bound; /* the main thread's mask is that of its set */
	cpu_set_t before;
};

/* --- which ring is whose ----------------------------------------------------- */

/* CPUs that no set names are the main thread's. */
static size_t set_of(const struct record_threads *t, int cpu)
{
	const struct thread_set *set = thread_set_of(&t->sets, cpu);

	return set ? (size_t)(set - t->sets.v) : 0;
}

bool pumps_mine(const struct record *r, int cpu)
{
	return !r->threads || !set_of(r->threads, cpu);
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

int pumps_write(struct record *r, size_t ring, struct iovec *iov, int nr, struct err *err)
{
	struct ring_file *f = &r->threads->files[ring];

	nr = scan_spans(f->scan, iov, nr);
	return f->comp ? write_packed(f, iov, nr, err) : file_writer_writev(&f->w, iov, nr, err);
}

size_t pumps_thread(const struct record *r, size_t ring)
{
	return r->threads ? r->threads->files[ring].thread : 0;
}

/* --- a thread -------------------------------------------------------------------- */

static int wait_ready(struct record_thread *t, bool *stop)
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

static void wake_main(const struct record_threads *t)
{
	u64 one = 1;

	(void)!write(t->wake, &one, sizeof(one));
}

static void *thread_main(void *arg)
{
	struct record_thread *t = arg;
	struct record *r = t->r;
	size_t me = (size_t)(t - r->threads->v);
	bool stop = false, told = false;
	int rc;

	sched_setaffinity(0, sizeof(cpu_set_t), &r->threads->sets.v[me].run);
	pump_realtime(r, NULL);
	if (r->verbose)
		fprintf(stderr, "threads[%d]: started on cpu%d\n", gettid(), sched_getcpu());
	/* what was there before epoll was asked */
	rc = record_drain_rings(r, me, 0, NULL, &t->err);
	while (rc >= 0 && !stop) {
		rc = wait_ready(t, &stop);
		if (rc >= 0)
			rc = record_drain_rings(r, me, stop ? 0 : r->pump.flush, NULL, &t->err);
		if (!t->live && !told) {
			told = true;
			wake_main(r->threads);
		}
	}
	/* nothing more comes: the events are disabled before we are told to stop */
	while (rc > 0)
		rc = record_drain_rings(r, me, 0, NULL, &t->err);
	if (rc < 0)
		wake_main(r->threads);
	return NULL;
}

bool pumps_live(const struct record *r)
{
	for (size_t i = 1; r->threads && i < r->threads->sets.nr; i++)
		if (__atomic_load_n(&r->threads->v[i].live, __ATOMIC_ACQUIRE))
			return true;
	return false;
}

/* An error of a thread, or its last descriptor has hung up. */
static int on_wake(struct record *r, void *ctx, u32 revents, struct err *err)
{
	struct record_threads *t = ctx;
	u64 n;

	(void)revents;
	(void)!read(t->wake, &n, sizeof(n));
	for (size_t i = 1; i < t->sets.nr; i++) {
		/* written before the thread woke us */
		if (t->v[i].err.code) {
			*err = t->v[i].err;
			return t->v[i].err.code;
		}
	}
	return record_live(r) ? LOOP_GO_ON : LOOP_END;
}

/* --- start and end ----------------------------------------------------------------- */

static int open_file(struct record *r, size_t i, struct err *err)
{
	struct record_threads *t = r->threads;
	struct ring_file *f = &t->files[i];
	char name[32];

	f->thread = set_of(t, r->rings.v[i].cpu);
	snprintf(name, sizeof(name), "data.%zu", i);
	f->w.path = xasprintf("%s/%s", r->output, name);
	f->w.fd = openat(t->folder, name, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0600);
	if (f->w.fd < 0)
		return err_set(err, -errno, "failed to open %s : %s", f->w.path, err_str(-errno));
	f->scan = scan_new(r, &f->seen, &f->tasks);
	return r->comp_level ? compressor_new(&f->comp, r->comp_level, err) : 0;
}

int pumps_open(struct record *r, struct err *err)
{
	struct record_threads *t = r->threads;
	int rc = 0;

	t->folder = open(r->output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t->folder < 0)
		return err_set(err, -errno, "failed to open %s : %s", r->output, err_str(-errno));
	t->files = xcalloc(r->rings.nr, sizeof(*t->files));
	for (size_t i = 0; i < r->rings.nr && !rc; i++) {
		rc = open_file(r, i, err);
		t->nr_files++;
	}
	return rc;
}

void pumps_write_back(struct record *r)
{
	for (size_t i = 0; r->threads && i < r->threads->nr_files; i++)
		write_back_add(r->write_back, &r->threads->files[i].w);
}

static int watch_rings(struct record *r, size_t thread, u32 watched, struct err *err)
{
	struct record_thread *t = &r->threads->v[thread];
	struct epoll_event ev = { .events = EPOLLIN };

	t->r = r;
	t->epoll = epoll_create1(EPOLL_CLOEXEC);
	t->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ev.data.fd = t->stop;
	if (t->epoll < 0 || t->stop < 0 || epoll_ctl(t->epoll, EPOLL_CTL_ADD, t->stop, &ev))
		return err_set(err, -errno, "failed to set up waiting: %s", err_str(-errno));
	for (size_t i = 0; i < r->kevents.nr; i++) {
		const struct kfd *k = &r->kevents.fds[i];

		if (k->evsel != watched || set_of(r->threads, k->cpu) != thread)
			continue;
		ev.data.fd = k->fd;
		if (epoll_ctl(t->epoll, EPOLL_CTL_ADD, k->fd, &ev))
			return err_set(err, -errno, "failed to wait for a descriptor: %s",
				       err_str(-errno));
		t->live++;
	}
	return 0;
}

int pumps_start(struct record *r, u32 watched, struct err *err)
{
	struct record_threads *t = r->threads;
	int rc;

	if (!t)
		return 0;
	t->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (t->wake < 0)
		return err_set(err, -errno, "failed to set up waiting: %s", err_str(-errno));
	rc = loop_watch(r, t->wake, EPOLLIN, on_wake, t, err);
	for (size_t i = 1; i < t->sets.nr && !rc; i++) {
		rc = watch_rings(r, i, watched, err);
		if (rc)
			break;
		rc = -pthread_create(&t->v[i].id, NULL, thread_main, &t->v[i]);
		if (rc)
			err_set(err, rc, "no thread for emptying rings: %s", err_str(rc));
		t->v[i].running = !rc;
	}
	t->cpu_bound = !sched_getaffinity(0, sizeof(t->before), &t->before) &&
		       !sched_setaffinity(0, sizeof(cpu_set_t), &t->sets.v[0].run);
	if (!rc && r->verbose)
		fprintf(stderr, "threads[%d]: started on cpu%d\n", gettid(), sched_getcpu());
	return rc;
}

int pumps_stop(struct record *r, struct err *err)
{
	struct record_threads *t = r->threads;
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
		record_tasks_join(r, &t->files[i].tasks);
	return rc;
}

void pumps_look_back(struct record *r, bool failed)
{
	struct record_threads *t = r->threads;

	for (size_t i = 0; t && i < t->nr_files; i++) {
		struct ring_file *f = &t->files[i];
		struct cut cut;

		if (!f->scan)
			continue;
		if (failed) {
			cut = record_cut(f->w.fd, 0, f->w.data_size, f->w.data_size);
			if (!f->comp)
				f->seen.samples = cut.samples;
			if (!ftruncate(f->w.fd, (off_t)cut.keep))
				f->w.data_size = cut.keep;
		}
		scan_merge(r->scan, f->scan);
		f->scan = NULL;
		r->comp_raw += f->comp_raw;
		r->comp_packed += f->comp_packed;
		if (r->verbose && f->comp)
			fprintf(stderr,
				"data.%zu: transferred=%" PRIu64 ", compressed=%" PRIu64 "\n", i,
				f->comp_raw, f->comp_packed);
		else if (r->verbose)
			fprintf(stderr, "data.%zu: written=%" PRIu64 "\n", i, f->w.data_size);
	}
}

u64 pumps_written(const struct record *r)
{
	u64 all = 0;

	for (size_t i = 0; r->threads && i < r->threads->nr_files; i++)
		all += __atomic_load_n(&r->threads->files[i].w.data_size, __ATOMIC_RELAXED);
	return all;
}

void pumps_share(const struct record *r, struct own_share *share)
{
	for (size_t i = 0; r->threads && i < r->threads->nr_files; i++) {
		const struct record_scan *seen = &r->threads->files[i].seen;

		share->samples += __atomic_load_n(&seen->samples, __ATOMIC_RELAXED);
		share->own += __atomic_load_n(&seen->own, __ATOMIC_RELAXED);
	}
}

static void close_fd(int fd)
{
	if (fd > 0)
		close(fd);
}

void pumps_release(struct record *r)
{
	struct record_threads *t = r->threads;

	if (!t)
		return;
	for (size_t i = 0; i < t->nr_files; i++) {
		struct ring_file *f = &t->files[i];

		close_fd(f->w.fd);
		free(f->w.path);
		compressor_free(f->comp);
		map64_release(&f->tasks);
		strbuf_release(&f->packed);
		free(f->seen.lost);
	}
	for (size_t i = 1; i < t->sets.nr; i++) {
		close_fd(t->v[i].epoll);
		close_fd(t->v[i].stop);
	}
	close_fd(t->wake);
	close_fd(t->folder);
	free(t->files);
	free(t->v);
	thread_sets_release(&t->sets);
	free(t);
	r->threads = NULL;
}

/* --- options --------------------------------------------------------------------------- */

int pumps_prepare(struct record *r, struct err *err)
{
	struct thread_sets sets = { 0 };
	int rc;

	if (!r->pump.threads)
		return 0;
	rc = thread_sets_parse(&sets, &r->sysroot, r->pump.threads, &r->cpus, err);
	if (rc) {
		thread_sets_release(&sets);
		return rc;
	}
	r->threads = xzalloc(sizeof(*r->threads));
	r->threads->sets = sets;
	r->threads->v = xcalloc(sets.nr, sizeof(*r->threads->v));
	return 0;
}
