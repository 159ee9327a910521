// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes a large recording, the same every time:
 *
 *	cc -O2 -o bigdata bigdata.c -lzstd (or -DNO_ZSTD)
 *	bigdata FILE MEGABYTES [pipe] [zstd] [rings=N] [norounds]
 *
 * MEGABYTES of records (before they are compressed): samples of two tracepoint-like events from two
 * rings with a FINISHED_ROUND after each turn, and now and then a new process with its mappings.
 * norounds: without those, and each ring is read later than the one before: up to LAG * (N - 1) ns.
 * FILE "-": standard output.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef NO_ZSTD
#include <zstd.h>
#endif

#define RAW_SIZE 28
#define PER_RING 2000
#define BLOCK_MAX (1 << 20)
#define IDS 2
#define LAG 100000
#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)

enum { ROUND = 68, COMPRESSED = 81, HEADER_ATTR = 64, FEATURE_COMPRESSED = 27 };

static FILE *out;
static char block[BLOCK_MAX];
static size_t used, total;
static uint64_t now = 1000000000, seed = 1;

static uint32_t any(uint32_t below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(seed >> 33) % below;
}

static void put(const void *p, size_t n)
{
	memcpy(block + used, p, n);
	used += n;
}

static void put64(uint64_t v)
{
	put(&v, sizeof(v));
}

static void put32(uint32_t v)
{
	put(&v, sizeof(v));
}

static void head(uint32_t type, uint16_t misc, size_t size)
{
	struct perf_event_header h = { .type = type, .misc = misc, .size = (uint16_t)size };

	put(&h, sizeof(h));
}

/* What ends every record but samples. */
static void trailer(uint32_t pid, uint32_t tid, uint32_t cpu)
{
	put32(pid);
	put32(tid);
	put64(now);
	put32(cpu);
	put32(0);
	put64(1);
}

static void put_sample(uint32_t pid, uint32_t cpu, uint32_t which)
{
	char raw[RAW_SIZE] = { 0 };

	head(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 + 8 * 6 + 4 + RAW_SIZE);
	put64(1 + which * IDS + cpu % IDS);
	put64(0x400000 + any(4096) * 16);
	put32(pid);
	put32(pid);
	put64(now);
	put32(cpu);
	put32(0);
	put64(1 + any(100));
	memcpy(raw, &pid, sizeof(pid));
	raw[8] = (char)any(256);
	put32(RAW_SIZE);
	put(raw, RAW_SIZE);
}

static void put_process(uint32_t pid, uint32_t cpu)
{
	char name[32] = "/usr/bin/program-00";

	head(PERF_RECORD_FORK, 0, 8 + 24 + 32);
	put32(pid);
	put32(1);
	put32(pid);
	put32(1);
	put64(now);
	trailer(pid, pid, cpu);
	head(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 8 + 64 + sizeof(name) + 32);
	name[17] = (char)('0' + pid / 10 % 10);
	name[18] = (char)('0' + pid % 10);
	put32(pid);
	put32(pid);
	put64(0x400000);
	put64(0x10000);
	put64(0);
	put64(0);
	put64(0);
	put64(0);
	put32(5);
	put32(2);
	put(name, sizeof(name));
	trailer(pid, pid, cpu);
}

static void put_ring(uint32_t pid, uint32_t cpu, int fresh)
{
	if (fresh && !cpu)
		put_process(pid, cpu);
	for (int k = 0; k < PER_RING; k++) {
		now += 50 + any(100);
		put_sample(pid, cpu, (uint32_t)k & 1);
	}
}

/* ---- the container ---- */

static void die(const char *why)
{
	fprintf(stderr, "bigdata: %s\n", why);
	exit(1);
}

static void emit(const void *p, size_t n)
{
	if (fwrite(p, 1, n, out) != n)
		die("cannot write");
	total += n;
}

static void flush_block(void)
{
	emit(block, used);
	used = 0;
}

