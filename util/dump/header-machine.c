// SPDX-License-Identifier: GPL-2.0-or-later
/* Print the parts of a header that only -I shows: CPUs, caches and memory of the recorded
 * machine. */
#include "base/compat.h"
#include "dump/header-internal.h"

#define MAX_ENTRIES 65536

/* Return a string with its u32 length and padding, or NULL when it is damaged. */
static const char *take_string(struct cur *c)
{
	return cur_str(c, cur_u32(c));
}

static u32 take_count(struct cur *c)
{
	u32 nr = cur_u32(c);

	return MIN(nr, (u32)MAX_ENTRIES);
}

static void put_strings(struct cur *c, const char *what, struct strbuf *out)
{
	u32 nr = take_count(c), i;
	const char *s;

	for (i = 0; i < nr; i++) {
		s = take_string(c);
		if (!s)
			return;
		strbuf_addf(out, "# sibling %s : ", what);
		strbuf_addname(out, s);
		strbuf_addch(out, '\n');
	}
}

/*
 * The order in the file is: packages, cores; core and package of each CPU; in newer files also
 * dies, and the die of each CPU. Dies are printed between packages and cores.
 */
void put_cpu_topology(struct cur *c, u32 nr_cpus, struct strbuf *out)
{
	struct strbuf threads = STRBUF_INIT;
	struct cur cpus, dies;
	bool have_dies;
	u32 i;

	put_strings(c, "sockets", out);
	put_strings(c, "threads", &threads);
	cpus = *c;
	cur_skip(c, (size_t)nr_cpus * 8);
	have_dies = cur_ok(c) && cur_left(c);
	if (have_dies)
		put_strings(c, "dies   ", out);
	dies = *c;
	strbuf_add(out, strbuf_str(&threads), threads.len);
	strbuf_release(&threads);
	if (!nr_cpus || cur_left(&cpus) < (size_t)nr_cpus * 8 || cpus.bad) {
		strbuf_addstr(out, "# Core ID and Socket ID information is not available\n");
		return;
	}
	for (i = 0; i < nr_cpus; i++) {
		u32 core = cur_u32(&cpus), package = cur_u32(&cpus);
		u32 die = have_dies ? cur_u32(&dies) : 0;

		if (core == UINT32_MAX) /* the CPU was offline */
			continue;
		strbuf_addf(out, "# CPU %u: Core ID %d, ", i, (s32)core);
		if (have_dies)
			strbuf_addf(out, "Die ID %d, ", (s32)die);
		strbuf_addf(out, "Socket ID %d\n", (s32)package);
	}
}

void put_numa(struct cur *c, struct strbuf *out)
{
	u32 nr = take_count(c), i;

	for (i = 0; i < nr; i++) {
		u32 node = cur_u32(c);
		u64 total = cur_u64(c), free_kb = cur_u64(c);
		const char *cpus = take_string(c);

		if (!cpus)
			return;
		strbuf_addf(out,
			    "# node%u meminfo  : total = %" PRIu64 " kB, free = %" PRIu64 " kB\n",
			    node, total, free_kb);
		strbuf_addf(out, "# node%u cpu list : ", node);
		strbuf_addname(out, cpus);
		strbuf_addch(out, '\n');
	}
}

void put_caches(struct cur *c, struct strbuf *out)
{
	u32 nr, i;

	strbuf_addstr(out, "# CPU cache info:\n");
	cur_u32(c); /* version */
	nr = take_count(c);
	for (i = 0; i < nr; i++) {
		u32 level = cur_u32(c);
		const char *type, *size, *cpus;
		size_t start;

		cur_skip(c, 12); /* line size, sets, ways */
		type = take_string(c);
		size = take_string(c);
		cpus = take_string(c);
		if (!type || !size || !cpus)
			return;
		strbuf_addf(out, "#  L%u ", level);
		start = out->len;
		strbuf_addname(out, type);
		strbuf_pad(out, start + 16);
		strbuf_pad(out, out->len + 8 - MIN(strlen(size), (size_t)8));
		strbuf_addname(out, size);
		strbuf_addstr(out, " [");
		strbuf_addname(out, cpus);
		strbuf_addstr(out, "]\n");
	}
}

/* Append the runs of set bits of one node as "0-17,32". Return: their number. */
static u64 put_bits(struct cur *c, u64 words, struct strbuf *out)
{
	u64 i, bits = 0, first = 0, at = 0;
	bool in = false, any = false;

	for (i = 0; i <= words; i++) {
		u64 w = i < words ? cur_u64(c) : 0;
		unsigned int b;

		for (b = 0; b < 64; b++, at++) {
			bool set = w >> b & 1;

			bits += set;
			if (set == in)
				continue;
			in = set;
			if (set) {
				first = at;
				continue;
			}
			strbuf_addf(out, "%s%" PRIu64, any ? "," : "", first);
			if (at - 1 > first)
				strbuf_addf(out, "-%" PRIu64, at - 1);
			any = true;
		}
	}
	return bits;
}

/* Append a size in the largest unit of which there are at least two. */
static void put_size(u64 bytes, struct strbuf *out)
{
	static const char units[] = "BKMG";
	unsigned int i = 0;

	while (bytes / 1024 > 1 && i < 3) {
		bytes /= 1024;
		i++;
	}
	strbuf_addf(out, "%" PRIu64 "%c", bytes, units[i]);
}

void put_memory(struct cur *c, struct strbuf *out)
{
	struct strbuf runs = STRBUF_INIT;
	u64 block, nr, i;

	cur_u64(c); /* version */
	block = cur_u64(c);
	nr = cur_u64(c);
	strbuf_addf(out, "# memory nodes (nr %" PRIu64 ", block size %#" PRIx64 "):\n", nr, block);
	for (i = 0; i < nr && cur_left(c); i++) {
		u64 node = cur_u64(c), bits, set;

		cur_u64(c); /* the number of bits, which the bitmap itself repeats */
		bits = cur_u64(c);
		if (!cur_ok(c) || bits / 8 > cur_left(c))
			break;
		strbuf_reset(&runs);
		set = put_bits(c, (bits + 63) / 64, &runs);
		if (!cur_ok(c))
			break;
		strbuf_addf(out, "# %4" PRIu64 " [", node);
		put_size(set * block, out);
		strbuf_addf(out, "]: %s\n", strbuf_str(&runs));
	}
	strbuf_release(&runs);
}

void put_hybrid(struct cur *c, struct strbuf *out)
{
	u32 nr = take_count(c), i;

	strbuf_addstr(out, "# hybrid cpu system:\n");
	for (i = 0; i < nr; i++) {
		const char *pmu = take_string(c);
		const char *cpus = pmu ? take_string(c) : NULL;

		if (!cpus)
			return;
		strbuf_addstr(out, "# ");
		strbuf_addname(out, pmu);
		strbuf_addstr(out, " cpu list : ");
		strbuf_addname(out, cpus);
		strbuf_addch(out, '\n');
	}
}

void put_cpu_domains(const struct env *env, struct strbuf *out)
{
	strbuf_addf(out, "# cpu domains of schedstat version %u:\n", env->schedstat_version);
	for (u32 i = 0; i < env->nr_domains; i++) {
		const struct env_domain *d = &env->domains[i];

		strbuf_addf(out, "#  cpu %u: domain %u ", d->cpu, d->level);
		strbuf_addname(out, d->name ? d->name : "");
		strbuf_addstr(out, d->name ? " : " : ": ");
		strbuf_addname(out, d->list);
		strbuf_addch(out, '\n');
	}
}
