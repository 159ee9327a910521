// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "kvm/kvm-internal.h"

#include "base/alloc.h"

#include <math.h>

#define MAX_CPUS 65536 /* a larger number is damage */

/* The fields of events have these places in the table below. */
enum { EXIT_X86, EXIT_ISA, EXIT_ARM64, EXIT_ARM64_CLASS, EXIT_S390, EXIT_POWERPC, EXIT_RISCV };
enum { EXIT_LOONGARCH = 7 };
enum { ENTRY_VCPU, ENTRY_ID };
enum { ACCESS_WRITE, ACCESS_NUMBER }; /* of accesses to devices, ports and MSRs */
enum { PART_NUMBER };                 /* of events that tell more of an exit */

static const struct engine_event events[KVM_EVENTS] = {
	[KVM_EXIT] = { .names = { "kvm:kvm_exit", "kvm:kvm_s390_sie_exit",
				  "kvm_hv:kvm_guest_exit" },
		       .fields = { "exit_reason", "isa", "ret", "esr_ec", "icptcode", "trap",
				   "scause", "reason" },
		       .optional = 0xff },
	[KVM_ENTRY] = { .names = { "kvm:kvm_entry", "kvm:kvm_s390_sie_enter",
				   "kvm_hv:kvm_guest_enter" },
			.fields = { "vcpu_id", "id" },
			.optional = 3 },
	[KVM_ENTER] = { .names = { "kvm:kvm_enter" }, .fields = { "vcpu_id" }, .optional = 1 },
	[KVM_REENTER] = { .names = { "kvm:kvm_reenter" }, .fields = { "vcpu_id" }, .optional = 1 },
	[KVM_MMIO_ACCESS] = { .names = { "kvm:kvm_mmio" }, .fields = { "type", "gpa" } },
	[KVM_PORT_ACCESS] = { .names = { "kvm:kvm_pio" }, .fields = { "rw", "port" } },
	[KVM_MSR_ACCESS] = { .names = { "kvm:kvm_msr" }, .fields = { "write", "ecx" } },
	[KVM_INSTRUCTION] = { .names = { "kvm:kvm_s390_intercept_instruction" },
			      .fields = { "instruction" } },
	[KVM_SIGP] = { .names = { "kvm:kvm_s390_handle_sigp" }, .fields = { "order_code" } },
	[KVM_DIAG] = { .names = { "kvm:kvm_s390_handle_diag" }, .fields = { "code" } },
	[KVM_PROGRAM] = { .names = { "kvm:kvm_s390_intercept_prog" }, .fields = { "code" } },
	[KVM_PRIVILEGED] = { .names = { "kvm:kvm_exit_gspr" }, .fields = { "inst_word" } },
	[KVM_HCALL_ENTER] = { .names = { "kvm_hv:kvm_hcall_enter" }, .fields = { "req" } },
	[KVM_HCALL_EXIT] = { .names = { "kvm_hv:kvm_hcall_exit" } },
};

#define BIT(event) (1U << (event))
#define ENTRIES (BIT(KVM_ENTRY) | BIT(KVM_ENTER) | BIT(KVM_REENTER))

/* The engine takes these events to follow something. */
static const u32 used[KVM_WHATS] = {
	[KVM_EXITS] = ENTRIES | BIT(KVM_EXIT) | BIT(KVM_INSTRUCTION) | BIT(KVM_SIGP) |
		      BIT(KVM_DIAG) | BIT(KVM_PROGRAM) | BIT(KVM_PRIVILEGED),
	[KVM_MMIOS] = ENTRIES | BIT(KVM_EXIT) | BIT(KVM_MMIO_ACCESS),
	[KVM_IOPORTS] = ENTRIES | BIT(KVM_PORT_ACCESS),
	[KVM_MSRS] = ENTRIES | BIT(KVM_MSR_ACCESS),
	[KVM_HCALLS] = ENTRIES | BIT(KVM_HCALL_ENTER) | BIT(KVM_HCALL_EXIT),
};

