// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The set of calls of some programs, compiled from the tables. The language of the tables:
 *
 *	fd:fd buf:>bytes[ret] count:size op:futex_op? pad:u16.uint ts:*timespec#2 in:.timespec
 *
 * An argument or a member of a struct is a name and a kind. The kind is one of kinds.c, or else a
 * table of names. Before it may stand
 *
 *	>	the kernel writes what the pointer points to
 *	<	it reads that, too, so what the program has there counts until the call returns
 *	*	a pointer to values of that kind, or to structs (structs.c)
 *	.	in a struct: another struct
 *	@	a pointer to a struct of the kernel, described by its types; # is its size
 *	-	zero says nothing, though there is a name for it
 *	u16.	the size of the value: u8, u16, u64, long; it is that of the kind otherwise
 *
 * and behind it
 *
 *	[name]	the argument that has the number of elements; "ret": the result
 *	%name	the argument that has the number of bytes of a struct
 *	#2	a fixed number of elements
 *	?	it is the command that variants.c knows values of
 */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#include "arch/syscalls.h"
#include "base/alloc.h"
#include "tracefmt/tracefmt.h"

#include <elf.h>
#include <errno.h>

#define X32_FIRST 512 /* numbers of x32 from here on are its own */
#define CALLS_MAX 1024
#define NO_ARG 0xff

/* A word of the language in parts. */
struct word {
	const char *name, *kind, *by;
	size_t name_len, kind_len, by_len;
	u32 count;
	u8 width;
	bool out, both, pointer, inside, selector, sized, no_zero, of_kernel, by_bytes;
};

static void word_width(struct word *w)
{
	static const struct {
		const char *name;
		u8 width;
	} widths[] = { { "u8.", 1 }, { "u16.", 2 }, { "u64.", 8 }, { "long.", WIDTH_LONG } };

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		size_t len = strlen(widths[i].name);

		if (w->kind_len > len && !memcmp(w->kind, widths[i].name, len)) {
			w->kind += len;
			w->kind_len -= len;
			w->width = widths[i].width;
			w->sized = true;
			return;
		}
	}
}

/* Take a word apart. Return: what follows it. */
static const char *word_read(const char *p, struct word *w)
{
	memset(w, 0, sizeof(*w));
	w->name = p;
	w->name_len = strcspn(p, ": ");
	p += w->name_len + (p[w->name_len] == ':');
	for (; *p && strchr("><*.-@", *p); p++) {
		w->out |= *p == '>' || *p == '<';
		w->both |= *p == '<';
		w->pointer |= *p == '*';
		w->inside |= *p == '.';
		w->no_zero |= *p == '-';
		w->of_kernel |= *p == '@';
	}
	w->kind = p;
	w->kind_len = strcspn(p, "[%#? ");
	p += w->kind_len;
	word_width(w);
	if (*p == '[') {
		w->by = ++p;
		w->by_len = strcspn(p, "]");
		p += w->by_len + 1;
	}
	if (*p == '%') {
		w->by = ++p;
		w->by_len = strcspn(p, " ");
		w->by_bytes = true;
		p += w->by_len;
	}
	if (*p == '#')
		w->count = (u32)strtoul(p + 1, (char **)&p, 10);
	w->selector = *p == '?';
	p += strcspn(p, " ");
	return p + strspn(p, " ");
}

const struct layout *layout_of(const struct sysargs *sa, const char *name, size_t len)
{
	static const struct {
		const char *narrow, *wide;
	} times[] = { { "timespec", "timespec64" }, { "itimerspec", "itimerspec64" } };

	for (size_t i = 0; i < ARRAY_SIZE(times) && sa->wide_times; i++)
		if (strlen(times[i].narrow) == len && !memcmp(times[i].narrow, name, len)) {
			name = times[i].wide;
			len = strlen(name);
			break;
		}
	for (size_t i = 0; i < nr_layout_texts && sa->layouts[i]; i++)
		if (!strncmp(sa->layouts[i]->name, name, len) && !sa->layouts[i]->name[len])
			return sa->layouts[i];
	return NULL;
}

