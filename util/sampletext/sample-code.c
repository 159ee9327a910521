// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A branch stack says where the processor jumped to and from. Between the target of one branch and
 * the place of the next branch it executed one instruction after the other; these are read from the
 * object.
 */
#include "base/compat.h"

#include "sampletext/sample-code.h"

#include "arch/insn.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "resolve/source-files.h"
#include "resolve/resolve.h"
#include "resolve/srcline.h"
#include "disasm/disasm.h"
#include "disasm/code-files.h"

#define BLOCK_MAX                                                                                  \
	16384 /* bytes between two branches; a larger distance means a corrupt branch stack */
#define REST_MAX 128 /* bytes shown after the last branch when the sample is not behind it */
#define BYTES_WIDTH 24

#define SAMPLE_NO_LINE "??:0" /* the line of a function without lines */

struct sample_code {
	struct sample_code_conf conf;
	const struct arch *arch;
	struct code_files *files;
	struct disasm *text[2]; /* for 32-bit and 64-bit programs */
	bool text_tried[2];
	struct map64 line_of; /* epoch, mode, address -> offset in texts */
	struct strbuf texts;
	struct source_files *sources;
	struct map64 shown; /* for each thread, the source line shown last */
	u8 buf[BLOCK_MAX + INSN_MAX];
};

/* The output of one branch stack. */
struct walk {
	struct sample_code *sc;
	const struct thread_at *at;
	const struct evsel *e;
	const struct sample *s;
	bool length, srcline, wide, text, counters;
	u64 sym_start, sym_end; /* of the function shown last */
	u64 cycles;
	struct strbuf *out;
};

struct sample_code *sample_code_new(const struct sample_code_conf *conf)
{
	struct sample_code *sc = xzalloc(sizeof(*sc));

	sc->conf = *conf;
	sc->arch = arch_of(conf->arch);
	sc->files = code_files_new();
	sc->sources = source_files_new();
	return sc;
}

void sample_code_free(struct sample_code *sc)
{
	if (!sc)
		return;
	code_files_free(sc->files);
	disasm_close(sc->text[0]);
	disasm_close(sc->text[1]);
	source_files_free(sc->sources);
	map64_release(&sc->line_of);
	map64_release(&sc->shown);
	strbuf_release(&sc->texts);
	free(sc);
}

static void locate(const struct sample_code *sc, const struct thread_at *at, u64 ip,
		   struct location *l)
{
	resolve_find(sc->conf.machine, sc->conf.symbols, at->epoch, RESOLVE_ANY_MODE, ip, l);
}

/* From now on, read the kernel's code as it was at the time of a sample. */
static void set_time(struct sample_code *sc, const struct sample *s)
{
	size_t nr;
	const struct text_poke *pokes = machine_pokes(sc->conf.machine, &nr);

	code_files_set_pokes(sc->files, pokes, nr);
	code_files_set_time(sc->files, s->time);
}

/* Read the bytes of code at an address into sc->buf. Return: their number. */
static size_t read_code(struct sample_code *sc, const struct thread_at *at, u64 ip, size_t size,
			bool *wide)
{
	struct location l;

	if (!insn_known(sc->arch))
		return 0;
	locate(sc, at, ip, &l);
	if (!l.dso || !l.symtab)
		return 0;
	return code_read(sc->files, l.dso, l.symtab, l.addr, sc->buf, size, wide);
}

/*
 * Append an instruction as text, or as bytes if no library can disassemble. Return: false when it
 * is not an instruction.
 */
static bool put_text(struct sample_code *sc, u64 ip, const u8 *p, size_t size, bool wide,
		     struct strbuf *out)
{
	if (!sc->text_tried[wide]) {
		sc->text_tried[wide] = true;
		sc->text[wide] = disasm_open(sc->arch, wide);
	}
	return sc->text[wide] && disasm_text(sc->text[wide], p, size, ip, out);
}

