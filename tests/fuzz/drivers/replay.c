// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a fuzz target once over each kept input, with any compiler. The program is called
 * replay-<x>; without arguments the inputs are the files of tests/fuzz/corpus/<x>/, found
 * from the current folder (the top of the tree). One TAP line per input; an input that
 * breaks the target ends the program, which the runner counts as a failure.
 */
#include "base/compat.h"

#include <dirent.h>
#include <limits.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path, int n)
{
	FILE *f = fopen(path, "rb");
	u8 *buf;
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0) {
		printf("not ok %d - %s: cannot be read\n", n, path);
		if (f)
			fclose(f);
		return 1;
	}
	rewind(f);
	/* Exactly as large as the input, so that a sanitizer sees one byte too far. */
	buf = malloc(size ? size : 1);
	if (!buf || fread(buf, 1, size, f) != (size_t)size) {
		printf("not ok %d - %s: cannot be read\n", n, path);
		free(buf);
		fclose(f);
		return 1;
	}
	fclose(f);
	LLVMFuzzerTestOneInput(buf, size);
	free(buf);
	printf("ok %d - %s\n", n, path);
	return 0;
}

static int run_folder(const char *dir)
{
	struct dirent **list;
	char path[PATH_MAX];
	int i, n, ran = 0, failed = 0;

	n = scandir(dir, &list, NULL, alphasort);
	for (i = 0; i < n; i++) {
		if (list[i]->d_name[0] != '.') {
			snprintf(path, sizeof(path), "%s/%s", dir, list[i]->d_name);
			failed |= run_file(path, ++ran);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	/* The empty input is always tried. */
	LLVMFuzzerTestOneInput((const u8 *)"", 0);
	printf("ok %d - empty input\n1..%d\n", ran + 1, ran + 1);
	return failed;
}

int main(int argc, char **argv)
{
	const char *name = strstr(argv[0], "replay-");
	char dir[PATH_MAX];
	int i, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1) {
		for (i = 1; i < argc; i++)
			failed |= run_file(argv[i], i);
		printf("1..%d\n", argc - 1);
		return failed;
	}
	snprintf(dir, sizeof(dir), "tests/fuzz/corpus/%s", name ? name + strlen("replay-") : "");
	return run_folder(dir);
}
