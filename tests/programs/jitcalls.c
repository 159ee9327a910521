// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machine code made at run time, of functions that call each other in few known ways, and a jitdump
 * that tells of it: jitcalls DIR SECONDS (of CPU time) [WHAT].
 *
 *	jit_entry	calls jit_saver, jit_recurse and called_back, which is compiled
 *	jit_saver	saves registers, and calls jit_leaf and leaf, which is compiled
 *	jit_recurse	calls itself, at the end jit_leaf
 *	jit_leaf	a loop, which called_back calls, too
 *
 * WHAT is "tables": the code uses the frame pointer for numbers, and each function has unwind
 * information; "list": the same without an index; or "frames": the code keeps frame pointers and
 * nothing describes it. It is code of x86-64; on other processors the program ends with status 1.
 */
#include "jitdump.h"

#include <stdbool.h>

#define MEMORY 65536
#define DEPTH 20
#define NOINLINE __attribute__((noinline, noclone, noipa))

#define RBX 3
#define RBP 6

static volatile long sink;
static void (*jit_leaf)(void);

static NOINLINE void leaf(long n)
{
	for (long i = 0; i < n; i++)
		sink += i * i;
}

static NOINLINE void called_back(void)
{
	jit_leaf();
	leaf(2000);
	sink++;
}

/* ---- the code and its unwind information ---- */

static uint8_t *memory, *end; /* what there is of it goes up to @end */
static bool frames, listed;

/* The function that is being made. */
static uint8_t *start, *row; /* row: the instruction that the last rules begin at */
static uint8_t rules[256];
static size_t nr_rules;
static uint32_t cfa; /* bytes from the stack pointer to the canonical frame address */

static void put(const void *bytes, size_t len)
{
	memcpy(end, bytes, len);
	end += len;
}
#define CODE(text) put(text, sizeof(text) - 1)

static void put8(uint8_t v)
{
	*end++ = v;
}

static void put32(uint32_t v)
{
	put(&v, sizeof(v));
}

static void put64(uint64_t v)
{
	put(&v, sizeof(v));
}

static void rule(uint8_t v)
{
	rules[nr_rules++] = v;
}

/* Note that the frame has another size from here on. */
static void resize(int32_t more)
{
	cfa += (uint32_t)more;
	rule(0x02); /* advance by so many bytes */
	rule((uint8_t)(end - row));
	row = end;
	rule(0x0e); /* the offset of the address, in seven bits each */
	rule((uint8_t)(cfa & 0x7f) | 0x80);
	rule((uint8_t)(cfa >> 7));
}

static void begin(void)
{
	end = memory + (end - memory + 15) / 16 * 16;
	start = row = end;
	nr_rules = 0;
	cfa = 8;
	if (frames)
		CODE("\x55\x48\x89\xe5"); /* push %rbp; mov %rsp,%rbp */
}

static void push(uint8_t reg)
{
	put8(0x50 + (reg == RBX ? 3 : 5));
	resize(8);
	rule(0x80 | reg); /* it is saved so many words below the address */
	rule((uint8_t)(cfa / 8));
}

static void pop(uint8_t reg)
{
	put8(0x58 + (reg == RBX ? 3 : 5));
	resize(-8);
	rule(0xc0 | reg); /* it is as it was at first */
}

static void move_stack(int32_t bytes)
{
	CODE("\x48\x81\xc4"); /* add $bytes,%rsp */
	put32((uint32_t)bytes);
	resize(-bytes);
}

static void call(const void *to)
{
	CODE("\x48\xb8"); /* movabs $to,%rax; call *%rax */
	put64((uintptr_t)to);
	CODE("\xff\xd0");
}

static void set_argument(uint32_t v)
{
	CODE("\xbf"); /* mov $v,%edi */
	put32(v);
}

/* Write the unwind information behind the code, where it is found at run time, too. Return: bytes
 * of its index. */