/* Set the kind of values that are no pointers. Return: false: there is no such kind. */
static bool set_kind(const struct sysargs *sa, const struct word *w, struct sysarg *arg)
{
	const struct names *n = names_find(w->kind, w->kind_len);

	arg->kind = kind_find(w->kind, w->kind_len);
	if (!arg->kind && !n)
		return false;
	if (!arg->kind)
		arg->kind = &kind_names;
	arg->parm = n;
	arg->zero = !w->no_zero && (arg->kind->zero || (n && names_value(n, 0)));
	arg->width = w->sized ? w->width : arg->kind->width;
	if (arg->width == WIDTH_LONG)
		arg->width = (u8)sa->long_size;
	arg->fetch = arg->kind->fetch;
	arg->size = arg->kind->size;
	return true;
}

/* Set a pointer to what @w names. */
static bool set_pointer(struct sysargs *sa, const struct word *w, struct sysarg *arg)
{
	struct pointee *to = arena_alloc(&sa->arena, sizeof(*to));
	const struct layout *l = layout_of(sa, w->kind, w->kind_len);

	memset(to, 0, sizeof(*to));
	if (l) {
		to->elem.kind = &kind_struct;
		to->elem.parm = l;
		to->size = l->size;
	} else {
		if (!set_kind(sa, w, &to->elem))
			return false;
		to->size = to->elem.width;
	}
	to->elem.name = "";
	to->elem.out = w->out;
	to->count = w->count;
	to->by_bytes = w->by_bytes;
	to->list = (w->by && !w->by_bytes) || w->count || !l;
	*arg = (struct sysarg){ .name = arg->name,
				.name_len = arg->name_len,
				.kind = &kind_pointer,
				.fetch = w->by ? SYSARG_FETCH_SIZED : SYSARG_FETCH_BYTES,
				.size = (u16)(to->size * MAX(w->count, 1U)),
				.by = NO_ARG,
				.width = (u8)sa->long_size,
				.parm = to };
	return true;
}

static void set_kernel_struct(struct sysargs *sa, const struct word *w, struct sysarg *arg)
{
	char *name = arena_alloc(&sa->arena, w->kind_len + sizeof("struct "));

	memcpy(name, "struct ", sizeof("struct ") - 1);
	memcpy(name + sizeof("struct ") - 1, w->kind, w->kind_len);
	name[sizeof("struct ") - 1 + w->kind_len] = '\0';
	arg->kind = &kind_kernel_struct;
	arg->parm = name;
	arg->width = (u8)sa->long_size;
	arg->fetch = SYSARG_FETCH_BYTES;
	arg->size = (u16)w->count;
}

static bool set_arg(struct sysargs *sa, const struct word *w, struct sysarg *arg)
{
	memset(arg, 0, sizeof(*arg));
	arg->name = arena_strndup(&sa->arena, w->name, w->name_len);
	arg->name_len = (u32)w->name_len;
	arg->by = NO_ARG;
	if (w->inside) {
		arg->kind = &kind_struct;
		arg->parm = layout_of(sa, w->kind, w->kind_len);
		if (!arg->parm)
			return false;
	} else if (w->of_kernel) {
		set_kernel_struct(sa, w, arg);
	} else if (!(w->pointer ? set_pointer(sa, w, arg) : set_kind(sa, w, arg))) {
		return false;
	}
	arg->out = w->out;
	arg->both = w->both;
	if (w->by && arg->fetch == SYSARG_FETCH_NONE)
		arg->fetch = SYSARG_FETCH_SIZED;
	return true;
}

/* Find the argument that has the number of elements. The result has the number behind the last. */
static u8 number_of(const struct sysarg *args, u32 nr, const struct word *w)
{
	if (w->by_len == 3 && !memcmp(w->by, "ret", 3))
		return SYSARG_BY_RESULT;
	for (u32 i = 0; i < nr; i++)
		if (!strncmp(args[i].name, w->by, w->by_len) && !args[i].name[w->by_len])
			return (u8)i;
	return NO_ARG;
}

/*
 * Set the register of an argument. Narrow programs pass 64 bits in two registers, of which some
 * machines want the first to be even. Return: the register of the next argument.
 */
