/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile of what runs now: events are opened, their samples are counted as they come, and older
 * ones count less and less. Three threads take part:
 *
 *	reader   rings -> queue of records, and the file of conf.record (live/live.h, live/behind.h)
 *	session  queue -> time order -> state (recording/state-log.h) and samples (kept.h)
 *	caller   at each refresh, samples -> profile -> what is shown
 *
 *	t = toprun_new(&conf);
 *	rc = toprun_open(t, &err) ?: toprun_start(t, &err);
 *	for (each refresh) {
 *		toprun_lock(t);
 *		rc = toprun_refresh(t, &look, &view, &err);... show view.profile ...
 *		toprun_unlock(t);
 *	}
 *	toprun_finish(t, &err);
 *	toprun_free(t);
 */
#ifndef PERF_TOPRUN_TOPRUN_H
#define PERF_TOPRUN_TOPRUN_H

#include "profile/profile.h"
#include "recorder/opened.h"

struct toprun_conf {
	/* All are borrowed. */
	const struct sysroot *sysroot;
	struct record_opts *opts; /* settled (recordopts/settle.h) */
	struct evlist *events;    /* the events asked for; changed to what was really opened */
	const struct record_notes *notes;
	const struct recording_options *source; /* where symbols come from; switches */
	const struct profile_options *asked;
	unsigned int refresh_ms;
	const char *record; /* a file that receives all records; NULL: none does */
};

/* A refresh may leave out or change this; it may be another one each time. */
struct toprun_look {
	bool hide_kernel, hide_user; /* samples in one of these modes are not shown */
	bool zero;                   /* only samples since the last refresh are shown */
	bool again; /* it is the last refresh that is shown anew: nothing gets older */
	const struct profile_options *asked; /* borrowed for the call; NULL: those of the start */
};

/* Numbers since the last refresh. */
struct toprun_numbers {
	double seconds, cpu; /* that have passed, and of CPU time that this process took */
	u64 samples, kernel, user, guest_kernel, guest_user;
	u64 exact;                  /* samples whose address is known to be that of the event */
	u64 lost, lost_total;       /* records that the kernel dropped, as rings were full */
	u64 dropped, dropped_total; /* samples that were dropped here, as counting was late */
};

struct toprun_view {
	struct profile *profile; /* with its rows; borrowed until the next refresh */
	struct toprun_numbers numbers;
	bool ended; /* all threads that were measured have ended */
};

struct toprun;

/** toprun_new - make a live profile; nothing is opened yet. toprun_free() ends and frees it. */
struct toprun *toprun_new(const struct toprun_conf *conf);
void toprun_free(struct toprun *t);
/** toprun_open - find the target, open its events and map their rings. Return: 0, or negative
 * errno and a sentence. */
int toprun_open(struct toprun *t, struct err *err);
/** toprun_start - begin to count. Return: 0, or negative errno and a sentence, also when sort keys
 * or what else is asked of the profile make no sense. */
int toprun_start(struct toprun *t, struct err *err);
/** toprun_target - return what is measured, for the title: the CPUs, and the threads. */
const struct opened *toprun_target(const struct toprun *t);
/** toprun_finish - end counting, and complete the file of conf.record. Return: 0, or negative errno
 * and a sentence, also when the session has failed. */
int toprun_finish(struct toprun *t, struct err *err);
/** toprun_recording - return the recording that samples come from. */
struct recording *toprun_recording(struct toprun *t);

/** toprun_lock - keep samples from being counted, so that a profile may be looked at. Records wait
 * meanwhile. After toprun_start(). */
void toprun_lock(struct toprun *t);
void toprun_unlock(struct toprun *t);
/**
 * toprun_refresh - make the profile of what was counted, under the lock. What was made before is
 * freed, and what was counted is older from now on. The rows can be read under the lock until the
 * next refresh.
 * Return: 0, or negative errno and a sentence; with look->again the profile is then the one before.
 */
int toprun_refresh(struct toprun *t, const struct toprun_look *look, struct toprun_view *view,
		   struct err *err);
/** toprun_stacks - make the tree of the stacks of what was counted, under the lock. Return: the
 * caller frees it with stacks_free(); NULL and a sentence. */
struct stacks *toprun_stacks(struct toprun *t, const struct toprun_look *look, struct err *err);
/** toprun_age - let what was counted get older, as a refresh does, under the lock. */
void toprun_age(struct toprun *t, bool zero);
/** Called for each kept sample: it stands for @nr equal ones, the sum of whose periods it has. */
typedef void toprun_sample_fn(void *ctx, const struct session_event *ev, u32 nr,
			      const struct thread_at *at);
/** toprun_each - hand out the samples that are kept, under the lock. */
void toprun_each(struct toprun *t, toprun_sample_fn *fn, void *ctx);

#endif
