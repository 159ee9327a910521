// SPDX-License-Identifier: GPL-2.0-or-later
/* Users choose what is followed, and how rows are sorted. */
#include "base/compat.h"

#include "kvmtext/kvmtext-internal.h"

#include <errno.h>
#include <stdlib.h>

static const struct {
	const char *name, *title;
} whats[KVM_WHATS] = {
	[KVM_EXITS] = { "vmexit", "VM-EXIT" },          [KVM_MMIOS] = { "mmio", "MMIO Access" },
	[KVM_IOPORTS] = { "ioport", "IO Port Access" }, [KVM_MSRS] = { "msr", "MSR Access" },
	[KVM_HCALLS] = { "hcall", "HCALL-EVENT" },
};

static const char *const keys[] = { "sample", "time" };

void kvm_what_words(struct strbuf *out)
{
	for (u32 i = 0; i < KVM_WHATS; i++)
		strbuf_addf(out, "%s%s", i ? " " : "", whats[i].name);
}

void kvm_key_words(struct strbuf *out)
{
	for (u32 i = 0; i < ARRAY_SIZE(keys); i++)
		strbuf_addf(out, "%s%s", i ? " " : "", keys[i]);
}

/* Return -EINVAL and a sentence. @words: appends those that there are */
static int unknown(const char *what, const char *name, void (*words)(struct strbuf *out),
		   struct err *err)
{
	struct strbuf there = STRBUF_INIT;

	words(&there);
	err_set(err, -EINVAL, "Unknown %s:%s. There are: %s", what, name, strbuf_str(&there));
	strbuf_release(&there);
	return -EINVAL;
}

int kvm_what_parse(struct kvm_show *s, const char *name, struct err *err)
{
	for (u32 i = 0; i < KVM_WHATS; i++) {
		if (!strcmp(whats[i].name, name)) {
			s->what = (enum kvm_what)i;
			return 0;
		}
	}
	return unknown("report event", name, kvm_what_words, err);
}

int kvm_key_parse(struct kvm_show *s, const char *name, struct err *err)
{
	s->by_time = !strcmp(name, keys[1]);
	return s->by_time || !strcmp(name, keys[0])
		       ? 0
		       : unknown("compare key", name, kvm_key_words, err);
}

int kvm_vcpu_parse(u32 *vcpu, const char *text, struct err *err)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	if (end == text || *end || *text == '-' || v >= UINT32_MAX)
		return err_set(err, -EINVAL, "--vcpu: '%s' is no number of a vcpu", text);
	*vcpu = (u32)v;
	return 0;
}

const char *kvm_what_title(enum kvm_what what)
{
	return whats[what].title;
}