/* A recording without these tells nothing of it. */
static const u32 needed[KVM_WHATS] = {
	[KVM_EXITS] = BIT(KVM_EXIT),
	[KVM_MMIOS] = BIT(KVM_EXIT) | BIT(KVM_MMIO_ACCESS),
	[KVM_IOPORTS] = BIT(KVM_PORT_ACCESS),
	[KVM_MSRS] = BIT(KVM_MSR_ACCESS),
	[KVM_HCALLS] = BIT(KVM_HCALL_ENTER) | BIT(KVM_HCALL_EXIT),
};

struct kvm *kvm_new(const struct kvm_conf *conf)
{
	struct kvm *k = xzalloc(sizeof(*k));

	k->conf = *conf;
	return k;
}

void kvm_free(struct kvm *k)
{
	if (!k)
		return;
	intern_release(&k->threads);
	intern_release(&k->keys);
	kvm_words_release(&k->words);
	free(k->thread);
	free(k->rows);
	free(k->lost);
	free(k);
}

/* ---- rows ---- */

static void add_to_row(struct kvm_row *r, u64 ns)
{
	double off = (double)ns - r->mean;

	r->min = r->count ? MIN(r->min, ns) : ns;
	r->max = MAX(r->max, ns);
	r->total += ns;
	r->count++;
	r->mean += off / (double)r->count;
	r->squares += off * ((double)ns - r->mean);
}

double kvm_row_deviation(const struct kvm_row *row)
{
	double n = (double)row->count;

	if (row->count < 2 || row->mean <= 0)
		return 0;
	return 100 * sqrt(row->squares / (n - 1) / n) / row->mean;
}

static struct kvm_row *row_of(struct kvm *k, const struct kvm_key *key)
{
	u32 at = intern_id(&k->keys, (const char *)key, sizeof(*key));

	VEC_REACH(k->rows, at, k->nr_rows, k->cap_rows);
	if (!k->rows[at].count)
		k->rows[at] = (struct kvm_row){ .space = (enum kvm_space)key->space,
						.number = key->number,
						.write = key->write };
	return &k->rows[at];
}

/* ---- spans ---- */

static struct kvm_thread *thread_of(struct kvm *k, const struct engine_input *in)
{
	u32 at = intern_id(&k->threads, (const char *)&in->tid, sizeof(in->tid));

	VEC_REACH(k->thread, at, k->nr_threads, k->cap_threads);
	return &k->thread[at];
}

/* Events of the CPU where the span began, or of that where it ends, were lost meanwhile. */
static bool is_torn(const struct kvm *k, const struct kvm_thread *t, u32 cpu)
{
	return (t->cpu < k->nr_lost && t->start < k->lost[t->cpu]) ||
	       (cpu < k->nr_lost && t->start < k->lost[cpu]);
}

static void begin(struct kvm *k, struct kvm_thread *t, const struct engine_input *in)
{
	k->missing.early += !t->entered;
	t->open = t->entered;
	t->keyed = false;
	t->start = in->time;
	t->cpu = in->cpu;
}

static void set_key(struct kvm_thread *t, enum kvm_space space, u64 number, bool write)
{
	t->keyed = t->open;
	t->key = (struct kvm_key){ number, space, write };
}

static void end(struct kvm *k, struct kvm_thread *t, const struct engine_input *in)
{
	struct kvm_span span = { .vcpu = t->vcpu, .pid = in->pid, t->start, .end = in->time };
	struct kvm_row *row;

	if (!t->open || !t->keyed || (k->conf.one_vcpu && t->vcpu != k->conf.vcpu)) {
		t->open = false;
		return;
	}
	t->open = false;
	if (is_torn(k, t, in->cpu) || in->time < t->start) {
		k->missing.torn++;
		return;
	}
	row = row_of(k, &t->key);
	add_to_row(row, in->time - t->start);
	span.row = row;
	if (k->conf.span)
		k->conf.span(k->conf.ctx, &span, in);
}

/* ---- events ---- */

