/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of perf record's run among themselves, and where its parts hook in:
 *
 *	a descriptor to wait for:  loop_watch(), from anywhere between opening and the loop
 *	a moment to act at:        loop_timer()
 *	a look after each drain:   loop_check() (output switching, limits, budget)
 */
#ifndef PERF_RECORDER_RECORDER_INTERNAL_H
#define PERF_RECORDER_RECORDER_INTERNAL_H

#include "recorder/recorder.h"

#include "kernel/synth.h"

/* --- the target (record-targets.c) --- */

/** record_find_target - the threads and CPUs to record, as lists. */
int record_find_target(struct record *r, struct err *err);
/** record_target_status - what perf ends with when that failed with @rc: as the reference does. */
int record_target_status(const struct record *r, int rc);

/* --- what this user may not have (record-rights.c) --- */

/** record_tell_limits - what was left out or made smaller because this user may not have more.
 * @rc: of mapping the rings; its sentence in @err is completed. @asked: the user said how large
 * they are to be. */
void record_tell_limits(const struct record *r, int rc, bool asked, struct err *err);
/** record_tell_hidden - that samples of the kernel will have no names, if there are any. */
void record_tell_hidden(const struct record *r);

/* --- before the start (record-open.c) --- */

/** record_block_signals - from now on they come through r->sigfd. @old: the mask before. */
int record_block_signals(struct record *r, sigset_t *old, struct err *err);
/** record_open_events - events, filters, rings. */
int record_open_events(struct record *r, struct err *err);
/** record_find_bpf - the BPF programs that are loaded, and those that will be. */
void record_find_bpf(struct record *r);
/** record_synth_tables - records about the recording and the kernel. */
void record_synth_tables(struct record *r, struct strbuf *out);
/**
 * record_synth_events - what was there before us.
 * @again: for a further output file, or the end of one: what is there now
 */
void record_synth_events(struct record *r, struct strbuf *out, bool again);

/* --- filters of samples (record-filter.c) --- */

/** record_filter_attach - after the events are opened. */
int record_filter_attach(struct record *r, struct err *err);
/** record_filter_dropped - append how many samples each filter dropped, as LOST_SAMPLES records. */
void record_filter_dropped(struct record *r, struct strbuf *out);
/** record_filter_tell - the same as a closing line. */
void record_filter_tell(const struct record *r);

/* --- time off the CPUs (record-offcpu.c), nothing without --off-cpu --- */

/** record_offcpu_configure - what its event has of what evlist_configure() has set. */
void record_offcpu_configure(struct record *r);
/** record_offcpu_open - the programs, after the events are opened. */
int record_offcpu_open(struct record *r, struct err *err);
void record_offcpu_enable(struct record *r, bool on);
/** record_offcpu_watch - in the loop from now on. */
int record_offcpu_watch(struct record *r, struct err *err);
/** record_offcpu_finish - write the sums. */
int record_offcpu_finish(struct record *r, struct err *err);
void record_offcpu_release(struct record *r);

/** record_enable - count from now on, or stop. */
void record_enable(struct record *r, bool on);

/* --- the output (record-start.c) --- */

/** record_write_start - header and tables, of record_synth_tables(); the compress thread, with -z. */
int record_write_start(struct record *r, const struct strbuf *tables, struct err *err);
/** record_write_synth - records of record_synth_events(). */
int record_write_synth(struct record *r, const struct strbuf *synth, struct err *err);
/** record_begin_file - start the next output file. */
int record_begin_file(struct record *r, struct err *err);
/** record_synth_now - record_synth_events() for what is there now, while the rings are emptied. */
int record_synth_now(struct record *r, struct strbuf *out, struct err *err);
/** record_written - bytes of data in the current output file. */
u64 record_written(const struct record *r);
/** record_drop_file - remove a file whose head could not be written. */
void record_drop_file(struct record *r);
/** record_write_events - whole records to the output; @iov is consumed. */
int record_write_events(struct record *r, struct iovec *iov, int nr, struct err *err);
/** record_write_mark - a record that marks a point in the data: a header and nothing else. */
int record_write_mark(struct record *r, u32 type, struct err *err);

/* --- the loop (record-loop.c) --- */

/* What a callback of the loop returns: negative errno (with a sentence) ends it as an error. */
enum { LOOP_GO_ON = 0, LOOP_END = 1 };

