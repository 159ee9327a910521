// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what is counted of exits, accesses and calls of guests, for each machine and both byte
 * orders, with events as bytes. */
#include "base/compat.h"
#include "base/alloc.h"
#include "kvm/kvm.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define FIELDS 4
#define EVENTS 6
#define STEPS 12
#define ROWS 4
#define LOST "lost" /* no event: some are missing before that time */
#define NO_VCPU UINT32_MAX

/* All fields of an event of the recording are of eight bytes. */
struct event {
	const char *name, *fields[FIELDS];
	const char *fmt;
};

struct step {
	u64 time;
	const char *event;
	u32 tid;
	u64 values[FIELDS];
};

struct row {
	enum kvm_space space;
	u64 number;
	const char *name;
	u64 count, total;
	bool write;
};

struct scenario {
	const char *name;
	enum kvm_what what;
	struct event events[EVENTS];
	struct step steps[STEPS];
	struct row rows[ROWS];
	struct kvm_missing missing;
	const char *machine;
	u32 only; /* this vcpu; 0: all */
	bool hides_vcpus;
};

#define X86                                                                                        \
	{ "kvm:kvm_entry", { "vcpu_id" }, NULL },                                                  \
	{                                                                                          \
		"kvm:kvm_exit", { "exit_reason", "isa" },                                          \
			"\"%s\", __print_symbolic(REC->exit_reason, { 30, \"IO_INSTRUCTION\" }, "  \
			"{ 99, \"NEWER\" })"                                                       \
	}
#define ENTRY "kvm:kvm_entry"
#define EXIT "kvm:kvm_exit"