static size_t put_tables(size_t code_size)
{
	uint8_t *cie, *fde, *index;
	uint32_t length;

	while ((end - start) % 8)
		CODE("\xcc");
	cie = end;
	put32(20);
	put32(0);
	CODE("\x01zR\0\x01\x78\x10\x01\x1b\x0c\x07\x08\x90\x01\0\0");
	fde = end;
	put32(0);
	put32((uint32_t)(end - cie));
	put32((uint32_t)(start - end));
	put32((uint32_t)code_size);
	CODE("\0");
	put(rules, nr_rules);
	while ((end - fde) % 8 != 4)
		CODE("\0");
	length = (uint32_t)(end - fde - 4);
	memcpy(fde, &length, sizeof(length));
	put32(0); /* the end of the section */
	index = end;
	if (listed)
		return 0;
	CODE("\x01\x1b\x03\x3b");
	put32((uint32_t)(cie - end));
	put32(1);
	put32((uint32_t)(start - index));
	put32((uint32_t)(fde - index));
	return (size_t)(end - index);
}

/* ---- the dump ---- */

static void dump_tables(const uint8_t *tables, size_t index_size)
{
	size_t size = (size_t)(end - tables), padded = (size + 7) / 8 * 8;

	dump_head(4, 24 + padded);
	dump64(size);
	dump64(index_size);
	dump64(size);
	fwrite(tables, size, 1, dump);
	fwrite("\0\0\0\0\0\0\0", padded - size, 1, dump);
}

/* Return: the function. */
static void *finish(const char *name)
{
	static uint64_t index;
	size_t size, index_size;

	if (frames)
		CODE("\x5d"); /* pop %rbp */
	CODE("\xc3");
	size = (size_t)(end - start);
	if (!frames) {
		index_size = put_tables(size);
		dump_tables(start + (size + 7) / 8 * 8, index_size);
	}
	dump_load(name, start, size, index++);
	return start;
}

/* ---- the functions ---- */

static void *make_leaf(void)
{
	begin();
	CODE("\xb9\x00\x20\x00\x00"); /* mov $0x2000,%ecx */
	CODE("\xff\xc9\x75\xfc");     /* 1: dec %ecx; jnz 1b */
	return finish("jit_leaf");
}

static void *make_saver(const void *to)
{
	begin();
	push(RBX);
	if (!frames) {
		push(RBP);
		CODE("\xbd\x34\x12\x00\x00"); /* mov $0x1234,%ebp */
	}
	move_stack(-0x108);
	call(to);
	set_argument(2000);
	call(leaf);
	move_stack(0x108);
	if (!frames)
		pop(RBP);
	pop(RBX);
	return finish("jit_saver");
}

static void *make_recurse(const void *to)
{
	begin();
	push(RBX);
	move_stack(-16);
	CODE("\x85\xff\x74\x10"); /* test %edi,%edi; jz over the next 16 bytes */
	CODE("\xff\xcf");         /* dec %edi */
	call(start);
	CODE("\xeb\x0c"); /* jmp over the next 12 bytes */
	call(to);
	move_stack(16);
	pop(RBX);
	return finish("jit_recurse");
}

static void *make_entry(const void *saver, const void *recurse)
{
	begin();
	move_stack(frames ? -16 : -8);
	call(saver);
	set_argument(DEPTH);
	call(recurse);
	call(called_back);
	move_stack(frames ? 16 : 8);
	return finish("jit_entry");
}

static void *make_all(void)
{
	void *made_leaf = make_leaf(), *saver = make_saver(made_leaf);

	jit_leaf = (void (*)(void))(uintptr_t)made_leaf;
	return make_entry(saver, make_recurse(made_leaf));
}

static NOINLINE void run_jit(void (*entry)(void), double seconds)
{
	uint64_t until = now(CLOCK_PROCESS_CPUTIME_ID) + (uint64_t)(seconds * 1e9);

	while (now(CLOCK_PROCESS_CPUTIME_ID) < until)
		for (int i = 0; i < 20; i++)
			entry();
	sink++;
}

int main(int argc, char **argv)
{
	const char *what = argc > 3 ? argv[3] : "tables";
	void *entry;

#ifndef __x86_64__
	fprintf(stderr, "jitcalls: it makes code of x86-64 only\n");
	return 1;
#endif
	frames = !strcmp(what, "frames");
	listed = !strcmp(what, "list");
	memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	end = memory;
	if (argc < 3 || memory == MAP_FAILED)
		return 1;
	dump_open(argv[1]);
	entry = make_all();
	fflush(dump);
	if (mprotect(memory, MEMORY, PROT_READ | PROT_EXEC))
		return 1;
	run_jit((void (*)(void))(uintptr_t)entry, strtod(argv[2], NULL));
	dump_close();
	return 0;
}
