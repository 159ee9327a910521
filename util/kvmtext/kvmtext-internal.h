/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_KVMTEXT_KVMTEXT_INTERNAL_H
#define PERF_KVMTEXT_KVMTEXT_INTERNAL_H

#include "kvmtext/kvmtext.h"

/** kvm_what_title - return the heading of the column of names. */
const char *kvm_what_title(enum kvm_what what);
/** kvm_vcpu_parse - read the number of a vcpu. Return: 0, or -EINVAL and a sentence. */
int kvm_vcpu_parse(u32 *vcpu, const char *text, struct err *err);

/** kvm_put_name - append what a row is about: the name of a reason, or "0x3f8:POUT". */
void kvm_put_name(const struct kvm *k, const struct kvm_row *row, struct strbuf *out);
/** kvm_put_rows - append the heading, the rows and the sums of the engine. */
void kvm_put_rows(const struct kvm_show *s, const struct kvm *k, struct strbuf *out);

#endif
