/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbol tables: ELF, kallsyms, modules, vdso, perf-PID.map, build-id cache and debuglink files.
 * One table per dso, loaded once on first need (safe from several threads), then read-only:
 * a sorted array over one string arena. Names are demangled when printed, once each.
 */
#ifndef PERF_SYMBOL_SYMBOL_H
#define PERF_SYMBOL_SYMBOL_H

#include "base/err.h"
#include "base/sysroot.h"
#include "machine/machine.h"
#include "objcache/objcache.h"
#include "symbol/debug-file.h"

/*
 * The reader of source lines and inlined functions in debug information: this perf, which is
 * fastest, or others, with which its results can be compared: libdw, or a program that is used as
 * addr2line(1) is. It is chosen here, where all that show lines find it; room dwarf does the work.
 */
enum line_style {
	LINES_ANY, /* none was chosen: builtin */
	LINES_BUILTIN,
	LINES_LIBDW,
	LINES_PROGRAM,
};

struct line_source {
	enum line_style style;
	const char *program; /* of LINES_PROGRAM: a name or path, borrowed; NULL: addr2line */
};

struct symconf {
	const struct sysroot
		*sysroot;      /* borrowed; NULL for the real machine: put before /proc, /sys,
				  /tmp/perf-PID.map, /boot, /lib/modules, /usr/lib/debug */
	struct symfs symfs;    /* --symfs: where object files are */
	const char *vmlinux;   /* -k; NULL: searched for */
	const char *kallsyms;  /* --kallsyms; NULL: /proc/kallsyms when the recorded kernel is the
				  running one */
	const char *kcore_dir; /* a copy of the recorded kernel's memory (kcore), its kallsyms and
				  modules, as `record --kcore` makes; NULL */
	const char *guest_vmlinux;  /* of virtual machines; NULL */
	const char *guest_kallsyms; /* a copy of theirs; NULL */
	const char *guest_mount; /* below it, by process id, are the root folders of guests; NULL */
	const char *buildid_dir; /* build-id cache; NULL: $HOME/.debug, "": none */
	const char *os_release; /* of the recording; NULL: not known (see symbols_set_os_release) */
	bool no_demangle;
	bool parameters;      /* demangled names have those of functions */
	bool bare_names;      /* clones of functions (.cold, .part.0) are shown under one name */
	bool demangle_kernel; /* also the names of the kernel and its modules */
	bool ignore_vmlinux;  /* --ignore-vmlinux: do not search for one */
	bool force;           /* take perf-PID.map files of other users too */
	struct objcache_conf cache; /* where results of work on objects are kept; dir NULL: in
				       folder .cache of the build-id cache */
	struct line_source lines;
};

struct symbol {
	u64 start, end; /* file addresses (kernel: run-time addresses); end exclusive */
	u32 name;       /* the table's own */
	u8 binding;     /* 'g', 'l', 'w' */
	u8 type;        /* STT_* (kallsyms: STT_FUNC for text, STT_OBJECT for the rest) */
};

struct symtab;
struct symbols; /* all tables of a session */

/** symbols_new - make a set of tables. @conf is copied, what it points to is borrowed until
 * symbols_free(). */
struct symbols *symbols_new(const struct symconf *conf);
void symbols_free(struct symbols *s);
/** symbols_cache - return where results of work on objects are kept; NULL: nowhere. It is borrowed
 * until symbols_free(). */
struct objcache *symbols_cache(const struct symbols *s);
/** symbols_line_source - return who reads lines. Borrowed until symbols_free(). */
const struct line_source *symbols_line_source(const struct symbols *s);
/**
 * symbols_set_os_release - set the kernel release of the recording, known later in pipes.
 * It tells where a vmlinux is, and, when no build-id was recorded, that the kernel is another one.
 */
void symbols_set_os_release(struct symbols *s, const char *release);

/* Bodies of header features in the byte order of this machine; borrowed, NULL: there is none. */
struct bpf_features {
	const void *info, *btf; /* BPF_PROG_INFO, BPF_BTF */
	size_t info_size, btf_size;
};
/** symbols_set_bpf - set what is known of BPF programs, before the first of them is loaded. */
void symbols_set_bpf(struct symbols *s, const struct bpf_features *f);

/** symbols_load - return the table of a dso; an empty one when nothing could be found (see
 * symtab_why). Never NULL. Thread-safe. */
const struct symtab *symbols_load(struct symbols *s, const struct dso *dso);
/**
 * symbols_load_ahead - begin to read the kernel's symbols on a thread of their own. symbols_load()
 * takes them if the kernel is then known as it is in @kernel (copied).
 */
void symbols_load_ahead(struct symbols *s, const struct dso *kernel);
/**
 * symbols_follow - go on with another model of the same system, in which objects have other ids.
 * Tables of objects that are the same in both stay; all others are freed.
 */
void symbols_follow(struct symbols *s, const struct machine *from, const struct machine *to);
/** symtab_find - return the index of the symbol that covers a file address (the innermost one), or
 * UINT32_MAX. */
u32 symtab_find(const struct symtab *t, u64 addr);
/** symtab_ask - have memory bring what a symtab_find() of @addr will look at: first with @step 0,
 * and with 1 when that has come. @t may be NULL. */
