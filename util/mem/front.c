// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "mem/front.h"

#include <errno.h>

static const struct {
	const char *name;
	u32 op;
} ops[] = { { "load", MEM_LOADS }, { "store", MEM_STORES } };

void mem_op_words(struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		strbuf_addf(out, "%s%s", i ? " " : "", ops[i].name);
}

static u32 op_of(const char *word, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (strlen(ops[i].name) == len && !strncmp(ops[i].name, word, len))
			return ops[i].op;
	return 0;
}

int mem_front_ops(struct mem_front *f, const char *text, struct err *err)
{
	u32 all = 0;

	for (const char *s = text; *s; s += strspn(s, ", ")) {
		const size_t len = strcspn(s, ", ");
		const u32 op = op_of(s, len);

		if (len && !op)
			return err_set(err, -EINVAL,
				       "unknown sampling op %.*s: give load, store "
				       "or load,store",
				       (int)len, s);
		all |= op;
		s += len;
	}
	if (!all)
		return err_set(err, -EINVAL, "no sampling op is given: load, store or load,store");
	f->ops = all;
	return 0;
}

/* ---- the recorder ---- */

static void add_value(struct verb_args *a, const char *option, const char *value)
{
	if (!value)
		return;
	verb_args_add(a, option);
	verb_args_add(a, value);
}

int mem_front_record(const struct mem_front *f, const struct mem_events *e, struct verb_args *a,
		     struct err *err)
{
	const struct mem_choice choice = { f->ops ? f->ops : MEM_BOTH, f->events };
	u32 ops;
	int ret;

	verb_args_init(a, "record");
	verb_args_add(a, "-d");
	if (f->phys)
		verb_args_add(a, "--phys-data");
	if (f->page_size)
		verb_args_add(a, "--data-page-size");
	if (f->sample_cpu)
		verb_args_add(a, "--sample-cpu");
	for (int i = 0; i < f->verbose; i++)
		verb_args_add(a, "-v");
	if (f->all_user)
		verb_args_add(a, "--all-user");
	if (f->all_kernel)
		verb_args_add(a, "--all-kernel");
	add_value(a, "-C", f->cpus);
	ret = mem_events_choose(e, &choice, a, &ops, err);
	if (ops & MEM_LOADS)
		verb_args_add(a, "-W");
	return ret;
}

/* ---- the report ---- */

/* The columns of stores have no weight, as their latency is not measured. */
static const char load_keys[] = "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,"
				"blocked";
static const char store_keys[] = "mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked";

/* Add the order of the rows, unless it is the one that memory profiles have anyway. */
static void add_order(const struct mem_front *f, struct verb_args *a)
{
	struct strbuf order = STRBUF_INIT;

	if (f->types)
		strbuf_addstr(&order, "--sort=mem,snoop,tlb,type");
	else if (f->ops == MEM_STORES)
		strbuf_addf(&order, "--sort=%s", store_keys);
	else if (f->phys || f->page_size)
		strbuf_addf(&order, "--sort=%s", load_keys);
	if (order.len && f->phys)
		strbuf_addstr(&order, ",phys_daddr");
	if (order.len && f->page_size)
		strbuf_addstr(&order, ",data_page_size");
	if (order.len)
		verb_args_own(a, strbuf_detach(&order));
	strbuf_release(&order);
}

/* Add the columns. As a key, "snoop" tells rows apart; as a column it breaks them down, as "op" and
 * the others do. */
static void add_fields(const struct mem_front *f, struct verb_args *a)
{
	struct strbuf sb = STRBUF_INIT;

	if (!f->fields)
		return;
	strbuf_addstr(&sb, "--fields=");
	for (const char *p = f->fields; *p;) {
		size_t len = strcspn(p, ", ");

		strbuf_add(&sb, p, len);
		if (len == 5 && !strncmp(p, "snoop", len))
			strbuf_addch(&sb, 's');
		p += len;
		for (; *p == ',' || *p == ' '; p++)
			strbuf_addch(&sb, *p);
	}
	verb_args_own(a, strbuf_detach(&sb));
}

void mem_front_report(const struct mem_front *f, struct verb_args *a, int argc, const char **argv)
{
	verb_args_init(a, "report");
	verb_args_add(a, "--mem-mode");
	verb_args_add(a, "-n");
	add_order(f, a);
	add_value(a, "--sort", f->sort);
	add_fields(f, a);
	add_value(a, "-i", f->input);
	add_value(a, "-C", f->cpus);
	add_value(a, "-t", f->separator);
	if (f->force)
		verb_args_add(a, "-f");
	if (f->hide_unresolved)
		verb_args_add(a, "-U");
	for (int i = 0; i < f->verbose; i++)
		verb_args_add(a, "-v");
	verb_args_users(a, argc, argv);
}
