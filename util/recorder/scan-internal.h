/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the scan, which is in two files: scan.c walks records, scan-objects.c joins what
 * samples touched with the maps there were. */
#ifndef PERF_RECORDER_SCAN_INTERNAL_H
#define PERF_RECORDER_SCAN_INTERNAL_H

#include "base/intern.h"
#include "recorder/scan.h"
#include "symbol/object-id.h"
#include "wire/records.h"

#define RECENT_BITS 12
#define RECENT (1 << RECENT_BITS)

struct seen_map {
	u32 pid, dso;
	u64 start, end;
};

struct seen_dso {
	bool hit, kernel;
	u32 pid; /* one that mapped it: its mount namespace may be the only one that has the file */
	/* the file that the name leads to here, once that is known; most processes share theirs */
	u64 ino;
	u32 maj, min;
	bool here;
	u8 id[20], id_size; /* the record had it, or it was read while that process lived */
	struct held_files held;
};

/* The objects that were seen, and the pages that samples touched. */
struct scan_objects {
	const struct sysroot *sysroot; /* borrowed */
	bool kernel_hit;
	u64 last_kernel_page;
	struct map64 user_pages, kernel_pages; /* key: see page_key() */
	u64 recent[RECENT];    /* keys seen lately, by hash: chains repeat themselves */
	struct map64 parents;  /* pid -> ppid */
	struct seen_map *maps; /* owned */
	size_t nr_maps, cap_maps;
	struct intern names;   /* dso id -> name */
	struct seen_dso *dsos; /* owned; by dso id */
	size_t nr_dsos, cap_dsos;
	struct root_view own;
	u32 looked_at;  /* the process whose mount namespace was looked at last; 0: none */
	bool elsewhere; /* it is not ours */
	bool hold;      /* its files are held open for the cache */
	u32 nr_held;    /* objects */
};

/** objects_init - begin; nothing was seen yet. @hold: somebody will ask for the files of objects */
void objects_init(struct scan_objects *s, const struct sysroot *sr, bool hold);
/** objects_user - note that a sample of @pid touched @ip; objects_kernel - note that the kernel's
 * code was touched. */
void objects_user(struct scan_objects *s, u32 pid, u64 ip);
void objects_kernel(struct scan_objects *s, u64 ip);
/** objects_mmap, objects_fork - take a whole record. */
void objects_mmap(struct scan_objects *s, const u8 *rec, size_t size);
void objects_fork(struct scan_objects *s, const u8 *rec, size_t size);
/** objects_merge - add what @from has; it stays the caller's. */
void objects_merge(struct scan_objects *into, const struct scan_objects *from);
/** objects_end - append the build-ids of the objects that were hit to @build_ids, and tell of each
 * object (see struct scan_opts). */
void objects_end(struct scan_objects *s, const struct scan_opts *o, struct strbuf *build_ids);
/** objects_release - free. */
void objects_release(struct scan_objects *s);

#endif
