/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the room share this: names, kinds, layouts of structs, the compiled set. */
#ifndef PERF_SYSARGS_INTERNAL_H
#define PERF_SYSARGS_INTERNAL_H

#include "base/arena.h"
#include "sysargs/sysargs.h"

#define SYSARGS_MEMBERS 24 /* the number of members of a struct that are shown at most */
#define SIGINFO_BYTES 48   /* of a siginfo that are shown at most */
#define SYSARGS_ELEMENTS 8 /* the number of elements of an array that are shown at most */

/* Names of values (names.c). */

struct name_value {
	u64 value;
	const char *name;
	u8 len, skip; /* bytes of the name, and of the prefix that it has */
};

/** The names of the values of one kind; scripts/sysargs/names tells what the parts mean. */
struct names {
	const char *table, *prefix;
	u64 mask;    /* the bits that are one number; all others are flags */
	bool sorted; /* names are shown in the order of the alphabet, behind that of zero */
	const struct name_value *v;
	u32 nr;
};

/** names_find - return the table with a name of @len bytes, or NULL. */
const struct names *names_find(const char *table, size_t len);
/** names_nr, names_at - walk all tables. */
size_t names_nr(void);
const struct names *names_at(size_t i);
/** names_value - return the name of a number below the mask of the table, or NULL. */
const char *names_value(const struct names *n, u64 value);
/** names_print - append the names of a value with | between them, and what has no name in hex. */
void names_print(struct strbuf *out, const struct names *n, u64 value, bool prefix);
/** names_print_again - do what names_print() does with a value of the machine. The set keeps the
 * texts of the last values, because few come often. */
void names_print_again(struct strbuf *out, const struct sysargs *sa, const struct names *n,
		       u64 value, bool prefix);
/** names_lookup - get the value of a name with or without its prefix. Return: false: unknown. */
bool names_lookup(const struct names *n, const char *name, size_t len, u64 *value);

/** names_shared - turn a value of the machine into the one that the table has for it. */
u64 names_shared(const struct sysargs *sa, const struct names *n, u64 value);
/** names_own - turn a value of the table into that of the machine. */
u64 names_own(const struct sysargs *sa, const struct names *n, u64 value);
/** machine_moves_bits - tell whether a machine has flags with values of its own. */
bool machine_moves_bits(u32 machine);

/** A word in a longer text, as key of bsearch(). */
struct word_key {
	const char *s;
	size_t len;
};

/** word_compare - compare a word with a name, in the order of strcmp(). */
static inline int word_compare(const struct word_key *w, const char *name)
{
	int order = strncmp(w->s, name, w->len);

	return order ? order : -(name[w->len] != 0);
}

/* Kinds (kinds.c). */

/** Printing knows this: the call, how it is shown, and the values beside the printed one. */
struct printing {
	struct strbuf *out;
	const struct sysargs *sa;
	const struct syscall_made *call;
	const struct sysargs_view *v;
	const u64 *values; /* of the arguments, or of the members of the struct */
	bool out_now;      /* what is printed was written by the kernel */
	u64 left;  /* bytes of its result that the kernel has written to buffers further on */
	u64 limit; /* bytes of the struct that the call is about; 0: all of them */
};

struct layout;

typedef void (*sysarg_print_fn)(struct printing *p, const struct sysarg *arg, u64 value);

/* The sizes of values: those of the names are bytes. */
enum { WIDTH_LONG = 0 };

struct sysarg_kind {
	const char *name;
	sysarg_print_fn print;
	/* Parses a word of a filter that is no number; NULL: the names of the table, if there is
	 * one. */
	bool (*parse)(const struct sysarg *arg, const char *text, size_t len, u64 *value);
	/* Tells that this call does not have the argument; NULL: all calls have it. */
	bool (*absent)(const struct printing *p, u64 value);
	u8 width; /* bytes, or WIDTH_LONG */
	bool is_signed;
	bool zero;    /* a value of zero says something */
	bool made_fd; /* as a result it is a descriptor */
	/* A struct has the bytes themselves, of which the value is the address. */
	bool in_place;
	bool tells_size; /* a struct has its own size in bytes */
	enum sysarg_fetch fetch;
	u16 size; /* bytes to fetch, for SYSARG_FETCH_BYTES, or of a member that is in place */
};

/** kind_find - return the kind with a name of @len bytes, or NULL. */
const struct sysarg_kind *kind_find(const char *name, size_t len);
/* Kinds that have a parameter: a table of names, a struct, a pointer to values. */
extern const struct sysarg_kind kind_names, kind_struct, kind_pointer, kind_kernel_struct;

/** sysarg_value - cut a register or the bytes of a member to the size that the kind has. */
static inline u64 sysarg_value(const struct sysarg *arg, u64 value)
{
	u32 unused = 64 - 8 * (arg->width ? arg->width : 8);

	value <<= unused;
	return arg->kind->is_signed ? (u64)((s64)value >> unused) : value >> unused;
}

/** print_value - append a value as its kind shows it. */
static inline void print_value(struct printing *p, const struct sysarg *arg, u64 value)
{
	arg->kind->print(p, arg, value);
}

/** print_name - append the name of an argument or a member, and a colon. */
static inline void print_name(struct strbuf *out, const struct sysarg *arg)
{
	strbuf_add(out, arg->name, arg->name_len);
	strbuf_addstr(out, ": ");
}

/** print_pointer - append an address: "NULL", or in hex. */
void print_pointer(struct printing *p, const struct sysarg *arg, u64 value);
/** print_memory - copy memory of the process as it is to be shown now. Return: bytes. */
size_t print_memory(struct printing *p, u64 addr, void *buf, size_t size);
/** print_quoted - append @len bytes as a string in quotes; @more: other bytes follow them. */
void print_quoted(struct strbuf *out, const u8 *s, size_t len, bool more);
/** get_int - read @width bytes of the process in its byte order. */
u64 get_int(const struct sysargs *sa, const u8 *p, u32 width);

