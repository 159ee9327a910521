// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The input is texts of files, with a line "==" between two of them: what chips and a sensor are
 * called, the name of the sensor's file, its value and its label, and what two clients of graphics
 * cards tell. Names of PMUs and events have to be words; every gauge that is listed can be read.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/strbuf.h"
#include "gauges/gauges.h"
#include "tmp-tree.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHIP, FILE_NAME, VALUE, LABEL, CLIENT, OTHER_CLIENT, PARTS };

#define CLIENT_FD "/proc/100/fd/3"
#define OTHER_FD "/proc/200/fd/3"

static struct sysroot sr;

static void forget_root(void)
{
	tmp_remove((char *)sr.prefix);
}

static void link_card(const char *path)
{
	char *link = sysroot_path(&sr, "%s", path);

	if (symlink("/dev/dri/renderD128", link))
		abort();
	free(link);
}

/* Folders are made once: only texts differ from one input to the next. */
static void make_root(void)
{
	sr.prefix = tmp_dir();
	tree_put(sr.prefix, "proc/100/fd/.keep", "");
	tree_put(sr.prefix, "proc/200/fd/.keep", "");
	link_card(CLIENT_FD);
	link_card(OTHER_FD);
	atexit(forget_root);
}

static void put(const char *path, const struct strbuf *text)
{
	char *whole = sysroot_path(&sr, "/%s", path);

	file_write(whole, text->buf, text->len);
	free(whole);
}

/* Store the texts of the parts in files. Return: the path of the sensor, whose name is any. */
static char *put_files(const struct strbuf *parts)
{
	const char *text = strbuf_str(&parts[FILE_NAME]);
	const size_t len = MIN(strcspn(text, "/\n"), (size_t)200);
	char *name = xasprintf("%.*s%s", (int)len, text, len && *text != '.' ? "" : "x"), *path;

	put("sys/class/hwmon/hwmon0/name", &parts[CHIP]);
	put("sys/class/hwmon/hwmon7/name", &parts[CHIP]);
	put("sys/class/hwmon/hwmon0/temp1_input", &parts[VALUE]);
	put("sys/class/hwmon/hwmon0/temp1_label", &parts[LABEL]);
	put("sys/class/hwmon/hwmon7/energy2_input", &parts[VALUE]);
	put("proc/100/fdinfo/3", &parts[CLIENT]);
	put("proc/200/fdinfo/3", &parts[OTHER_CLIENT]);
	path = xasprintf("sys/class/hwmon/hwmon7/%s", name);
	put(path, &parts[VALUE]);
	free(name);
	return path;
}

static bool is_word(const char *s)
{
	return *s && !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_-.")];
}

static void check_list(const struct gauges *g)
{
	for (size_t i = 0; i < g->nr; i++)
		if (!is_word(g->v[i].pmu) || !is_word(g->v[i].name) || !g->v[i].desc ||
		    (g->v[i].label && !is_word(g->v[i].label)) ||
		    gauges_are_graphics(g->v[i].pmu, NULL) != !g->v[i].path)
			abort();
}

/* Read every gauge of a list twice: clients still tell what they told before, so that what grows
 * has not grown. */
static void read_values(const struct gauges *g)
{
	struct gauge_values v = { 0 };
	const struct int_list one = { .v = (int[]){ 100 }, .nr = 1 };

	for (size_t i = 0; i < g->nr; i++)
		gauge_values_add(&v, &sr, g->v[i].pmu, g->v[i].name);
	gauge_values_read(&v, &sr, NULL);
	gauge_values_read(&v, &sr, NULL);
	for (size_t i = 0; i < g->nr; i++)
		if (v.v[i].there && !g->v[i].state && v.v[i].value)
			abort();
	gauge_values_restart(&v);
	gauge_values_read(&v, &sr, &one);
	gauge_values_release(&v);
}

static void split(const uint8_t *data, size_t size, struct strbuf *parts)
{
	const char *p = (const char *)data, *end = p + size;
	size_t part = 0;

	while (p < end) {
		const char *nl = memchr(p, '\n', end - p), *next = nl ? nl + 1 : end;

		if (next - p == 3 && !memcmp(p, "==", 2) && part + 1 < PARTS)
			part++;
		else
			strbuf_add(&parts[part], p, next - p);
		p = next;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf parts[PARTS] = { 0 };
	struct gauges g = { 0 };
	char *sensor, *path;

	if (!sr.prefix)
		make_root();
	split(data, size, parts);
	sensor = put_files(parts);
	gauges_sensors(&g, &sr);
	gauges_graphics(&g, &sr);
	check_list(&g);
	read_values(&g);
	gauges_release(&g);
	path = sysroot_path(&sr, "/%s", sensor);
	unlink(path);
	free(path);
	free(sensor);
	for (size_t i = 0; i < PARTS; i++)
		strbuf_release(&parts[i]);
	return 0;
}
