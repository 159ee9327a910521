// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what perf knows of processors and kernels, whichever of them this machine has: bytes and
 * files here are made. */
#include "base/compat.h"

#include "arch/arch.h"
#include "arch/cpuid.h"
#include "arch/insn.h"
#include "arch/syscalls.h"
#include "aux/aux-text.h"
#include "aux/spe-record.h"
#include "gauges/gauges.h"
#include "kfuncs/args.h"
#include "running/running.h"
#include "suites.h"
#include "sysargs/sysargs.h"

#include <elf.h>
#include <errno.h>
#include <linux/btf.h>

/* --- arch ---------------------------------------------------------------------------------- */

static int test_calls(struct test_ctx *ctx __unused)
{
	static const struct {
		u32 machine;
		const char *name;
		int nr;
	} calls[] = {
		{ EM_X86_64, "openat", 257 },      { EM_AARCH64, "openat", 56 },
		{ EM_386, "openat", 295 },         { EM_RISCV, "openat", 56 },
		{ EM_X86_64, "no_such_call", -1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		size_t len = 0;
		const char *name;

		TEST_EQ(syscall_number(calls[i].machine, calls[i].name), calls[i].nr);
		if (calls[i].nr < 0)
			continue;
		name = syscall_name(calls[i].machine, (u32)calls[i].nr, &len);
		TEST_CHECK(name && len == 6 && !memcmp(name, "openat", 6),
			   "call %d of machine %u has another name", calls[i].nr, calls[i].machine);
	}
	return TEST_OK;
}

static int test_registers(struct test_ctx *ctx __unused)
{
	TEST_TEXT(arch_reg_name(arch_of("x86_64"), 7), "SP");
	TEST_EQ(arch_reg_dwarf(arch_of("x86_64"), 8), 16); /* the instruction pointer */
	TEST_EQ(arch_of("aarch64")->link_reg, 30);
	TEST_CHECK(arch_of("armv7l") != arch_of("aarch64"), "two machines are the same");
	TEST_CHECK(arch_host() == arch_of(NULL), "this machine is not the usual one");
	TEST_EQ(arch_of("no such machine")->nr_regs, 0);
	return TEST_OK;
}

static int test_instructions(struct test_ctx *ctx __unused)
{
	static const struct {
		const char *code;
		u32 size;
		bool branch;
	} t[] = {
		{ "\x48\xb8\1\2\3\4\5\6\7\x08", 10, false }, /* movabs */
		{ "\xe8\xb4\xff\xff\xff", 5, true },         /* call */
		{ "\xc5\xf9\x70\xc1\x01", 5, false },        /* vpshufd */
		{ "\x75\xec", 2, true },                     /* jne */
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const u8 *p = (const u8 *)t[i].code;
		struct insn insn;

		TEST_EQ(insn_decode(arch_of("x86_64"), p, t[i].size, true, &insn), 0);
		TEST_EQ(insn.len, t[i].size);
		TEST_EQ(insn.branch, t[i].branch);
		TEST_CHECK(insn_decode(arch_of("x86_64"), p, t[i].size - 1, true, &insn),
			   "an instruction of %u bytes ends before", t[i].size);
	}
	return TEST_OK;
}

/* --- files of other machines --------------------------------------------------------------- */

static int check_cpuid(const char *dir)
{
	const struct sysroot sr = { dir };
	char *id, *row;

	if (test_put_below(dir, "proc/cpuinfo",
			   "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
			   "model\t\t: 85\nmodel name\t: Xeon\nstepping\t: 7\n"))
		return TEST_FAIL;
	id = cpuid_text(&sr);
	TEST_TEXT(id, "GenuineIntel,6,85,7");
	row = cpuid_table_text(id);
	TEST_TEXT(row, "GenuineIntel-6-55-7");
	free(row);
	free(id);
	return TEST_OK;
}

static int check_sensor(const char *dir)
{
	const struct sysroot sr = { dir };
	struct gauge_values v = { 0 };
	struct gauges g = { 0 };

	if (test_put_below(dir, "sys/class/hwmon/hwmon2/name", "coretemp\n") ||
	    test_put_below(dir, "sys/class/hwmon/hwmon2/temp1_input", "-4500\n") ||
	    test_put_below(dir, "sys/class/hwmon/hwmon2/temp1_label", "Package id 0\n"))
		return TEST_FAIL;
	gauges_sensors(&g, &sr);
	TEST_EQ(g.nr, 1);
	TEST_TEXT(g.v[0].pmu, "hwmon_coretemp");
	TEST_TEXT(g.v[0].label, "temp_package_id_0");
	TEST_TEXT(g.v[0].unit, "'C");
	gauges_release(&g);
	gauge_values_add(&v, &sr, "hwmon_coretemp", "temp1");
	gauge_values_read(&v, &sr, NULL);
	TEST_EQ(v.v[0].there, true);
	TEST_EQ(v.v[0].value, (u64)-4500);
	gauge_values_release(&v);
	return TEST_OK;
}

static int in_folder(int (*check)(const char *dir))
{
	char *dir = test_tmpdir();
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	ret = check(dir);
	test_rmdir(dir);
	return ret;
}

static int test_cpuid(struct test_ctx *ctx __unused)
{
	return in_folder(check_cpuid);
}

static int test_sensor(struct test_ctx *ctx __unused)
{
	return in_folder(check_sensor);
}

static const struct test_case machines[] = {
	{ "system calls by name and number", test_calls },
	{ "registers", test_registers },
	{ "lengths of instructions", test_instructions },
	{ "a processor by its files", test_cpuid },
	{ "a sensor by its files", test_sensor },
};
TEST_SUITE(suite_machines, "Machines of several kinds", machines, "arch gauges");

/* --- aux ----------------------------------------------------------------------------------- */

static int trace_says(u32 type, const void *bytes, size_t size, const char *const *words)
{
	struct strbuf out = STRBUF_INIT;
	const char *at;

	TEST_CHECK(aux_text_put(type, bytes, size, &out), "no decoder for type %u", type);
	at = strbuf_str(&out);
	for (; *words; words++) {
		const char *next = strstr(at, *words);

		TEST_CHECK(next, "'%s' is not at its place in:\n%s", *words, strbuf_str(&out));
		at = next;
	}
	strbuf_release(&out);
	return TEST_OK;
}

static int test_pt(struct test_ctx *ctx __unused)
{
	static const u8 trace[] = { 0x1c, 0x2d, 0x55, 0x44, 0x02, 0x43, 0x69, 0x24, 0, 0, 0, 0,
				    0x99, 0x01, 0xff, 0x03, 0x06, 0x02, 0x92, 4,    3, 2, 1 };

	return trace_says(AUX_PT, trace, sizeof(trace),
			  (const char *const[]){ "TNT TTN (3)", "TIP 0x4455", "PIP 0x1234 (NR=1)",
						 "MODE.Exec IF:0 64", "CYC 0x303f",
						 "PTWRITE 0x1020304 IP:1", NULL });
}

/* A store at 0x401000 of exception level 0 to 0x1040, which missed the first cache. */
static const u8 spe_trace[] = { 0xb0, 0,    0x10, 0x40, 0,    0,    0, 0, 0x80, 0x49, 0x01,
				0x52, 0x0e, 0x00, 0xb2, 0x40, 0x10, 0, 0, 0,    0,    0,
				0,    0x71, 0x39, 0x30, 0,    0,    0, 0, 0,    0 };

static int test_spe(struct test_ctx *ctx __unused)
{
	struct spe_record r;
	size_t at = 0;
	u64 bad = 0;

	TEST_CHECK(spe_record_next(spe_trace, &at, sizeof(spe_trace), &r, &bad), "no record");
	TEST_EQ(at, sizeof(spe_trace));
	TEST_EQ(bad, 0);
	TEST_EQ(r.pc, 0x401000);
	TEST_EQ(r.addr, 0x1040);
	TEST_EQ(r.time, 12345);
	TEST_EQ(r.events, SPE_EV_RETIRED | SPE_EV_L1D_ACCESS | SPE_EV_L1D_REFILL);
	TEST_EQ(r.op_class, SPE_OP_MEMORY);
	TEST_EQ(r.op & SPE_OP_STORE, SPE_OP_STORE);
	at = 0;
	TEST_CHECK(!spe_record_next(spe_trace, &at, sizeof(spe_trace) - 1, &r, &bad),
		   "a record without its last byte was taken");
	return trace_says(AUX_ARM_SPE, spe_trace, sizeof(spe_trace),
			  (const char *const[]){ "PC 0x401000", "ST GP-REG", "L1D-REFILL",
						 "VA 0x1040", "TS 12345", NULL });
}

static const struct test_case traces[] = {
	{ "packets of Intel PT", test_pt },
	{ "a record of Arm SPE", test_spe },
};
TEST_SUITE(suite_traces, "Traces of processors", traces, "aux");

/* --- sysargs ------------------------------------------------------------------------------- */

static size_t memory_of(void *ctx, u64 addr, void *buf, size_t size, bool out __unused)
{
	const char *text = ctx;
	size_t len = strlen(text) + 1;

	if (addr != 0x1000)
		return 0;
	memcpy(buf, text, MIN(size, len));
	return MIN(size, len);
}

static int call_says(u32 machine, bool big, const char *want)
{
	static const struct sysargs_ops ops = { .memory = memory_of };
	const struct sysargs_abi abi = { .machine = machine, .big_endian = big };
	const u64 args[SYSARGS_MAX] = { (u64)-100, 0x1000, 02000101, 0644 };
	struct sysargs_view view = SYSARGS_VIEW_DEFAULT;
	struct syscall_made made = { .args = args, .returned = true, .ret = -2 };
	struct strbuf out = STRBUF_INIT;
	char path[] = "/etc/passwd";
	struct err err = { 0 };
	struct sysargs *sa = sysargs_new(&abi, &err);

	TEST_CHECK(sa, "%s", err.msg);
	view.ops = &ops;
	view.ctx = path;
	made.desc = sysargs_call(sa, (u32)sysargs_number(sa, "openat"));
	sysargs_print(&out, sa, &made, &view);
	strbuf_addstr(&out, ") ");
	sysargs_print_return(&out, sa, &made, &view);
	TEST_TEXT(strbuf_str(&out), want);
	strbuf_release(&out);
	sysargs_free(sa);
	return TEST_OK;
}

static int test_arguments(struct test_ctx *ctx __unused)
{
	static const char want[] = "openat(dfd: CWD, filename: \"/etc/passwd\", "
				   "flags: CLOEXEC|CREAT|WRONLY, mode: IRUGO|IWUSR) "
				   "= -1 ENOENT (No such file or directory)";

	return call_says(EM_X86_64, false, want) ?: call_says(EM_AARCH64, true, want);
}

static int test_values(struct test_ctx *ctx __unused)
{
	const struct sysargs_abi abi = { .machine = EM_X86_64 };
	const struct syscall_desc *d;
	struct err err = { 0 };
	struct sysargs *sa = sysargs_new(&abi, &err);
	u64 value = 0;

	TEST_CHECK(sa, "%s", err.msg);
	d = sysargs_call(sa, 257);
	TEST_TEXT(d->name, "openat");
	TEST_EQ(sysargs_parse(sa, &d->args[2], "CREAT|O_EXCL", 12, &value, &err), 0);
	TEST_EQ(value, 0300);
	TEST_CHECK(sysargs_parse(sa, &d->args[2], "NONSENSE", 8, &value, &err),
		   "a name that no flag has was taken");
	TEST_TEXT(errno_name(sa, 2), "ENOENT");
	sysargs_free(sa);
	return TEST_OK;
}

static const struct test_case arguments[] = {
	{ "a call as text, on two machines", test_arguments },
	{ "values of filters", test_values },
};
TEST_SUITE(suite_sysargs, "Arguments of system calls", arguments, "sysargs");

/* --- kfuncs, running ----------------------------------------------------------------------- */

#define INFO(kind, vlen) ((u32)(kind) << 24 | (vlen))

/* int f(int a, enum mode mode, struct pair *file) */
static const char btf_strings[] = "\0int\0a\0mode\0OFF\0ON\0pair\0file\0f";
static const u32 btf_types[] = {
	1,  INFO(BTF_KIND_INT, 0),
	4,  BTF_INT_SIGNED << 24 | 32, /* 1 */
	7,  INFO(BTF_KIND_ENUM, 2),
	4,  12,
	0,  16,
	1, /* 2 */
	19, INFO(BTF_KIND_STRUCT, 1),
	4,  5,
	1,  0, /* 3 */
	0,  INFO(BTF_KIND_PTR, 0),
	3, /* 4 */
	0,  INFO(BTF_KIND_FUNC_PROTO, 3),
	1,  5,
	1,  7,
	2,  24,
	4, /* 5 */
	29, INFO(BTF_KIND_FUNC, 0),
	5, /* 6 */
};

static int test_args(struct test_ctx *ctx __unused)
{
	static u8 bytes[24 + sizeof(btf_types) + sizeof(btf_strings)];
	const u32 head[] = { 0x0001eb9f,         24, 0, sizeof(btf_types), sizeof(btf_types),
			     sizeof(btf_strings) };
	const unsigned long regs[] = { -2ul, 1, 0x1000 };
	struct strbuf out = STRBUF_INIT;
	struct kfuncs f = { 0 };
	struct btf b;

	memcpy(bytes, head, sizeof(head));
	memcpy(bytes + sizeof(head), btf_types, sizeof(btf_types));
	memcpy(bytes + sizeof(head) + sizeof(btf_types), btf_strings, sizeof(btf_strings));
	TEST_EQ(btf_open(&b, bytes, sizeof(bytes)), 0);
	kfuncs_index(&f, &b);
	TEST_EQ(kfuncs_find(&f, "f"), 6);
	TEST_EQ(kfuncs_find(&f, "pair"), 0);
	TEST_CHECK(kfunc_args_put(&b, 6, regs, 3, &out), "f is no function");
	TEST_TEXT(strbuf_str(&out), "a=-2, mode=ON, file=0x1000");
	kfuncs_release(&f);
	btf_close(&b);
	strbuf_release(&out);
	return TEST_OK;
}

/* Names are those of a file that this case makes. */
static int check_names(const char *dir)
{
	const struct sysroot sr = { dir };
	struct recording_options o = { .buildid_dir = "", .ignore_vmlinux = true };
	struct running_kernel k;
	struct err err = { 0 };
	u64 start = 0, places[2] = { 0, 7 };
	static const char *const names[] = { "work", "nothing" };

	if (test_put_below(dir, "proc/kallsyms",
			   "ffffffff81000000 T _text\nffffffff81000000 T _stext\n"
			   "ffffffff81000100 T work\nffffffff81000200 T other\n"
			   "ffffffff81900000 D a_lock\nffffffff81900040 D next\n"))
		return TEST_FAIL;
	running_kernel_open(&k, &sr, &o);
	TEST_TEXT(running_kernel_name(&k, 0xffffffff81000180, &start), "work");
	TEST_EQ(start, 0xffffffff81000100);
	running_kernel_places(&k, names, places, 2);
	TEST_EQ(places[0], 0xffffffff81000100);
	TEST_EQ(places[1], 7);
	TEST_EQ(running_kernel_lock(&k, "a_lock", &start, &err), 0);
	TEST_EQ(start, 0xffffffff81900000);
	TEST_EQ(running_kernel_lock(&k, "b_lock", &start, &err), (u64)-ENOENT);
	running_kernel_close(&k);
	return TEST_OK;
}

static int test_kernel_names(struct test_ctx *ctx __unused)
{
	return in_folder(check_names);
}

static const struct test_case kernels[] = {
	{ "arguments of functions by their types", test_args },
	{ "names and addresses", test_kernel_names },
};
TEST_SUITE(suite_kernels, "Functions of kernels", kernels, "kfuncs running");