/** print_members - append the members of a struct at @addr whose bytes are known, with commas. */
void print_members(struct printing *p, const struct layout *l, const u8 *buf, u64 addr);
/** sysarg_is_packed - tell whether members of this kind are aligned to 4 bytes in a struct. */
bool sysarg_is_packed(const struct sysarg *arg);

/* Kinds that have files of their own print with these functions (sysarg_print_fn). */
void print_path(struct printing *p, const struct sysarg *arg, u64 value);
void print_buffer(struct printing *p, const struct sysarg *arg, u64 value);
void print_bytes(struct printing *p, const struct sysarg *arg, u64 value);
void print_strings(struct printing *p, const struct sysarg *arg, u64 value);
void print_struct_at(struct printing *p, const struct sysarg *arg, u64 value);
void print_kernel_struct(struct printing *p, const struct sysarg *arg, u64 value);
void print_pointed(struct printing *p, const struct sysarg *arg, u64 value);
void print_signals(struct printing *p, const struct sysarg *arg, u64 value);
void print_sigset(struct printing *p, const struct sysarg *arg, u64 value);
void print_cap_sets(struct printing *p, const struct sysarg *arg, u64 value);
void print_option(struct printing *p, const struct sysarg *arg, u64 value);
void print_name_in_place(struct printing *p, const struct sysarg *arg, u64 value);
void print_nodes(struct printing *p, const struct sysarg *arg, u64 value);
void print_cpus(struct printing *p, const struct sysarg *arg, u64 value);
void print_fdset(struct printing *p, const struct sysarg *arg, u64 value);
void print_mode(struct printing *p, const struct sysarg *arg, u64 value);
void print_sockaddr(struct printing *p, const struct sysarg *arg, u64 value);
void print_hwaddr(struct printing *p, const struct sysarg *arg, u64 value);
void print_ioctl(struct printing *p, const struct sysarg *arg, u64 value);
void print_siginfo(struct printing *p, const struct sysarg *arg, u64 value);
void print_si_code(struct printing *p, const struct sysarg *arg, u64 value);

/* The compiled set (set.c). */

struct member {
	struct sysarg arg;
	u32 offset; /* bytes from the start of the struct */
};

/** A struct as programs of the set have it. */
struct layout {
	const char *name;
	u32 nr, size, align; /* size and align in bytes */
	struct member members[SYSARGS_MEMBERS];
};

/** A pointer points to this: elements of one kind. */
struct pointee {
	struct sysarg elem; /* its kind is kind_struct for structs */
	u32 size;           /* bytes of one element */
	u32 count;          /* how many there are; 0: argument by says it, or there is one */
	bool list;          /* it is shown as a list even if there is one */
	bool by_bytes;      /* argument by tells how many bytes of the one struct there are */
};

struct syscall_variant {
	u64 value; /* of the selector */
	u32 nr_args;
	struct sysarg args[SYSARGS_MAX];
	struct sysarg ret;
};

#define SYSARGS_ERRORS 256 /* the errors whose texts a set keeps have smaller numbers */

/** The text of a result that is an error. */
struct error_text {
	const char *s; /* in the arena of the set; NULL: nobody has asked for it */
	size_t len;
};

#define SYSARGS_NAMES 64 /* values whose names a set keeps */

/** The names of a value. */
struct names_text {
	const struct names *n; /* NULL: there are none */
	u64 value;             /* of the machine */
	bool prefix;
	u8 len;
	char s[38];
};

struct sysargs {
	struct sysargs_abi abi;
	u32 long_size;
	bool moves_bits;    /* machine_moves_bits() */
	struct arena arena; /* names that were learned, layouts, pointees, variants */
	const char **names; /* owned; of the calls by number; NULL: no call has this number */
	struct syscall_desc **calls; /* owned; by number; NULL: not compiled yet */
	u32 nr;
	const struct layout **layouts;
	bool wide_times;      /* the call that is compiled has times of 64 bits */
	const char *wrong;    /* the text of a table that could not be compiled */
	struct sysargs *self; /* this set, to which calls and texts of errors are added when they
			       * are first asked for */
	struct error_text errors[SYSARGS_ERRORS]; /* by number */
	struct names_text texts[SYSARGS_NAMES];   /* by some bits of the value and the table */
	struct sysargs *narrow;                   /* owned; of narrow programs, or NULL */
};

/**
 * args_compile - read "name:kind name:kind" (set.c tells the language).
 * @selector: receives the index of the command, if there is one; may be NULL
 * Return: the number of arguments, or -EINVAL when a kind is unknown.
 */
int args_compile(struct sysargs *sa, const char *text, struct sysarg *args, u32 max, u8 *selector);

/** layout_of - return the struct with a name of @len bytes, or NULL. */
const struct layout *layout_of(const struct sysargs *sa, const char *name, size_t len);

/* The tables. */

/** The arguments of a call, in the language of set.c. */
struct call_text {
	const char *name, *ret, *args;
};

/** The arguments of a call for some values of its selector, by their names with | between them. */
struct variant_text {
	const char *call, *values, *ret, *args;
};

struct layout_text {
	const char *name, *members;
};

extern const struct call_text call_texts[];
extern const size_t nr_call_texts;
extern const struct variant_text variant_texts[];
extern const size_t nr_variant_texts;
extern const struct layout_text layout_texts[];
extern const size_t nr_layout_texts;

#endif
