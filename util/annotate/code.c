// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instructions of a function, as the library capstone writes them. The text is brought close to
 * that of objdump: names of instructions fill seven columns, and addresses have names.
 */
#include "base/compat.h"

#include "annotate/annotate-internal.h"

#include "arch/arch.h"
#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define NAME_COLUMNS 6 /* of the name of an instruction, before the blank behind it */
#define RAW_COLUMNS 24 /* of the bytes of an instruction */

void annotate_take_arch(const struct annotation *a, struct annotate_tools *t)
{
	t->arch = code_arch(t->files, a->of->at.dso, a->of->at.symtab, t->conf->arch);
}

static struct disasm *disasm_of(struct annotate_tools *t, bool wide)
{
	struct disasm **d = &t->disasm[t->arch->code][wide];

	if (!t->tried[t->arch->code][wide]) {
		t->tried[t->arch->code][wide] = true;
		*d = disasm_open(t->arch, wide);
		t->bad_syntax |= *d && t->conf->syntax && !disasm_syntax(*d, t->conf->syntax);
	}
	return *d;
}

/* Read the bytes of the function. Return: their number; 0: it has none that can be read. */
static size_t read_code(struct annotation *a, struct annotate_tools *t, bool *wide)
{
	const struct annotate_function *f = a->of;
	size_t size = (size_t)MIN(f->end - f->start, (u64)MOST_CODE);

	if (size > t->cap_code) {
		t->code = xrealloc(t->code, size, 1);
		t->cap_code = size;
	}
	return code_read(t->files, f->at.dso, f->at.symtab, f->start, t->code, size, wide);
}

/* Is the digit at @s a number of one digit, which the library writes without "0x"? */
static bool lone_digit(const char *text, const char *s)
{
	if (!isdigit((unsigned char)*s) || (s > text && !strchr("$- ,*:", s[-1])))
		return false;
	return !s[1] || s[1] == ',' || s[1] == '(';
}

/* Append operands of x86 as the GNU tools write them: without blanks behind commas, and with all
 * numbers in the same notation. */
static void put_operands(const char *s, bool att, struct strbuf *out)
{
	for (const char *p = s; *p; p++) {
		if (*p == ' ' && p > s && p[-1] == ',')
			continue;
		if (att && lone_digit(s, p))
			strbuf_addstr(out, "0x");
		strbuf_addch(out, *p);
	}
}

/*
 * Return the name of the function at an address, and how far that is behind its start: one of the
 * same object or, as the kernel, its modules and BPF programs call each other, one of the kernel.
 */
static const char *name_at(const struct annotation *a, struct annotate_tools *t, u64 vaddr,
			   u64 *behind)
{
	const struct location *l = &a->of->at;
	u64 addr = code_place(t->files, l->dso, l->symtab, vaddr), start;
	u32 sym = symtab_find(l->symtab, addr);
	const char *name;

	if (sym != UINT32_MAX) {
		*behind = addr - symtab_range(l->symtab, sym).start;
		return symtab_name(l->symtab, sym);
	}
	if (l->dso->cpumode != PERF_RECORD_MISC_KERNEL || !t->conf->machine)
		return NULL;
	if (l->dso->kind != DSO_KERNEL) /* others count from where they are */
		addr += l->dso->base;
	name = resolve_kernel_name(t->conf->machine, t->conf->symbols, addr, &start);
	*behind = addr - start;
	return name;
}

void annotate_name_target(const struct annotation *a, struct annotate_tools *t, u64 vaddr,
			  struct strbuf *out)
{
	u64 behind = 0;
	const char *name = name_at(a, t, vaddr, &behind);

	strbuf_addf(out, "%" PRIx64, vaddr);
	if (!name)
		return;
	strbuf_addstr(out, " <");
	strbuf_addname(out, name);
	strbuf_addf(out, behind ? "+0x%" PRIx64 ">" : ">", behind);
}

void annotate_name_targets(struct annotation *a, struct annotate_tools *t)
{
	struct map64 names = { 0 };

	for (size_t i = 0; i < a->nr; i++) {
		struct annotate_line *line = &a->lines[i];
		const char *name;
		u64 behind;
		u32 *slot;

		if (!line->has_target ||
		    (line->flow == FLOW_JUMP && line->target >= a->start && line->target < a->end))
			continue;
		name = name_at(a, t, line->target, &behind);
		if (!name || behind)
			continue;
		slot = map64_slot(&names, line->target);
		if (*slot == MAP64_NONE)
			*slot = annotation_put(a, name, strlen(name));
		line->target_name = *slot;
	}
	map64_release(&names);
}

/* Write the text of one instruction, as the library gives it in @raw. */
static void put_insn(const struct annotation *a, struct annotate_tools *t, const char *raw,
		     u64 next, const struct flow *flow, struct strbuf *out)
{
	bool x86 = t->arch->code == ARCH_CODE_X86;
	bool att = x86 && !(t->conf->syntax && !strcmp(t->conf->syntax, "intel"));
	size_t begun = out->len, name = strcspn(raw, " ");
	s64 offset;

	strbuf_add(out, raw, name);
	if (!raw[name])
		return;
	strbuf_pad(out, begun + NAME_COLUMNS);
	strbuf_addch(out, ' ');
	if (flow->has_target) {
		if (flow->at > name + 1)
			strbuf_add(out, raw + name + 1, flow->at - name - 1);
		annotate_name_target(a, t, flow->target, out);
		return;
	}
	if (x86)
		put_operands(raw + name + 1, att, out);
	else
		strbuf_addstr(out, raw + name + 1);
	if (!x86 || !flow_data(raw, &offset))
		return;
	strbuf_addstr(out, "        # ");
	annotate_name_target(a, t, next + (u64)offset, out);
}