static void put_bytes(const u8 *p, u32 len, struct strbuf *out)
{
	for (u32 i = 0; i < len; i++)
		strbuf_addf(out, " %02x", p[i]);
}

void sample_code_insn(struct sample_code *sc, const struct thread_at *at, const struct sample *s,
		      u64 fields, struct strbuf *out)
{
	struct insn insn = { 0 };
	bool wide = true, bytes = fields & SF_INSN;
	size_t n = 0;

	set_time(sc, s);
	if (sc->conf.arch) /* perf 6.1 requires it here */
		n = read_code(sc, at, s->ip, INSN_MAX, &wide);
	if (n && insn_decode(sc->arch, sc->buf, n, wide, &insn))
		insn.len = 0;
	if (fields & SF_INSNLEN)
		strbuf_addf(out, " ilen: %u", insn.len);
	if (fields & SF_DISASM && insn.len) {
		strbuf_addstr(out, "\t\t");
		if (!put_text(sc, s->ip, sc->buf, insn.len, wide, out)) {
			out->len -= 2;
			bytes = true;
		}
	}
	if (bytes && insn.len) {
		strbuf_addstr(out, " insn:");
		put_bytes(sc->buf, insn.len, out);
	}
}

/* Append "leaf+44:" when the function differs from the one shown before. */
static void put_function(struct walk *w, u64 ip)
{
	struct location l;
	struct symbol sym;
	u64 offset;

	if (ip >= w->sym_start && ip < w->sym_end)
		return;
	locate(w->sc, w->at, ip, &l);
	if (!l.symtab || l.sym == UINT32_MAX)
		return;
	sym = symtab_get(l.symtab, l.sym);
	offset = l.addr - sym.start;
	w->sym_start = ip - offset;
	w->sym_end = w->sym_start + (sym.end - sym.start);
	strbuf_addch(w->out, '\t');
	strbuf_addname(w->out, location_symbol(&l));
	if (offset)
		strbuf_addf(w->out, "+%" PRIu64, offset);
	strbuf_addch(w->out, ':');
	if (w->srcline) {
		size_t at = w->out->len;

		strbuf_addch(w->out, '\t');
		sample_code_srcline(w->sc, w->at, RESOLVE_ANY_MODE, ip, w->out);
		/* beside the name that stands there it says nothing */
		if (!strcmp(w->out->buf + at + 1, SAMPLE_NO_LINE))
			w->out->len = at + 1;
		if (w->out->len == at + 1)
			w->out->len--;
	}
	strbuf_addch(w->out, '\n');
}

/* Append the instruction at p, without a line end. Return: its length, 0 when it is not valid. */
static u32 put_insn(struct walk *w, u64 ip, const u8 *p, size_t size, bool pad, bool *branch)
{
	struct insn insn;
	size_t at;

	strbuf_addf(w->out, "\t%016" PRIx64 "\t", ip);
	if (insn_decode(w->sc->arch, p, size, w->wide, &insn)) {
		strbuf_addstr(w->out, w->length ? "<bad>\tilen: 0" : "<bad>");
		return 0;
	}
	at = w->out->len;
	if (!w->text || !put_text(w->sc, ip, p, insn.len, w->wide, w->out)) {
		strbuf_addstr(w->out, "insn:");
		at = w->out->len;
		put_bytes(p, insn.len, w->out);
		strbuf_addch(w->out, ' ');
	}
	if (pad)
		strbuf_pad(w->out, at + 1 + BYTES_WIDTH);
	if (w->length)
		strbuf_addf(w->out, "\tilen: %u", insn.len);
	if (branch)
		*branch = insn.branch;
	return insn.len;
}