static u8 place(const struct sysargs *sa, struct sysarg *arg, u8 reg)
{
	u32 machine = sa->abi.machine;
	bool two = sa->abi.narrow && arg->width == 8;

	if (two && (machine == EM_ARM || machine == EM_PPC || machine == EM_MIPS))
		reg = ALIGN_UP(reg, 2);
	arg->reg = reg;
	return reg + 1 + two;
}

int args_compile(struct sysargs *sa, const char *text, struct sysarg *args, u32 max, u8 *selector)
{
	const char *p = text;
	struct word w;
	u32 nr = 0;
	u8 reg = 0;

	while (*p) {
		p = word_read(p, &w);
		if (nr == max || !set_arg(sa, &w, &args[nr])) {
			sa->wrong = text;
			return -EINVAL;
		}
		if (w.selector && selector)
			*selector = (u8)nr;
		reg = place(sa, &args[nr], reg);
		nr++;
	}
	p = text;
	for (u32 i = 0; *p; i++) {
		p = word_read(p, &w);
		if (w.by)
			args[i].by = number_of(args, nr, &w);
		if (w.by && args[i].by == NO_ARG) {
			sa->wrong = text;
			return -EINVAL;
		}
	}
	return (int)nr;
}

/* A member of a struct takes this. */
struct extent {
	u32 size, align;
};

static struct extent extent_of(const struct sysargs *sa, const struct sysarg *member)
{
	const u32 strictest = sa->abi.machine == EM_386 ? 4 : 8;
	const struct layout *in = member->kind == &kind_struct ? member->parm : NULL;

	if (in)
		return (struct extent){ in->size, in->align };
	if (member->kind->in_place)
		return (struct extent){ member->size, 1 };
	if (sysarg_is_packed(member) && sa->abi.machine == EM_X86_64)
		return (struct extent){ member->width, 4 };
	return (struct extent){ member->width, MIN((u32)member->width, strictest) };
}

/* Place the members of a struct. */
static int layout_compile(struct sysargs *sa, const struct layout_text *t, struct layout *l)
{
	struct sysarg args[SYSARGS_MEMBERS];
	int nr = args_compile(sa, t->members, args, SYSARGS_MEMBERS, NULL);
	u32 at = 0;

	memset(l, 0, sizeof(*l));
	l->name = t->name;
	l->align = 1;
	for (int i = 0; i < nr; i++) {
		const struct extent e = extent_of(sa, &args[i]);

		at = ALIGN_UP(at, e.align);
		l->members[i] = (struct member){ args[i], at };
		at += e.size;
		l->align = MAX(l->align, e.align);
	}
	l->nr = nr < 0 ? 0 : (u32)nr;
	l->size = ALIGN_UP(at, l->align);
	return nr < 0 ? nr : 0;
}

static int ret_compile(struct sysargs *sa, const char *kind, struct sysarg *ret)
{
	/* Most results are numbers of the size of a long. */
	const char *wide = strcmp(kind, "int") ? kind : "long";
	struct word w = { .name = "", .kind = wide, .kind_len = strlen(wide) };

	if (set_arg(sa, &w, ret))
		return 0;
	sa->wrong = kind;
	return -EINVAL;
}

static int by_name(const void *key, const void *elem)
{
	return strcmp(key, ((const struct call_text *)elem)->name);
}

/* Add the variants that the values of one row mean. Return: their number so far. */
static int add_variants(struct sysargs *sa, const struct syscall_desc *d,
			const struct variant_text *t, struct syscall_variant *v, u32 nr, u32 max)
{
	const struct names *n = d->args[d->selector].parm;
	size_t len;

	for (const char *p = t->values; *p; p += len + (p[len] == '|')) {
		struct syscall_variant *one = &v[nr];
		int args;

		len = strcspn(p, "|");
		if (!names_lookup(n, p, len, &one->value))
			continue; /* the headers do not know this command yet */
		if (nr + 1 == max) {
			sa->wrong = t->values;
			return -EINVAL;
		}
		args = args_compile(sa, t->args, one->args, SYSARGS_MAX, NULL);
		if (args < 0)
			return -EINVAL;
		one->nr_args = (u32)args;
		one->ret = d->ret;
		if (*t->ret && ret_compile(sa, t->ret, &one->ret))
			return -EINVAL;
		nr++;
	}
	return (int)nr;
}

