/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are private to the room: building tables, reading ELF, where files are looked
 * for. */
#ifndef PERF_SYMBOL_INTERNAL_H
#define PERF_SYMBOL_INTERNAL_H

#include "base/alloc.h"
#include "base/hash.h"
#include "codec/bpf-info.h"
#include "symbol/eh-table.h"
#include "symbol/elf-image.h"
#include "symbol/symbol.h"

#include <elf.h>
#include <pthread.h>
#include <stdatomic.h>

/* ---- few of many pointers ---- */

/*
 * Pointers by the number of a symbol, of which few are ever there: in blocks that are made when one
 * of theirs is asked for. Any thread may ask.
 */
#define SPARSE_BLOCK 16

struct sparse_block {
	_Atomic(void *) at[SPARSE_BLOCK];
};

struct sparse {
	_Atomic(struct sparse_block *) *blocks; /* owned; NULL: nothing is kept */
	u32 nr_blocks;
};

/** sparse_init - make room for @nr symbols. Free with sparse_release(). */
static inline void sparse_init(struct sparse *s, u32 nr)
{
	s->nr_blocks = nr / SPARSE_BLOCK + 1;
	s->blocks = xcalloc(s->nr_blocks, sizeof(*s->blocks));
}

/** sparse_at - return where the pointer is kept; it is NULL at first. */
static inline _Atomic(void *) *sparse_at(const struct sparse *s, u32 i)
{
	_Atomic(struct sparse_block *) *at = &s->blocks[i / SPARSE_BLOCK];
	struct sparse_block *b = atomic_load_explicit(at, memory_order_acquire), *mine;

	if (unlikely(!b)) {
		mine = xzalloc(sizeof(*mine));
		if (atomic_compare_exchange_strong(at, &b, mine))
			b = mine;
		else
			free(mine);
	}
	return &b->at[i % SPARSE_BLOCK];
}

/** sparse_release - free the pointers' room. @owned: what the pointers lead to is freed with
 * them. */
static inline void sparse_release(struct sparse *s, bool owned)
{
	for (u32 i = 0; s->blocks && i < s->nr_blocks; i++) {
		struct sparse_block *b = atomic_load(&s->blocks[i]);

		for (u32 k = 0; b && owned && k < SPARSE_BLOCK; k++)
			free(atomic_load(&b->at[k]));
		free(b);
	}
	free(s->blocks);
	*s = (struct sparse){ 0 };
}

/* ---- tables ---- */

/* The start of a symbol, and a number that is looked at together with it. */
struct sym_at {
	u32 start; /* behind starts.base */
	u32 own;   /* the table's own: its size, or where the file tells of it */
};

struct starts {
	u64 base;
	struct sym_at *at; /* owned, sorted by start, which differ */
	u32 nr;
	u32 *buckets; /* owned: where those begin that start 2^shift bytes times the index, or
			 more, behind the base; one more for the end */
	u32 nr_buckets, shift;
};

/** starts_done - finish the table; all starts are there, in order. */
void starts_done(struct starts *s);
/** starts_good - tell whether what starts_done() made is as it makes it, in an array that is in
 * order. */
bool starts_good(const struct starts *s);
/** starts_find - return the last one that starts at or before @addr, or UINT32_MAX. */
u32 starts_find(const struct starts *s, u64 addr);
/** starts_ask - do what symtab_ask() does. */
void starts_ask(const struct starts *s, u64 addr, int step);
void starts_release(struct starts *s);

/* Symbols that reach past the start of the one behind them. */
struct reaches {
	struct reach {
		u32 idx;
		u32 outer; /* the nearest before that reaches past the start of this one, or
			      UINT32_MAX */
	} * v;             /* owned, sorted by idx */
	u32 nr;
};

/** reaches_make - note how far the @nr symbols of a table reach. */
void reaches_make(struct reaches *r, u32 nr, u64 (*start)(const void *, u32),
		  u64 (*end)(const void *, u32), const void *table);
/** reaches_find - return the nearest symbol before @idx that reaches past @addr, or UINT32_MAX. */
u32 reaches_find(const struct reaches *r, u32 idx, u64 addr, u64 (*end)(const void *, u32),
		 const void *table);

