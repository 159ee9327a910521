// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follow the values of registers and of places of the stack through a function. What is known
 * before a block is what all ways there agree about; blocks are looked at until nothing changes any
 * more.
 */
#include "base/compat.h"

#include "datatype/datatype-internal.h"

#include "base/alloc.h"

#define CASES_MAX 1024 /* of a table of jumps */

static const struct value unknown = { .kind = VALUE_UNKNOWN };

static bool is_reg(s16 reg)
{
	return reg >= 0 && reg < REGS_MAX;
}

/* ---- where ways meet ---- */

static const struct value *slot_find(const struct state *s, s64 at)
{
	for (u32 i = 0; i < s->nr_slots; i++)
		if (s->slots[i].at == at)
			return &s->slots[i].value;
	return NULL;
}

/* Change what is known before a block into what is when that or @from is the case. Return: whether
 * it changed. */
static bool meet_states(const struct code *c, struct code_block *block, const struct state *from)
{
	struct state *to = &block->in;
	struct place_in_code at = { c, block->first, from };
	bool changed = false;
	u32 kept = 0;

	if (!to->reached) {
		*to = *from;
		to->reached = true;
		return true;
	}
	for (int i = 0; i < REGS_MAX; i++) {
		struct value v = value_meet(&at, &to->regs[i], &from->regs[i]);

		changed |= !value_same(&v, &to->regs[i]);
		to->regs[i] = v;
	}
	for (u32 i = 0; i < to->nr_slots; i++) {
		const struct value *other = slot_find(from, to->slots[i].at);
		struct value v = other ? value_meet(&at, &to->slots[i].value, other) : unknown;

		changed |= !value_same(&v, &to->slots[i].value);
		if (v.kind != VALUE_UNKNOWN)
			to->slots[kept++] = (struct stack_slot){ to->slots[i].at, v };
	}
	to->nr_slots = kept;
	return changed;
}

/* ---- values ---- */

static struct value reg_value(const struct state *s, s16 reg)
{
	return is_reg(reg) ? s->regs[reg] : unknown;
}

/* ---- places of the stack ---- */

/* Forget what is in [at, at + size) of the stack. */
static void slots_forget(struct state *s, s64 at, u64 size, u32 word)
{
	u32 kept = 0;

	for (u32 i = 0; i < s->nr_slots; i++)
		if (offset_plus(s->slots[i].at, word) <= at ||
		    s->slots[i].at >= offset_plus(at, (s64)size))
			s->slots[kept++] = s->slots[i];
	s->nr_slots = kept;
}

static void slot_set(const struct code *c, struct state *s, s64 at, struct value v)
{
	slots_forget(s, at, c->abi->word, c->abi->word);
	if (v.kind != VALUE_UNKNOWN && s->nr_slots < SLOTS_MAX)
		s->slots[s->nr_slots++] = (struct stack_slot){ at, v };
}

/* ---- instructions ---- */

/* Return the place of the frame that an instruction accesses. Return: whether it is one. */
static bool frame_place(const struct place_in_code *at, const struct insn_memory *mem, s64 *offset)
{
	struct value v = access_address(at, &mem->at);

	*offset = v.offset;
	return v.kind == VALUE_FRAME && mem->at.segment == SEGMENT_NONE;
}

/* Return the address that the dynamic linker has put somewhere. */
static struct value linked(const struct code *c, u64 at)
{
	u64 addr = 0;

	switch (c->relocs ? relocs_find(c->relocs, at, &addr) : RELOC_NONE) {
	case RELOC_ADDRESS:
		return (struct value){ .kind = VALUE_ADDRESS, .offset = (s64)addr };
	case RELOC_GUARD:
		return (struct value){ .kind = VALUE_GUARD };
	default:
		return unknown;
	}
}

/*
 * Return what a load gets: what its type says, what is known of that place of the stack, or the
 * address that the dynamic linker has put there.
 */
static struct value load(const struct place_in_code *at, const struct insn_memory *mem)
{
	struct value v = access_loaded(at, mem), from = access_address(at, &mem->at);
	const struct value *slot;

	if (v.kind != VALUE_UNKNOWN || mem->at.segment != SEGMENT_NONE)
		return v;
	slot = from.kind == VALUE_FRAME ? slot_find(at->s, from.offset) : NULL;
	if (slot)
		return *slot;
	return from.kind == VALUE_ADDRESS && !from.step ? linked(at->c, (u64)from.offset) : v;
}

/* Return what a load of 4 bytes gets from a table of jumps, which has one number for each case. */
static struct value load_entry(const struct state *s, const struct insn_address *a)
{
	struct value table = reg_value(s, a->base), index = reg_value(s, a->index);

	if (table.kind != VALUE_ADDRESS || a->index == INSN_NO_REG || a->scale != 4 ||
	    (index.kind == VALUE_NUMBER && !index.step))
		return unknown;
	return (struct value){ .kind = VALUE_ENTRY,
			       .offset = offset_plus(table.offset, a->offset) };
}