static int variants_compile(struct sysargs *sa, struct syscall_desc *d)
{
	enum { MAX_VARIANTS = 128 };
	struct syscall_variant *v = xcalloc(MAX_VARIANTS, sizeof(*v)), *kept;
	int nr = 0;

	for (size_t i = 0; i < nr_variant_texts && nr >= 0; i++)
		if (!strcmp(variant_texts[i].call, d->name))
			nr = add_variants(sa, d, &variant_texts[i], v, (u32)nr, MAX_VARIANTS);
	if (nr > 0) {
		kept = arena_alloc(&sa->arena, (size_t)nr * sizeof(*v));
		memcpy(kept, v, (size_t)nr * sizeof(*v));
		d->variants = kept;
		d->nr_variants = (u32)nr;
	}
	free(v);
	return nr < 0 ? nr : 0;
}

static const struct call_text *call_text(const char *name)
{
	return bsearch(name, call_texts, nr_call_texts, sizeof(*call_texts), by_name);
}

/*
 * Return the text of a call. Arguments of clone have another order where the kernel says so. A call
 * of narrow programs that has a wider or newer twin ("getuid32", "clock_gettime64") has its text.
 */
static const struct call_text *text_of(struct sysargs *sa, const char *name)
{
	static const char *const twins[] = { "_time64", "64", "32" };
	bool forwards = sa->abi.machine == EM_X86_64 || sa->abi.machine == EM_S390;
	const struct call_text *t =
		call_text(!strcmp(name, "clone") && !forwards ? "clone-backwards" : name);
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(twins) && !t && sa->abi.narrow; i++) {
		size_t tail = strlen(twins[i]);

		if (len > tail && !strcmp(name + len - tail, twins[i]))
			t = call_text(arena_strndup(&sa->arena, name, len - tail));
	}
	return t;
}

static int call_compile(struct sysargs *sa, const char *name, struct syscall_desc *d)
{
	static const struct call_text unknown = {
		"", "int", "arg0:hex arg1:hex arg2:hex arg3:hex arg4:hex arg5:hex"
	};
	const struct call_text *t = text_of(sa, name);
	int nr;

	d->name = name;
	d->name_len = (u32)strlen(name);
	d->selector = NO_ARG;
	d->known = t;
	if (!t)
		t = &unknown;
	/* These calls of narrow programs have times of 64 bits. */
	sa->wide_times = sa->abi.narrow && strstr(name, "time64");
	nr = args_compile(sa, t->args, d->args, SYSARGS_MAX, &d->selector);
	if (nr < 0 || ret_compile(sa, t->ret, &d->ret))
		return -EINVAL;
	d->nr_args = (u32)nr;
	return d->selector == NO_ARG ? 0 : variants_compile(sa, d);
}

static int layouts_compile(struct sysargs *sa)
{
	sa->layouts = xcalloc(nr_layout_texts, sizeof(*sa->layouts));
	for (size_t i = 0; i < nr_layout_texts; i++) {
		struct layout *l = arena_alloc(&sa->arena, sizeof(*l));

		if (layout_compile(sa, &layout_texts[i], l))
			return -EINVAL;
		sa->layouts[i] = l;
	}
	return 0;
}

/* Add a call by its number (syscall_each()). */
static void add_call(void *ctx, u32 nr, const char *name, size_t len)
{
	struct sysargs *sa = ctx;

	if (nr >= CALLS_MAX || (sa->abi.x32 && nr >= X32_FIRST))
		return;
	sa->names[nr] = arena_strndup(&sa->arena, name, len);
	sa->nr = MAX(sa->nr, nr + 1);
}

/* Return a call that there is. A run asks for few of them, so each is compiled when it is asked
 * for. */
static struct syscall_desc *call_of(struct sysargs *sa, u32 nr)
{
	struct syscall_desc *d = sa->calls[nr];

	if (likely(d))
		return d;
	d = sa->calls[nr] = arena_alloc(&sa->arena, sizeof(*d));
	*d = (struct syscall_desc){ 0 };
	if (call_compile(sa, sa->names[nr], d)) /* a test makes sure that this does not happen */
		*d = (struct syscall_desc){ .name = sa->names[nr],
					    .name_len = (u32)strlen(sa->names[nr]),
					    .selector = NO_ARG };
	return d;
}

