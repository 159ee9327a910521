// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ring buffers. The kernel advances data_head, and the reader advances data_tail
 * (linux/perf_event.h).
 */
#include "base/compat.h"
#include "kernel/ring.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

size_t ring_default_pages(const struct sysroot *sr)
{
	size_t pages = 1;
	u64 kb = 516;

	/* The kernel allows one control page in addition to a power of two. */
	if (sysroot_read_u64(sr, &kb, "/proc/sys/kernel/perf_event_mlock_kb") || kb > 1 << 20)
		kb = 516;
	kb = kb * 1024 > page_size() ? (kb * 1024 - page_size()) / page_size() : 1;
	while (pages * 2 <= kb)
		pages *= 2;
	return pages;
}

static int map_one(struct ring *r, const struct kfd *k, size_t pages)
{
	size_t size = pages * page_size();
	/* a mapping that is not writable tells the kernel that there is no tail */
	int prot = k->backward ? PROT_READ : PROT_READ | PROT_WRITE;
	void *base = mmap(NULL, size + page_size(), prot, MAP_SHARED, k->fd, 0);

	if (base == MAP_FAILED)
		return -errno;
	*r = (struct ring){ .base = base,
			    .size = size,
			    .fd = k->fd,
			    .cpu = k->cpu,
			    .tid = k->tid,
			    .backward = k->backward };
	return 0;
}

static void unmap_all(struct rings *r)
{
	for (size_t i = 0; i < r->nr; i++)
		munmap(r->v[i].base, r->v[i].size + page_size());
	r->nr = 0;
}

void rings_release(struct rings *r)
{
	unmap_all(r);
	free(r->v);
	memset(r, 0, sizeof(*r));
}

static struct ring *ring_of(struct rings *r, const struct kfd *k)
{
	/*
	 * The places have the same order for each event, so the ring in question is usually the
	 * last one.
	 */
	for (size_t i = r->nr; i-- > 0;)
		if (r->v[i].backward != k->backward)
			continue;
		else if (k->cpu >= 0 ? r->v[i].cpu == k->cpu
				     : r->v[i].tid == k->tid && r->v[i].cpu < 0)
			return &r->v[i];
	return NULL;
}

static int map_all(struct rings *r, const struct kevents *k, size_t pages, bool redirect)
{
	for (size_t i = 0; i < k->nr; i++) {
		struct ring *have = ring_of(r, &k->fds[i]);
		int rc;

		if (have) {
			if (redirect && have->fd != k->fds[i].fd &&
			    ioctl(k->fds[i].fd, PERF_EVENT_IOC_SET_OUTPUT, have->fd) < 0)
				return -errno;
			continue;
		}
		VEC_GROW(r->v, r->nr + 1, r->cap);
		rc = map_one(&r->v[r->nr], &k->fds[i], pages);
		if (rc)
			return rc;
		r->nr++;
	}
	return 0;
}

int rings_map(struct rings *r, const struct sysroot *sr, const struct kevents *k, size_t pages,
	      bool shrink, struct err *err)
{
	int rc;

	if (!pages)
		pages = ring_default_pages(sr);
	r->wanted = pages;
	for (;;) {
		rc = map_all(r, k, pages, false);
		if (!rc || !(rc == -EPERM || rc == -ENOMEM) || !shrink || pages == 1)
			break;
		unmap_all(r);
		pages /= 2;
	}
	r->pages = pages;
	if (!rc)
		rc = map_all(r, k, pages, true);
	if (rc == -EPERM)
		return err_set(
			err, rc,
			"Permission error mapping pages: %zu pages per ring are more than this user may lock.\n"
			"Consider increasing /proc/sys/kernel/perf_event_mlock_kb,\n"
			"or try again with a smaller value of -m/--mmap-pages.",
			pages);
	if (rc)
		return err_set(err, rc, "failed to map a ring buffer of %zu pages: %s", pages,
			       err_str(rc));
	return 0;
}

int ring_spans(const struct ring *r, struct iovec iov[2], u64 *headp)
{
	struct perf_event_mmap_page *pc = r->base;
	u8 *data = (u8 *)r->base + page_size();
	u64 head = __atomic_load_n(&pc->data_head, __ATOMIC_ACQUIRE);
	u64 len = head - r->tail, from = r->tail & (r->size - 1), first;

	*headp = head;
	if (!len || len > r->size)
		return 0;
	first = MIN(len, r->size - from);
	iov[0] = (struct iovec){ data + from, first };
	if (first == len)
		return 1;
	iov[1] = (struct iovec){ data, len - first };
	return 2;
}

void ring_consume(struct ring *r, u64 head)
{
	struct perf_event_mmap_page *pc = r->base;

	r->tail = head;
	__atomic_store_n(&pc->data_tail, head, __ATOMIC_RELEASE);
}

size_t ring_pages_parse(const char *text, bool *rounded)
{
	unsigned long long v;
	size_t pages = 1;
	char *end;

	*rounded = false;
	if (!isdigit((unsigned char)*text))
		return 0;
	errno = 0;
	v = strtoull(text, &end, 10);
	if (errno || !v || v > 1ULL << 40)
		return 0;
	if (*end) {
		static const char units[] = "BKMG";
		const char *u = strchr(units, toupper((unsigned char)*end));

		if (!u || end[1] || v > 1ULL << 40 >> 10 * (u - units))
			return 0;
		v = ((v << 10 * (u - units)) + page_size() - 1) / page_size();
	}
	while (pages < v)
		pages *= 2;
	*rounded = pages != v;
	return pages <= 1U << 28 ? pages : 0;
}
