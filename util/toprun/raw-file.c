// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "toprun/raw-file.h"

#include "base/alloc.h"

int raw_file_start(struct raw_file *f, const char *path, const struct recording_facts *facts,
		   struct err *err)
{
	struct writer_attr *attrs = writer_attrs(facts->ev->list);
	const struct scan_opts look = { .sysroot = facts->ev->sysroot,
					.list = facts->ev->list,
					.objects = true,
					.build_ids = facts->opts->buildid_mmap,
					.note_samples = facts->opts->overwrite };
	struct features early = { .nr = 0 };
	int rc = file_writer_open(&f->writer, path, err);

	f->open = !rc;
	if (f->open)
		f->scan = scan_new(&look, &f->seen);
	facts_early(facts, &early);
	if (!rc)
		rc = file_writer_start_early(&f->writer, attrs, facts->ev->list->nr, early.v,
					     early.nr, err);
	features_release(&early);
	free(attrs);
	return rc;
}

int raw_file_finish(struct raw_file *f, const struct recording_facts *facts, struct err *err)
{
	struct features all = { .nr = 0 };
	int rc, rc2;

	if (!f->open)
		return 0;
	scan_end(f->scan);
	f->scan = NULL;
	facts_all(facts, &f->seen, &all);
	rc = file_writer_finish(&f->writer, all.v, all.nr, err);
	features_release(&all);
	record_scan_release(&f->seen);
	rc2 = file_writer_close(&f->writer, rc ? NULL : err);
	f->open = false;
	return rc ? rc : rc2;
}

void raw_file_drop(struct raw_file *f)
{
	if (!f->open)
		return;
	scan_end(f->scan);
	record_scan_release(&f->seen);
	file_writer_close(&f->writer, NULL);
	f->open = false;
}

/* ---- the source ---- */

struct raw_source {
	struct source base;
	struct raw_file *file;
	struct source *from; /* owned */
};

static int raw_next(struct source *src, struct pipe_record *out, struct diag *diag, struct err *err)
{
	struct raw_source *r = (struct raw_source *)src;
	int ret = source_next(r->from, out, diag, err);

	if (ret <= 0)
		return ret;
	scan_walk(r->file->scan, out->rec, out->size);
	return file_writer_write(&r->file->writer, out->rec, out->size, err) ? err->code : ret;
}

static u64 raw_tell(const struct source *src)
{
	return source_tell(((const struct raw_source *)src)->from);
}

static void raw_close(struct source *src)
{
	source_close(((struct raw_source *)src)->from);
	free(src);
}

struct source *raw_file_source(struct raw_file *f, struct source *from)
{
	static const struct source_ops ops = { .next = raw_next,
					       .tell = raw_tell,
					       .close = raw_close };
	struct raw_source *r = xzalloc(sizeof(*r));

	*r = (struct raw_source){ { &ops }, f, from };
	return &r->base;
}
