// SPDX-License-Identifier: GPL-2.0-or-later
/* Test single fields of samples as text. */
#include "base/compat.h"
#include "base/units.h"
#include "wire/field-text.h"

#include <setjmp.h>
#include <cmocka.h>

static void data_sources(void **state)
{
	static const struct {
		u64 src;
		const char *text;
	} t[] = {
		{ 0, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A" },
		{ 0x3, "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A" },
		{ 0x6, "|OP LOAD|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A" },
		{ 0x68100142, "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A" },
		{ 0x1400000040, "|OP No|LVL I/O hit|SNP N/A|TLB N/A|LCK No|BLK  N/A" },
		{ 0x2600000020, "|OP No|LVL Remote N/A or L3|SNP N/A|TLB N/A|LCK No|BLK  N/A" },
		{ 0x103a00000080,
		  "|OP No|LVL Remote node, same socket RAM miss|SNP N/A|TLB N/A|LCK No|BLK  N/A" },
		{ 0x83a00000120,
		  "|OP No|LVL Remote core, same node RAM|SNP N/A|TLB N/A|LCK No|BLK  N/A" },
		{ 0xcc00000 | 1ULL << 38,
		  "|OP No|LVL N/A|SNP Miss or HitM or Fwd|TLB N/A hit|LCK No|BLK  N/A" },
		{ 0x60002000000, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK Yes|BLK  Data Addr" },
		{ 0x10001000000, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A" },
		{ 0x7ffe0,
		  "|OP No|LVL N/A or L1 or LFB/MAB or L2 or L3 or Local RAM or Remote RAM (1 hop) or " },
	};
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		strbuf_reset(&sb);
		data_src_text(t[i].src, &sb);
		assert_string_equal(strbuf_str(&sb), t[i].text);
		assert_true(sb.len <= DATA_SRC_TEXT_MAX);
	}
	for (u64 bit = 0; bit < 64; bit++) { /* every bit alone, and all but it */
		strbuf_reset(&sb);
		data_src_text(1ULL << bit, &sb);
		data_src_text(~(1ULL << bit), &sb);
	}
	strbuf_release(&sb);
}

static void page_sizes(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	static const u64 v[] = {
		0, 123, 1024, 4096, 65536, 2 << 20, 1 << 30, 2ULL << 30, 1ULL << 60
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		page_size_text(v[i], &sb);
		strbuf_addch(&sb, ' ');
	}
	assert_string_equal(strbuf_str(&sb), "N/A 123B 1024B 4K 64K 2M 1024M 2G 1073741824G ");
	strbuf_release(&sb);
}

static void registers(void **state)
{
	static const u64_una v[] = { 1, 0xff, 3 };
	struct wire_regs r = { .abi = 2, .mask = 0x103, .regs = v };
	struct strbuf sb = STRBUF_INIT;

	regs_text(&r, arch_of("x86_64"), &sb);
	regs_text(&r, arch_of("aarch64"), &sb);
	assert_string_equal(strbuf_str(&sb), " ABI:2    AX:0x1    BX:0xff    IP:0x3 "
					     " ABI:2    x0:0x1    x1:0xff    x8:0x3 ");
	strbuf_reset(&sb);
	regs_text(&(struct wire_regs){ .mask = 7 }, arch_of("x86_64"), &sb);
	assert_int_equal(sb.len, 0);
	strbuf_release(&sb);
}

static void branches(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	branch_flags_text(0, &sb);
	branch_flags_text(1 | 12 << 4 | 1 << 20, &sb);
	branch_flags_text(2 | 4 | 8 | 0xffff << 4 | 6 << 20, &sb);
	branch_flags_text(15 << 20 | 1 << 26, &sb);
	branch_flags_text(15 << 20 | 15 << 26, &sb);
	assert_string_equal(strbuf_str(&sb), "/-/-/-/0/ /M/-/-/12/COND /P/X/A/65535/RET "
					     "/-/-/-/0/FAULT_DATA /-/-/-/0/ ");
	strbuf_release(&sb);
}

static void modes(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	misc_text(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &sb);
	misc_text(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL | 0x4000, &sb);
	misc_text(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_HYPERVISOR, &sb);
	misc_text(PERF_RECORD_SAMPLE, 0, &sb);
	assert_string_equal(strbuf_str(&sb), "U     K     KUH         ");
	strbuf_reset(&sb);
	misc_text(PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, &sb);
	misc_text(PERF_RECORD_SWITCH_CPU_WIDE,
		  PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, &sb);
	misc_text(PERF_RECORD_SWITCH, PERF_RECORD_MISC_USER, &sb);
	misc_text(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, &sb);
	misc_text(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, &sb);
	misc_text(PERF_RECORD_EXIT, PERF_RECORD_MISC_COMM_EXEC, &sb);
	assert_string_equal(strbuf_str(&sb), "S     Sp    U     UM    E           ");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_sources), cmocka_unit_test(page_sizes),
		cmocka_unit_test(registers),    cmocka_unit_test(branches),
		cmocka_unit_test(modes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
