// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The payloads of tracepoints, field by field. What a field holds is known from its type and its
 * name only: pointers and fields that are named like an address have one, and others have one if it
 * is the kernel's or in a mapping.
 */
#include "base/compat.h"
#include "inject/aslr-internal.h"

#define KERNEL_HALF (1ULL << 63)
#define KERNEL_TEXT 0xffffffff80000000ULL /* of x86-64, with the modules */
#define SMALL_NEGATIVE ((u64)-65536)
#define ABOVE_WORDS (1ULL << 32) /* what is less may be a length or a set of flags */
#define ABOVE_USER (1ULL << 57)

enum content { PERHAPS, ARGUMENT, ADDRESS, PAGE_NUMBER };

/* Tell whether a field has a name of addresses. */
static bool named_address(const char *name)
{
	static const char *const whole[] = { "ip",        "sp",        "pc",        "ptr",
					     "call_site", "caller",    "function",  "location",
					     "vaddr",     "offset_ip", "parent_ip", "page",
					     "func",      "start_ip" };

	if (strstr(name, "addr"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		if (!strcmp(name, whole[i]))
			return true;
	return false;
}

/* Tell what the values of a field are. What system calls and probes have may be anything. */
static enum content content_of(const struct tf_event *tp, const struct tf_field *f)
{
	if (!strcmp(f->name, "pfn")) /* a physical page */
		return PAGE_NUMBER;
	if (f->flags & TF_POINTER || named_address(f->name))
		return ADDRESS;
	if (!strcmp(tp->system, "raw_syscalls") || !strcmp(tp->system, "syscalls") ||
	    tf_find_field(tp, "__probe_ip") || tf_find_field(tp, "__probe_func"))
		return ARGUMENT;
	return PERHAPS;
}

/* Tell whether a number with the highest bit set is an address of a kernel: it begins with 16 bits
 * that are set, and is no small negative number. */
static bool is_kernel_address(u64 v)
{
	return v >> 47 == 0x1ffff && v < SMALL_NEGATIVE &&
	       (v >> 32 != UINT32_MAX || v >= KERNEL_TEXT);
}

static bool is_address(const struct shifted_pair *p, const struct tf_field *f, enum content what,
		       u64 v)
{
	if (shifted_find(v & KERNEL_HALF ? p->kernel : p->user, v) || what == ADDRESS)
		return true;
	if (v & KERNEL_HALF)
		return !(f->flags & TF_SIGNED) && is_kernel_address(v);
	return what == ARGUMENT && v >= ABOVE_WORDS && v < ABOVE_USER;
}

/* Replace addresses in @size bytes of words. */
static void shift_words(const struct aslr_payload *pl, const struct tf_field *f, enum content what,
			u8 *at, size_t size)
{
	for (; size >= sizeof(u64); at += sizeof(u64), size -= sizeof(u64)) {
		u64 v = *(u64_una *)at;

		if (pl->swap)
			v = __builtin_bswap64(v);
		if (what == PAGE_NUMBER)
			v = v < ABOVE_USER ? shifted_page(pl->p.kernel, v) : v;
		else if (is_address(&pl->p, f, what, v))
			v = shifted_any(&pl->p, v);
		if (pl->swap)
			v = __builtin_bswap64(v);
		*(u64_una *)at = v;
	}
}

/* New addresses need 64 bits: fields of machines with less become zeros. */
static void clear_word(const struct tf_field *f, enum content what, u8 *raw, size_t size)
{
	if (what != PERHAPS && f->size == sizeof(u32) && f->flags & TF_LONG && f->offset <= size &&
	    size - f->offset >= f->size)
		memset(raw + f->offset, 0, f->size);
}

static void shift_field(const struct aslr_payload *pl, const struct tf_event *tp,
			const struct tf_field *f, u8 *raw, size_t size)
{
	enum content what = content_of(tp, f);
	const u8 *data = raw + f->offset;
	size_t len = f->size;

	if (f->flags & (TF_ARRAY | TF_DYNAMIC)) {
		if (f->flags & TF_STRING || f->elem_size != sizeof(u64))
			return;
		data = tf_field_data(tp, f, raw, size, &len);
		if (!data)
			return;
	} else if (f->size != sizeof(u64) || f->offset > size || size - f->offset < f->size) {
		clear_word(f, what, raw, size);
		return;
	}
	shift_words(pl, f, what, raw + (data - raw), len);
}

void aslr_raw(const struct aslr_payload *pl, const struct tf_event *tp, u8 *raw, size_t size)
{
	if (!tp) {
		memset(raw, 0, size);
		return;
	}
	for (u32 i = tp->nr_common; i < tp->nr_fields; i++)
		shift_field(pl, tp, &tp->fields[i], raw, size);
}