/* Set the key of an exit, by the field in which the machine tells the reason. */
static void key_exit(const struct kvm *k, struct kvm_thread *t, const struct engine_input *in)
{
	u64 number = engine_number(in, k->reason);
	enum kvm_space space = k->space;
	u8 size = in->bound->at[k->reason].size;
	u64 top = size ? 1ULL << (8 * size - 1) : 0;

	switch (space) {
	case KVM_VMX: /* bits above the lower half are flags */
		if (engine_number(in, EXIT_ISA) == 2)
			space = KVM_SVM;
		else
			number &= 0xffff;
		break;
	case KVM_ARM64:
		if (number == KVM_ARM64_IS_TRAP && in->bound->at[EXIT_ARM64_CLASS].size) {
			space = KVM_ARM64_TRAP;
			number = engine_number(in, EXIT_ARM64_CLASS);
		}
		break;
	case KVM_RISCV: /* the highest bit of the register tells an interrupt */
		if (number & top)
			space = KVM_RISCV_IRQ;
		number &= ~top;
		break;
	default:
		break;
	}
	set_key(t, space, number, false);
}

static void leave(struct kvm *k, struct kvm_thread *t, const struct engine_input *in)
{
	begin(k, t, in);
	if (k->conf.what == KVM_EXITS)
		key_exit(k, t, in);
}

static void enter(struct kvm *k, struct kvm_thread *t, const struct engine_input *in)
{
	u32 field = in->bound->at[ENTRY_VCPU].size ? ENTRY_VCPU : ENTRY_ID;
	bool told = in->bound->at[field].size;

	if (k->conf.what != KVM_HCALLS)
		end(k, t, in);
	k->entries = true;
	k->tells_vcpus |= told;
	t->entered = true;
	t->vcpu = told ? (u32)engine_number(in, field) : UINT32_MAX;
}

static void begin_keyed(struct kvm *k, struct kvm_thread *t, const struct engine_input *in,
			enum kvm_space space)
{
	begin(k, t, in);
	set_key(t, space, engine_number(in, ACCESS_NUMBER), engine_number(in, ACCESS_WRITE));
}

/* A write begins here. A read ends here: the device was asked since the guest was left. */
static void access_device(struct kvm *k, struct kvm_thread *t, const struct engine_input *in)
{
	enum { UNSATISFIED, READ, WRITE };
	u64 type = engine_number(in, ACCESS_WRITE);

	if (type == WRITE) {
		begin_keyed(k, t, in, KVM_MMIO);
	} else if (type == READ) {
		set_key(t, KVM_MMIO, engine_number(in, ACCESS_NUMBER), false);
		end(k, t, in);
	}
}

static void call(struct kvm *k, struct kvm_thread *t, const struct engine_input *in)
{
	begin(k, t, in);
	set_key(t, KVM_POWERPC_HCALL, engine_number(in, PART_NUMBER), false);
}

/* An event tells more of the exit. */
static void tell_more(struct kvm_thread *t, const struct engine_input *in)
{
	static const enum kvm_space spaces[KVM_EVENTS] = {
		[KVM_INSTRUCTION] = KVM_S390_INSTRUCTION,
		[KVM_SIGP] = KVM_S390_SIGP,
		[KVM_DIAG] = KVM_S390_DIAG,
		[KVM_PROGRAM] = KVM_S390_PROGRAM,
		[KVM_PRIVILEGED] = KVM_LOONGARCH,
	};
	u64 number = engine_number(in, PART_NUMBER);

	if (in->event == KVM_INSTRUCTION)
		number = kvm_s390_instruction(number);
	else if (in->event == KVM_PRIVILEGED)
		number = kvm_loongarch_instruction((u32)number);
	set_key(t, spaces[in->event], number, false);
}