/* Note what an instruction writes to the stack. */
static void store(const struct code *c, size_t i, struct state *s)
{
	const struct insn_operands *op = &c->insns[i].op;
	const struct place_in_code at = { c, i, s };
	s64 offset;

	for (u8 k = 0; k < op->nr_mems && op->action != INSN_LOAD; k++)
		if (frame_place(&at, &op->mem[k], &offset))
			slots_forget(s, offset, op->mem[k].size ?: c->abi->word, c->abi->word);
	if (op->action != INSN_STORE || op->width != c->abi->word ||
	    !frame_place(&at, &op->mem[0], &offset))
		return;
	slot_set(c, s, offset, reg_value(s, op->src));
	if (op->src2 != INSN_NO_REG)
		slot_set(c, s, offset_plus(offset, c->abi->word), reg_value(s, op->src2));
}

static struct value returned(const struct code *c, size_t i)
{
	const struct insn_operands *op = &c->insns[i].op;
	u64 next = c->insns[i].addr + op->len;
	const struct debug_function *called;

	for (size_t k = 0; c->debug && k < c->debug->nr_calls; k++)
		if (c->debug->calls[k].addr == next)
			return access_pointer(c, c->debug->calls[k].type);
	called = c->info && op->has_target ? debug_function_at(c->info, op->target) : NULL;
	if (called && called->entry == op->target)
		return access_pointer(c, called->returns);
	return unknown;
}

static void call(const struct code *c, size_t i, struct state *s)
{
	for (int reg = 0; reg < REGS_MAX; reg++)
		if (!(c->abi->saved >> reg & 1) && reg != c->abi->sp)
			s->regs[reg] = unknown;
	s->regs[0] = returned(c, i);
}

/* Return what a multiplication of registers gives, one of which has to be a known number. */
static struct value product(const struct place_in_code *at)
{
	const struct insn_operands *op = &at->c->insns[at->i].op;
	struct value left = reg_value(at->s, op->value.index), right = reg_value(at->s, op->factor);
	struct value added = { .kind = VALUE_NUMBER };

	if (op->value.base != INSN_NO_REG)
		added = reg_value(at->s, op->value.base);
	if (left.kind == VALUE_NUMBER && !left.step)
		SWAP(left, right);
	if (right.kind != VALUE_NUMBER || right.step || right.offset < 1 ||
	    right.offset > INT32_MAX)
		return value_plus(at, added, unknown);
	return value_plus(at, added, value_times(left, (u32)right.offset));
}

/* Return what an instruction puts into its destination. *@second: into the other one, if any. */
static struct value result_of(const struct place_in_code *at, struct value *second)
{
	const struct insn_operands *op = &at->c->insns[at->i].op;
	bool whole = op->width == at->c->abi->word;
	struct insn_memory behind = op->mem[0];
	struct value v;

	*second = unknown;
	switch (op->action) {
	case INSN_COMPUTE:
		v = op->factor == INSN_NO_REG ? access_address(at, &op->value) : product(at);
		return whole || (v.kind == VALUE_NUMBER && op->width >= 4) ? v : unknown;
	case INSN_ADD:
		v = reg_value(at->s, op->dst);
		return whole ? value_plus(at, v, load(at, &op->mem[0])) : unknown;
	case INSN_LOAD:
		if (!whole)
			return op->width == 4 ? load_entry(at->s, &op->mem[0].at) : unknown;
		behind.at.offset = offset_plus(behind.at.offset, at->c->abi->word);
		if (op->dst2 != INSN_NO_REG)
			*second = load(at, &behind);
		return load(at, &op->mem[0]);
	default:
		return unknown;
	}
}

void state_leave(const struct code *c, size_t i, struct state *s)
{
	const struct insn_operands *op = &c->insns[i].op;
	struct value moved = reg_value(s, op->moved), second;
	struct value first = result_of(&(struct place_in_code){ c, i, s }, &second);

	store(c, i, s);
	if (op->action == INSN_CALL) {
		call(c, i, s);
		return;
	}
	for (int reg = 0; reg < REGS_MAX; reg++)
		if (op->written >> reg & 1)
			s->regs[reg] = unknown;
	if (is_reg(op->moved)) {
		moved.offset = offset_plus(moved.offset, op->moved_by);
		s->regs[op->moved] = moved;
	}
	if (is_reg(op->dst))
		s->regs[op->dst] = first;
	if (is_reg(op->dst2))
		s->regs[op->dst2] = second;
}

/* ---- what the debug information says ---- */

/* Set the register that the frame is found by. */
static void enter_frame(const struct code *c, size_t i, struct state *s)
{
	const struct frame_cfa *cfa = &c->insns[i].cfa;

	if (cfa->reg >= 0 && cfa->reg < REGS_MAX)
		s->regs[cfa->reg] = (struct value){ .kind = VALUE_FRAME,
						    .offset = offset_minus(0, cfa->offset) };
}

/* Tell whether @a says more than @b of what a register points to: the larger object. */
static bool says_more(const struct code *c, const struct value *a, const struct value *b)
{
	if (b->kind == VALUE_UNKNOWN || (b->kind == VALUE_NUMBER && b->step))
		return true;
	return b->kind == VALUE_POINTER &&
	       type_get(c->info, a->type)->size > type_get(c->info, b->type)->size;
}

