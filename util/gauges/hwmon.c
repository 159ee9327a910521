// SPDX-License-Identifier: GPL-2.0-or-later
/* The sensors of the folders hwmonN: files such as temp1_input, with temp1_label beside it. */
#include "base/compat.h"
#include "gauges/gauges-internal.h"

#include "base/alloc.h"

#include <ctype.h>
#include <dirent.h>

#define HWMON "/sys/class/hwmon"

/* The files that have values. @code is what later versions of perf number the types with. */
static const struct sensor_type {
	const char *prefix, *item;
	u8 code;
	const char *what, *unit;
	double scale;
	bool grows;
} types[] = {
	{ "cpu", "_vid", 1, "voltage that the processor asks for", "V", 1e-3, false },
	{ "curr", "_input", 2, "current", "A", 1e-3, false },
	{ "energy", "_input", 3, "energy", "J", 1e-6, true },
	{ "fan", "_input", 4, "speed of a fan", "rpm", 0, false },
	{ "humidity", "_input", 5, "humidity", "%", 1e-3, false },
	{ "in", "_input", 6, "voltage", "V", 1e-3, false },
	{ "intrusion", "_alarm", 7, "whether the case was opened", NULL, 0, false },
	{ "power", "_input", 8, "power", "W", 1e-6, false },
	{ "power", "_average", 8, "mean power", "W", 1e-6, false },
	{ "pwm", "", 9, "control of a fan, from 0 to 255", NULL, 0, false },
	{ "temp", "_input", 10, "temperature", "'C", 1e-3, false },
};

/* Return the type of the sensor whose value the file has, or NULL. @digits: of its number */
static const struct sensor_type *type_of(const char *file, size_t *prefix, size_t *digits)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		*prefix = strlen(types[i].prefix);
		if (strncmp(file, types[i].prefix, *prefix))
			continue;
		*digits = strspn(file + *prefix, "0123456789");
		if (*digits && *digits < 6 && !strcmp(file + *prefix + *digits, types[i].item))
			return &types[i];
	}
	return NULL;
}

/* Return the first line of a file without control bytes; NULL when there is none. */
static char *read_line(const struct sysroot *sr, const char *chip, const char *file,
		       const char *item)
{
	struct strbuf sb = STRBUF_INIT;
	char *line = NULL;

	if (!sysroot_read(sr, &sb, HWMON "/%s/%s%s", chip, file, item) && sb.len) {
		line = xstrndup(sb.buf, strcspn(sb.buf, "\n"));
		for (char *c = line; *c; c++)
			if (iscntrl((unsigned char)*c))
				*c = '_';
	}
	strbuf_release(&sb);
	return line;
}

/* Make a word of an event's name: letters, digits and bars. */
static void make_word(char *s)
{
	for (; *s; s++)
		*s = isalnum((unsigned char)*s) ? (char)tolower((unsigned char)*s) : '_';
}

/* A chip that has the name of another one gets the number of its folder. */
static char *pmu_name(const struct gauges *g, const struct sysroot *sr, const char *chip)
{
	char *name = read_line(sr, chip, "name", ""), *pmu;

	if (name)
		make_word(name);
	pmu = xasprintf("hwmon_%s", name && *name ? name : chip);
	free(name);
	for (size_t i = 0; i < g->nr; i++) {
		if (strcmp(g->v[i].pmu, pmu))
			continue;
		name = xasprintf("%s_%s", pmu, chip + strcspn(chip, "0123456789"));
		free(pmu);
		return name;
	}
	return pmu;
}

static struct gauge *find_from(const struct gauges *g, size_t from, const char *name)
{
	for (size_t i = from; i < g->nr; i++)
		if (!strcmp(g->v[i].name, name))
			return &g->v[i];
	return NULL;
}

static void describe(struct gauge *s, const struct sensor_type *t, char *label)
{
	s->desc = xasprintf("%c%s%s%s", toupper((unsigned char)t->what[0]), t->what + 1,
			    label ? ", " : "", label ? label : "");
	if (!label)
		return;
	make_word(label);
	s->label = xasprintf("%s_%s", t->prefix, label);
}

/* Add what the file @file of the chip has, unless it is no value. @from: the chip's first gauge */
static void add_sensor(struct gauges *g, const struct sysroot *sr, const char *chip,
		       const char *file, size_t from, const char *pmu)
{
	size_t prefix, digits;
	const struct sensor_type *t = type_of(file, &prefix, &digits);
	char *name = t ? xstrndup(file, prefix + digits) : NULL, *label;
	struct gauge *s = t ? find_from(g, from, name) : NULL;

	if (s && !strcmp(t->item, "_average")) {
		free(name); /* the present value is better known */
		return;
	}
	if (!t)
		return;
	if (s)
		free(name);
	else
		s = gauges_add(g, xstrdup(pmu), name);
	free(s->path);
	free(s->label);
	free(s->desc);
	s->label = NULL;
	s->path = xasprintf(HWMON "/%s/%s", chip, file);
	s->config = (u64)t->code << 16 | strtoul(file + prefix, NULL, 10);
	s->unit = t->unit;
	s->scale = t->scale;
	s->state = !t->grows;
	label = read_line(sr, chip, s->name, "_label");
	describe(s, t, label);
	free(label);
}

static int by_config(const void *a, const void *b)
{
	const struct gauge *x = a, *y = b;

	return x->config < y->config ? -1 : x->config > y->config;
}

static void add_chip(struct gauges *g, const struct sysroot *sr, const char *chip)
{
	char *path = sysroot_path(sr, HWMON "/%s", chip), *pmu = pmu_name(g, sr, chip);
	DIR *dir = opendir(path);
	size_t from = g->nr;
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		add_sensor(g, sr, chip, d->d_name, from, pmu);
	if (dir)
		closedir(dir);
	if (g->nr > from)
		qsort(g->v + from, g->nr - from, sizeof(*g->v), by_config);
	free(path);
	free(pmu);
}

static int chips_only(const struct dirent *d)
{
	return !strncmp(d->d_name, "hwmon", 5) && d->d_name[5] &&
	       d->d_name[5 + strspn(d->d_name + 5, "0123456789")] == 0;
}

void gauges_sensors(struct gauges *g, const struct sysroot *sr)
{
	char *path = sysroot_path(sr, HWMON);
	struct dirent **chips;
	int nr = scandir(path, &chips, chips_only, versionsort);

	for (int i = 0; i < nr; i++) {
		add_chip(g, sr, chips[i]->d_name);
		free(chips[i]);
	}
	if (nr >= 0)
		free(chips);
	free(path);
}