/* Append the branch with this number, which ends a block of so many instructions (0: unknown). */
static void put_branch(struct walk *w, u64 nr, const u8 *p, size_t size, u32 insns)
{
	u64 flags = w->s->branches[nr * 3 + 2], cycles = flags >> 4 & 0xffff;

	put_insn(w, w->s->branches[nr * 3], p, size, true, NULL);
	if (w->counters) {
		strbuf_addstr(w->out, "\tbr_cntr: ");
		branch_counters_put(w->sc->conf.counters, w->e, w->s->branch_counters[nr], w->out);
	}
	strbuf_addstr(w->out, "\t#");
	if (flags & 2)
		strbuf_addstr(w->out, " PRED");
	if (flags & 1)
		strbuf_addstr(w->out, " MISPRED");
	if (flags & 4)
		strbuf_addstr(w->out, " INTX");
	if (flags & 8)
		strbuf_addstr(w->out, " ABORT");
	w->cycles += cycles;
	if (cycles)
		strbuf_addf(w->out, " %" PRIu64 " cycles [%" PRIu64 "]", cycles, w->cycles);
	if (cycles && insns)
		strbuf_addf(w->out, " %.2f IPC", (double)((float)insns / (float)cycles));
	strbuf_addch(w->out, '\n');
}

static bool same_side(u64 a, u64 b)
{
	return (s64)(a ^ b) >= 0;
}

/* Append the block from the target of the branch before to the branch with this number. */
static void put_block(struct walk *w, u64 nr)
{
	u64 start = w->s->branches[(nr + 1) * 3 + 1], end = w->s->branches[nr * 3];
	u32 insns = 0, len;
	u64 ip = start;
	size_t size;

	if (!start || !end || start > end || end - start > BLOCK_MAX - INSN_MAX ||
	    !same_side(start, end))
		return;
	size = read_code(w->sc, w->at, start, (size_t)(end - start) + INSN_MAX, &w->wide);
	if (!size)
		return;
	for (; ip - start < size; ip += len) {
		const u8 *p = w->sc->buf + (ip - start);

		put_function(w, ip);
		insns++;
		if (ip == end) {
			put_branch(w, nr, p, size - (size_t)(ip - start), insns);
			return;
		}
		len = put_insn(w, ip, p, size - (size_t)(ip - start), false, NULL);
		strbuf_addch(w->out, '\n');
		if (!len)
			break;
	}
	strbuf_addstr(w->out, "\tmismatch of LBR data and executable\n");
}

/* Append the block from the target of the last branch to the sample. */
static void put_rest(struct walk *w, u64 start)
{
	u64 ip = w->s->ip, end = ip;
	bool branch = false;
	size_t size = 0;
	u32 len;

	if (start > end || end - start > BLOCK_MAX - INSN_MAX)
		end = start + REST_MAX;
	put_function(w, start);
	if (start && same_side(start, ip))
		size = read_code(w->sc, w->at, start, (size_t)(end - start) + INSN_MAX, &w->wide);
	if (!size) { /* show at least the instruction itself */
		size = read_code(w->sc, w->at, ip, INSN_MAX, &w->wide);
		if (size && put_insn(w, ip, w->sc->buf, size, false, NULL))
			strbuf_addch(w->out, '\n');
		return;
	}
	for (u64 at = 0; at <= end - start && at < size; at += len) {
		len = put_insn(w, start + at, w->sc->buf + at, size - (size_t)at, false, &branch);
		strbuf_addch(w->out, '\n');
		if (!len)
			return;
		if (branch && start + at != ip) {
			strbuf_addstr(w->out, "\t... not reaching sample ...\n");
			return;
		}
	}
}

