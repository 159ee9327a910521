// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Encoding of header features. Values that the machine does not provide are written as 0 or as "".
 */
#include "base/compat.h"
#include "file/compress.h"
#include "file/feature-internal.h"

#define STR_ALIGN 64

void feature_u32(struct strbuf *sb, u32 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

void feature_u64(struct strbuf *sb, u64 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

/* Append a u32 length, then the text, filled up with zeros to that length. */
void feature_string(struct strbuf *out, const char *s)
{
	static const char zeros[STR_ALIGN];
	u32 len = (u32)strlen(s) + 1, padded = ALIGN_UP(len, (u32)STR_ALIGN);

	feature_u32(out, padded);
	strbuf_add(out, s, len);
	strbuf_add(out, zeros, padded - len);
}

void feature_cmdline(struct strbuf *out, const char *exe, int argc, const char *const argv[])
{
	feature_u32(out, (u32)argc + 1);
	feature_string(out, exe);
	for (int i = 0; i < argc; i++)
		feature_string(out, argv[i]);
}

void feature_event_desc(struct strbuf *out, const struct writer_attr *attrs, size_t nr)
{
	u32 size = writer_attr_size(attrs, nr);

	feature_u32(out, (u32)nr);
	feature_u32(out, size);
	for (size_t i = 0; i < nr; i++) {
		writer_attr_put(out, &attrs[i], size);
		feature_u32(out, (u32)attrs[i].nr_ids);
		feature_string(out, attrs[i].name);
		strbuf_add(out, attrs[i].ids, attrs[i].nr_ids * 8);
	}
}

void feature_group_desc(struct strbuf *out, const struct env_group *groups, u32 nr)
{
	feature_u32(out, nr);
	for (u32 i = 0; i < nr; i++) {
		feature_string(out, groups[i].name ? groups[i].name : "{anon_group}");
		feature_u32(out, groups[i].leader_idx);
		feature_u32(out, groups[i].nr_members);
	}
}

/* Return how many of the domains belong to the CPU of the first one. */
static u32 domains_of_cpu(const struct env_domain *d, size_t nr)
{
	u32 n = 0;

	while (n < nr && d[n].cpu == d->cpu)
		n++;
	return n;
}

void feature_cpu_domains(struct strbuf *out, u32 version, const struct env_domain *domains,
			 size_t nr)
{
	const struct env_domain *d = domains, *end = domains + nr;
	u32 most = 0, n;

	for (size_t i = 0; i < nr; i += n) {
		n = domains_of_cpu(d + i, nr - i);
		most = MAX(most, n);
	}
	feature_u32(out, version);
	feature_u32(out, most);
	while (d < end) {
		n = domains_of_cpu(d, (size_t)(end - d));
		feature_u32(out, d->cpu);
		feature_u32(out, n);
		for (; n; n--, d++) {
			feature_u32(out, d->level);
			if (version >= SCHEDSTAT_NAMES)
				feature_string(out, d->name ? d->name : "");
			feature_string(out, d->mask);
			feature_string(out, d->list);
		}
	}
}

void feature_sample_time(struct strbuf *out, u64 first, u64 last)
{
	feature_u64(out, first);
	feature_u64(out, last);
}

void feature_clockid(struct strbuf *out, u64 resolution)
{
	feature_u64(out, resolution);
}

void feature_clock_data(struct strbuf *out, const struct clock_pair *c)
{
	feature_u32(out, 1); /* version */
	feature_u32(out, (u32)c->clockid);
	feature_u64(out, c->wall);
	feature_u64(out, c->clock);
}

void feature_compressed(struct strbuf *out, u32 level, u32 ratio, u32 mmap_len)
{
	feature_u32(out, 0); /* version */
	feature_u32(out, 1); /* zstd */
	feature_u32(out, level);
	feature_u32(out, ratio);
	feature_u32(out, MAX(mmap_len, (u32)COMPRESS_EXPANDED_MAX));
}

void feature_build_id(struct strbuf *out, const struct env_build_id *id)
{
	static const char zeros[STR_ALIGN];
	u32 name_len = (u32)strlen(id->filename) + 1, padded = ALIGN_UP(name_len, (u32)STR_ALIGN);
	u8 size = MIN(id->size, (u8)20);
	/*
	 * the 24 bytes of the id: 20 bytes, their number, 3 bytes of padding; misc bit 15 says that
	 * the number is valid
	 */
	struct {
		struct perf_event_header h;
		s32 pid;
		u8 id[20], size, pad[3];
	} b = { { .type = PERF_RECORD_HEADER_BUILD_ID, .misc = id->misc | 1U << 15 },
		id->pid,
		{ 0 },
		size,
		{ 0 } };

	if (padded > 0xff00)
		return;
	b.h.type = 0; /* the type is not used within the section */
	b.h.size = (u16)(sizeof(b) + padded);
	memcpy(b.id, id->id, size);
	strbuf_add(out, &b, sizeof(b));
	strbuf_add(out, id->filename, name_len);
	strbuf_add(out, zeros, padded - name_len);
}