struct symtab {
	struct ksyms *ksyms; /* owned; NULL: it is another */
	struct esyms *esyms; /* owned; NULL: it is another, or syms and strs are the symbols */
	struct symbol *syms; /* owned, sorted by start */
	struct reaches reaches;
	u32 nr;
	u32 *buckets; /* owned, NULL for few symbols: where those begin that start 2^shift bytes
			 times the index, or more, behind the first; one more for the end */
	u32 shift;
	char *strs;                        /* owned */
	struct sparse names;               /* as printed; owned; none: nothing is mangled */
	char *why, *file, *object, *kcore; /* owned, NULL */
	char origin;
	u64 moved; /* of a kernel: where it ran, minus where the file with its code has it */
	struct module_section *sections; /* owned; of a module whose file was found */
	size_t nr_sections;
	const struct bpf_function *bpf; /* borrowed; NULL: it is of none that is known */
	bool demangles;                 /* mangled names are shown plain */
	bool parameters;                /* and with parameters */
	bool bare;                      /* and without what tells clones apart */
	bool has_lines;                 /* @file has debug information */
	char *debug;                    /* owned; of a module: the file that has it; NULL: none */
	pthread_mutex_t lock;           /* held while loading */
	atomic_bool loaded;
};

/* A symbol on its way into a table. @name is borrowed until symtab_finish(). */
struct sym_new {
	u64 start, end;
	const char *name;
	u32 len;
	u32 seq; /* order of arrival: decides ties */
	u8 binding, type;
	u8 extra; /* kallsyms: of a module */
	u32 room; /* without a size: bytes up to the next known function; 0: not known */
};

struct sym_list {
	struct sym_new *v; /* owned */
	size_t nr, cap;
};

enum sym_flavour { SYMS_ELF, SYMS_KALLSYMS, SYMS_PERF_MAP };

void sym_list_add(struct sym_list *l, u64 start, u64 end, const char *name, size_t len, u8 binding,
		  u8 type);
#define SYM_OCAML_HEAD 5 /* characters that tell a name of OCaml */
/** sym_is_ocaml - tell whether it begins with "caml" and the name of a module. */
static inline bool sym_is_ocaml(const char *name, size_t len)
{
	return len >= SYM_OCAML_HEAD && !memcmp(name, "caml", 4) && name[4] >= 'A' &&
	       name[4] <= 'Z';
}
/** sym_is_mangled - tell whether the name is one that demangling may change. */
bool sym_is_mangled(const char *name, size_t len);
/** sym_text_is_mangled - tell whether a text is a mangled name. No more of it is read than decides,
 * as names are long. */
bool sym_text_is_mangled(const char *name);
/** sym_second_better - tell whether the later of two symbols at one address is the better name for
 * it. */
bool sym_second_better(const struct sym_new *a, const struct sym_new *b, bool demangle);
/** ksym_end - return where a symbol of kallsyms ends. @border: it is the kernel's and the next a
 * module's, or the other way round. */
u64 ksym_end(u64 start, u64 next, bool border);
/** sym_last_end - return the end of the last symbol of all, when it has no size. */
u64 sym_last_end(u64 start);
/** sym_room_end - return the end of a symbol that has no size, and room for @room bytes (0: for
 * all). */
u64 sym_room_end(u64 start, u64 end, u32 room);
/** symtab_finish - sort, choose among symbols of one address, give sizeless ones an end, copy the
 * names. Releases @l. */
void symtab_finish(struct symtab *t, struct sym_list *l, enum sym_flavour flavour, bool demangle);
void symtab_why_set(struct symtab *t, const char *fmt, ...) __printf(2, 3);

/* ---- ELF images (libelf behind one seam: elf-image.c, or elf-image-stub.c without it) ---- */

/**
 * elf_image_minidebug - unpack the ELF file in section .gnu_debugdata of @e. @out owns its memory.
 * @why: set on errors: what is wrong with the section, as the end of a sentence
 * Return: 0, -ENOENT when there is no such section, or another negative errno.
 */
int elf_image_minidebug(const struct elf_image *e, struct elf_image *out, const char **why);

/* A symbol table with its strings; borrowed from the image. */
struct elf_symtab {
	const void *syms; /* libelf's data of the section */
	const u8 *syms64; /* Elf64_Sym in native order; NULL: they are of 32 bits */
	const char *strs;
	size_t nr, strs_len;
	struct eh_table eh; /* where functions without a symbol start; see elf_image_dynsym() */
};

