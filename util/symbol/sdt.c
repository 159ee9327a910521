// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "symbol/sdt.h"

#include "arch/elf.h"
#include "base/alloc.h"
#include "base/cur.h"
#include "base/hash.h"
#include "symbol/symbol-internal.h"

#define NOTE_TYPE 3

void sdt_release(struct sdt_notes *n)
{
	size_t i;

	for (i = 0; i < n->nr; i++) {
		free(n->v[i].provider);
		free(n->v[i].name);
		free(n->v[i].args);
	}
	free(n->v);
	*n = (struct sdt_notes){ 0 };
}

/* ---- notes ---- */

static u64 take_addr(const struct elf_image *e, struct cur *c)
{
	return e->is64 ? cur_u64(c) : cur_u32(c);
}

static const char *take_str(struct cur *c)
{
	return cur_str(c, strnlen((const char *)c->p, cur_left(c)) + 1);
}

/* Names go into lines of text that the kernel takes orders from. */
static bool is_name(const char *s)
{
	if (!*s)
		return false;
	for (; *s; s++)
		if (*s <= ' ' || *s >= 0x7f)
			return false;
	return true;
}

static void take_note(const struct elf_image *e, struct cur c, u64 base, struct sdt_notes *out)
{
	u64 at = take_addr(e, &c), linked_base = take_addr(e, &c), semaphore = take_addr(e, &c);
	const char *provider = take_str(&c), *name = take_str(&c), *args = take_str(&c);
	u64 moved = base && linked_base ? base - linked_base : 0; /* by a prelinker */

	if (!cur_ok(&c) || !is_name(provider) || !is_name(name))
		return;
	VEC_GROW(out->v, out->nr + 1, out->cap);
	out->v[out->nr++] = (struct sdt_note){
		.provider = xstrdup(provider),
		.name = xstrdup(name),
		.args = xstrdup(args),
		.at = elf_image_file_addr(e, at + moved),
		.semaphore = semaphore ? elf_image_file_addr(e, semaphore + moved) : 0,
	};
}

static void take_notes(const struct elf_image *e, struct cur c, struct sdt_notes *out)
{
	const struct elf_section *base = elf_image_section(e, ".stapsdt.base");

	while (cur_left(&c) >= 12) {
		u32 name_size = cur_u32(&c), desc_size = cur_u32(&c), type = cur_u32(&c);
		const char *owner = cur_bytes(&c, ALIGN_UP((size_t)name_size, 4));
		const void *desc = cur_bytes(&c, desc_size);

		if (!cur_ok(&c))
			return;
		if (type == NOTE_TYPE && name_size == sizeof("stapsdt") &&
		    !memcmp(owner, "stapsdt", sizeof("stapsdt")))
			take_note(e, cur_make(desc, desc_size, e->swap), base ? base->addr : 0,
				  out);
		cur_skip(&c, MIN(-(size_t)desc_size % 4, cur_left(&c)));
	}
}

void sdt_read_image(struct sdt_notes *n, const struct elf_image *e)
{
	const struct elf_section *s = elf_image_section(e, ".note.stapsdt");
	size_t len = 0;
	const u8 *p = s && s->type == SHT_NOTE ? elf_image_bytes(e, s, &len) : NULL;

	*n = (struct sdt_notes){ .machine = e->machine };
	if (p)
		take_notes(e, cur_make(p, len, e->swap), n);
}

int sdt_read(struct sdt_notes *n, const char *path)
{
	struct elf_image e;
	int ret = elf_image_open(&e, path);

	*n = (struct sdt_notes){ 0 };
	if (ret)
		return ret;
	sdt_read_image(n, &e);
	elf_image_release(&e);
	return 0;
}

/* ---- arguments ---- */

/* "8@" is u64, "-4@" s32; none when there is no size, or one that no type has. */
static const char *type_of(const char *p, size_t len)
{
	static const char *const types[2][9] = {
		{ NULL, "u8", "u16", NULL, "u32", NULL, NULL, NULL, "u64" },
		{ NULL, "s8", "s16", NULL, "s32", NULL, NULL, NULL, "s64" },
	};
	bool negative = len && *p == '-';

	p += negative;
	len -= negative;
	return len == 1 && *p >= '1' && *p <= '8' ? types[negative][*p - '0'] : NULL;
}

static void put_argument(const struct arch_elf *elf, const char *p, size_t len, unsigned int number,
			 struct strbuf *out)
{
	const char *at = memchr(p, '@', len), *type = NULL;
	struct strbuf operand = STRBUF_INIT;

	if (at) {
		type = type_of(p, (size_t)(at - p));
		len -= (size_t)(at + 1 - p);
		p = at + 1;
	}
	if (len && elf->operand(p, len, &operand)) {
		strbuf_addf(out, " arg%u=%s", number, strbuf_str(&operand));
		if (type)
			strbuf_addf(out, ":%s", type);
	}
	strbuf_release(&operand);
}

void sdt_probe_args(const struct sdt_notes *n, const struct sdt_note *note, struct strbuf *out)
{
	const struct arch_elf *elf = arch_elf_of(n->machine);
	const char *p = note->args;
	unsigned int number;
	size_t len;

	if (!elf->operand)
		return;
	for (number = 1; p += strspn(p, " "), len = strcspn(p, " "); p += len, number++)
		put_argument(elf, p, len, number, out);
}

void sdt_probe_text(const struct sdt_notes *n, const struct sdt_note *note, const char *path,
		    struct strbuf *out)
{
	strbuf_addf(out, "p:sdt_%s/%s %s:0x%" PRIx64, note->provider, note->name, path, note->at);
	if (note->semaphore)
		strbuf_addf(out, "(0x%" PRIx64 ")", note->semaphore);
	sdt_probe_args(n, note, out);
}

void sdt_cache_text(const struct sdt_notes *n, const char *path, struct strbuf *out)
{
	size_t *next = xcalloc(n->nr + 1, sizeof(*next)), i, k; /* the same marker again, 0: none */
	u8 *first = xcalloc(n->nr + 1, 1);
	struct map64 last = { 0 };

	for (i = 0; i < n->nr; i++) {
		const struct sdt_note *a = &n->v[i];
		u32 *slot = map64_slot(&last, hash_mix(hash_bytes(a->provider, strlen(a->provider)),
						       hash_bytes(a->name, strlen(a->name))));

		if (*slot == MAP64_NONE)
			first[i] = 1;
		else
			next[*slot] = i;
		*slot = (u32)i;
	}
	for (i = 0; i < n->nr; i++) {
		if (!first[i])
			continue;
		strbuf_addf(out, "%%sdt_%s:%s=%s\n", n->v[i].provider, n->v[i].name, n->v[i].name);
		k = i;
		do {
			sdt_probe_text(n, &n->v[k], path, out);
			strbuf_addch(out, '\n');
			k = next[k];
		} while (k);
	}
	map64_release(&last);
	free(first);
	free(next);
}