static void feed(void *state, const struct engine_input *in)
{
	struct kvm *k = state;
	struct kvm_thread *t;

	if (!in->wanted || !in->in_time || (k->conf.wanted && !k->conf.wanted(k->conf.ctx, in)))
		return;
	t = thread_of(k, in);
	switch ((enum kvm_event)in->event) {
	case KVM_EXIT:
		leave(k, t, in);
		break;
	case KVM_ENTRY:
	case KVM_ENTER:
	case KVM_REENTER:
		enter(k, t, in);
		break;
	case KVM_MMIO_ACCESS:
		access_device(k, t, in);
		break;
	case KVM_PORT_ACCESS:
		begin_keyed(k, t, in, KVM_IOPORT);
		break;
	case KVM_MSR_ACCESS:
		begin_keyed(k, t, in, KVM_MSR);
		break;
	case KVM_HCALL_ENTER:
		call(k, t, in);
		break;
	case KVM_HCALL_EXIT:
		end(k, t, in);
		break;
	case KVM_INSTRUCTION:
	case KVM_SIGP:
	case KVM_DIAG:
	case KVM_PROGRAM:
	case KVM_PRIVILEGED:
		tell_more(t, in);
		break;
	case KVM_EVENTS:
		break;
	}
}

/* ---- the engine ---- */

/* The events of MIPS look like those of LoongArch, and nothing is known of its reasons. */
static bool is_named(const struct kvm *k, enum kvm_space space)
{
	const char *machine = k->conf.machine;

	return space != KVM_LOONGARCH || !machine || !strncmp(machine, "loongarch", 9);
}

/* The field of the reason tells the machine. */
static void bound(void *state, u32 event, const struct tf_event *format)
{
	static const struct {
		u32 field;
		enum kvm_space space;
	} machines[] = {
		{ EXIT_X86, KVM_VMX },     { EXIT_ARM64, KVM_ARM64 },
		{ EXIT_S390, KVM_S390 },   { EXIT_POWERPC, KVM_POWERPC },
		{ EXIT_RISCV, KVM_RISCV }, { EXIT_LOONGARCH, KVM_LOONGARCH },
	};
	struct kvm *k = state;

	k->has_entries |= ENTRIES >> event & 1;
	kvm_words_read(&k->words, format);
	for (size_t i = 0; event == KVM_EXIT && i < ARRAY_SIZE(machines); i++) {
		if (tf_find_field(format, events[KVM_EXIT].fields[machines[i].field])) {
			k->reason = machines[i].field;
			k->space = is_named(k, machines[i].space) ? machines[i].space : KVM_UNNAMED;
			return;
		}
	}
}

static void lost(void *state, u32 cpu, u64 time)
{
	struct kvm *k = state;

	if (cpu >= MAX_CPUS)
		return;
	VEC_REACH(k->lost, cpu, k->nr_lost, k->cap_lost);
	k->lost[cpu] = MAX(k->lost[cpu], time);
}

static void finish(void *state)
{
	struct kvm *k = state;

	for (u32 i = 0; i < k->nr_threads; i++)
		k->missing.unended += k->thread[i].open && k->thread[i].keyed;
}

struct engine kvm_engine(const char *name, enum kvm_what what)
{
	return (struct engine){
		.name = name,
		.record = "perf kvm stat record",
		.events = events,
		.nr_events = KVM_EVENTS,
		.unused = ~used[what],
		.needed = needed[what],
		.bound = bound,
		.feed = feed,
		.lost = lost,
		.finish = finish,
	};
}

/* ---- results ---- */

const struct kvm_row *kvm_rows(const struct kvm *k, size_t *nr)
{
	/* Number 0 stays unused. */
	*nr = k->nr_rows ? k->nr_rows - 1 : 0;
	return k->nr_rows ? k->rows + 1 : NULL;
}

void kvm_forget_rows(struct kvm *k)
{
	intern_release(&k->keys);
	k->keys = (struct intern){ 0 };
	k->nr_rows = 0;
}

struct kvm_missing kvm_missing(const struct kvm *k)
{
	return k->missing;
}

bool kvm_hides_vcpus(const struct kvm *k)
{
	return k->entries && !k->tells_vcpus;
}

bool kvm_has_entries(const struct kvm *k)
{
	return k->has_entries;
}

const char *kvm_name(const struct kvm *k, const struct kvm_row *row)
{
	const char *name = kvm_reason_name(row->space, row->number);

	return name ? name : kvm_words_find(&k->words, row->space, row->number);
}