struct elf_sym {
	const char *name; /* name_len bytes, borrowed; NULL without */
	size_t name_len;
	u32 name_at; /* in the strings */
	u64 value, size;
	u16 shndx;
	u8 info, other;
};

/** elf_image_symtab - find the first section of @type (SHT_SYMTAB, SHT_DYNSYM). Return: true when
 * it has symbols. */
bool elf_image_symtab(const struct elf_image *e, u32 type, struct elf_symtab *t);
/** elf_symtab_get - get symbol @i < nr. */
void elf_symtab_get(const struct elf_symtab *t, size_t i, struct elf_sym *out);
/** elf_symtab_entry - get a symbol as elf_symtab_get() does, without looking at its name. */
void elf_symtab_entry(const struct elf_symtab *t, size_t i, struct elf_sym *out);
/** elf_symtab_hash - return a hash of all symbols, without the texts of their names. */
u64 elf_symtab_hash(const struct elf_symtab *t);
/** elf_symtab_ask - have memory bring the name of symbol @i, which may be behind the last. */
void elf_symtab_ask(const struct elf_symtab *t, size_t i);
/** elf_names_end - tell whether the strings do not end in the middle of a name. */
static inline bool elf_names_end(const struct elf_symtab *t)
{
	return !t->strs_len || !t->strs[t->strs_len - 1];
}
struct elf_reloc {
	u64 offset, addend; /* @offset: in its section, or an address in a linked file */
	u32 sym, type;
	bool in_place; /* the addend is where the value goes, and @addend is 0 */
};

/** elf_image_reloc - get entry @i of a relocation section. Return: false past the end. */
bool elf_image_reloc(const struct elf_image *e, const struct elf_section *rel, size_t i,
		     struct elf_reloc *out);

/* ---- symbols of an image ---- */

/** elf_image_debuglink - the base name in .gnu_debuglink, borrowed, or NULL. */
const char *elf_image_debuglink(const struct elf_image *e);
/** elf_image_symbols_in - get .symtab, else .dynsym. Return: true when it has symbols. */
bool elf_image_symbols_in(const struct elf_image *e, struct elf_symtab *t);
/** elf_image_dynsym - get .dynsym, with what is known of functions that it does not name. Return:
 * true when it has symbols. */
bool elf_image_dynsym(const struct elf_image *e, struct elf_symtab *t);
/** elf_image_has_symtab - tell whether .symtab has contents. */
bool elf_image_has_symtab(const struct elf_image *e);

/**
 * elf_symbol - get symbol @i of @t in @syms; its name is borrowed from the image, and how long that
 * is not looked at (len is 0): names are many.
 * @layout: the image whose program headers tell file addresses (the object itself when @syms is its
 * debug file); NULL: virtual addresses stay
 * Return: it is one that a table has.
 */
bool elf_symbol(const struct elf_image *syms, const struct elf_image *layout,
		const struct elf_symtab *t, size_t i, struct sym_new *out);
/** elf_symbol_place - fill in a symbol that is wanted, without its name. */
void elf_symbol_place(const struct elf_image *syms, const struct elf_image *layout,
		      const struct elf_sym *s, struct sym_new *out);

/**
 * elf_image_symbols - add the symbols of @syms (.symtab, else .dynsym).
 * @layout: as for elf_symbol()
 * @keep_addr: leave virtual addresses, plus @delta (kernel images)
 * Return: symbols added.
 */
size_t elf_image_symbols(const struct elf_image *syms, const struct elf_image *layout,
			 bool keep_addr, u64 delta, struct sym_list *out);
/* An entry of the PLT, of @size bytes, for symbol @sym of .dynsym. */
typedef void (*plt_fn)(void *ctx, u64 addr, u64 size, u32 sym);
/** elf_image_plt_each - call @fn for all that have names. @t: set to .dynsym, if there are any */
void elf_image_plt_each(const struct elf_image *e, struct elf_symtab *t, plt_fn fn, void *ctx);
/** elf_plt_name - return the name, of *@len bytes, that "@plt" stands behind; NULL: there is
 * none. */
const char *elf_plt_name(const struct elf_symtab *t, u32 sym, size_t *len);
/** elf_image_plt - add "name@plt" symbols. @names: arena that holds the names until
 * symtab_finish(). */
size_t elf_image_plt(const struct elf_image *e, struct arena *names, struct sym_list *out);