static void put_bytes(const u8 *p, size_t len, struct strbuf *out)
{
	size_t begun = out->len;

	for (size_t i = 0; i < len; i++)
		strbuf_addf(out, "%02x ", p[i]);
	strbuf_pad(out, begun + RAW_COLUMNS);
}

/* Add the instruction at an offset. Return: its length. */
static size_t add_insn(struct annotation *a, struct annotate_tools *t, struct disasm *d, size_t at,
		       size_t size)
{
	struct strbuf *raw = &t->scratch;
	struct annotate_line *line;
	u64 addr = a->start + at;
	struct flow flow = { .kind = FLOW_NONE };
	u32 text = (u32)a->text.len;
	size_t len;

	strbuf_reset(raw);
	len = disasm_text(d, t->code + at, size - at, addr, raw);
	if (!len) {
		len = MIN((size_t)disasm_step(d), size - at);
		strbuf_addstr(raw, "(bad)");
	}
	flow = flow_of(t->arch->code, strbuf_str(raw));
	if (t->conf->raw)
		put_bytes(t->code + at, len, &a->text);
	put_insn(a, t, strbuf_str(raw), addr + len, &flow, &a->text);
	strbuf_addch(&a->text, '\0');
	line = annotation_add(a, ANNOTATE_INSN, text);
	line->addr = addr;
	line->flow = (u8)flow.kind;
	line->has_target = flow.has_target;
	line->target = flow.target;
	return len;
}

void annotate_bytes(struct annotation *a, struct annotate_tools *t)
{
	bool wide;
	size_t size = read_code(a, t, &wide);
	u64 end = a->start + size;

	for (size_t i = a->nr; i-- > 0;) {
		struct annotate_line *line = &a->lines[i];

		if (line->kind != ANNOTATE_INSN || line->addr < a->start || line->addr >= end)
			continue;
		strbuf_reset(&t->scratch);
		for (u64 at = line->addr; at < end; at++)
			strbuf_addf(&t->scratch, "%02x", t->code[at - a->start]);
		line->bytes = annotation_put(a, t->scratch.buf, t->scratch.len);
		end = line->addr;
	}
}

void annotate_sites(struct annotation *a, struct annotate_tools *t)
{
	const struct annotate_function *f = a->of;

	a->start = code_virtual(t->files, f->at.dso, f->at.symtab, f->start);
	a->end = a->start + (f->end - f->start);
	a->sites_only = true;
	for (size_t i = 0; i < f->nr_sites; i++)
		if (!i || f->sites[i].addr != f->sites[i - 1].addr)
			annotation_add(a, ANNOTATE_INSN, 0)->addr =
				a->start + (f->sites[i].addr - f->start);
	free(a->why);
	a->why = NULL;
}

void annotate_no_code(struct annotation *a)
{
	const struct location *l = &a->of->at;
	const char *kcore = symtab_kcore(l->symtab), *name = location_dso_long(l);
	int fd;

	if (l->dso->kind == DSO_BPF)
		return annotation_fail(
			a,
			"the recording does not have the code of %s: it has that of BPF programs when its recorder was privileged",
			name);
	fd = kcore ? open(kcore, O_RDONLY | O_CLOEXEC) : -1;
	if (kcore && fd < 0)
		return annotation_fail(
			a,
			"the code of %s cannot be read: no vmlinux of it was found (give one with -k), and its memory is not readable: %s: %s",
			name, kcore, err_str(-errno));
	if (fd >= 0)
		close(fd);
	annotation_fail(a, "the code of %s cannot be read: %s", name,
			symtab_why(l->symtab) ?: "it has no file");
}

void annotate_code(struct annotation *a, struct annotate_tools *t)
{
	bool wide = true;
	size_t size = read_code(a, t, &wide);
	struct disasm *d;

	annotate_take_arch(a, t);
	d = size ? disasm_of(t, wide) : NULL;
	if (!size)
		return annotate_no_code(a);
	if (!d)
		return annotation_fail(
			a,
			"instructions of %s cannot be disassembled without the library capstone: install it, or use --objdump=objdump",
			t->arch->unames ? t->arch->unames[0] : "this machine");
	if (t->bad_syntax)
		return annotation_fail(
			a,
			"the syntax '%s' is not one that instructions can be written in here: say att or intel (of x86), or use --objdump=objdump, which takes its own",
			t->conf->syntax);
	a->start = code_virtual(t->files, a->of->at.dso, a->of->at.symtab, a->of->start);
	a->end = a->start + (a->of->end - a->of->start);
	for (size_t at = 0; at < size;)
		at += add_insn(a, t, d, at, size);
}
