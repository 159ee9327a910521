// SPDX-License-Identifier: GPL-2.0-or-later
/* Check how callers are found by copies of stacks: by the unwind tables of this very program, on a
 * stack of its own, and while it is recorded. */
#include "base/compat.h"

#include "base/alloc.h"
#include "live/live.h"
#include "own-program.h"
#include "recordunwind/choose.h"
#include "recordunwind/objects.h"
#include "resolve/resolve.h"
#include "suites.h"
#include "unwind/unwind.h"
#include "wire/encode.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>

/* The end of the chain of calls touches a page that nobody may read. The handler of that signal
 * takes the registers and the stack as they are there, as the kernel does for a sample. */
#define STACK_COPY 8192
#define REGS 34

static struct {
	char *page;
	u64 regs[REGS]; /* by the bits of the mask, the lowest first */
	u64 mask, sp, ip;
	u8 stack[STACK_COPY];
	size_t size;
} taken;

/* Store the registers of the interrupted code. Return: whether this machine's are known here. */
static bool take_registers(const ucontext_t *uc)
{
#if defined(__x86_64__)
	/* ax bx cx dx si di bp sp ip, and r8 to r15 behind flags and segments */
	static const u8 of[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
				 REG_RBP, REG_RSP, REG_RIP, REG_R8,  REG_R9,  REG_R10,
				 REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

	for (size_t i = 0; i < ARRAY_SIZE(of); i++)
		taken.regs[i] = (u64)uc->uc_mcontext.gregs[of[i]];
	taken.mask = 0xff01ff;
	taken.sp = (u64)uc->uc_mcontext.gregs[REG_RSP];
	taken.ip = (u64)uc->uc_mcontext.gregs[REG_RIP];
	return true;
#elif defined(__aarch64__)
	for (size_t i = 0; i < 31; i++)
		taken.regs[i] = uc->uc_mcontext.regs[i];
	taken.regs[31] = taken.sp = uc->uc_mcontext.sp;
	taken.regs[32] = taken.ip = uc->uc_mcontext.pc;
	taken.mask = (1ULL << 33) - 1;
	return true;
#else
	(void)uc;
	return false;
#endif
}

static void on_fault(int sig __unused, siginfo_t *info __unused, void *context)
{
	/* Reading by the kernel asks no sanitizer. */
	int fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);

	if (take_registers(context) && fd >= 0) {
		ssize_t n = pread(fd, taken.stack, sizeof(taken.stack), (off_t)taken.sp);

		taken.size = n > 0 ? (size_t)n : 0;
	}
	close(fd);
	mprotect(taken.page, 1, PROT_READ);
}

int stack_suite_inner(int n);
int stack_suite_middle(int n);
int stack_suite_outer(int n);

__attribute__((noinline)) int stack_suite_inner(int n)
{
	return n + *(volatile char *)taken.page;
}

__attribute__((noinline)) int stack_suite_middle(int n)
{
	volatile int sum = stack_suite_inner(n + 1);

	return sum + n;
}

__attribute__((noinline)) int stack_suite_outer(int n)
{
	volatile int sum = stack_suite_middle(n + 1);

	return sum + n;
}

/* Have it all taken. Return: whether it was. */
static bool take_stack(void)
{
	const struct sigaction catch = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	struct sigaction before;
	bool done;

	taken.page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (taken.page == MAP_FAILED)
		return false;
	sigaction(SIGSEGV, &catch, &before);
	done = stack_suite_outer(0) == 3 && taken.size;
	sigaction(SIGSEGV, &before, NULL);
	munmap(taken.page, 1);
	return done;
}

/* --- live: what this process is made of ---------------------------------------------------- */

/* The records about this process, applied to a new model. */
static struct machine *own_machine(struct err *err)
{
	static const struct sysroot here = { 0 };
	const struct perf_event_attr attr = { .size = sizeof(attr) };
	struct int_list tids = { 0 };
	struct strbuf records = STRBUF_INIT;
	struct wire_layout layout;
	struct live_state st = { .sysroot = &here, .layout = &layout, .tids = &tids, .workers = 1 };
	struct machine *m = machine_new();

	layout_init(&layout, &attr);
	int_list_add(&tids, getpid());
	if (live_before(&st, &records, err)) {
		machine_free(m);
		m = NULL;
	}
	for (size_t at = 0; m && at < records.len;) {
		const wire_header *h = (const void *)(records.buf + at);

		machine_apply(m, h, h->size, 0, err);
		at += h->size;
	}
	if (m)
		machine_seal(m);
	int_list_release(&tids);
	strbuf_release(&records);
	return m;
}

static void at_own_time(struct machine *m, struct thread_at *at)
{
	machine_thread_at(m, (u32)getpid(), (u32)getpid(), 1, at);
}

static int test_state(struct test_ctx *ctx __unused)
{
	char path[PATH_MAX], comm[17] = "";
	struct thread_at at;
	struct err err = { 0 };
	struct machine *m = own_machine(&err);
	struct symbols *syms;
	struct location l;

	TEST_CHECK(m, "%s", err.msg);
	TEST_EQ(own_program_path(path), 0);
	prctl(PR_GET_NAME, comm);
	at_own_time(m, &at);
	TEST_TEXT(machine_comm(m, at.comm), comm);
	own_program_symbols(&syms);
	resolve_find(m, syms, at.epoch, PERF_RECORD_MISC_USER, (uintptr_t)stack_suite_outer, &l);
	TEST_CHECK(l.dso, "nothing is mapped where this program's code is");
	TEST_TEXT(l.dso->path, path);
	symbols_free(syms);
	machine_free(m);
	return TEST_OK;
}

