/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jitdump files: what a run-time compiler tells of the code it makes, as one file per process.
 *
 *	header  u32 magic 0x4A695444, version, total_size, elf_mach, pad, pid; u64 timestamp, flags
 *	record  u32 id, total_size; u64 timestamp; a body by id
 *	  0 code load      u32 pid, tid; u64 vma, code_addr, code_size, code_index; name\0; the code
 *	  1 code move      u32 pid, tid; u64 vma, old_addr, new_addr, code_size, code_index
 *	  2 debug info     u64 code_addr, nr; nr times {u64 addr; u32 line, discriminator; file\0}
 *	  3 close          nothing
 *	  4 unwinding info u64 unwinding_size, eh_frame_hdr_size, mapped_size; .eh_frame, index
 *
 * All in the byte order of the compiler's machine, which the magic tells. Records 2 and 4 belong to
 * the code load that follows. Times are CLOCK_MONOTONIC, or cycles when flag 1 is set.
 *
 * Reading is by pieces: the code of all functions is never in memory at once.
 */
#ifndef PERF_JIT_JITDUMP_H
#define PERF_JIT_JITDUMP_H

#include "base/err.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "base/sysroot.h"
#include "machine/machine.h"
#include "symbol/debug-file.h"

#define JITDUMP_MAGIC 0x4A695444
#define JITDUMP_CYCLES 1 /* flag: times are cycles of the processor */

enum jit_record_id {
	JIT_CODE_LOAD,
	JIT_CODE_MOVE,
	JIT_CODE_DEBUG_INFO,
	JIT_CODE_CLOSE,
	JIT_CODE_UNWINDING_INFO
};

struct jitdump {
	int fd;        /* owned; -1: memory */
	const u8 *mem; /* borrowed; the whole file, when there is no fd */
	u64 size, pos; /* of the file; of the next record */
	u8 *window;    /* owned: bytes [window_at, window_at + window_len) of the file */
	size_t window_cap, window_len;
	u64 window_at;
	bool swap; /* the file is in the other byte order */
	/* the header */
	u32 machine, pid; /* ELF machine number; pid as the process knew itself */
	u64 time, flags;
	struct map64 indices; /* of jitdump_object_path(): how often each was used */
	/* what was wrong */
	u64 bad;    /* records that made no sense, and were stepped over */
	u64 cut_at; /* the offset where the file ends in mid-record, 0: it does not */
};

/* One record. A field is set when its kind of record has it. */
struct jit_record {
	u32 id, size; /* size: with its header */
	u64 offset, time;
	u32 pid, tid;
	u64 vma, addr, code_size, index;
	u64 old_addr;          /* MOVE */
	const char *name;      /* LOAD; borrowed until the next call */
	u64 code_at;           /* LOAD: offset of the code in the file */
	u64 nr_lines, body_at; /* DEBUG_INFO: entries, offset of the first, of size - 32 bytes */
	u64 frame_mapped;      /* UNWINDING_INFO: bytes of memory behind the code that it takes */
	u64 frame_size, frame_index_size; /* UNWINDING_INFO: with the index; of the index */
};

/**
 * jitdump_open - read the header of an open file (@fd is taken over, also on error).
 * Return: 0, or -EINVAL and a sentence without the file's name.
 */
int jitdump_open(struct jitdump *d, int fd, struct err *err);
/** jitdump_memory - open a dump of @size bytes in memory that outlive @d. */
int jitdump_memory(struct jitdump *d, const void *data, size_t size, struct err *err);
void jitdump_close(struct jitdump *d);
/** jitdump_next - read the next whole record. Return: 1; 0 at the end of what can be read. */
int jitdump_next(struct jitdump *d, struct jit_record *r);
/** jit_record_code - return what a LOAD or MOVE record says of the code at @time. It borrows from
 * @r. */
struct jit_code jit_record_code(const struct jit_record *r, u64 time, const char *object);
/** jitdump_bytes - return @len bytes of the file at @at, borrowed until the next call; NULL when it
 * does not have them. */
const u8 *jitdump_bytes(struct jitdump *d, u64 at, size_t len);

/**
 * jitdump_object_path - return the name of the object of a LOAD record: jitted-PID-INDEX.so in the
 * folder of the dump, which was mapped as @dump. An index that is used again has its number behind
 * it.
 */
void jitdump_object_path(struct jitdump *d, const char *dump, u64 index, struct strbuf *out);

/* ---- the dumps of a recording ---- */

/* The times of a recording. */
enum jitdump_times {
	JITDUMP_SAME_CLOCK,  /* CLOCK_MONOTONIC */
	JITDUMP_OTHER_CLOCK, /* ns of another clock */
	JITDUMP_NO_TIMES
};

struct jitdump_conf {
	const struct sysroot *sysroot; /* borrowed; NULL: the real machine */
	struct symfs symfs;
	bool force; /* read files of any owner */
	u32 uid;    /* files of this user are read too: the recording's owner */
	/* Tells the kind of times that the recording has; it is called when a dump is met. NULL:
	 * those of the dumps */
	enum jitdump_times (*times)(const void *ctx);
	const void *ctx; /* borrowed */
};

/**
 * jitdump_find - open the dump that a process mapped as @path: there (below --symfs when it is
 * there), or in the root of the process.
 * Return: 0 (jitdump_close() it), or negative errno and a sentence.
 */
int jitdump_find(struct jitdump *d, const struct jitdump_conf *conf, const char *path, u32 pid,
		 struct err *err);

/* The way from times of a dump to times of the recording: something is added, or all are one
 * time. */
struct jitdump_clock {
	bool fixed;
	u64 time;          /* to add, or the one when @fixed */
	const char *doubt; /* a sentence's end on what had to be guessed; NULL: nothing */
};

/** jitdump_clock - settle how times are turned. @mapped: when the dump's process mapped it, 0: not
 * known. */
struct jitdump_clock jitdump_clock(struct jitdump *d, const struct jitdump_conf *conf, u64 mapped);
/** jitdump_time - return the time of a record as the recording would have told it. */
static inline u64 jitdump_time(const struct jitdump_clock *c, u64 time)
{
	return c->fixed ? c->time : time + c->time;
}

/** jitdump_tell - append what was wrong with a dump that was read, one sentence per line. @doubt:
 * of its clock. */
void jitdump_tell(const struct jitdump *d, const char *path, const char *doubt, struct strbuf *out);

struct jitdumps;
/**
 * jitdumps_follow - read the dumps of @m's processes as their mappings come, and apply what they
 * say to @m. @conf is copied. Free with jitdumps_free().
 */
struct jitdumps *jitdumps_follow(struct machine *m, const struct jitdump_conf *conf);
void jitdumps_free(struct jitdumps *j);
/** jitdumps_problems - return sentences, one per line, on dumps that could not be (wholly) used; ""
 * when there are none; borrowed. */
const char *jitdumps_problems(const struct jitdumps *j);
/** jitdumps_functions - return the number of functions that were found. */
u64 jitdumps_functions(const struct jitdumps *j);

#endif