static const struct scenario scenarios[] = {
	{ .name = "VMX, with flags above the reason, and a reason that only the recording names",
	  .events = { X86 },
	  .steps = { { 10, EXIT, 1, { 30, 1 } },
		     { 20, ENTRY, 1, { 1 } },
		     { 30, EXIT, 1, { 30, 1 } },
		     { 35, ENTRY, 1, { 1 } },
		     { 40, EXIT, 1, { 1ULL << 31 | 12, 1 } },
		     { 140, ENTRY, 1, { 1 } },
		     { 150, EXIT, 1, { 99, 1 } },
		     { 151, ENTRY, 1, { 1 } },
		     { 160, EXIT, 1, { 10, 1 } } },
	  .rows = { { KVM_VMX, 30, "IO_INSTRUCTION", 1, 5 },
		    { KVM_VMX, 12, "HLT", 1, 100 },
		    { KVM_VMX, 99, "NEWER", 1, 1 } },
	  .missing = { .unended = 1, .early = 1 } },
	{ .name = "SVM, two threads, and one of them is wanted",
	  .events = { X86 },
	  .steps = { { 10, ENTRY, 1, { 1 } },
		     { 11, ENTRY, 2, { 2 } },
		     { 20, EXIT, 1, { 0x400, 2 } },
		     { 21, EXIT, 2, { 0x78, 2 } },
		     { 30, ENTRY, 1, { 1 } },
		     { 33, ENTRY, 2, { 2 } } },
	  .rows = { { KVM_SVM, 0x78, "hlt", 1, 12 } },
	  .only = 2 },
	{ .name = "an exit during which events were lost",
	  .events = { X86 },
	  .steps = { { 10, ENTRY, 1, { 1 } },
		     { 20, EXIT, 1, { 10, 1 } },
		     { 25, LOST, 0, { 0 } },
		     { 30, ENTRY, 1, { 1 } },
		     { 40, EXIT, 1, { 10, 1 } },
		     { 41, ENTRY, 1, { 1 } } },
	  .rows = { { KVM_VMX, 10, "CPUID", 1, 1 } },
	  .missing = { .torn = 1 } },
	{ .name = "devices: a read takes the time before it, a write that behind it",
	  .what = KVM_MMIOS,
	  .events = { X86, { "kvm:kvm_mmio", { "type", "gpa" }, NULL } },
	  .steps = { { 10, ENTRY, 1, { 1 } },
		     { 20, EXIT, 1, { 48, 1 } },
		     { 24, "kvm:kvm_mmio", 1, { 0, 0xfee0 } },
		     { 27, "kvm:kvm_mmio", 1, { 1, 0xfee0 } },
		     { 30, ENTRY, 1, { 1 } },
		     { 40, EXIT, 1, { 48, 1 } },
		     { 42, "kvm:kvm_mmio", 1, { 2, 0xfee0 } },
		     { 45, ENTRY, 1, { 1 } } },
	  .rows = { { KVM_MMIO, 0xfee0, NULL, 1, 7, false },
		    { KVM_MMIO, 0xfee0, NULL, 1, 3, true } } },
	{ .name = "ports",
	  .what = KVM_IOPORTS,
	  .events = { X86, { "kvm:kvm_pio", { "rw", "port" }, NULL } },
	  .steps = { { 10, ENTRY, 1, { 1 } },
		     { 20, "kvm:kvm_pio", 1, { 1, 0x3f8 } },
		     { 23, ENTRY, 1, { 1 } },
		     { 30, "kvm:kvm_pio", 1, { 1, 0x3f8 } },
		     { 37, ENTRY, 1, { 1 } } },
	  .rows = { { KVM_IOPORT, 0x3f8, NULL, 2, 10, true } } },
	{ .name = "MSRs",
	  .what = KVM_MSRS,
	  .events = { X86, { "kvm:kvm_msr", { "write", "ecx" }, NULL } },
	  .steps = { { 10, ENTRY, 1, { 1 } },
		     { 20, "kvm:kvm_msr", 1, { 0, 0x6e0 } },
		     { 23, ENTRY, 1, { 1 } } },
	  .rows = { { KVM_MSR, 0x6e0, NULL, 1, 3, false } } },
	{ .name = "arm64 tells no vcpu",
	  .events = { { ENTRY, { "vcpu_pc" }, NULL }, { EXIT, { "ret", "esr_ec" }, NULL } },
	  .steps = { { 10, ENTRY, 1, { 0x1000 } },
		     { 20, EXIT, 1, { 2, 0x24 } },
		     { 22, ENTRY, 1, { 0x1000 } },
		     { 30, EXIT, 1, { 0, 0x24 } },
		     { 33, ENTRY, 1, { 0x1000 } } },
	  .rows = { { KVM_ARM64_TRAP, 0x24, "DABT_LOW", 1, 2 }, { KVM_ARM64, 0, "IRQ", 1, 3 } },
	  .hides_vcpus = true },
	{ .name = "s390: what is handled tells more than the code",
	  .events = { { "kvm:kvm_s390_sie_enter", { "id" }, NULL },
		      { "kvm:kvm_s390_sie_exit", { "id", "icptcode" }, NULL },
		      { "kvm:kvm_s390_intercept_instruction", { "instruction" }, NULL },
		      { "kvm:kvm_s390_handle_sigp", { "order_code" }, NULL } },
	  .steps = { { 10, "kvm:kvm_s390_sie_enter", 1, { 3 } },
		     { 20, "kvm:kvm_s390_sie_exit", 1, { 3, 4 } },
		     { 21, "kvm:kvm_s390_intercept_instruction", 1, { 0xb22bULL << 48 } },
		     { 25, "kvm:kvm_s390_sie_enter", 1, { 3 } },
		     { 30, "kvm:kvm_s390_sie_exit", 1, { 3, 4 } },
		     { 31, "kvm:kvm_s390_intercept_instruction", 1, { 0xaeULL << 56 } },
		     { 32, "kvm:kvm_s390_handle_sigp", 1, { 2 } },
		     { 33, "kvm:kvm_s390_sie_enter", 1, { 3 } },
		     { 40, "kvm:kvm_s390_sie_exit", 1, { 3, 0x1c } },
		     { 44, "kvm:kvm_s390_sie_enter", 1, { 3 } } },
	  .rows = { { KVM_S390_INSTRUCTION, 0xb22b, "0xB2 SSKE", 1, 5 },
		    { KVM_S390_SIGP, 2, "SIGP external call", 1, 3 },
		    { KVM_S390, 0x1c, "Wait state", 1, 4 } },
	  .only = 3 },
	{ .name = "powerpc",
	  .events = { { "kvm_hv:kvm_guest_enter", { "vcpu_id" }, NULL },
		      { "kvm_hv:kvm_guest_exit", { "vcpu_id", "trap" }, NULL } },
	  .steps = { { 10, "kvm_hv:kvm_guest_enter", 1, { 1 } },
		     { 20, "kvm_hv:kvm_guest_exit", 1, { 1, 0x500 } },
		     { 28, "kvm_hv:kvm_guest_enter", 1, { 1 } } },
	  .rows = { { KVM_POWERPC, 0x500, "EXTERNAL", 1, 8 } } },
	{ .name = "powerpc's calls of the hypervisor",
	  .what = KVM_HCALLS,
	  .events = { { "kvm_hv:kvm_guest_enter", { "vcpu_id" }, NULL },
		      { "kvm_hv:kvm_hcall_enter", { "req" }, NULL },
		      { "kvm_hv:kvm_hcall_exit", { "ret" }, NULL } },
	  .steps = { { 10, "kvm_hv:kvm_guest_enter", 1, { 1 } },
		     { 20, "kvm_hv:kvm_hcall_enter", 1, { 0xe0 } },
		     { 28, "kvm_hv:kvm_hcall_exit", 1, { 0 } },
		     { 30, "kvm_hv:kvm_guest_enter", 1, { 1 } } },
	  .rows = { { KVM_POWERPC_HCALL, 0xe0, "H_CEDE", 1, 8 } } },
	{ .name = "riscv: the highest bit tells an interrupt",
	  .events = { { ENTRY, { "pc" }, NULL }, { EXIT, { "sepc", "scause" }, NULL } },
	  .steps = { { 10, ENTRY, 1, { 0 } },
		     { 20, EXIT, 1, { 0, 21 } },
		     { 22, ENTRY, 1, { 0 } },
		     { 30, EXIT, 1, { 0, 1ULL << 63 | 5 } },
		     { 33, ENTRY, 1, { 0 } } },
	  .rows = { { KVM_RISCV, 21, "EXC_LOAD_GUEST_PAGE_FAULT", 1, 2 },
		    { KVM_RISCV_IRQ, 5, "IRQ_S_TIMER", 1, 3 } },
	  .hides_vcpus = true },
	{ .name = "loongarch",
	  .events = { { "kvm:kvm_enter", { "vcpu_id" }, NULL },
		      { "kvm:kvm_reenter", { "vcpu_id" }, NULL },
		      { EXIT, { "reason" }, NULL },
		      { "kvm:kvm_exit_gspr", { "inst_word" }, NULL } },
	  .machine = "loongarch64",
	  .steps = { { 10, "kvm:kvm_enter", 1, { 1 } },
		     { 20, EXIT, 1, { 0 } },
		     { 22, "kvm:kvm_reenter", 1, { 1 } },
		     { 30, EXIT, 1, { KVM_LOONGARCH_PRIVILEGED } },
		     { 31, "kvm:kvm_exit_gspr", 1, { 0x06488000 } },
		     { 33, "kvm:kvm_reenter", 1, { 1 } } },
	  .rows = { { KVM_LOONGARCH, 0, "Interrupt", 1, 2 },
		    { KVM_LOONGARCH, 0x103, "Idle", 1, 3 } } },
	{ .name = "MIPS looks like that, and its reasons have no names",
	  .events = { { "kvm:kvm_enter", { "pc" }, NULL }, { EXIT, { "reason" }, NULL } },
	  .machine = "mips64",
	  .steps = { { 10, "kvm:kvm_enter", 1, { 1 } },
		     { 20, EXIT, 1, { 0 } },
		     { 22, "kvm:kvm_enter", 1, { 1 } } },
	  .rows = { { KVM_UNNAMED, 0, NULL, 1, 2 } },
	  .hides_vcpus = true },
};