/** Called with the epoll events that are there. */
typedef int (*loop_ready_fn)(struct record *r, void *ctx, u32 revents, struct err *err);
/** Called after each drain; @any: it moved something. */
typedef int (*loop_check_fn)(struct record *r, void *ctx, bool any, struct err *err);

/** loop_watch - call @ready when @fd has @events (EPOLLIN, ...). @fd stays the caller's. */
int loop_watch(struct record *r, int fd, u32 events, loop_ready_fn ready, void *ctx,
	       struct err *err);
/** loop_forget - stop that; call it before closing @fd. */
void loop_forget(struct record *r, int fd);
/**
 * loop_timer - call @ready in @ms milliseconds, and each @every milliseconds after that (0: once).
 * Return: a descriptor that loop_timer_stop() takes, closed with the loop at the latest; or
 * negative errno.
 */
int loop_timer(struct record *r, u64 ms, u64 every, loop_ready_fn ready, void *ctx,
	       struct err *err);
/** loop_timer_stop - and close it. */
void loop_timer_stop(struct record *r, int timer);
/** loop_check - call @check after each drain of the rings, in the order of these calls. */
void loop_check(struct record *r, loop_check_fn check, void *ctx);

/**
 * record_drain_rings - move what is in the rings of a thread to where it is written.
 * @thread: 0: the main thread, which has all of them without --threads
 * @least: bytes below which a ring is left for later; @left (may be NULL): one was
 * Return: 1 when there was any, 0, or negative errno.
 */
int record_drain_rings(struct record *r, size_t thread, u64 least, bool *left, struct err *err);
/** record_drain - everything in all rings, and a FINISHED_ROUND behind it: what comes later is not
 * older. Return: 1 when there was any, 0, or negative errno. */
int record_drain(struct record *r, struct err *err);
/** record_drain_some - the same, but the round goes on. */
int record_drain_some(struct record *r, struct err *err);
/** record_loop - until the workload ends, a signal comes or a callback says so. */
int record_loop(struct record *r, struct err *err);
/** record_loop_release - free what loop_watch() and the others have made. */
void record_loop_release(struct record *r);

/* --- keeping up (record-pump.c) --- */

/** pump_ring_pages - data pages that each of @nr_rings is to have when nobody has said: more than
 * the default where much is to be expected and we may; 0: the default. */
size_t pump_ring_pages(const struct record *r, size_t nr_rings);
/** record_keep_budget - bring rates down that would cost too much (record-budget.c). */
void record_keep_budget(struct record *r);
/** pump_realtime - what -r asks for. */
int pump_realtime(const struct record *r, struct err *err);
/** pump_raise - run before others, if we may: late is lost. */
void pump_raise(struct record *r);
/** pump_lower - as before pump_raise(). */
void pump_lower(struct record *r);
/** pump_places - with --affinity: find out which CPUs are near which. */
void pump_places(struct record *r);
/** pump_follow - with --affinity: to where the ring of @cpu is near. */
void pump_follow(struct record *r, int cpu);

/** record_live - is there a descriptor that has not hung up? */
bool record_live(const struct record *r);

/* --- --threads (record-threads.c); all of them do nothing without it --- */

/** pumps_prepare - which CPUs each thread has; r->cpus is what is recorded. */
int pumps_prepare(struct record *r, struct err *err);
/** pumps_open - the files of the rings, in the folder of the output. */
int pumps_open(struct record *r, struct err *err);
/** pumps_write_back - have their files followed by r->write_back. */
void pumps_write_back(struct record *r);
/** pumps_start - all but the main thread's set; @watched: the event whose descriptors are polled */
int pumps_start(struct record *r, u32 watched, struct err *err);
/** pumps_mine - is the ring of @cpu one that the main thread empties? */
bool pumps_mine(const struct record *r, int cpu);
/** pumps_thread - whose thread ring number @ring is; 0: the main thread's. */
size_t pumps_thread(const struct record *r, size_t ring);
/** pumps_write - whole records of ring number @ring to its file; @iov is consumed. */
int pumps_write(struct record *r, size_t ring, struct iovec *iov, int nr, struct err *err);
/** pumps_live - has any of the others a descriptor that has not hung up? */
bool pumps_live(const struct record *r);
/** pumps_stop - empty the rings for the last time and end. Return: 0, or the first error. */
int pumps_stop(struct record *r, struct err *err);
/** pumps_look_back - what was written goes into r->scan. @failed: files may end within a record */
void pumps_look_back(struct record *r, bool failed);
/** pumps_written - bytes in the files of the rings. */
u64 pumps_written(const struct record *r);
/** pumps_share - add the samples in these files, while they are written. */
void pumps_share(const struct record *r, struct own_share *share);
/** pumps_release - close and free. */
void pumps_release(struct record *r);

