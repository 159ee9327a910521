// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hasaddr FILE: read lines "START LENGTH" of ranges, hexadecimal, from standard input, and count
 * the words of 64 bits at any byte of the file that lie in one of them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range {
	uint64_t start, len;
};

int main(int argc, char **argv)
{
	static struct range ranges[4096];
	static unsigned char bytes[16 << 20];
	size_t nr = 0, size, found = 0;
	uint64_t v;
	FILE *f;

	while (nr < 4096 && scanf("%lx %lx", &ranges[nr].start, &ranges[nr].len) == 2)
		nr++;
	f = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!f || !nr)
		return 1;
	size = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	for (size_t at = 0; at + sizeof(v) <= size; at++) {
		memcpy(&v, bytes + at, sizeof(v));
		for (size_t i = 0; i < nr; i++)
			if (v - ranges[i].start < ranges[i].len) {
				found++;
				break;
			}
	}
	printf("%zu\n", found);
	return 0;
}