struct sysargs *sysargs_new(const struct sysargs_abi *abi, struct err *err)
{
	struct sysargs *sa = xzalloc(sizeof(*sa));

	sa->abi = *abi;
	sa->self = sa;
	sa->moves_bits = machine_moves_bits(abi->machine);
	sa->long_size = abi->narrow || abi->x32 ? 4 : 8;
	sa->names = xcalloc(CALLS_MAX, sizeof(*sa->names));
	sa->calls = xcalloc(CALLS_MAX, sizeof(*sa->calls));
	if (layouts_compile(sa)) {
		err_set(err, -EINVAL,
			"arguments of system calls: cannot read \"%s\" of our own tables",
			sa->wrong);
		sysargs_free(sa);
		return NULL;
	}
	syscall_each(abi->machine, add_call, sa);
	return sa;
}

const char *sysargs_wrong(const struct sysargs *sa)
{
	return sa->wrong;
}

void sysargs_free(struct sysargs *sa)
{
	if (!sa)
		return;
	sysargs_free(sa->narrow);
	free(sa->names);
	free(sa->calls);
	free(sa->layouts);
	arena_release(&sa->arena);
	free(sa);
}

void sysargs_add_narrow(struct sysargs *sa, struct sysargs *narrow)
{
	sysargs_free(sa->narrow);
	sa->narrow = narrow;
}

const struct sysargs *sysargs_of(const struct sysargs *sa, s64 nr)
{
	return sa->narrow && nr >= SYSARGS_NARROW && nr < 2 * SYSARGS_NARROW ? sa->narrow : sa;
}

const struct syscall_desc *sysargs_call(const struct sysargs *sa, u32 nr)
{
	/* It was asked for before. */
	if (likely(nr < sa->nr && sa->calls[nr]))
		return sa->calls[nr];
	if (sysargs_of(sa, nr) != sa)
		return sysargs_call(sa->narrow, nr - SYSARGS_NARROW);
	if (sa->abi.x32)
		nr &= ~(1U << 30);
	return nr < sa->nr && sa->names[nr] ? call_of(sa->self, nr) : NULL;
}

int sysargs_number(const struct sysargs *sa, const char *name)
{
	for (u32 nr = 0; nr < sa->nr; nr++)
		if (sa->names[nr] && !strcmp(sa->names[nr], name))
			return (int)nr;
	return -1;
}

u32 sysargs_nr(const struct sysargs *sa)
{
	return sa->nr;
}

bool sysargs_knows(const struct syscall_desc *d)
{
	return d->known;
}

/* Return the kind that a C type has. */
static const char *kind_of_type(const struct tf_field *f)
{
	if (strchr(f->type, '*'))
		return strstr(f->type, "char *") ? "path" : "ptr";
	if (!strcmp(f->type, "pid_t"))
		return "pid";
	if (!strcmp(f->type, "umode_t"))
		return "mode";
	if (f->size > 4)
		return "long";
	return strstr(f->type, "unsigned") || f->type[0] == 'u' ? "uint" : "int";
}

void sysargs_learn(struct sysargs *sa, const struct tf_event *ev)
{
	static const char prefix[] = "sys_enter_";
	struct syscall_desc *d;
	int nr;

	if (strncmp(ev->name, prefix, strlen(prefix)))
		return;
	nr = sysargs_number(sa, ev->name + strlen(prefix));
	d = nr < 0 ? NULL : call_of(sa, (u32)nr);
	if (!d || sysargs_knows(d))
		return;
	d->nr_args = 0;
	/* The first field that is not common is the number of the call. */
	for (u32 i = ev->nr_common + 1; i < ev->nr_fields && d->nr_args < SYSARGS_MAX; i++) {
		const struct tf_field *f = &ev->fields[i];
		const char *kind = kind_of_type(f);
		struct word w = { .name = f->name,
				  .name_len = strlen(f->name),
				  .kind = kind,
				  .kind_len = strlen(kind) };

		set_arg(sa, &w, &d->args[d->nr_args++]);
	}
}