void sample_code_branches(struct sample_code *sc, const struct thread_at *at, const struct evsel *e,
			  const struct sample *s, u64 fields, struct strbuf *out)
{
	struct walk w = {
		.sc = sc,
		.at = at,
		.e = e,
		.s = s,
		.counters = fields & SF_BRCNTR && sc->conf.counters && s->branch_counters,
		.length = fields & SF_BRSTACKINSNLEN,
		.srcline = fields & SF_SRCLINE,
		.text = fields & SF_BRSTACKDISASM,
		.out = out,
	};
	const u64_una *b = s->branches;
	u64 nr = s->nr_branches;
	size_t size;

	if (!nr)
		return;
	if (sc->conf.max_blocks && nr > (u64)sc->conf.max_blocks + 1)
		nr = (u64)sc->conf.max_blocks + 1;
	set_time(sc, s);
	strbuf_addch(out, '\n');
	size = read_code(sc, at, b[(nr - 1) * 3], INSN_MAX, &w.wide);
	if (size) {
		put_function(&w, b[(nr - 1) * 3]);
		put_branch(&w, nr - 1, sc->buf, size, 0);
	}
	for (u64 i = nr - 1; i--;)
		put_block(&w, i);
	if (b[0] != s->ip && !(b[2] & 8))
		put_rest(&w, b[1]);
}

/* ---- lines of source ---- */

/* Tell whether a function of the object begins at or before an address; PLT stubs do not count. */
static bool behind_function(const struct symtab *t, u64 addr)
{
	u32 lo = 0, hi = symtab_nr(t);
	const char *name;
	size_t len;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (symtab_get(t, mid).start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	name = lo ? symtab_raw_name(t, lo - 1) : NULL;
	len = name ? strlen(name) : 0;
	return name && !(len > 4 && !strcmp(name + len - 4, "@plt"));
}

static void find_srcline(struct sample_code *sc, const struct thread_at *at, u8 cpumode, u64 ip)
{
	struct location l;
	const char *file, *name;
	u32 line;

	resolve_find(sc->conf.machine, sc->conf.symbols, at->epoch, cpumode, ip, &l);
	if (!l.dso)
		return;
	line = srcline_find(sc->conf.lines, &l, &file);
	if (!line) {
		/* no object, where addr2line(1) would name a function */
		if (l.symtab && l.dso->kind == DSO_USER && symtab_object(l.symtab) &&
		    behind_function(l.symtab, l.addr)) {
			strbuf_addstr(&sc->texts, l.sym == UINT32_MAX ? "" : SAMPLE_NO_LINE);
			return;
		}
		strbuf_addname(&sc->texts, l.dso->short_name);
		strbuf_addf(&sc->texts, "[%" PRIx64 "]", l.addr);
		return;
	}
	name = sc->conf.full_source_path ? NULL : strrchr(file, '/');
	strbuf_addname(&sc->texts, name ? name + 1 : file);
	strbuf_addf(&sc->texts, ":%u", line);
}

void sample_code_srcline(struct sample_code *sc, const struct thread_at *at, u8 cpumode, u64 ip,
			 struct strbuf *out)
{
	u64 key = hash_u64(ip) ^ hash_u64((u64)at->epoch << 8 | cpumode);
	u32 *slot = map64_slot(&sc->line_of, key);

	if (*slot == MAP64_NONE) {
		*slot = (u32)sc->texts.len;
		find_srcline(sc, at, cpumode, ip);
		strbuf_addch(&sc->texts, '\0');
	}
	strbuf_addstr(out, sc->texts.buf + *slot);
}

void sample_code_source(struct sample_code *sc, const struct thread_at *at, const struct sample *s,
			struct strbuf *out)
{
	const char *file, *text;
	struct location l;
	size_t len;
	u32 line, number;

	resolve_find(sc->conf.machine, sc->conf.symbols, at->epoch, s->cpumode, s->ip, &l);
	line = srcline_find(sc->conf.lines, &l, &file);
	if (!line || !source_line(sc->sources, file, line, &number, &text, &len))
		return;
	if (map64_get(&sc->shown, at->thread) == number)
		return;
	map64_set(&sc->shown, at->thread, number);
	strbuf_addf(out, "|%-8u ", line);
	for (size_t i = 0; i < len; i++) {
		u8 c = (u8)text[i];

		strbuf_addch(out, (c < 0x20 && c != '\t') || c == 0x7f ? '.' : (char)c);
	}
	strbuf_addch(out, '\n');
}
