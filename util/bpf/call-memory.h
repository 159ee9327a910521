/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that arguments of system calls point to. A BPF program at the begin of calls copies it
 * into a record of a bpf-output event, just before the record of the call itself and into the same
 * ring. What the kernel writes for the program is copied when the call returns, and so is what was
 * not in memory before: the kernel has fetched it by then. Which argument is copied, and how, is
 * told by a table.
 */
#ifndef PERF_BPF_CALL_MEMORY_H
#define PERF_BPF_CALL_MEMORY_H

#include "bpf/tasks.h"
#include "kernel/open.h"

#define CALL_COPIES 4     /* arguments of a call that are copied at most */
#define CALL_ELEMENTS 8   /* strings of a list of strings that are copied at most, */
#define CALL_MEMBERS 4    /* commands of a call whose structs have strings */
#define CALL_PARTS 8      /* and buffers of a list of buffers */
#define CALL_PIECES 20    /* pieces of memory in a record at most */
#define CALL_COPY_MAX 512 /* bytes of one that are copied at most */
#define CALL_ARGS 6
#define CALL_BY_RESULT 0xfe                /* call_copy.by: the result of the call */
#define CALL_MEMORY_EVENT "syscall-memory" /* the name of the bpf-output event */

enum call_copy_kind {
	CALL_COPY_NONE,   /* there are no more */
	CALL_COPY_STRING, /* up to its zero */
	CALL_COPY_BYTES,  /* call_copy.most bytes */
	CALL_COPY_SIZED,  /* as many elements as argument call_copy.by says */
};

/* This is copied of an argument. */
struct call_copy {
	u8 kind;  /* enum call_copy_kind */
	u8 arg;   /* the number of the argument with the address */
	u8 by;    /* of CALL_COPY_SIZED: the number of an argument, or CALL_BY_RESULT */
	bool out; /* the kernel writes it: it is copied when the call has returned */
	u16 size; /* of CALL_COPY_SIZED: bytes of an element */
	u16 most; /* bytes, at most CALL_COPY_MAX */
};

enum call_deep_kind {
	CALL_DEEP_NONE,
	CALL_DEEP_STRINGS, /* addresses of strings, and a zero behind them */
	CALL_DEEP_BUFFERS, /* addresses and sizes of buffers; the copies have them already */
	CALL_DEEP_MESSAGE, /* address and size of a name, address and number of buffers */
	CALL_DEEP_MEMBER,  /* addresses of strings in a struct that depends on a command */
};

/* A command of a call has the address of a string in its struct. */
struct call_member {
	u32 command;
	u16 at; /* bytes from the begin of the struct */
	u16 is; /* 1: there is such a member; 0: there are no more */
};

/* The memory that an argument points to has addresses, too: their memory is copied when the call
 * begins, or when it returns if that was not in memory before. */
struct call_deep {
	u8 kind;  /* enum call_deep_kind */
	u8 arg;   /* the number of the argument */
	u8 by;    /* of CALL_DEEP_BUFFERS: the number of the argument that tells how many; of
		   * CALL_DEEP_STRINGS: that of another list of strings; 0: there is none; of
		   * CALL_DEEP_MEMBER: that of the command */
	bool out; /* the kernel fills the buffers: they are copied when the call has returned, and
		   * no more of them than its result */
	u16 most; /* bytes of a string or a buffer, at most CALL_COPY_MAX */
	u16 unused;
	struct call_member members[CALL_MEMBERS]; /* of CALL_DEEP_MEMBER */
};

/* The arguments of one call that are copied. */
struct call_copies {
	struct call_copy v[CALL_COPIES];
	struct call_deep deep;
};

/* Each record begins with this. */
struct call_head {
	u32 bytes; /* of the record, with all pieces */
	u32 flags; /* CALL_AT_RETURN, or bits of the copies that are still to be made */
	s64 nr;
	u64 args[CALL_ARGS];
};

#define CALL_AT_RETURN 0x100U

/* This stands before the bytes of each piece, which are padded to 8. */
struct call_piece_head {
	u64 addr;
	u32 size;
	u32 out; /* the kernel has written it */
};

/* A piece of memory in a record. */
struct call_piece {
	u64 addr;
	u32 size;
	bool out;
	const u8 *bytes; /* borrowed from the record */
};

/* A record. */
struct call_record {
	struct call_head head;
	u32 nr;
	struct call_piece v[CALL_PIECES];
};

/**
 * call_record_read - read the payload of a sample.
 * @swap: it was written in the other byte order
 * Return: false when it is not well formed.
 */
bool call_record_read(const void *raw, size_t size, bool swap, struct call_record *out);

struct call_memory_opts {
	const struct sysroot *sysroot;    /* borrowed, like all pointers below */
	const struct call_copies *copies; /* by number of the call */
	u32 nr_calls;
	const struct int_list *tids;     /* only these threads; empty: all */
	bool inherit;                    /* and those that they create from now on */
	const struct int_list *not_pids; /* processes that are left out */
	u32 cpus; /* number above those of all CPUs; 0: each of @tids has a ring of its own */
};

struct call_memory {
	struct bpf_ns ns; /* threads of opts have the numbers of this namespace */
	bool per_thread;  /* each thread has a ring of its own, the place of which is its value */
	/* Descriptors, or -1: maps, programs and what these run at. */
	int copies, record, waiting, tasks, events;
	int progs[3];
	int hooks[2]; /* events that programs are attached to */
	int link;     /* of the third program */
};

/**
 * call_memory_open - load the programs. Nothing is copied before call_memory_start(). Return: 0, or
 * a negative errno and a sentence, and then there is nothing to close.
 */
int call_memory_open(struct call_memory *m, const struct call_memory_opts *opts, struct err *err);
/** call_memory_event_add - add the bpf-output event that the programs write to. It is of the
 * control group that the first event of the list is of. @per_thread: as in struct call_memory */
void call_memory_event_add(struct evlist *l, bool per_thread);
/** call_memory_event - return that event of a list; NULL: there is none. */
struct evsel *call_memory_event(const struct evlist *l);
/**
 * call_memory_start - run the programs with calls that begin or return.
 * @k: opened; has the event of call_memory_event_add() and both events of raw_syscalls
 * @l: of @k
 * Return: 0, or a negative errno and a sentence. The programs run until call_memory_close(), which
 * is quicker while @k is still open.
 */
int call_memory_start(struct call_memory *m, const struct kevents *k, const struct evlist *l,
		      struct err *err);
/** call_memory_close - close all; what was not opened is left alone. */
void call_memory_close(struct call_memory *m);

#endif
