// SPDX-License-Identifier: GPL-2.0-or-later
/* Write header features about memory: its amount, its nodes and their blocks. */
#include "base/compat.h"
#include "file/feature-internal.h"

#include "base/alloc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>

static u64 meminfo_kb(const char *text, const char *key)
{
	const char *p = text ? strstr(text, key) : NULL;

	return p ? strtoull(p + strlen(key), NULL, 10) : 0;
}

int host_total_mem(const struct sysroot *sr, struct strbuf *out)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = sysroot_read(sr, &sb, "/proc/meminfo");

	if (!rc)
		feature_u64(out, meminfo_kb(strbuf_str(&sb), "MemTotal:"));
	strbuf_release(&sb);
	return rc;
}

int host_numa(const struct sysroot *sr, struct strbuf *out)
{
	struct int_list nodes = { 0 };

	feature_list(sr, NODE_DIR, "online", &nodes);
	if (!nodes.nr)
		return -ENOENT;
	feature_u32(out, (u32)nodes.nr);
	for (size_t i = 0; i < nodes.nr; i++) {
		struct strbuf sb = STRBUF_INIT;
		char *cpus = feature_line(sr, NODE_DIR "/node", nodes.v[i], "cpulist");

		(void)sysroot_read(sr, &sb, NODE_DIR "/node%d/meminfo", nodes.v[i]);
		feature_u32(out, (u32)nodes.v[i]);
		feature_u64(out, meminfo_kb(sb.buf, "MemTotal:"));
		feature_u64(out, meminfo_kb(sb.buf, "MemFree:"));
		feature_string(out, cpus ? cpus : "");
		free(cpus);
		strbuf_release(&sb);
	}
	int_list_release(&nodes);
	return 0;
}

/* Append one bit for each memory block of a node. */
static void put_memory_node(const struct sysroot *sr, int node, struct strbuf *out)
{
	char *path = sysroot_path(sr, NODE_DIR "/node%d", node);
	DIR *dir = opendir(path);
	u64 *bits = NULL;
	size_t words = 0, nr_bits = 0;
	struct dirent *d;

	free(path);
	while (dir && (d = readdir(dir))) {
		unsigned long block;

		if (strncmp(d->d_name, "memory", 6) || !isdigit((unsigned char)d->d_name[6]))
			continue;
		block = strtoul(d->d_name + 6, NULL, 10);
		if (block >= 1UL << 24)
			continue;
		if (block / 64 >= words) {
			size_t want = block / 64 + 1;

			bits = xrealloc(bits, want, sizeof(*bits));
			memset(bits + words, 0, (want - words) * sizeof(*bits));
			words = want;
		}
		bits[block / 64] |= 1ULL << block % 64;
		nr_bits = MAX(nr_bits, (size_t)block + 1);
	}
	if (dir)
		closedir(dir);
	feature_u64(out, (u64)node);
	feature_u64(out, nr_bits);
	feature_u64(out, nr_bits); /* the size of the node, and then the size of its bitmap */
	strbuf_add(out, bits, words * sizeof(*bits));
	free(bits);
}

int host_memory(const struct sysroot *sr, struct strbuf *out)
{
	char *s = feature_line(sr, "/sys/devices/system/memory", -1, "block_size_bytes");
	struct int_list nodes = { 0 };

	if (!s)
		return -ENOENT;
	feature_list(sr, NODE_DIR, "has_memory", &nodes);
	if (!nodes.nr)
		feature_list(sr, NODE_DIR, "online", &nodes);
	feature_u64(out, 1); /* version */
	feature_u64(out, strtoull(s, NULL, 16));
	feature_u64(out, nodes.nr);
	for (size_t i = 0; i < nodes.nr; i++)
		put_memory_node(sr, nodes.v[i], out);
	int_list_release(&nodes);
	free(s);
	return 0;
}