/* ---- the recording ---- */

static void add_format(struct tracefmt *tf, u32 id, const struct event *e)
{
	const char *name = strchr(e->name, ':') + 1;
	struct strbuf text = STRBUF_INIT, system = STRBUF_INIT;
	struct err err = { 0 };

	strbuf_addf(&text,
		    "name: %s\nID: %u\nformat:\n"
		    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n",
		    name, id);
	for (u32 i = 0; i < FIELDS && e->fields[i]; i++)
		strbuf_addf(&text, "\tfield:u64 %s;\toffset:%u;\tsize:8;\tsigned:0;\n",
			    e->fields[i], 8 + 8 * i);
	strbuf_addf(&text, "\nprint fmt: %s\n", e->fmt ? e->fmt : "\"\"");
	strbuf_add(&system, e->name, (size_t)(name - e->name) - 1);
	assert_non_null(tracefmt_add(tf, strbuf_str(&system), strbuf_str(&text), text.len, &err));
	strbuf_release(&text);
	strbuf_release(&system);
}

struct reading {
	struct engine e;
	struct kvm *k;
	struct evlist list;
	struct engine_binding bound[EVENTS];
	bool swap;
};

static void feed(struct reading *r, const struct step *s)
{
	for (size_t i = 0; i < r->list.nr; i++) {
		u64 raw[1 + FIELDS] = { 0 };

		if (!r->bound[i].used || strcmp(r->list.evsels[i]->name, s->event))
			continue;
		for (u32 f = 0; f < FIELDS; f++)
			raw[1 + f] = r->swap ? __builtin_bswap64(s->values[f]) : s->values[f];
		r->e.feed(r->k, &(struct engine_input){ .time = s->time,
							.pid = 100,
							.tid = s->tid,
							.event = r->bound[i].event,
							.wanted = true,
							.in_time = true,
							.bound = &r->bound[i],
							.raw = (const u8 *)raw,
							.raw_size = sizeof(raw) });
	}
}

