// SPDX-License-Identifier: GPL-2.0-or-later
/* These functions write the rows of a table in the form of perf 6.1. */
#include "base/compat.h"

#include "kvmtext/kvmtext-internal.h"

#include "base/alloc.h"

#include <stdlib.h>

#define US 1e3
#define NAME_COLUMNS 20

struct sums {
	u64 count, total;
};

/* ---- names ---- */

void kvm_put_name(const struct kvm *k, const struct kvm_row *row, struct strbuf *out)
{
	const char *name = kvm_name(k, row);

	switch (row->space) {
	case KVM_MMIO:
	case KVM_MSR:
		strbuf_addf(out, "0x%" PRIx64 ":%c", row->number, row->write ? 'W' : 'R');
		break;
	case KVM_IOPORT:
		strbuf_addf(out, "0x%" PRIx64 ":%s", row->number, row->write ? "POUT" : "PIN");
		break;
	default:
		if (name)
			strbuf_addname(out, name);
		else
			strbuf_addf(out, "UNKNOWN:%" PRIu64, row->number);
	}
}

/* Append a name that ends at a column. */
static void put_name_in(const struct kvm *k, const struct kvm_row *row, int columns,
			struct strbuf *out)
{
	struct strbuf name = STRBUF_INIT;

	kvm_put_name(k, row, &name);
	strbuf_addf(out, "%*s", columns, strbuf_str(&name));
	strbuf_release(&name);
}

/* Return as many columns as the longest name needs, or those of perf 6.1. */
static int name_columns(const struct kvm *k, const struct kvm_row *rows, size_t nr)
{
	struct strbuf name = STRBUF_INIT;
	size_t columns = NAME_COLUMNS;

	for (size_t i = 0; i < nr; i++) {
		name.len = 0;
		kvm_put_name(k, &rows[i], &name);
		columns = MAX(columns, name.len);
	}
	strbuf_release(&name);
	return (int)columns;
}

/* ---- order ---- */

/* Larger values come first; rows with the same number come by their time, and then in the order of
 * their appearance. */
static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct kvm_row *const *x = a, *const *y = b;
	const struct kvm_show *s = ctx;
	double mx = (*x)->mean, my = (*y)->mean;

	if (s->by_time && mx < my)
		return 1;
	if (s->by_time && mx > my)
		return -1;
	if ((*x)->count != (*y)->count)
		return (*x)->count < (*y)->count ? 1 : -1;
	if ((*x)->total != (*y)->total)
		return (*x)->total < (*y)->total ? 1 : -1;
	return *x < *y ? -1 : *x > *y;
}

/* ---- lines ---- */

static double percent(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void put_row(const struct kvm *k, const struct kvm_row *r, const struct sums *all,
		    int columns, struct strbuf *out)
{
	put_name_in(k, r, columns, out);
	strbuf_addf(out, " %10" PRIu64 " %8.2f%% %8.2f%% %9.2fus %9.2fus %9.2fus ( +-%7.2f%% )\n",
		    r->count, percent(r->count, all->count), percent(r->total, all->total),
		    (double)r->min / US, (double)r->max / US, r->mean / US, kvm_row_deviation(r));
}

static void put_head(const struct kvm_show *s, int columns, struct strbuf *out)
{
	strbuf_addstr(out, "\n\nAnalyze events for ");
	if (s->pids)
		strbuf_addf(out, "pid(s) %s, ", s->pids);
	else
		strbuf_addstr(out, "all VMs, ");
	if (s->vcpu)
		strbuf_addf(out, "VCPU %s:\n\n", s->vcpu);
	else
		strbuf_addstr(out, "all VCPUs:\n\n");
	strbuf_addf(out, "%*s %10s %9s %9s %11s %11s %16s \n\n", columns, kvm_what_title(s->what),
		    "Samples", "Samples%", "Time%", "Min Time", "Max Time", "Avg time");
}

void kvm_put_rows(const struct kvm_show *s, const struct kvm *k, struct strbuf *out)
{
	size_t nr;
	const struct kvm_row *rows = kvm_rows(k, &nr);
	const struct kvm_row **sorted = xcalloc(nr + 1, sizeof(*sorted));
	int columns = name_columns(k, rows, nr);
	struct sums all = { 0 };

	for (size_t i = 0; i < nr; i++) {
		sorted[i] = &rows[i];
		all.count += rows[i].count;
		all.total += rows[i].total;
	}
	qsort_r(sorted, nr, sizeof(*sorted), compare_rows, (void *)s);
	put_head(s, columns, out);
	for (size_t i = 0; i < nr; i++)
		put_row(k, sorted[i], &all, columns, out);
	strbuf_addf(out, "\nTotal Samples:%" PRIu64 ", Total events handled time:%.2fus.\n\n",
		    all.count, (double)all.total / US);
	free(sorted);
}
