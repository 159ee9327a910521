// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Folders of event and metric files: it selects those for this processor and reads them into one
 * table. Paths are the user's and not below the sysroot; only PMUs are looked up there.
 */
#include "base/compat.h"
#include "events/vendor-internal.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "base/strbuf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX ((off_t)32 << 20)
#define PATTERN_MAX 256
#define UP_MAX 3    /* levels above the folder of a model at which the map may be */
#define SYS_DEPTH 4 /* levels below a map at which sys/ may be */
#define PMU_DIR "/sys/bus/event_source/devices"

/* --- matching ----------------------------------------------------------------- */

/*
 * Tell whether the extended regular expression matches the first @len1 or @len2 bytes of @text.
 * Expressions from files are refused when they could take long.
 */
static bool vendor_regex(const char *pattern, const char *text, size_t len1, size_t len2)
{
	regmatch_t m;
	regex_t re;
	bool yes;

	/* repetition counts and back-references can take exponential time */
	if (strlen(pattern) > PATTERN_MAX || strchr(pattern, '{'))
		return false;
	for (const char *p = pattern; *p; p++)
		if (*p == '\\' && strchr("123456789", p[1]) && p[1])
			return false;
	if (regcomp(&re, pattern, REG_EXTENDED | REG_ICASE))
		return false;
	yes = !regexec(&re, text, 1, &m, 0) && !m.rm_so &&
	      ((size_t)m.rm_eo == len1 || (size_t)m.rm_eo == len2);
	regfree(&re);
	return yes;
}

bool vendor_cpuid_matches(const char *pattern, const char *cpuid)
{
	const char *dash = cpuid;
	size_t len = strlen(cpuid), family = len;
	int dashes = 0;

	for (const char *p = cpuid; *p; p++) {
		if (*p != '-')
			continue;
		dashes++;
		dash = p;
	}
	/* vendor-family-model-stepping: the pattern may lack the last part */
	if (dashes == 3)
		family = (size_t)(dash - cpuid);
	return vendor_regex(pattern, cpuid, len, family);
}

bool vendor_has_compat(const struct vendor_loader *ld, const char *compat)
{
	for (size_t i = 0; i < ld->nr_identifiers; i++) {
		const char *id = ld->identifiers[i];

		if (!strcmp(compat, id) || vendor_regex(compat, id, strlen(id), strlen(id)))
			return true;
	}
	return false;
}

static void read_identifiers(struct vendor_loader *ld, const struct sysroot *sr)
{
	char *path = sysroot_path(sr, PMU_DIR);
	DIR *d = opendir(path);
	struct dirent *de;

	free(path);
	while (d && (de = readdir(d))) {
		struct strbuf sb = STRBUF_INIT;

		if (de->d_name[0] == '.' ||
		    sysroot_read(sr, &sb, PMU_DIR "/%s/identifier", de->d_name) || !sb.len) {
			strbuf_release(&sb);
			continue;
		}
		sb.buf[strcspn(sb.buf, "\n")] = 0;
		VEC_GROW(ld->identifiers, ld->nr_identifiers + 1, ld->cap_identifiers);
		ld->identifiers[ld->nr_identifiers++] = strbuf_detach(&sb);
	}
	if (d)
		closedir(d);
}

/* --- files and folders -------------------------------------------------------- */

/* Read a regular file of reasonable size; other files are not read. */
static int read_file(const char *path, struct strbuf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc = 0;
	struct stat st;

	if (fd < 0)
		return err_set(err, -errno, "cannot open %s: %s", path, err_str(-errno));
	if (fstat(fd, &st))
		rc = err_set(err, -errno, "cannot read %s: %s", path, err_str(-errno));
	else if (!S_ISREG(st.st_mode))
		rc = err_set(err, -EINVAL, "%s is not a file", path);
	else if (st.st_size > FILE_MAX)
		rc = err_set(err, -E2BIG, "%s is larger than 32 MB", path);
	while (!rc && out->len <= (size_t)FILE_MAX) {
		ssize_t n;

		strbuf_grow(out, 65536);
		n = read(fd, out->buf + out->len, 65536);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_set(err, -errno, "cannot read %s: %s", path, err_str(-errno));
		if (n <= 0)
			break;
		out->len += (size_t)n;
		out->buf[out->len] = 0;
	}
	close(fd);
	return rc;
}