/* The place on disk where a table is kept. */
struct esyms_keep {
	struct objcache *cache; /* borrowed */
	struct objcache_key key;
};

/**
 * esyms_table - make the symbols of an object as an empty table that lies over them.
 * @object, @debug: what there is of the two; both are the table's own then, and empty here
 * @keep: where the table is taken from, or else kept when it is large; NULL: nowhere
 * Return: false when there are none, or the file is not fit for it: then it takes
 * elf_image_symbols() and elf_image_plt(), and the images stay the caller's.
 */
bool esyms_table(struct symtab *t, struct elf_image *object, struct elf_image *debug, bool demangle,
		 const struct esyms_keep *keep);
void esyms_free(struct esyms *e);
/** esyms_find, esyms_get, esyms_name - do what symtab_find(), symtab_get(), symtab_raw_name()
 * do. */
u32 esyms_find(const struct esyms *e, u64 addr);
const struct starts *esyms_starts(const struct esyms *e);
struct symbol esyms_get(const struct esyms *e, u32 idx);
struct sym_range esyms_range(const struct esyms *e, u32 idx);
const char *esyms_name(struct esyms *e, u32 idx);

/* ---- text tables ---- */

/* One read of a kallsyms file; parsed for the kernel and for modules from the same bytes. */
struct kallsyms {
	char *text; /* owned */
	size_t len;
	bool mapped;      /* is a file's, which is: */
	u64 inode, mtime; /* mtime: in ns */
};

/* Its text while it is read. */
struct ksym_text {
	const char *p, *end; /* borrowed: what is left of it */
	const char *no_tab;  /* up to there; lines of modules have them */
	u64 digits, high;    /* the eight that the last line began with, as text and as number */
};

/** ksym_text - return a walk over @text from its beginning; it has to outlive what is returned. */
static inline struct ksym_text ksym_text(const char *text, size_t len)
{
	return (struct ksym_text){ .p = text, .end = text + len, .no_tab = text };
}

/* One line of such a text. */
struct ksym {
	u64 addr;
	char letter;
	const char *line, *name, *module; /* borrowed; module: "[name]" or NULL */
	size_t len, module_len;
};
/** next_ksym - read the next line that is one of a symbol. Return: there is one. */
bool next_ksym(struct ksym_text *t, struct ksym *k);
/** ksym_kind - Return: it names a place in memory, as text, weak, data and bss do; absolute and
 * per-CPU symbols do not. */
bool ksym_kind(char letter, u8 *binding, u8 *type);

/** kallsyms_open - open the text of a file: mapped, or read where that is not possible. Return: 0
 * or -errno. */
int kallsyms_open(struct kallsyms *k, const char *path);
void kallsyms_release(struct kallsyms *k);
/**
 * ksyms_table - make the kernel's symbols as an empty table whose names stay in @text, which has to
 * outlive it; moved by @delta, which does not concern modules.
 * Return: symbols; -EPERM when all addresses are zero; -EAGAIN when the lines are not in the order
 * of their addresses: then it takes kallsyms_symbols().
 */
int ksyms_table(struct symtab *t, const char *text, size_t len, u64 delta, bool demangle);
struct ksyms_keep;
/**
 * ksyms_kept - take the table that ksyms_put() has kept as an empty one, moved to where the
 * reference symbol of @keep was when recorded.
 * @text: @len bytes that it was made of, which have to outlive the table; NULL: it has its own
 * Return: symbols; 0: it is not there, or does not fit.
 */
int ksyms_kept(struct symtab *t, const char *text, size_t len, const struct ksyms_keep *keep);
/** ksyms_put - keep a table, with its text when @keep says so. */
void ksyms_put(const struct symtab *t, const struct ksyms_keep *keep);
/** ksyms_own - give the table its text, which it owns from now on. */
void ksyms_own(struct ksyms *k, const struct kallsyms *text);
void ksyms_free(struct ksyms *k);
/** ksyms_find, ksyms_get, ksyms_name - do what symtab_find(), symtab_get(), symtab_raw_name()
 * do. */
u32 ksyms_find(const struct ksyms *k, u64 addr);
const struct starts *ksyms_starts(const struct ksyms *k);
struct symbol ksyms_get(const struct ksyms *k, u32 idx);
struct sym_range ksyms_range(const struct ksyms *k, u32 idx);
const char *ksyms_name(struct ksyms *k, u32 idx);
/** ksyms_places - do what symtab_places() does. */
void ksyms_places(const struct ksyms *k, const char *const *names, u64 *addrs, size_t nr);
/** kallsyms_symbols - add the symbols of the kernel (@module NULL) or of a module ("[name]"), moved
 * by @delta. Return: symbols added, or -EPERM when all addresses are zero. */
