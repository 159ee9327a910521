// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "kvmtext/kvmtext.h"

void kvm_record_args(struct verb_args *a, const struct sysroot *sr, const char *output, int argc,
		     const char **argv)
{
	static const char *const before[] = { "-R", "-m", "1024", "-c", "1" };
	/* All machines have their events here, and the kernel has those of its own. */
	static const struct verb_event events[] = {
		{ "kvm:kvm_entry" },
		{ "kvm:kvm_exit" },
		{ "kvm:kvm_mmio" },
		{ "kvm:kvm_pio" },
		{ "kvm:kvm_msr" },
		{ "kvm:kvm_s390_sie_enter" },
		{ "kvm:kvm_s390_sie_exit" },
		{ "kvm:kvm_s390_intercept_instruction" },
		{ "kvm:kvm_s390_handle_sigp" },
		{ "kvm:kvm_s390_handle_diag" },
		{ "kvm:kvm_s390_intercept_prog" },
		{ "kvm_hv:kvm_guest_enter" },
		{ "kvm_hv:kvm_guest_exit" },
		{ "kvm_hv:kvm_hcall_enter" },
		{ "kvm_hv:kvm_hcall_exit" },
		{ "kvm:kvm_enter" },
		{ "kvm:kvm_reenter" },
		{ "kvm:kvm_exit_gspr" },
	};
	static const struct verb_event any[] = { { "kvm:kvm_exit", .needed = true } };
	int words;

	verb_args_init(a, "record");
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		verb_args_add(a, before[i]);
	if (output) {
		verb_args_add(a, "-o");
		verb_args_add(a, output);
	}
	words = a->nr;
	verb_args_events(a, sr, events, ARRAY_SIZE(events));
	if (a->nr == words) /* the recorder tells why there is none */
		verb_args_events(a, sr, any, 1);
	verb_args_users(a, argc, argv);
}