static void flush_compressed(void)
{
#ifndef NO_ZSTD
	static ZSTD_CStream *zs;
	static char packed[60000 + 8];
	ZSTD_inBuffer in = { block, 0, 0 };

	if (!zs) {
		zs = ZSTD_createCStream();
		ZSTD_initCStream(zs, 1);
	}
	while (in.pos < used) {
		ZSTD_outBuffer to = { packed + 8, sizeof(packed) - 8, 0 };
		struct perf_event_header h = { .type = COMPRESSED };
		size_t left = 1;

		in.size = in.pos + 50000 < used ? in.pos + 50000 : used;
		ZSTD_compressStream(zs, &to, &in);
		while (left)
			left = ZSTD_flushStream(zs, &to);
		h.size = (uint16_t)(8 + to.pos);
		memcpy(packed, &h, sizeof(h));
		emit(packed, h.size);
	}
	used = 0;
#endif
}

static struct perf_event_attr attr_of(int which)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .size = sizeof(a),
				     .config = which ? PERF_COUNT_SW_CPU_CLOCK
						     : PERF_COUNT_SW_CONTEXT_SWITCHES,
				     .sample_type = SAMPLE_TYPE,
				     .sample_period = 1,
				     .sample_id_all = 1 };

	return a;
}

/* Of a file: magic, header, ids, attrs. Return: where the data section begins. */
static size_t put_file_header(uint64_t data_size, int zstd)
{
	size_t attrs = 104 + 2 * IDS * 8, entry = sizeof(struct perf_event_attr) + 16;
	uint64_t header[13] = { 0x32454c4946524550ULL,
				104,
				entry,
				attrs,
				2 * entry,
				attrs + 2 * entry,
				data_size,
				0,
				0,
				zstd ? 1ULL << FEATURE_COMPRESSED : 0 };

	put(header, sizeof(header));
	for (uint64_t id = 1; id <= 2 * IDS; id++)
		put64(id);
	for (int i = 0; i < 2; i++) {
		struct perf_event_attr a = attr_of(i);

		put(&a, sizeof(a));
		put64(104 + (uint64_t)i * IDS * 8);
		put64(IDS * 8);
	}
	return attrs + 2 * entry;
}

static void put_pipe_header(void)
{
	put64(0x32454c4946524550ULL);
	put64(16);
	for (int i = 0; i < 2; i++) {
		struct perf_event_attr a = attr_of(i);

		head(HEADER_ATTR, 0, 8 + sizeof(a) + IDS * 8);
		put(&a, sizeof(a));
		for (int k = 1; k <= IDS; k++)
			put64((uint64_t)(i * IDS + k));
	}
}

/* The COMPRESSED feature: version, type (zstd), level, ratio, bytes of the rings. */
static void put_feature(size_t end)
{
	uint64_t table[2] = { end + 16, 20 };
	uint32_t body[5] = { 1, 1, 1, 5, 528384 };

	emit(table, sizeof(table));
	emit(body, sizeof(body));
}

int main(int argc, char **argv)
{
	int pipe = 0, zstd = 0, norounds = 0;
	uint32_t rings = 2;
	size_t want, made = 0, data = 0;

	if (argc < 3)
		die("FILE MEGABYTES [pipe] [zstd] [rings=N] [norounds]");
	for (int i = 3; i < argc; i++) {
		pipe |= !strcmp(argv[i], "pipe");
		zstd |= !strcmp(argv[i], "zstd");
		norounds |= !strcmp(argv[i], "norounds");
		if (!strncmp(argv[i], "rings=", 6))
			rings = (uint32_t)strtoul(argv[i] + 6, NULL, 10);
	}
	out = strcmp(argv[1], "-") ? fopen(argv[1], "w") : stdout;
	if (!out)
		die("cannot open the output");
	want = strtoull(argv[2], NULL, 0) << 20;
	if (pipe)
		put_pipe_header();
	else
		data = put_file_header(0, zstd);
	flush_block();
	for (uint32_t turn = 0; made < want; turn++) {
		uint64_t from = now;

		for (uint32_t cpu = 0; cpu < rings; cpu++) {
			now = from + cpu * 3 - (norounds ? (uint64_t)cpu * LAG : 0);
			put_ring(100 + turn / 10, cpu, turn % 10 == 0);
			made += used;
			if (zstd)
				flush_compressed();
			else
				flush_block();
		}
		now = from + PER_RING * 100;
		if (norounds)
			continue;
		head(ROUND, 0, 8);
		made += 8;
		flush_block();
	}
	if (!pipe) {
		size_t end = total;

		if (zstd)
			put_feature(end);
		fseek(out, 0, SEEK_SET);
		put_file_header(end - data, zstd);
		flush_block();
	}
	return fclose(out) ? 1 : 0;
}
