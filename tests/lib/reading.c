// SPDX-License-Identifier: GPL-2.0-or-later
#include "reading.h"

#include "drive.h"
#include "symbol/symbol.h"

struct symbols *no_symbols(void)
{
	static const struct sysroot nowhere = { .prefix = "/nonexistent" };
	static const struct symconf conf = { .sysroot = &nowhere,
					     .symfs = { .dir = "/nonexistent" },
					     .buildid_dir = "" };

	return symbols_new(&conf);
}

int reading_open(struct reading *r, const void *data, size_t size)
{
	struct err err = { 0 };
	int ret;

	*r = (struct reading){ .tracefmt = NULL };
	ret = session_open_bytes(&r->session, data, size, &err);
	if (ret)
		return ret;
	r->machine = machine_new();
	r->symbols = no_symbols();
	return 0;
}

void reading_close(struct reading *r)
{
	symbols_free(r->symbols);
	machine_free(r->machine);
	tracefmt_free(r->tracefmt);
	session_close(&r->session);
}

void reading_formats(struct reading *r, const struct env *env)
{
	struct err err = { 0 };

	tracefmt_free(r->tracefmt);
	if (!env->tracing_data ||
	    tracefmt_read_section(env->tracing_data, env->tracing_size, &r->tracefmt, &err))
		r->tracefmt = NULL;
}

int reading_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct reading *r = ctx;

	(void)err;
	return machine_apply(r->machine, ev->hdr, ev->hdr->size, ev->time, NULL);
}

int reading_ready(void *ctx, struct err *err)
{
	struct reading *r = ctx;

	(void)err;
	machine_seal(r->machine);
	return 0;
}
