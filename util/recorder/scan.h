/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A look at the records as they pass, on their way from the ring to the file: how many there are,
 * their span of time, and which objects samples hit, whose build-ids the header gets.
 */
#ifndef PERF_RECORDER_SCAN_H
#define PERF_RECORDER_SCAN_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "base/sysroot.h"
#include "events/evlist.h"

#include <sys/uio.h>

/* The facts that the written data holds. */
struct record_scan {
	u64 samples, first_time, last_time;
	u64 own; /* samples of the recorder itself */
	u64 lost_chunks, lost_events, lost_samples, events;
	bool kernel_hit;         /* a sample was in the kernel */
	struct strbuf build_ids; /* owned: body of the BUILD_ID feature */
	struct seen_lost {
		u64 id, lost;
	} * lost; /* owned: by the event that came next */
	size_t nr_lost, cap_lost;
};

/** record_scan_release - free what is owned. */
void record_scan_release(struct record_scan *s);

/* The share of the recorder itself in the samples. */
struct own_share {
	u64 samples, own;
};

/* An object and its debug file, open since they were seen; 0: not. They are of a process in another
 * mount namespace, which may have ended by now. */
struct held_files {
	int object, debug;
};

struct scan_opts {
	const struct sysroot *sysroot; /* borrowed */
	const struct evlist *list;     /* borrowed */
	bool objects;                  /* look for the objects that samples hit */
	bool all_objects;              /* and count all that are mapped as hit */
	bool build_ids;                /* records of maps were asked to have build-ids */
	bool note_samples;             /* a sample tells of a process as a FORK does */
	struct map64 *tasks; /* borrowed: processes are noted there (existing.h); NULL: nobody asks
				for them. No other thread may use it meanwhile */
	/* Told of each object that was hit, when the scan ends; may be NULL. @pid: a process that
	 * has it. @held: the descriptors that it takes become 0; NULL: there are none. */
	void (*hit)(void *ctx, const char *name, u32 pid, const u8 *id, u8 id_size,
		    struct held_files *held);
	void *ctx;
};

struct scan;
/** scan_new - @out is added to, completed by scan_end(), which frees the scan. */
struct scan *scan_new(const struct scan_opts *o, struct record_scan *out);
/** scan_walk - look at the next records. @ctx: the scan; what the kernel says wrongly of maps is
 * put right. */
void scan_walk(void *ctx, void *data, size_t len);
/**
 * scan_spans - look at what came out of a ring: whole records, in one or two spans
 *
 * Return: how many spans are to be written. Where the kernel said something wrong of a map it is
 * one of the scan's own, valid until the next call.
 */
int scan_spans(struct scan *s, struct iovec *iov, int nr);
/**
 * scan_count_own - count records that the scan has not seen, perhaps while it runs on another
 * thread: add how many samples there are, and how many of them are of the recorder itself.
 */
void scan_count_own(struct scan *s, const struct iovec *iov, int nr, struct own_share *share);
/** scan_merge - add what @from has seen to @into; frees @from. */
void scan_merge(struct scan *into, struct scan *from);
/** scan_end - complete what was seen and free the scan; NULL is fine. */
void scan_end(struct scan *s);

/* The end that data is to have so that it has only whole records. */
struct cut {
	u64 keep; /* bytes */
	u64 samples,
		dropped; /* samples in them, and behind them; compressed ones are not counted */
};
/** cut_find - look for the last whole record in the @size bytes at @offset of a file, at @limit at
 * most. */
struct cut cut_find(int fd, u64 offset, u64 size, u64 limit);

#endif
