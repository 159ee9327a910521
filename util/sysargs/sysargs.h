/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments and results of system calls as text: `openat(dfd: CWD, filename: "/etc/passwd",
 * flags: RDONLY|CLOEXEC)`.
 *
 * A sysargs is the set of calls of one kind of programs. Each call has a name, and each argument
 * has a name and a kind, which knows how to print a value and how to parse one. All of it is made
 * from tables: calls.c (arguments of the calls), variants.c (calls whose arguments depend on a
 * command), kinds.c (kinds), structs.c (what pointers point to) and the names of flags and values
 * that scripts/sysargs/generate takes from the headers of the kernel.
 *
 * A set grows by the calls and the texts that it is asked for, so one thread at a time prints with
 * it. What only the caller knows (the path of a descriptor, the name of a task, the memory of the
 * process) comes from struct sysargs_ops.
 */
#ifndef PERF_SYSARGS_SYSARGS_H
#define PERF_SYSARGS_SYSARGS_H

#include "base/err.h"
#include "base/strbuf.h"

#define SYSARGS_MAX 6         /* the number of arguments that a call can have */
#define SYSARG_BY_RESULT 0xfe /* sysarg.by: the result of the call tells */

struct btf;
struct call_copies;
struct sysargs;
struct sysarg_kind;
struct tf_event;

/** The kernel reads or writes this memory behind a pointer. */
enum sysarg_fetch {
	SYSARG_FETCH_NONE,   /* the argument is no pointer, or what it points to is not shown */
	SYSARG_FETCH_STRING, /* a string up to its zero */
	SYSARG_FETCH_BYTES,  /* sysarg.size bytes */
	SYSARG_FETCH_SIZED,  /* as many elements of sysarg.size bytes as argument sysarg.by says */
};

/** An argument of a call. */
struct sysarg {
	const char *name; /* owned by the set */
	u32 name_len;
	const struct sysarg_kind *kind;
	enum sysarg_fetch fetch;
	u16 size;  /* bytes, see enum sysarg_fetch */
	u8 by;     /* the index of the argument that holds a number of elements */
	bool out;  /* the kernel writes behind the pointer, the bytes are valid at exit only */
	bool both; /* it reads them as well: those at the begin of the call are valid, too */
	/* Private to the room: */
	bool zero; /* a value of zero says something */
	u8 width;  /* bytes of a value */
	u8 reg;    /* the index of its register; narrow programs have halves of 64 bits in two */
	const void *parm; /* names, the layout of a struct or what is pointed to */
};

/*
 * Calls of narrow programs on a machine that runs them as well have their numbers plus this one. No
 * call of a machine has such a number: it is below the bit that marks calls of x32.
 */
#define SYSARGS_NARROW 0x20000000

/** sysargs_own_number - return the number of a call as its program has it. */
static inline s64 sysargs_own_number(s64 nr)
{
	return nr >= SYSARGS_NARROW && nr < 2 * SYSARGS_NARROW ? nr - SYSARGS_NARROW : nr;
}

/** A call. */
struct syscall_desc {
	const char *name; /* owned by the set; NULL: no call has this number */
	u32 name_len;
	u32 nr_args;
	struct sysarg args[SYSARGS_MAX];
	struct sysarg ret; /* without a name */
	/* Private to the room: the arguments for values of one of them, a command. */
	u8 selector; /* the index of that argument */
	bool known;  /* the tables have the call */
	u32 nr_variants;
	const struct syscall_variant *variants; /* owned by the set */
};

/** A call that is made, with the values of its arguments. */
struct syscall_made {
	const struct syscall_desc *desc;
	const u64 *args; /* borrowed; SYSARGS_MAX registers */
	bool returned;   /* @ret is known, and what the kernel wrote for the program */
	s64 ret;         /* the result, or a negative errno */
};

/**
 * Questions to the caller about the thread that makes the call. Each may be NULL, and each may not
 * know the answer; then the bare number is printed. All get struct sysargs_view.ctx.
 */
struct sysargs_ops {
	/* Return the path of a descriptor, borrowed until the next question, or NULL. */
	const char *(*fd_path)(void *ctx, int fd);
	/* Return the name of a task, borrowed until the next question, or NULL. */
	const char *(*task_name)(void *ctx, s32 tid);
	/*
	 * Copy memory of the process from @addr on, as it was when the call was entered, or with
	 * @out when it returned. Return: the number of known bytes; 0: none.
	 */
	size_t (*memory)(void *ctx, u64 addr, void *buf, size_t size, bool out);
	/* Append the symbol of an address of the process. Return: whether there is one. */
	bool (*symbol)(void *ctx, u64 addr, struct strbuf *out);
};

/** It tells how calls are shown. Members with names of the configuration are set by it. */
struct sysargs_view {
	const struct sysargs_ops *ops;
	void *ctx;
	const struct btf *btf; /* types of the kernel, after btf_index(); NULL: unknown */
	bool force_btf;        /* structs are shown by @btf, also those that structs.c has */
	bool show_prefix;      /* O_RDONLY, not RDONLY */
	bool show_zeros; /* arguments that are zero where that says nothing are shown as well */
	bool show_arg_names;
	bool bitmask_list;  /* sets of CPUs are lists (0-3,8), not masks */
	u32 args_alignment; /* the column where the result begins; 0: it follows the arguments */
	u32 string_len;     /* bytes of a string that are shown; the rest is "..." */
};

