// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "script/view.h"

#include "base/alloc.h"
#include "disasm/code-files.h"
#include "resolve/source-files.h"
#include "wire/field-text.h"

#include <elf.h>

void view_open(struct view *v, const struct view_source *of)
{
	*v = (struct view){ .of = *of, .arch = arch_of(of->chains.arch) };
	v->resolver = resolver_new(of->machine, of->symbols);
	v->files = code_files_new();
	v->lines = srclines_new(of->symbols);
	v->sources = source_files_new();
	v->chains.call_stacks = true;
	callchain_conf_open(&v->chains, &of->chains);
	v->maker.conf = &v->chains;
}

void view_close(struct view *v)
{
	resolver_free(v->resolver);
	code_files_free(v->files);
	srclines_free(v->lines);
	source_files_free(v->sources);
	callchain_maker_release(&v->maker);
	callchain_conf_close(&v->chains);
	free(v->frames);
	strbuf_release(&v->text);
	*v = (struct view){ 0 };
}

/* ---- places ---- */

void view_find(struct view *v, u8 cpumode, u64 ip, struct location *out)
{
	u32 epoch = v->at->epoch;

	if (cpumode == RESOLVE_ANY_MODE || !machine_sealed(v->of.machine))
		resolve_find(v->of.machine, v->of.symbols, epoch, cpumode, ip, out);
	else
		resolver_find(v->resolver, &v->near[(epoch + cpumode) % VIEW_NEAR], epoch, cpumode,
			      ip, out);
}

u8 view_binding(const struct view_place *p)
{
	u8 letter;

	if (!p->symtab || p->index == UINT32_MAX)
		return STB_LOCAL;
	letter = symtab_get(p->symtab, p->index).binding;
	return letter == 'g' ? STB_GLOBAL : letter == 'w' ? STB_WEAK : STB_LOCAL;
}

static void fill(const struct location *l, struct view_place *out)
{
	*out = (struct view_place){ .ip = l->ip,
				    .addr = l->addr,
				    .cpumode = l->cpumode,
				    .dso = l->dso,
				    .map = l->map,
				    .symtab = l->symtab,
				    .index = l->sym,
				    .object = l->dso ? location_dso_long(l) : NULL };
	if (l->symtab && l->sym != UINT32_MAX) {
		struct sym_range range = symtab_range(l->symtab, l->sym);

		out->sym = location_symbol(l);
		out->sym_start = range.start;
		out->sym_end = range.end;
		out->symoff = l->addr - range.start;
	}
}

void view_place(struct view *v, u8 cpumode, u64 ip, struct view_place *out)
{
	struct location l;

	view_find(v, cpumode, ip, &l);
	fill(&l, out);
	out->ip = ip;
}

bool view_addr_is_place(const struct evsel *e)
{
	if (e->attr.type == PERF_TYPE_SOFTWARE)
		return e->attr.config == PERF_COUNT_SW_PAGE_FAULTS ||
		       e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return e->attr.type == PERF_TYPE_HARDWARE &&
	       e->attr.config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS && e->attr.sample_period == 1;
}

const char *view_build_id(struct view *v, const struct view_place *p)
{
	const struct dso *dso = p->dso;
	const char *file = p->symtab ? symtab_object(p->symtab) : NULL;
	u8 id[20];
	int size;

	if (!dso || dso == v->id_of)
		return dso ? v->build_id : "";
	v->id_of = dso;
	v->build_id[0] = '\0';
	size = !dso->build_id_size && file ? elf_build_id(file, id) : 0;
	if (dso->build_id_size)
		build_id_hex(dso->build_id, dso->build_id_size, v->build_id);
	else if (size > 0)
		build_id_hex(id, (u8)size, v->build_id);
	return v->build_id;
}

/* ---- call chains ---- */

static struct view_place *add_frame(struct view *v, size_t nr)
{
	VEC_GROW(v->frames, nr + 1, v->cap_frames);
	return &v->frames[nr];
}

/* Add the frames of one address: the functions that were inlined there, then the function itself.
 * Return: the number of frames from then on. */
static size_t add_frames(struct view *v, u8 mode, bool call, u64 ip, size_t nr)
{
	const struct inline_frame *inlined;
	struct view_place place;
	struct location l, line;
	u32 nr_inlined = 0;

	view_find(v, mode, ip, &l);
	fill(&l, &place);
	place.ip = ip;
	if (v->of.inlines && l.symtab && l.sym != UINT32_MAX && symtab_has_lines(l.symtab)) {
		line = l;
		line.addr -= call; /* a return address may be that of the next line */
		nr_inlined = srcline_inlines(v->lines, &line, &inlined);
	}
	for (u32 i = 0; i < nr_inlined; i++) {
		struct view_place *p = add_frame(v, nr++);

		*p = place;
		p->sym = inlined[i].name;
		p->inlined = true;
	}
	*add_frame(v, nr++) = place;
	return nr;
}

size_t view_frames(struct view *v, const struct view_place **out)
{
	const struct sample *s = v->ev->sample;
	struct callchain chain;
	struct callchain_walk walk = { .left = v->of.max_stack, .mode = s->cpumode };
	size_t nr = 0;
	u64 ip;

	callchain_make(&v->maker, layout_lbr_chain(&v->ev->evsel->layout), v->at->epoch, s, &chain);
	walk.ips = chain.ips;
	walk.nr = chain.nr - (chain.ips == s->callchain && chain_is_deferred(s) ? 2 : 0);
	walk.lbr = chain.calls;
	while (callchain_next(&walk, &ip))
		nr = add_frames(v, walk.mode, callchain_call(&walk), ip, nr);
	*out = v->frames;
	return walk.wrong ? 0 : nr;
}

/* ---- code and lines ---- */

size_t view_code(struct view *v, const struct location *l, void *buf, size_t size, bool *wide)
{
	size_t nr;
	const struct text_poke *pokes = machine_pokes(v->of.machine, &nr);

	code_files_set_pokes(v->files, pokes, nr);
	code_files_set_time(v->files, v->ev->time);
	return code_read(v->files, l->dso, l->symtab, l->addr, buf, size, wide);
}

const u8 *view_insn(struct view *v, u32 *len)
{
	struct location l;
	struct insn insn;
	bool wide;
	size_t n;

	*len = 0;
	view_find(v, v->ev->sample->cpumode, v->ev->sample->ip, &l);
	if (!l.dso || !l.symtab)
		return NULL;
	n = view_code(v, &l, v->insn, INSN_MAX, &wide);
	if (insn_decode(v->arch, v->insn, n, wide, &insn))
		return NULL;
	*len = insn.len;
	return v->insn;
}

u32 view_srcline(struct view *v, const char **file)
{
	struct location l;

	view_find(v, v->ev->sample->cpumode, v->ev->sample->ip, &l);
	*file = NULL;
	return srcline_find(v->lines, &l, file);
}

const char *view_source(struct view *v, const char *file, u32 line, size_t *len)
{
	const char *text;
	u32 number;

	return source_line(v->sources, file, line, &number, &text, len) ? text : NULL;
}

const char *view_text(struct view *v, enum view_text what)
{
	const struct sample *s = v->ev->sample;

	strbuf_reset(&v->text);
	switch (what) {
	case VIEW_INTR_REGS:
		regs_text(&s->intr_regs, v->arch, &v->text);
		break;
	case VIEW_USER_REGS:
		regs_text(&s->user_regs, v->arch, &v->text);
		break;
	case VIEW_DATA_SRC:
		data_src_text(view_data_src(v), &v->text);
		break;
	}
	return strbuf_str(&v->text);
}
