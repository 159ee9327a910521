// SPDX-License-Identifier: GPL-2.0-or-later
/* perf buildid-list: which builds of which objects a recording is about. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/pager.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "buildid/running.h"
#include "objects/gaps.h"
#include "objects/objects.h"
#include "symbol/symbol.h"

#include <errno.h>

static const char *const buildid_list_usage[] = { "perf buildid-list [<options>]", NULL };

struct buildid_list {
	struct recording_options opts;
	bool with_hits, missing, kernel, kernel_maps;
	int verbose;
};

/* Return: 0, a negative errno, or the exit status of a damaged recording. */
static int list_objects(const struct buildid_list *l, struct recording *r, struct strbuf *out,
			struct err *err)
{
	struct recorded_objects objects = { 0 };
	int ret = objects_to_list(r, l->with_hits, &objects, err);

	for (size_t i = 0; i < objects.nr; i++)
		object_line(objects.v[i].id, objects.v[i].id_size, objects.v[i].name, out);
	recorded_objects_release(&objects);
	return ret > 0 ? warn_diag(&r->session) : ret;
}

/* Return: as above. */
static int list_missing(const struct buildid_list *l, struct recording *r, struct strbuf *out,
			struct err *err)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	struct gaps gaps = { 0 };
	int ret = gaps_find(r, &gaps, err);

	gaps_find_packages(&gaps, &l->opts.symfs);
	gaps_text(&gaps, &l->opts.symfs, servers && *servers, out);
	gaps_release(&gaps);
	return ret ? ret : warn_diag(&r->session);
}

static int list_recording(const struct buildid_list *l, struct strbuf *out, struct err *err)
{
	struct strbuf table = STRBUF_INIT;
	struct recording r;
	int ret = recording_open(&r, &l->opts, &stderr_notices, err);

	if (ret)
		return ret;
	if (l->verbose)
		object_table_text(&r.session.file->env, &table);
	fputs(strbuf_str(&table), stderr);
	strbuf_release(&table);
	ret = l->missing ? list_missing(l, &r, out, err) : list_objects(l, &r, out, err);
	recording_close(&r);
	return ret;
}

static int list_kernel(struct strbuf *out, struct err *err)
{
	u8 id[20];
	int size = running_kernel_id(NULL, id, err);

	if (size >= 0)
		object_line(id, (u8)size, NULL, out);
	return MIN(size, 0);
}

static int list_kernel_maps(struct strbuf *out, struct err *err)
{
	struct running_objects objects = { 0 };
	int ret = running_objects_read(NULL, &objects, err);

	running_objects_text(&objects, out);
	running_objects_release(&objects);
	return ret;
}

/* Return: 0, a negative errno, or the exit status of a damaged recording. */
static int list(const struct buildid_list *l, struct strbuf *out, struct err *err)
{
	u8 id[20];
	int size;

	if (l->kernel)
		return list_kernel(out, err);
	if (l->kernel_maps)
		return list_kernel_maps(out, err);
	size = l->opts.input && !l->missing ? elf_build_id(l->opts.input, id) : -ENOENT;
	if (size <= 0)
		return list_recording(l, out, err);
	object_line(id, (u8)size, NULL, out);
	return 0;
}

int cmd_buildid_list(int argc, const char **argv)
{
	struct buildid_list l = { 0 };
	const struct option options[] = {
		OPT_BOOLEAN('H', "with-hits", &l.with_hits, "Show only DSOs with hits"),
		OPT_BOOLEAN(0, "missing", &l.missing,
			    "Show DSOs with hits whose files, symbols or lines are not found, and "
			    "what would help"),
		INPUT_OPTIONS(&l.opts),
		SYMFS_OPTION(&l.opts),
		OPT_BOOLEAN('k', "kernel", &l.kernel, "Show current kernel build id"),
		OPT_BOOLEAN('m', "kernel-maps", &l.kernel_maps,
			    "Show build id of current kernel + modules"),
		OPT_INCR('v', "verbose", &l.verbose, "be more verbose"),
		OPT_END(),
	};
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };
	int ret;

	parse_options(argc, argv, options, buildid_list_usage, 0);
	if (l.missing && (l.with_hits || l.kernel || l.kernel_maps))
		usage_with_options_msg(buildid_list_usage, options,
				       "  Error: --missing goes with neither -H, -k nor -m.\n");
	if (l.opts.symfs.dir && !l.missing)
		usage_with_options_msg(buildid_list_usage, options,
				       "  Error: --symfs goes with --missing.\n");
	l.opts.buildid_dir = buildid_dir();
	setup_pager();
	ret = list(&l, &out, &err);
	fwrite(strbuf_str(&out), 1, out.len, stdout);
	strbuf_release(&out);
	symfs_release(&l.opts.symfs);
	if (ret < 0)
		error_err(&err);
	return ret < 0 ? EXIT_FAILED : ret;
}