/** SYSARGS_VIEW_DEFAULT - what a view is when neither options nor the configuration say else. */
#define SYSARGS_VIEW_DEFAULT                                                                       \
	{                                                                                          \
		.show_arg_names = true, .args_alignment = 70, .string_len = 128                    \
	}

/** Programs: those of one machine number of ELF, whose longs may have either size and order. */
struct sysargs_abi {
	u32 machine; /* EM_* */
	bool narrow; /* longs and pointers have 32 bits */
	bool big_endian;
	bool x32; /* programs of x86-64 with narrow pointers: numbers have bit 30 set */
};

/**
 * sysargs_new - make the set of calls of some programs. Free it with sysargs_free().
 * Return: the set, or NULL and a sentence if a table of the room is wrong, which its tests find.
 */
struct sysargs *sysargs_new(const struct sysargs_abi *abi, struct err *err);
/** sysargs_free - free a set; NULL is fine. */
void sysargs_free(struct sysargs *sa);

/** sysargs_add_narrow - have a set contain that of narrow programs, too, which it owns from now on.
 * Their numbers are SYSARGS_NARROW more. */
void sysargs_add_narrow(struct sysargs *sa, struct sysargs *narrow);
/** sysargs_of - return the set of the programs that have a number: @sa, or the narrow one in it. */
const struct sysargs *sysargs_of(const struct sysargs *sa, s64 nr);

/**
 * sysargs_call - return the call with a number, or NULL if no call is known to have it. It is
 * compiled when it is first asked for, so two threads may not ask the same set at a time.
 */
const struct syscall_desc *sysargs_call(const struct sysargs *sa, u32 nr);
/**
 * sysargs_wrong - return the text of our own tables that could not be compiled for one of the calls
 * that were asked for; NULL: there is none. It is for tests.
 */
const char *sysargs_wrong(const struct sysargs *sa);
/** sysargs_number - return the number of the call with a name, or -1. */
int sysargs_number(const struct sysargs *sa, const char *name);
/**
 * sysargs_nr - return a number that is above the numbers of all calls, for loops over them. Numbers
 * of x32 are without bit 30 here.
 */
u32 sysargs_nr(const struct sysargs *sa);
/**
 * sysargs_knows - tell whether the names and kinds of the arguments of a call are known, or that it
 * has none. Calls for which they are not are shown with sysargs_learn() or without arguments.
 */
bool sysargs_knows(const struct syscall_desc *d);
/**
 * sysargs_learn - take the names and types of arguments of a call that the tables lack from the
 * format of its event sys_enter_NAME. A call that the tables have stays as it is. It may not be
 * called while others print.
 */
void sysargs_learn(struct sysargs *sa, const struct tf_event *format);

/**
 * sysargs_copies - tell what to copy of the memory that arguments of calls point to
 * (bpf/call-memory.h).
 * @wanted: tells it for each number below sysargs_nr(); NULL: all calls are
 * @v: how calls are shown; string_len counts, and force_btf, with which structs that only the types
 *   of the kernel describe are copied as well
 * Return: a row for each number below sysargs_nr(), which the caller frees.
 */
struct call_copies *sysargs_copies(const struct sysargs *sa, const bool *wanted,
				   const struct sysargs_view *v);

/**
 * sysargs_print - append "name(argument, argument" without the closing parenthesis, so that a call
 * that is interrupted can be shown.
 */
void sysargs_print(struct strbuf *out, const struct sysargs *sa, const struct syscall_made *call,
		   const struct sysargs_view *v);
/* Takes an argument of a call. @value: its text, valid during the call */
typedef void sysargs_tell_fn(void *ctx, const char *name, const struct strbuf *value);
/** sysargs_each - call @fn for each argument that sysargs_print() would print, in that order. */
void sysargs_each(const struct sysargs *sa, const struct syscall_made *call,
		  const struct sysargs_view *v, sysargs_tell_fn *fn, void *ctx);
/**
 * sysargs_align - append ")" and blanks up to the column where results begin.
 * @from: the length that @out had before the name of the call
 */
void sysargs_align(struct strbuf *out, size_t from, const struct sysargs_view *v);
/** sysargs_print_return - append "= 3", "= -1 ENOENT (No such file or directory)", "= 0x7f...". */
void sysargs_print_return(struct strbuf *out, const struct sysargs *sa,
			  const struct syscall_made *call, const struct sysargs_view *v);
/**
 * sysargs_returns_fd - tell whether the result of a call is a descriptor that is new. Its path is
 * then unknown to those who remember paths.
 */
bool sysargs_returns_fd(const struct syscall_made *call);
/** sysargs_may_return_fd - tell whether that can be so, whatever the arguments are. */
bool sysargs_may_return_fd(const struct syscall_desc *d);

/**
 * sysargs_print_fields - append the fields of a tracepoint: "pid: 42 (cat), mode: HRTIMER_MODE_ABS".
 * Fields of the kind that all events have are left out. Enums have names if @v has types.
 */
void sysargs_print_fields(struct strbuf *out, const struct sysargs *sa, const struct tf_event *ev,
			  const void *raw, size_t size, const struct sysargs_view *v);

/**
 * sysargs_parse - parse what a filter compares an argument with: a number, or names of its kind
 * with or without their prefix ("O_RDONLY", "CREAT|EXCL").
 * Return: 0, or -EINVAL and a sentence.
 */
int sysargs_parse(const struct sysargs *sa, const struct sysarg *arg, const char *text, size_t len,
		  u64 *value, struct err *err);

/** errno_name - return the name of an error ("ENOENT"), or NULL if the number has none. */
const char *errno_name(const struct sysargs *sa, u32 error);

#endif
