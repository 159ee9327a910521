// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording is read, and what the kernel allocated in it is shown. */
#include "base/compat.h"

#include "kmemtext/kmemtext-internal.h"

#include <errno.h>
#include <unistd.h>

/* ---- call sites of pages ---- */

/* Functions whose names begin so only pass an allocation on. The caller of these is wanted. */
static const char *const allocator[] = {
	"__alloc_pages",      "alloc_pages",        "alloc_page_",      "__alloc_frozen_pages",
	"alloc_frozen_pages", "__folio_alloc",      "folio_alloc",      "vma_alloc_folio",
	"vma_alloc_zeroed",   "__get_free_page",    "__get_free_pages", "get_free_pages",
	"get_zeroed_page",    "get_page_from_free", "__alloc_page_",    "alloc_zeroed_user",
	"__rmqueue",          "prep_new_page",      "post_alloc_hook",  "trace_event_",
	"perf_trace_",
};

static bool is_allocator(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(allocator); i++)
		if (!strncmp(name, allocator[i], strlen(allocator[i])))
			return true;
	return false;
}

/* Call sites of pages are told apart by function. */
static u64 caller_of(void *ctx, u64 address)
{
	struct recording *r = ctx;
	u64 start;
	const char *name = resolve_kernel_name(r->machine, recording_symbols(r), address, &start);

	if (!name)
		return address;
	return is_allocator(name) ? 0 : start;
}

/* ---- the recorder ---- */

static const struct verb_event slab_events[] = {
	{ "kmem:kmalloc", .needed = true }, { "kmem:kmalloc_node" },
	{ "kmem:kfree", .needed = true },   { "kmem:kmem_cache_alloc", .needed = true },
	{ "kmem:kmem_cache_alloc_node" },   { "kmem:kmem_cache_free", .needed = true },
};

static const struct verb_event page_events[] = {
	{ "kmem:mm_page_alloc", .needed = true },
	{ "kmem:mm_page_free", "kmem:mm_page_free_direct", true },
};

void kmem_record_args(struct verb_args *a, const struct kmem_show *show, const struct sysroot *sr,
		      int argc, const char **argv)
{
	static const char *const before[] = { "-a", "-R", "-m", "1024", "-c", "1" };

	verb_args_init(a, "record");
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		verb_args_add(a, before[i]);
	if (show->kinds[KMEM_SLAB])
		verb_args_events(a, sr, slab_events, ARRAY_SIZE(slab_events));
	if (show->kinds[KMEM_PAGE]) {
		verb_args_add(a, "-g"); /* the events do not tell who allocates */
		verb_args_events(a, sr, page_events, ARRAY_SIZE(page_events));
	}
	verb_args_users(a, argc, argv);
}

/* ---- the run ---- */

/* Tell whether all is there that is to be shown. Return: 0, or -ENOENT and a sentence. */
static int check(const struct kmem_show *show, const struct kmem *k, struct err *err)
{
	if (show->kinds[KMEM_SLAB] && !kmem_has_slab(k))
		return err_set(err, -ENOENT,
			       "kmem: the recording has no events of the slab allocator.\nRecord "
			       "them with: perf kmem record --slab --page");
	if (show->kinds[KMEM_PAGE] && !kmem_has_page(k))
		return err_set(err, -ENOENT,
			       "kmem: the recording has no events of the page allocator.\nRecord "
			       "them with: perf kmem record --slab --page");
	return 0;
}

/* A run whose state, which has the engine, can be made anew. */
struct run {
	const struct kmem_conf *conf;
	struct kmem *state;
	struct engine engine;
};

static void *renew(void *ctx)
{
	struct run *r = ctx;

	kmem_free(r->state);
	r->state = kmem_new(r->conf);
	r->engine = *kmem_engine(r->state);
	return r->state;
}

/* Feed the engine. Functions that call for pages are looked up meanwhile, so all objects have to
 * be known. */
static int feed(struct run *r, struct analysis *a, struct err *err)
{
	struct analysis_part part = {
		.engine = &r->engine,
		.state = renew(r),
		.renew = r->conf->page ? NULL : renew,
		.ctx = r,
	};

	return analysis_run_parts(a, &part, 1, err);
}

int kmem_show_run(const struct kmem_show *show, struct analysis *a, struct strbuf *out,
		  struct err *err)
{
	struct recording *r = analysis_recording(a);
	const struct kmem_conf conf = {
		.slab = show->kinds[KMEM_SLAB],
		.page = show->kinds[KMEM_PAGE],
		.env = &r->session.file->env,
		.page_size = (u64)sysconf(_SC_PAGESIZE),
		.caller = caller_of,
		.ctx = r,
	};
	struct run run = { .conf = &conf };
	int ret = feed(&run, a, err) ?: check(show, run.state, err);
	const struct kmem_text text = { show, a, run.state, out };

	if (!ret && show->kinds[KMEM_SLAB])
		put_slab(&text);
	if (!ret && show->kinds[KMEM_PAGE])
		put_page(&text);
	kmem_free(run.state);
	return ret;
}