void symtab_ask(const struct symtab *t, u64 addr, int step);
/** symtab_get - return a symbol by its index. */
struct symbol symtab_get(const struct symtab *t, u32 idx);
/* The range of addresses of a symbol. */
struct sym_range {
	u64 start, end; /* as of struct symbol */
};
/** symtab_range - return the range that symtab_get() gives, without a look at the file. */
struct sym_range symtab_range(const struct symtab *t, u32 idx);
/** symtab_nr - return the number of symbols; they are sorted by start, one per start. */
u32 symtab_nr(const struct symtab *t);
/** symtab_raw_name - return the name that the object has; borrowed. */
const char *symtab_raw_name(const struct symtab *t, u32 idx);
/** symtab_name - return the name that is printed: demangled unless told not to; memoised;
 * thread-safe; borrowed. */
const char *symtab_name(const struct symtab *t, u32 idx);
/** symtab_show - return a name that is not of the table as symtab_name() would have it. Caller
 * frees. */
char *symtab_show(const struct symtab *t, const char *name);
/**
 * symtab_places - look symbols up by their raw names, those of kallsyms even where they share their
 * start with another one.
 * @names: @nr of them
 * @addrs: receives the start of each that there is; the others stay as they are
 */
void symtab_places(const struct symtab *t, const char *const *names, u64 *addrs, size_t nr);
/** symtab_why - return one sentence on why a table is empty or partial; NULL when all is well. */
const char *symtab_why(const struct symtab *t);
/** symtab_file - return the path of the file the symbols came from; NULL when none. */
const char *symtab_file(const struct symtab *t);
/** symtab_debug_file - return the path of the file with debug information, which may tell source
 * lines and inlined functions; NULL when there is none. It is that of symtab_file(), or another one
 * of a kernel module. When earlier runs have kept what was in there, the file may have none now. */
const char *symtab_debug_file(const struct symtab *t);
/** symtab_has_lines - tell whether there is such a file. */
static inline bool symtab_has_lines(const struct symtab *t)
{
	return symtab_debug_file(t) != NULL;
}
/** symtab_origin - return the letter for where they came from, as `report -v` shows it: 'k'
 * kallsyms, 'v' vmlinux, 'K' kernel module, 'd' object file, 'l' debuglink, 'B' build-id cache, 'b'
 * debug file by build-id, 'n' .gnu_debugdata of the object, 'j' perf map, 'p' vdso of this process,
 * '!' none. */
char symtab_origin(const struct symtab *t);
/** symtab_object - return the path of the file that holds the code (for disassembly), which may be
 * another than symtab_file(); NULL when not found. */
const char *symtab_object(const struct symtab *t);

/** symtab_kcore - return the path of a file with the memory of the recorded kernel, in which the
 * code of the kernel or module is at its run-time addresses; NULL: there is none. */
const char *symtab_kcore(const struct symtab *t);
/* A section with code of a kernel module. */
struct module_section {
	u32 number;       /* in the file */
	u64 at;           /* where the loader puts it, behind the start of the module */
	u64 offset, size; /* bytes in the file */
};
/** symtab_sections - return the *@nr sections of the module in the file that symtab_object() names;
 * NULL: it is of no module. */
const struct module_section *symtab_sections(const struct symtab *t, size_t *nr);
struct bpf_function;
/** symtab_bpf - return the BPF function that the table is of, if it is of one that is known
 * (codec/bpf-info.h), or NULL. */
const struct bpf_function *symtab_bpf(const struct symtab *t);

/** symtab_moved - return, for a kernel, the run-time addresses minus those in the file with its
 * code, which is a vmlinux or symtab_kcore(); 0 for everything else. */
u64 symtab_moved(const struct symtab *t);

/** symbol_demangle - return a C++ (and old Rust) name as printed, without parameters, Java method
 * with them, or OCaml name; a clone is "name [clone .cold]". NULL when @name is not mangled. Caller
 * frees. */
char *symbol_demangle(const char *name);
/** symbol_demangle_full - demangle with the types of parameters, "f(int)". */
char *symbol_demangle_full(const char *name);

/** elf_build_id - read the build-id of an ELF file. Return: bytes (up to 20) or negative errno. */
int elf_build_id(const char *path, u8 id[20]);
/** build_id_hex - write a build-id as 40 (or fewer) hex digits. */
void build_id_hex(const u8 *id, u8 size, char out[41]);
/** build_id_same - tell whether a file with the build-id @found is the one that was recorded. Perf
 * 6.1 pads ids in mapping records to a multiple of four bytes. */
bool build_id_same(const u8 *recorded, u8 recorded_size, const u8 *found, int found_size);
/** note_build_id - read the build-id in a buffer of ELF notes (native order), e.g.
 * /sys/kernel/notes. Return: bytes (up to 20) or -ENOENT. */
int note_build_id(const void *notes, size_t size, u8 id[20]);
/** vdso_image - return the vdso of this process, *@size bytes up to the end of its section headers;
 * NULL when it has none. */
const u8 *vdso_image(size_t *size);
/** kallsyms_find - find the address of the symbol @name in the text of a kallsyms file, @len bytes.
 * Return: true when there is one. */
bool kallsyms_find(const char *text, size_t len, const char *name, u64 *addr);

/* A symbol in the text of a kallsyms file. */
struct kallsyms_place {
	u64 start, end;     /* end: where the next symbol starts */
	char kind;          /* as nm has them: 'T', 't', 'D', ... */
	const char *module; /* borrowed, "[name]", of module_len bytes; NULL: the kernel's own */
	size_t module_len;
};
/**
 * kallsyms_each - read /proc/kallsyms and hand each of its symbols @name to @found, in their order.
 * Return: how many there are; a negative errno when it cannot be read; -EPERM when all addresses
 * are zero.
 */
int kallsyms_each(const struct sysroot *sr, const char *name,
		  void (*found)(void *ctx, const struct kallsyms_place *place), void *ctx);

#endif
