// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/alloc.h"
#include "base/compat.h"
#include "base/pool.h"
#include "session/prefault.h"

#include <pthread.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

#define STEP ((size_t)1 << 22)
/* No further ahead of the walk, or a file larger than memory would be read twice. */
#define AHEAD ((size_t)1 << 26)
#define WORTH_IT ((size_t)1 << 24)
#define PAGE_MASK_4K                                                                               \
	((uintptr_t)4095) /* a start that is not page-aligned on larger pages is refused: harmless \
			   */

struct prefault {
	pthread_t thread;
	uintptr_t at, end; /* what the thread still has to do */
	const u8 *ready;   /* under the lock: everything before is there */
	bool stop;         /* under the lock */
	pthread_mutex_t lock;
	uintptr_t wanted; /* under the lock: where the walk is */
	pthread_cond_t more, go_on;
};

static void *prefault_main(void *arg)
{
	struct prefault *pf = arg;
	bool stop = false;

	while (!stop && pf->at < pf->end) {
		size_t n = MIN(STEP, (size_t)(pf->end - pf->at));

		/* Without the call (before Linux 5.14) the walk faults for itself. */
		if (madvise((void *)pf->at, n, MADV_POPULATE_READ))
			break;
		pf->at += n;
		pthread_mutex_lock(&pf->lock);
		pf->ready = (const u8 *)pf->at;
		pthread_cond_signal(&pf->more);
		while (!pf->stop && pf->at > pf->wanted + AHEAD)
			pthread_cond_wait(&pf->go_on, &pf->lock);
		stop = pf->stop;
		pthread_mutex_unlock(&pf->lock);
	}
	pthread_mutex_lock(&pf->lock);
	pf->ready = (const u8 *)UINTPTR_MAX;
	pthread_cond_signal(&pf->more);
	pthread_mutex_unlock(&pf->lock);
	return NULL;
}

struct prefault *prefault_start(const u8 *p, size_t size)
{
	struct prefault *pf;

	if (size < WORTH_IT || pool_cpus() < 2)
		return NULL;
	pf = xzalloc(sizeof(*pf));
	pf->at = (uintptr_t)p & ~PAGE_MASK_4K;
	pf->end = (uintptr_t)p + size;
	pf->wanted = pf->at;
	pthread_mutex_init(&pf->lock, NULL);
	pthread_cond_init(&pf->more, NULL);
	pthread_cond_init(&pf->go_on, NULL);
	if (pthread_create(&pf->thread, NULL, prefault_main, pf)) {
		pthread_mutex_destroy(&pf->lock);
		pthread_cond_destroy(&pf->more);
		pthread_cond_destroy(&pf->go_on);
		free(pf);
		return NULL;
	}
	return pf;
}

void prefault_wait(struct prefault *pf, const u8 *upto)
{
	if (!pf)
		return;
	pthread_mutex_lock(&pf->lock);
	pf->wanted = (uintptr_t)upto;
	pthread_cond_signal(&pf->go_on);
	while (pf->ready < upto && (uintptr_t)upto <= pf->end)
		pthread_cond_wait(&pf->more, &pf->lock);
	pthread_mutex_unlock(&pf->lock);
}

void prefault_stop(struct prefault *pf)
{
	if (!pf)
		return;
	pthread_mutex_lock(&pf->lock);
	pf->stop = true;
	pthread_cond_signal(&pf->go_on);
	pthread_mutex_unlock(&pf->lock);
	pthread_join(pf->thread, NULL);
	pthread_mutex_destroy(&pf->lock);
	pthread_cond_destroy(&pf->more);
	pthread_cond_destroy(&pf->go_on);
	free(pf);
}