/** record_feedback_leave_out - have the recorder's own tracepoints dropped on a CPU, -1: on all.
 * Return: of how many descriptors. */
size_t record_feedback_leave_out(struct record *r, int cpu);
/** record_hotplug_start - record CPUs again that go away and come back (record-hotplug.c). */
int record_hotplug_start(struct record *r, struct err *err);
void record_hotplug_release(struct record *r);

/** record_feedback_handed - count what the compress thread will look at only later. */
void record_feedback_handed(struct record *r, const struct iovec *iov, int nr);
/** record_feedback_start - watch whether the recorder records mostly itself
 * (record-feedback.c). */
void record_feedback_start(struct record *r);

/* --- what was lost (record-lost.c) --- */

/** record_write_lost - what the kernel dropped per event, as LOST_SAMPLES records. */
int record_write_lost(struct record *r, struct err *err);
/** record_tell_pinned - of pinned events for which there was no counter. */
void record_tell_pinned(const struct record *r);
/** record_tell_lost - of which events and CPUs, and what would have helped. */
void record_tell_lost(struct record *r);

/* --- the end (record-end.c) --- */

/** record_finish - complete the file and say what is in it. @failed: there was an error before, the
 * data may end within a record. */
int record_finish(struct record *r, bool failed, struct err *err);
/** record_end_file - complete the current output file, without closing it. @failed: as above. */
int record_end_file(struct record *r, bool failed, struct err *err);

/* --- when and where (record-when.c, -control.c, -switch.c, -overwrite.c, -kcore.c) --- */

/** record_parse_bytes - "4", "4K", with B, K, M or G. Return: it is such a number. */
bool record_parse_bytes(const char *text, u64 *out);
/** record_measure - count, or not; side-band records keep coming. Tells of it. */
void record_measure(struct record *r, bool on);
/** record_delay_start - have the events enabled by -D. */
int record_delay_start(struct record *r, struct err *err);
/** record_limit_start - watch --max-size, and the time that recording is to take. */
int record_limit_start(struct record *r, struct err *err);
/** record_control_start - listen to --control. */
int record_control_start(struct record *r, struct err *err);
/** record_control_switched - a switch that was asked for there is done. */
void record_control_switched(struct record *r);
void record_control_close(struct record *r);
/** record_switch_start - watch the triggers; before anything happens that may be one. */
int record_switch_start(struct record *r, struct err *err);
/** record_switch_trigger - switch after the next drain. Return: output switching was asked for. */
bool record_switch_trigger(struct record *r);
/** record_stamp - with --timestamp-filename: the output file gets its final name. */
int record_stamp(struct record *r, struct err *err);
void record_switch_release(struct record *r);
/** record_task_seen - note a FORK or EXIT, so that the next file can start with who is there. */
void record_task_seen(struct map64 *tasks, const void *rec, size_t size);
/** record_tasks_join - add what a scan of its own has noted; @from is emptied. */
void record_tasks_join(struct record *r, struct map64 *from);
/** record_tasks_synthesize - processes that were seen and live. */
void record_tasks_synthesize(struct record *r, struct synth *s);
/** record_kcore_probe - can /proc/kcore be read? Return: 0 or negative errno. */
int record_kcore_probe(const struct record *r);
/** record_kcore_put - with --kcore: the kernel's code, into the folder of the output. */
int record_kcore_put(struct record *r, struct err *err);
void record_kcore_release(struct record *r);
/** record_late_breakpoints - find symbols of a process; before events are opened. */
int record_late_breakpoints(struct record *r, struct err *err);
/** record_has_late - are there breakpoints to be moved once the command has become the program? */
bool record_has_late(const struct record *r);
/** record_move_breakpoints - do that. */
int record_move_breakpoints(struct record *r, struct err *err);
/** record_read_overwritten - with --overwrite: what the rings hold, to the output. */
int record_read_overwritten(struct record *r, struct err *err);

#endif
