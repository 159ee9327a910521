// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of numbers that the tables lack come from the print formats of the recording, because
 * processors and kernels that are newer than the tables leave guests for new reasons. */
#include "base/compat.h"

#include "kvm/kvm-internal.h"

#include "base/alloc.h"

/* Tell whether the table of a space has that name for the number. */
static bool agrees(enum kvm_space space, const struct tf_sym *s)
{
	const char *name = kvm_reason_name(space, s->value);

	return name && strlen(name) == s->len && !memcmp(name, s->str, s->len);
}

static enum kvm_space space_of(const struct tf_words *w)
{
	for (u32 space = KVM_VMX; space < KVM_SPACES; space++)
		for (u32 i = 0; i < w->nr_syms; i++)
			if (agrees((enum kvm_space)space, &w->syms[i]))
				return (enum kvm_space)space;
	return KVM_UNNAMED;
}

static void add_list(void *ctx, const struct tf_words *list)
{
	enum kvm_space space = list->flags ? KVM_UNNAMED : space_of(list);
	struct kvm_words *w = ctx;

	for (u32 i = 0; space != KVM_UNNAMED && i < list->nr_syms; i++) {
		const struct tf_sym *s = &list->syms[i];
		u32 name = intern_id(&w->names, s->str, s->len);

		VEC_GROW(w->v, w->nr + 1, w->cap);
		w->v[w->nr++] = (struct kvm_word){ space, s->value, name };
	}
}

void kvm_words_read(struct kvm_words *w, const struct tf_event *format)
{
	tf_walk_words(format, add_list, w);
}

const char *kvm_words_find(const struct kvm_words *w, enum kvm_space space, u64 number)
{
	for (size_t i = 0; i < w->nr; i++)
		if (w->v[i].space == space && w->v[i].number == number)
			return intern_str(&w->names, w->v[i].name);
	return NULL;
}

void kvm_words_release(struct kvm_words *w)
{
	free(w->v);
	intern_release(&w->names);
	*w = (struct kvm_words){ 0 };
}