int kallsyms_symbols(const char *text, size_t len, const char *module, u64 delta,
		     struct sym_list *out);
/** perfmap_symbols - add the symbols of a /tmp/perf-PID.map text ("START SIZE name" in hex).
 * Return: lines that could not be read. */
size_t perfmap_symbols(const char *text, size_t len, struct sym_list *out);

/* ---- where to look ---- */

struct symbols_ahead;

/** system_path - return where a file of the recorded system is: below conf.symfs, or in this
 * system. The caller frees it. */
char *system_path(const struct symbols *s, const char *path);

struct symbols {
	struct symconf conf;
	struct objcache *cache;           /* owned, NULL */
	char *default_cache, *os_release; /* owned, NULL: what conf borrows is the caller's */
	pthread_mutex_t lock;
	struct symtab **tables; /* owned, by dso id, NULL until asked for */
	size_t nr, cap;
	struct symbols_ahead *ahead; /* owned; NULL: none is under way */
	pthread_mutex_t kernel_lock;
	bool kallsyms_read;
	struct kallsyms proc; /* /proc/kallsyms, read at most once */
	bool copy_read;
	struct kallsyms copy; /* that of conf.kcore_dir, likewise */
	struct bpf_features bpf_features;
	bool bpf_read;           /* these were read, into: */
	struct bpf_programs bpf; /* with @kernel_lock */
	bool notes_read;
	u8 running_id[20];
	int running_id_size;
};

/** symbols_take_ahead - wait for what symbols_load_ahead() finds. Return: whether it is of this
 * @dso. */
bool symbols_take_ahead(struct symbols *s, const struct dso *dso, struct symtab *t);
/** symbols_end_ahead - end symbols_load_ahead() when nobody has asked for the result. */
void symbols_end_ahead(struct symbols *s);
/** symtab_free - free a table; NULL is fine. */
void symtab_free(struct symtab *t);
/** symtab_clear - free what it owns. */
void symtab_clear(struct symtab *t);
/** symtab_move - move all of @from, which is empty then, to an empty table. */
void symtab_move(struct symtab *to, struct symtab *from);
void load_elf(struct symbols *s, const struct dso *dso, struct symtab *t);
/** load_perf_map - load the names of code without a file: of the process, and where that says
 * nothing, of those that it was forked from. */
void load_perf_map(struct symbols *s, const struct dso *dso, struct symtab *t);
/**
 * load_run_time_code - load the names that processes gave to what they run of @dso, which is no ELF
 * file: memory that has a name, like that of memfd_create(). Return: there are some.
 */
bool load_run_time_code(struct symbols *s, const struct dso *dso, struct symtab *t);
/** kcore_path - return the file with the kernel's memory in a folder; NULL: it cannot be read. The
 * caller frees it. */
char *kcore_path(const char *folder);
/** proc_kallsyms - return /proc/kallsyms, which is read at most once; without text when it cannot
 * be. */
const struct kallsyms *proc_kallsyms(struct symbols *s);
void load_kernel(struct symbols *s, const struct dso *dso, struct symtab *t);
void load_module(struct symbols *s, const struct dso *dso, struct symtab *t);
/** cache_path - return the path of an object of that build-id in the cache (@leaf "elf",
 * "kallsyms", "vdso", "debug"), NULL without one. Caller frees. */
char *cache_path(const struct symbols *s, const u8 *id, u8 size, const char *leaf);

/** demangle_java - return "Lpkg/Class;method(I)V" as it is written in Java, or NULL. Caller
 * frees. */
char *demangle_java(const char *name);
/** demangle_ocaml - return "camlModule__name_12" as Module.name_12, or NULL. Caller frees. */
char *demangle_ocaml(const char *name);
/** bare_name - cut off what tells the clones of a function apart: " [clone .cold]", ".part.0". */
void bare_name(char *name);
struct sdt_notes;
/** sdt_read_image - do what sdt_read() does, for an image that is open. */
void sdt_read_image(struct sdt_notes *n, const struct elf_image *e);

#endif