void state_enter(const struct code *c, size_t i, struct state *s)
{
	enter_frame(c, i, s);
	for (u32 k = c->active_from[i]; k < c->active_from[i + 1]; k++) {
		int reg = c->debug->places[c->active[k]].reg;
		struct value v = access_described(c, c->active[k]);

		if (v.kind != VALUE_UNKNOWN && reg < REGS_MAX && says_more(c, &v, &s->regs[reg]))
			s->regs[reg] = v;
	}
}

/* ---- blocks ---- */

/* The blocks that have to be looked at. */
struct work {
	struct code *c;
	u32 *blocks; /* owned */
	size_t nr;
};

static void add_work(struct work *w, size_t block)
{
	if (w->c->blocks[block].waits)
		return;
	w->c->blocks[block].waits = true;
	w->blocks[w->nr++] = (u32)block;
}

static void hand_on(struct work *w, size_t block, const struct state *s)
{
	if (meet_states(w->c, &w->c->blocks[block], s))
		add_work(w, block);
}

/*
 * Hand on what is known to where a table of jumps leads to: @relative, of distances from the table
 * in 4 bytes each; else of addresses. It ends with what is no instruction of the function.
 */
static void hand_on_table(struct work *w, u64 table, bool relative, const struct state *s)
{
	const struct code *c = w->c;
	u32 size = relative ? 4 : c->abi->word;

	for (u64 at = table; at < table + CASES_MAX * size; at += size) {
		u64 entry = 0;
		size_t to;

		if (c->read(c->read_ctx, at, &entry, size) != size)
			return;
		to = code_insn_at(c, relative ? table + (u64)(s64)(s32)entry : entry);
		if (to == SIZE_MAX)
			return;
		if (c->blocks[c->insns[to].block].first == to)
			hand_on(w, c->insns[to].block, s);
	}
}

/* Find the table by which a jump chooses its target, if that is known. */
static void hand_on_chosen(struct work *w, const struct insn_operands *op, const struct state *s)
{
	const struct insn_address *a = &op->mem[0].at;
	struct value v = reg_value(s, op->src);

	if (v.kind == VALUE_TARGET)
		hand_on_table(w, (u64)v.offset, true, s);
	else if (op->nr_mems && a->index != INSN_NO_REG && a->base == INSN_NO_REG)
		hand_on_table(w, (u64)a->offset, false, s);
}

/* Hand on what is known behind a block to those that follow it. */
static void hand_on_all(struct work *w, const struct code_block *b, const struct state *s)
{
	const struct code *c = w->c;
	const struct insn_operands *op = &c->insns[b->first + b->nr - 1].op;
	size_t next = (size_t)(b - c->blocks) + 1, to = SIZE_MAX;

	if (op->has_target && (op->action == INSN_JUMP || op->action == INSN_BRANCH))
		to = code_insn_at(c, op->target);
	else if (op->action == INSN_JUMP)
		hand_on_chosen(w, op, s);
	if (to != SIZE_MAX)
		hand_on(w, c->insns[to].block, s);
	if (op->action != INSN_JUMP && op->action != INSN_RETURN && next < c->nr_blocks)
		hand_on(w, next, s);
}

/* Look at blocks until nothing changes any more. */
static void settle(struct work *w)
{
	while (w->nr) {
		struct code_block *b = &w->c->blocks[w->blocks[--w->nr]];
		struct state s = b->in;

		b->waits = false;
		for (u32 i = b->first; i < b->first + b->nr; i++) {
			state_enter(w->c, i, &s);
			state_leave(w->c, i, &s);
		}
		hand_on_all(w, b, &s);
	}
}

/* Before the first instruction only the stack pointer is known. */
static struct state beginning(const struct code *c)
{
	struct state s = { .reached = true };

	s.regs[c->abi->sp] = (struct value){ .kind = VALUE_FRAME,
					     .offset = c->abi->link ? 0 : -(s64)c->abi->word };
	return s;
}

/* Tell whether a block is between others to align the next one, and is never executed. */
static bool fills_space(const struct code *c, const struct code_block *b)
{
	for (u32 i = b->first; i < b->first + b->nr; i++)
		if (c->insns[i].op.action != INSN_NOTHING)
			return false;
	return true;
}

void code_follow(struct code *c)
{
	struct work w = { .c = c, .blocks = xcalloc(c->nr_blocks + 1, sizeof(*w.blocks)) };

	if (c->nr_blocks && (!c->debug || c->debug->entry == c->start))
		c->blocks[0].in = beginning(c);
	/* Nothing is known before blocks that only tables of jumps or exceptions lead to. */
	for (size_t k = 0; k < c->nr_blocks; k++) {
		if (k && (c->blocks[k].in.reached || fills_space(c, &c->blocks[k])))
			continue;
		c->blocks[k].in.reached = true;
		add_work(&w, k);
		settle(&w);
	}
	free(w.blocks);
}