static void check_rows(const struct scenario *t, const struct kvm *k)
{
	size_t nr, want = 0;
	const struct kvm_row *rows = kvm_rows(k, &nr);

	while (want < ROWS && t->rows[want].count)
		want++;
	assert_int_equal(nr, want);
	for (size_t i = 0; i < nr; i++) {
		const struct row *w = &t->rows[i];
		const char *name = kvm_name(k, &rows[i]);

		assert_int_equal(rows[i].space, w->space);
		assert_int_equal(rows[i].number, w->number);
		assert_int_equal(rows[i].count, w->count);
		assert_int_equal(rows[i].total, w->total);
		assert_int_equal(rows[i].write, w->write);
		assert_string_equal(name ? name : "", w->name ? w->name : "");
	}
}

static void run(const struct scenario *t, bool swap)
{
	struct tracefmt *tf = tracefmt_new(swap, 8);
	struct reading r = { .e = kvm_engine("test", t->what), .swap = swap };
	struct err err = { 0 };
	struct kvm_missing m;

	r.k = kvm_new(&(struct kvm_conf){
		.what = t->what, .machine = t->machine, .one_vcpu = t->only, .vcpu = t->only });
	for (u32 i = 0; i < EVENTS && t->events[i].name; i++) {
		struct perf_event_attr a = { .type = PERF_TYPE_TRACEPOINT, .config = 300 + i };

		evlist_add(&r.list, &a, t->events[i].name);
		add_format(tf, 300 + i, &t->events[i]);
	}
	assert_int_equal(engine_bind(&r.e, r.k, &r.list, tf, swap, r.bound, &err), 0);
	for (const struct step *s = t->steps; s < t->steps + STEPS && s->time; s++) {
		if (!strcmp(s->event, LOST))
			r.e.lost(r.k, 0, s->time);
		else
			feed(&r, s);
	}
	r.e.finish(r.k);
	check_rows(t, r.k);
	m = kvm_missing(r.k);
	assert_memory_equal(&m, &t->missing, sizeof(m));
	assert_int_equal(kvm_hides_vcpus(r.k), t->hides_vcpus);
	assert_true(kvm_has_entries(r.k));
	kvm_free(r.k);
	evlist_release(&r.list);
	tracefmt_free(tf);
}

static void test_scenarios(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(scenarios); i++) {
		print_message("%s\n", scenarios[i].name);
		run(&scenarios[i], false);
		run(&scenarios[i], true);
	}
}

static void test_lacking(void **state)
{
	const struct engine e = kvm_engine("test", KVM_MSRS);
	struct kvm *k = kvm_new(&(struct kvm_conf){ .what = KVM_MSRS });
	const struct perf_event_attr a = { .type = PERF_TYPE_TRACEPOINT };
	struct evlist l = { 0 };
	struct err err = { 0 };

	evlist_add(&l, &a, "sched:sched_switch");
	assert_int_equal(engine_bind(&e, k, &l, NULL, false, NULL, &err), -ENOENT);
	assert_non_null(
		strstr(err.msg, "the recording has no kvm:kvm_msr, only sched:sched_switch"));
	assert_false(kvm_has_entries(k));
	evlist_release(&l);
	/* The end of the file is missing, where the names are. */
	evlist_add(&l, &a, NULL);
	assert_int_equal(engine_bind(&e, k, &l, NULL, false, NULL, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "does not tell the names and formats of its tracepoints"));
	evlist_release(&l);
	kvm_free(k);
	kvm_free(NULL);
}

static void test_deviation(void **state)
{
	const struct kvm_row one = { .count = 1, .mean = 7 };
	/* 2, 4 and 6 us: the standard error of their mean is 1.1547 us. */
	const struct kvm_row three = { .count = 3, .mean = 4, .squares = 8 };

	assert_int_equal((int)(kvm_row_deviation(&one) * 100), 0);
	assert_int_equal((int)(kvm_row_deviation(&three) * 100), 2886);
}

static void test_names(void **state)
{
	assert_string_equal(kvm_reason_name(KVM_VMX, 85), "MSR_WRITE_IMM");
	assert_string_equal(kvm_reason_name(KVM_SVM, 0x8000fffd), "vmgexit_hypervisor_feature");
	assert_null(kvm_reason_name(KVM_VMX, 5));
	assert_null(kvm_reason_name(KVM_SVM, UINT64_MAX));
	assert_null(kvm_reason_name(KVM_MMIO, 0));
	assert_true(kvm_reason_is_idle(KVM_VMX, 12));
	assert_false(kvm_reason_is_idle(KVM_MMIO, 0));
	assert_int_equal(kvm_s390_instruction(0xeb00000000600000), 0xeb60);
	assert_int_equal(kvm_s390_instruction(0x8300000000000000), 0x83);
	assert_int_equal(kvm_loongarch_instruction(0x04000001), 0x101);
	assert_int_equal(kvm_loongarch_instruction(0xffffffff), 0x104);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenarios),
		cmocka_unit_test(test_lacking),
		cmocka_unit_test(test_deviation),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
