// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes a long recording of a short one: its records again and again, each time with samples that
 * are later.
 *
 *	cc -O2 -o repeat repeat.c
 *	repeat IN OUT TIMES
 *
 * IN is a file of this machine's byte order whose samples begin with IDENTIFIER, IP, TID and TIME,
 * as perf sched record makes it. What the tasks do goes on for TIMES as long; the number of tasks
 * stays the same.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { DATA_AT = 40, FEATURES_AT = 72, NR_FEATURES = 256, SAMPLE = 9, TIME_AT = 32 };

static uint64_t get(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static void put(char *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
}

static size_t size_at(const char *p)
{
	uint16_t size;

	memcpy(&size, p + 6, sizeof(size));
	return size;
}

static int is_sample(const char *p)
{
	uint32_t type;

	memcpy(&type, p, sizeof(type));
	return type == SAMPLE && size_at(p) >= TIME_AT + 8;
}

/* Add @by to the times of all samples. Return: how long they last. */
static uint64_t shift(char *data, size_t len, uint64_t by)
{
	uint64_t low = UINT64_MAX, high = 0;

	for (char *p = data; p + 8 <= data + len && size_at(p) >= 8; p += size_at(p)) {
		uint64_t time;

		if (!is_sample(p))
			continue;
		time = get(p + TIME_AT) + by;
		put(p + TIME_AT, time);
		low = time < low ? time : low;
		high = time > high ? time : high;
	}
	return high - low;
}

int main(int argc, char **argv)
{
	int fd = argc == 4 ? open(argv[1], O_RDONLY) : -1, nr = 0;
	uint64_t at, len, more, span, times;
	struct stat st;
	char *file;
	FILE *out;

	if (fd < 0 || fstat(fd, &st))
		return 2;
	file = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	out = fopen(argv[2], "wb");
	times = strtoull(argv[3], NULL, 10);
	if (file == MAP_FAILED || !out || !times)
		return 2;
	at = get(file + DATA_AT);
	len = get(file + DATA_AT + 8);
	more = (times - 1) * len;
	put(file + DATA_AT + 8, len + more);
	for (int bit = 0; bit < NR_FEATURES; bit++)
		nr += file[FEATURES_AT + bit / 8] >> bit % 8 & 1;
	for (int i = 0; i < nr; i++) /* the table of features stands behind the data */
		put(file + at + len + 16 * i, get(file + at + len + 16 * i) + more);
	fwrite(file, 1, at, out);
	span = shift(file + at, len, 0);
	for (uint64_t i = 0; i < times; i++) {
		fwrite(file + at, 1, len, out);
		shift(file + at, len, span + 1000);
	}
	fwrite(file + at + len, 1, (size_t)st.st_size - at - len, out);
	return fclose(out) ? 1 : 0;
}
