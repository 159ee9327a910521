// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plugins of libtraceevent behind our gate. The first byte chooses an event that a plugin prints,
 * or whose print format calls its functions; the second one the machine. Of what follows, a few
 * bytes damage sizes and offsets of the fields, and the rest is the payload.
 */
#include "base/compat.h"
#include "tracefmt/tracefmt.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_FIELDS 8

static const struct {
	const char *system, *name, *fields, *print; /* fields: names, each with its size */
} events[] = {
	{ "sched", "sched_switch",
	  "prev_comm16 prev_pid4 prev_prio4 prev_state8 next_comm16 next_pid4 next_prio4", "\"\"" },
	{ "sched", "sched_wakeup", "comm16 pid4 prio4 target_cpu4 success4", "\"\"" },
	{ "kmem", "kmalloc", "call_site8 ptr8", "\"call_site=%lx\", REC->call_site" },
	{ "timer", "hrtimer_start", "hrtimer8 function8 expires8 softexpires8", "\"\"" },
	{ "timer", "hrtimer_expire_entry", "hrtimer8 now8 function8", "\"\"" },
	{ "tlb", "tlb_flush", "reason4 pages8", "\"\"" },
	{ "kvm", "kvm_exit", "exit_reason4 guest_rip8 isa4 info18 info28 vcpu_id4", "\"\"" },
	{ "kvm", "kvm_entry", "vcpu_id4 rip8", "\"\"" },
	{ "kvm", "kvm_emulate_insn", "rip8 csbase4 len1 insn15 flags1 failed1", "\"\"" },
	{ "kvm", "kvm_nested_vmexit",
	  "rip8 exit_code4 exit_info18 exit_info28 exit_int_info4 exit_int_info_err4", "\"\"" },
	{ "kvmmmu", "kvm_mmu_get_page", "mmu_valid_gen8 gfn8 role4 root_count4 unsync1 created1",
	  "\"\"" },
	{ "kvmmmu", "kvm_mmu_sync_page", "mmu_valid_gen8 gfn8 role4 root_count4 unsync1", "\"\"" },
	{ "syscalls", "sys_enter_futex", "__syscall_nr4 uaddr8 op8 val8 utime8 uaddr28 val38",
	  "\"\"" },
	{ "ftrace", "function", "ip8 parent_ip8", "\"\"" },
	{ "ftrace", "kernel_stack", "size4 caller64", "\"\"" },
	{ "ftrace", "raw_data", "id4 buf16", "\"\"" },
	{ "ftrace", "func_repeats", "ip8 parent_ip8 count2 top_delta_ts2 bottom_delta_ts4",
	  "\"\"" },
	{ "mac80211", "drv_bss_info_changed",
	  "wiphy_name32 vif_name0 vif_type4 addr0 assoc1 aid2 cts1", "\"\"" },
	{ "jbd2", "jbd2_run_stats", "dev4 wait8",
	  "\"dev %s wait %u\", jbd2_dev_to_name(REC->dev), jiffies_to_msecs(REC->wait)" },
	{ "scsi", "scsi_dispatch_cmd_start", "cmnd0 cmd_len4",
	  "\"(%s)\", scsi_trace_parse_cdb(p, __get_dynamic_array(cmnd), REC->cmd_len)" },
	{ "cfg80211", "le16", "bytes0 num8", "\"%d\", __le16_to_cpup(__get_dynamic_array(bytes))" },
	{ "cfg80211", "number", "bytes0 num8", "\"%d\", __le16_to_cpup(REC->num)" },
	{ "xen", "hypercall", "op4", "\"op %u%s\", REC->op, xen_hypercall_name(REC->op)" },
};

static const char *ksym(void *ctx, u64 addr, u64 *start)
{
	*start = addr & ~0xffULL;
	return addr & 1 ? "sym" : NULL;
}

struct input {
	const uint8_t *p, *end;
};

static unsigned int take(struct input *in)
{
	return in->p < in->end ? *in->p++ : 0;
}

/* One field as the kernel would have it, unless the input says otherwise. Return: where it ends. */
static unsigned int put_field(struct strbuf *text, const char *name, unsigned int len,
			      unsigned int size, unsigned int at, struct input *in)
{
	static const char *const types[] = { "", "u8", "u16", "", "u32", "", "", "", "u64" };
	static const unsigned int sizes[] = { 1, 2, 4, 8, 0, 3, 16, 0xffff };
	unsigned int damage = take(in);

	if (damage & 1)
		size = sizes[damage >> 1 & 7];
	if (damage & 16)
		at = take(in) << (damage >> 5);
	if (!size)
		strbuf_addf(text, "\tfield:__data_loc u8[] %.*s;\toffset:%u;\tsize:4;", (int)len,
			    name, at);
	else if (size > 8 || !*types[size])
		strbuf_addf(text, "\tfield:char %.*s[%u];\toffset:%u;\tsize:%u;", (int)len, name,
			    size, at, size);
	else
		strbuf_addf(text, "\tfield:%s %.*s;\toffset:%u;\tsize:%u;", types[size], (int)len,
			    name, at, size);
	strbuf_addf(text, "\tsigned:%u;\n", damage >> 7);
	return at + (size ? size : 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Those of the reference, when libtraceevent's own are not installed. */
	static const char plugins[] = "/usr/lib/traceevent/plugins";
	struct tf_printer pr = { .ksym = ksym };
	struct input in = { data, data + size };
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	const struct tf_event *ev;
	struct tracefmt *tf;
	unsigned int which, machine, at = 8;

	if (!access(plugins, F_OK))
		setenv("TRACEEVENT_PLUGIN_DIR", plugins, 0);
	which = take(&in) % ARRAY_SIZE(events);
	machine = take(&in);
	strbuf_addf(&text,
		    "name: %s\nID: %u\nformat:\n"
		    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n",
		    events[which].name, 1 + which);
	for (const char *p = events[which].fields, *end; *p; p = end + (*end == ' ')) {
		unsigned int len, width;

		end = p + strcspn(p, " ");
		for (len = (unsigned int)(end - p); p[len - 1] >= '0' && p[len - 1] <= '9'; len--)
			;
		/* info1 and the like end in a digit of their own. */
		width = (unsigned int)strtoul(p + len, NULL, 10);
		if (width > 16 && width != 32 && width != 64) {
			width %= 10;
			len = (unsigned int)(end - p) - 1;
		}
		at = put_field(&text, p, len, width, at, &in);
	}
	strbuf_addf(&text, "\nprint fmt: %s\n", events[which].print);
	pr.cpu = machine >> 4;
	tf = tracefmt_new(machine & 1, machine & 2 ? 4 : 8);
	ev = tracefmt_add(tf, events[which].system, strbuf_str(&text), text.len, NULL);
	for (int i = 0; ev && i < 2; i++)
		tf_print(ev, &pr, in.p, (size_t)(in.end - in.p), &out);
	tracefmt_free(tf);
	strbuf_release(&pr.tmp);
	strbuf_release(&text);
	strbuf_release(&out);
	return 0;
}