static const struct test_case state[] = {
	{ "this process before its events were opened", test_state },
};
TEST_SUITE(suite_state, "The state of running processes", state, "live");

/* --- unwind -------------------------------------------------------------------------------- */

/* Each frame has to be in the function that has called. */
static int check_chain(struct machine *m, struct symbols *syms, u32 epoch, const u64 *ips,
		       size_t nr)
{
	static const char *const want[] = { "stack_suite_inner", "stack_suite_middle",
					    "stack_suite_outer", "take_stack" };

	TEST_CHECK(nr > ARRAY_SIZE(want), "only %zu frames were found", nr);
	TEST_CHECK(ips[0] == (u64)PERF_CONTEXT_USER, "the chain begins with %#" PRIx64, ips[0]);
	for (size_t i = 0; i < ARRAY_SIZE(want) - 1; i++) {
		const char *name = "nothing";
		struct location l;

		resolve_find(m, syms, epoch, PERF_RECORD_MISC_USER, ips[i + 1], &l);
		if (l.symtab && l.sym != UINT32_MAX)
			name = symtab_name(l.symtab, l.sym);
		TEST_CHECK(!strncmp(name, want[i], strlen(want[i])),
			   "frame %zu is in %s, not in %s", i, name, want[i]);
	}
	return TEST_OK;
}

static int test_own_stack(struct test_ctx *ctx)
{
	const struct symconf conf = { .buildid_dir = "" };
	struct unwind_thread thread = { 0 };
	struct sample s = { .pid = (u32)getpid(), .tid = (u32)getpid() };
	struct err err = { 0 };
	struct symbols *syms;
	struct unwinder *u;
	struct machine *m;
	struct thread_at at;
	int ret;

	if (test_is_stripped())
		return test_skip(ctx, "this program is stripped");
	if (!take_stack())
		return test_skip(ctx, "registers of this machine are not taken here");
	m = own_machine(&err);
	TEST_CHECK(m, "%s", err.msg);
	syms = symbols_new(&conf);
	u = unwinder_new(m, syms, NULL, false, UNWIND_TABLES);
	TEST_CHECK(u, "stacks of this machine cannot be unwound");
	s.ip = taken.ip;
	s.user_regs = (struct wire_regs){ PERF_SAMPLE_REGS_ABI_64, taken.mask,
					  (const u64_una *)taken.regs };
	s.user_stack = taken.stack;
	s.user_stack_size = s.user_stack_dyn = taken.size;
	at_own_time(m, &at);
	TEST_CHECK(unwind_sample(u, &thread, at.epoch, &s), "nothing is known of this program");
	ret = check_chain(m, syms, at.epoch, thread.ips, thread.nr);
	unwind_thread_release(&thread);
	unwinder_free(u);
	symbols_free(syms);
	machine_free(m);
	return ret;
}

/* --- recordunwind -------------------------------------------------------------------------- */

/* Tell whether one of these files is @path, as it is seen from here or by the process. */
static bool has_file(const struct intern *objects, const char *path)
{
	for (u32 i = 1; i < objects->nr; i++) {
		const char *name = intern_str(objects, i);
		size_t len = strlen(name), tail = strlen(path);

		if (len >= tail && !strcmp(name + len - tail, path))
			return true;
	}
	return false;
}

static int test_objects(struct test_ctx *ctx __unused)
{
	static const struct sysroot here = { 0 };
	struct intern objects = { 0 };
	char path[PATH_MAX];
	struct stack_facts facts;

	TEST_EQ(own_program_path(path), 0);
	objects_of_process(&objects, &here, (u32)getpid(), NULL);
	TEST_CHECK(has_file(&objects, path), "%s is not among what this process has mapped", path);
	stacks_look(&objects, &facts);
	test_say("%u objects tell where callers are; without frame pointers: %s", facts.nr,
		 facts.first ? facts.first : "none");
	TEST_CHECK(facts.nr >= 1, "nothing that this process has mapped tells where callers are");
	intern_release(&objects);
	return TEST_OK;
}

/* Stacks are unwound on their way to the file, which then has chains and no copies. */
static int test_recorded(struct test_ctx *ctx)
{
	struct test_run run;
	char *dir, *file;
	int ret = TEST_OK;

	if (test_is_stripped())
		return test_skip(ctx, "this program is stripped");
	dir = test_tmpdir();
	TEST_CHECK(dir, "no temporary folder");
	file = xasprintf("%s/perf.data", dir);
	if (TEST_PERF(&run, "record", "-B", "-N", "-e", "cpu-clock:u", "-F", "1999", "--call-graph",
		      "dwarf,unwind", "-o", file, "--", "/proc/self/exe", "test", "-w", "callchain",
		      "0.1"))
		ret = TEST_FAIL;
	else if (run.status)
		ret = test_skip(ctx, "perf record is not allowed or cannot unwind here");
	strbuf_release(&run.out);
	if (!ret && !TEST_PERF(&run, "script", "-F", "ip,sym", "-i", file)) {
		for (int i = 1; i <= 5 && !ret; i++) {
			char name[16];

			snprintf(name, sizeof(name), "callchain_%d", i);
			if (!strstr(strbuf_str(&run.out), name)) {
				test_say("%s is in no chain of:\n%.2000s", name,
					 strbuf_str(&run.out));
				ret = TEST_FAIL;
			}
		}
		strbuf_release(&run.out);
	}
	free(file);
	test_rmdir(dir);
	return ret;
}

static const struct test_case stacks[] = {
	{ "the tables of this program unwind its own stack", test_own_stack },
	{ "what this process has mapped tells of its stacks", test_objects },
	{ "stacks are unwound while they are recorded", test_recorded },
};
TEST_SUITE(suite_stacks, "Unwinding", stacks, "unwind recordunwind");
