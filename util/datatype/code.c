// SPDX-License-Identifier: GPL-2.0-or-later
/* Decode a function and divide it into blocks, and note which places of variables are valid where.
 */
#include "base/compat.h"
#include "base/bisect.h"

#include "datatype/datatype-internal.h"

#include "base/alloc.h"

#define ACTIVE_MAX ((size_t)8 << 20) /* places of all instructions together */

static void decode(struct code *c, struct disasm *d, const u8 *bytes, size_t size)
{
	for (size_t at = 0; at < size;) {
		struct code_insn *insn;

		VEC_GROW(c->insns, c->nr + 1, c->cap);
		insn = &c->insns[c->nr];
		insn->addr = c->start + at;
		if (!disasm_operands(d, bytes + at, size - at, insn->addr, &insn->op)) {
			at += disasm_step(d);
			continue;
		}
		c->nr++;
		at += insn->op.len;
	}
}

size_t code_insn_at(const struct code *c, u64 addr)
{
	size_t i = FIRST_FROM(c->insns, c->nr, addr, addr);

	return i < c->nr && c->insns[i].addr == addr ? i : SIZE_MAX;
}

static bool ends_block(const struct insn_operands *op)
{
	return op->action == INSN_JUMP || op->action == INSN_BRANCH || op->action == INSN_RETURN;
}

/* Divide the instructions: a block begins at each target, and behind each jump. */
static void divide(struct code *c)
{
	bool *first = xcalloc(c->nr + 1, sizeof(*first));

	first[0] = true;
	for (size_t i = 0; i < c->nr; i++) {
		const struct insn_operands *op = &c->insns[i].op;
		size_t to = op->has_target && op->action != INSN_CALL ? code_insn_at(c, op->target)
								      : SIZE_MAX;

		if (to != SIZE_MAX)
			first[to] = true;
		if (ends_block(op))
			first[i + 1] = true;
	}
	for (size_t i = 0; i < c->nr; i++)
		c->nr_blocks += first[i];
	c->blocks = xcalloc(c->nr_blocks + 1, sizeof(*c->blocks));
	for (size_t i = 0, block = SIZE_MAX; i < c->nr; i++) {
		block += first[i];
		if (first[i])
			c->blocks[block].first = (u32)i;
		c->blocks[block].nr++;
		c->insns[i].block = (u32)block;
	}
	free(first);
}

/* Fill c->active: first count the places of each instruction, then put them down. */
static void activate(struct code *c, const u32 *places, size_t nr)
{
	const struct variable_place *all = c->debug ? c->debug->places : NULL;
	size_t sum = 0;

	for (size_t p = 0; p < nr && sum < ACTIVE_MAX; p++)
		for (size_t i = FIRST_FROM(c->insns, c->nr, addr, all[places[p]].start);
		     i < c->nr && c->insns[i].addr < all[places[p]].end; i++, sum++)
			c->active_from[i + 2]++;
	if (sum >= ACTIVE_MAX) {
		memset(c->active_from, 0, (c->nr + 2) * sizeof(*c->active_from));
		return;
	}
	for (size_t i = 2; i < c->nr + 2; i++)
		c->active_from[i] += c->active_from[i - 1];
	c->active = xcalloc(sum + 1, sizeof(*c->active));
	for (size_t p = 0; p < nr; p++)
		for (size_t i = FIRST_FROM(c->insns, c->nr, addr, all[places[p]].start);
		     i < c->nr && c->insns[i].addr < all[places[p]].end; i++)
			c->active[c->active_from[i + 1]++] = places[p];
}

/* Tell places in registers, which are looked up at each instruction, from those in memory. */
static void sort_places(struct code *c)
{
	size_t nr = c->debug ? c->debug->nr_places : 0, nr_regs = 0;
	u32 *regs = xcalloc(nr + 1, sizeof(*regs));

	c->memory = xcalloc(nr + 1, sizeof(*c->memory));
	c->active_from = xcalloc(c->nr + 2, sizeof(*c->active_from));
	for (size_t p = 0; p < nr; p++) {
		enum place_kind kind = c->debug->places[p].kind;

		if (kind == PLACE_REGISTER || kind == PLACE_VALUE)
			regs[nr_regs++] = (u32)p;
		else
			c->memory[c->nr_memory++] = (u32)p;
	}
	activate(c, regs, nr_regs);
	free(regs);
}

/* Find where the frame is before each instruction. */
static void find_frames(struct code *c)
{
	struct frame_cfa cfa = { .reg = -1 };

	for (size_t i = 0; i < c->nr; i++) {
		u64 addr = c->insns[i].addr;

		if (c->frames && (addr < cfa.start || addr >= cfa.end))
			frames_cfa(c->frames, addr, &cfa);
		c->insns[i].cfa = cfa;
	}
}

void code_decode(struct code *c, struct disasm *d, const u8 *bytes, size_t size)
{
	decode(c, d, bytes, size);
	divide(c);
	sort_places(c);
	find_frames(c);
}

void code_release(struct code *c)
{
	free(c->insns);
	free(c->blocks);
	free(c->active_from);
	free(c->active);
	free(c->memory);
}