static bool is_json(const char *name)
{
	size_t n = strlen(name);

	return name[0] != '.' && n > 5 && !strcmp(name + n - 5, ".json");
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/*
 * List the names in a folder in order. The caller frees each entry and the list. Return: their
 * number, or a negative errno.
 */
static int list_dir(const char *dir, struct dirent ***names)
{
	int nr = scandir(dir, names, NULL, alphasort);

	return nr < 0 ? -errno : nr;
}

static void free_names(struct dirent **names, int nr)
{
	for (int i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}

/* Read every *.json of @dir with @add. Return: their number, or an error. */
static int each_json(struct vendor_loader *ld, const char *dir, struct err *err,
		     int (*add)(struct vendor_loader *, const char *, size_t, const char *,
				struct err *))
{
	struct dirent **names;
	int nr = list_dir(dir, &names), files = 0, rc = 0;

	if (nr < 0)
		return err_set(err, nr, "cannot read the folder %s: %s", dir, err_str(nr));
	for (int i = 0; i < nr && !rc; i++) {
		struct strbuf text = STRBUF_INIT;
		char *path;

		if (!is_json(names[i]->d_name))
			continue;
		path = xasprintf("%s/%s", dir, names[i]->d_name);
		rc = read_file(path, &text, err);
		if (!rc)
			rc = add(ld, strbuf_str(&text), text.len, path, err);
		files++;
		strbuf_release(&text);
		free(path);
	}
	free_names(names, nr);
	return rc ? rc : files;
}

/* Load the folders with the name sys below @dir: events of PMUs outside processors. */
static int load_sys(struct vendor_loader *ld, const char *dir, int depth, struct err *err)
{
	struct dirent **names;
	int nr = list_dir(dir, &names), rc = 0;

	for (int i = 0; i < nr && rc >= 0; i++) {
		char *path;

		if (names[i]->d_name[0] == '.' ||
		    (names[i]->d_type != DT_DIR && names[i]->d_type != DT_UNKNOWN))
			continue;
		path = xasprintf("%s/%s", dir, names[i]->d_name);
		if (!is_dir(path))
			rc = 0;
		else if (!strcmp(names[i]->d_name, "sys"))
			rc = each_json(ld, path, err, vendor_json_add);
		else if (depth < SYS_DEPTH)
			rc = load_sys(ld, path, depth + 1, err);
		free(path);
	}
	if (nr >= 0)
		free_names(names, nr);
	return rc < 0 ? rc : 0;
}

/* --- maps --------------------------------------------------------------------- */

/*
 * Parse one line "pattern,version,model[,type]" and store the model if the pattern matches @cpuid.
 * A pattern may have commas in brackets.
 */
static bool row_matches(const struct line *l, const char *cpuid, char **model)
{
	char *row = xstrndup(l->p, (size_t)(l->end - l->p)), *field[4], *p = row;
	int nr = 0, depth = 0;
	bool yes = false;

	for (field[nr++] = p; *p && nr < 4; p++) {
		depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
		if (*p != ',' || (depth > 0 && nr == 1))
			continue;
		*p = 0;
		field[nr++] = p + 1;
	}
	if (nr > 3 && strchr(field[3], ','))
		*strchr(field[3], ',') = 0;
	if (nr >= 3 && row[0] != '#' && *field[2] && vendor_cpuid_matches(field[0], cpuid)) {
		*model = xstrdup(field[2]);
		yes = true;
	}
	free(row);
	return yes;
}

/* Check that a model is a folder below that of the map. */
static bool model_is_below(const char *model)
{
	return model[0] != '/' && !strstr(model, "..");
}

/* Return the folder of the model from @dir's map, or NULL. The caller frees it. */
static char *map_lookup(const char *dir, const char *cpuid)
{
	char *path = xasprintf("%s/mapfile.csv", dir), *model = NULL, *found = NULL;
	struct strbuf text = STRBUF_INIT;
	const char *p, *end;
	struct line l;

	if (cpuid && !read_file(path, &text, NULL)) {
		p = strbuf_str(&text);
		end = p + text.len;
		while (!model && next_line(&p, end, &l))
			row_matches(&l, cpuid, &model);
	}
	if (model && model_is_below(model))
		found = xasprintf("%s/%s", dir, model);
	free(model);
	free(path);
	strbuf_release(&text);
	return found;
}

static bool has_map(const char *dir)
{
	char *path = xasprintf("%s/mapfile.csv", dir);
	bool yes = !access(path, R_OK);

	free(path);
	return yes;
}

/* Find the folder, or a subfolder, whose map has the processor. *@model: receives the model */
static char *find_map(const char *dir, const char *cpuid, char **model, bool *any)
{
	struct dirent **names;
	char *home = NULL;
	int nr;

	*any = has_map(dir);
	*model = map_lookup(dir, cpuid);
	if (*model || *any)
		return *model ? xstrdup(dir) : NULL;
	nr = list_dir(dir, &names);
	for (int i = 0; i < nr && !home; i++) {
		char *sub = xasprintf("%s/%s", dir, names[i]->d_name);

		if (names[i]->d_name[0] != '.' && has_map(sub)) {
			*any = true;
			*model = map_lookup(sub, cpuid);
		}
		if (*model)
			home = sub;
		else
			free(sub);
	}
	if (nr >= 0)
		free_names(names, nr);
	return home;
}

/*
 * Load the folder of a model without a map: entries that it refers to are in the map's folder above
 * it.
 */
static int load_model_alone(struct vendor_loader *ld, const char *dir, struct err *err)
{
	char *up = xstrdup(dir);
	int rc = 0;

	for (int i = 0; i < UP_MAX && rc >= 0; i++) {
		char *next = xasprintf("%s/..", up);

		free(up);
		up = next;
		if (!has_map(up))
			continue;
		rc = each_json(ld, up, err, vendor_std_add);
		break;
	}
	free(up);
	return rc < 0 ? rc : each_json(ld, dir, err, vendor_json_add);
}

static int load_dir(struct vendor_loader *ld, const char *dir, const char *cpuid, struct err *err)
{
	char *model, *home;
	bool any;
	int rc, files;

	if (!is_dir(dir))
		return err_set(err, -ENOENT, "there is no folder %s", dir);
	home = find_map(dir, cpuid, &model, &any);
	if (!home && !any) {
		rc = load_model_alone(ld, dir, err);
		return rc ? rc : err_set(err, -ENOENT, "%s has no *.json and no mapfile.csv", dir);
	}
	if (!home)
		return err_set(err, -ENOENT, "no mapfile.csv in %s has this processor, %s", dir,
			       cpuid ? cpuid : "which does not tell what it is");
	rc = each_json(ld, home, err, vendor_std_add);
	if (rc >= 0)
		rc = each_json(ld, model, err, vendor_json_add);
	files = rc;
	if (rc >= 0)
		rc = load_sys(ld, home, 0, err);
	if (!rc && !files)
		rc = err_set(err, -ENOENT, "%s has no *.json", model);
	free(home);
	free(model);
	return rc;
}

/* --- the table ---------------------------------------------------------------- */

static int by_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_event(const void *a, const void *b)
{
	const struct vendor_event *x = a, *y = b;
	int d = strcmp(x->name, y->name);

	return d ? d : by_text(x->pmu, y->pmu);
}

static int by_metric(const void *a, const void *b)
{
	const struct vendor_metric *x = a, *y = b;
	int d = strcasecmp(x->name, y->name);

	/* SLOTS may be a metric and slots another */
	if (!d)
		d = strcmp(x->name, y->name);
	return d ? d : by_text(x->pmu, y->pmu);
}

static int by_group(const void *a, const void *b)
{
	const struct vendor_group *x = a, *y = b;

	return strcasecmp(x->name, y->name);
}

/* Sort, and keep the first one of equal entries. */
static size_t sort_unique(void *v, size_t nr, size_t size, int (*cmp)(const void *, const void *))
{
	u8 *p = v;
	size_t kept = 0;

	if (nr)
		qsort(v, nr, size, cmp);
	for (size_t i = 0; i < nr; i++) {
		if (kept && !cmp(p + (kept - 1) * size, p + i * size))
			continue;
		if (kept != i)
			memcpy(p + kept * size, p + i * size, size);
		kept++;
	}
	return kept;
}

static void sort_table(struct vendor_table *t)
{
	t->nr_events = sort_unique(t->events, t->nr_events, sizeof(*t->events), by_event);
	t->nr_metrics = sort_unique(t->metrics, t->nr_metrics, sizeof(*t->metrics), by_metric);
	t->nr_groups = sort_unique(t->groups, t->nr_groups, sizeof(*t->groups), by_group);
}

static void loader_release(struct vendor_loader *ld)
{
	for (size_t i = 0; i < ld->nr_identifiers; i++)
		free(ld->identifiers[i]);
	free(ld->identifiers);
	free(ld->std.v);
	arena_release(&ld->std.arena);
}

int vendor_load(struct vendor_table *t, const char *dir, const char *cpuid,
		const struct sysroot *sr, struct err *err)
{
	struct vendor_loader ld = { .t = t };
	int rc;

	read_identifiers(&ld, sr);
	rc = load_dir(&ld, dir, cpuid, err);
	sort_table(t);
	loader_release(&ld);
	return rc < 0 ? rc : 0;
}

int vendor_load_text(struct vendor_table *t, const char *text, size_t len, const char *what,
		     struct err *err)
{
	struct vendor_loader ld = { .t = t };
	int rc = vendor_json_add(&ld, text, len, what, err);

	sort_table(t);
	loader_release(&ld);
	return rc;
}

void vendor_release(struct vendor_table *t)
{
	free(t->events);
	free(t->metrics);
	free(t->groups);
	arena_release(&t->arena);
	memset(t, 0, sizeof(*t));
}

const struct vendor_event *vendor_find(const struct vendor_table *t, const char *name)
{
	size_t lo = 0, hi = t->nr_events;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcasecmp(t->events[mid].name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->nr_events && !strcasecmp(t->events[lo].name, name) ? &t->events[lo] : NULL;
}
