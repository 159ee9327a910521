// SPDX-License-Identifier: GPL-2.0-or-later
/* Print where hardware traces are, what the recorder says about them, and their packets. */
#include "base/compat.h"
#include "aux/aux-text.h"
#include "dump/record-internal.h"

/* ------------------------------------------------------------------ by the kernel */

int put_aux(const void *rec, size_t size, const struct record_about *about, struct strbuf *out)
{
	struct rec_aux a;

	(void)about;
	if (rec_aux_decode(rec, size, &a))
		return -EINVAL;
	strbuf_addf(out, " offset: %#" PRIx64 " size: %#" PRIx64 " flags: %#" PRIx64 " [%s%s%s]\n",
		    a.offset, a.size, a.flags, a.flags & PERF_AUX_FLAG_TRUNCATED ? "T" : "",
		    a.flags & PERF_AUX_FLAG_OVERWRITE ? "O" : "",
		    a.flags & PERF_AUX_FLAG_PARTIAL ? "P" : "");
	return 0;
}

int put_itrace_start(const void *rec, size_t size, const struct record_about *about,
		     struct strbuf *out)
{
	struct rec_itrace_start t;

	(void)about;
	if (rec_itrace_start_decode(rec, size, &t))
		return -EINVAL;
	strbuf_addf(out, " pid: %d tid: %d\n", (s32)t.pid, (s32)t.tid);
	return 0;
}

int put_aux_hw_id(const void *rec, size_t size, const struct record_about *about,
		  struct strbuf *out)
{
	struct rec_aux_hw_id h;

	(void)about;
	if (rec_aux_hw_id_decode(rec, size, &h))
		return -EINVAL;
	strbuf_addf(out, " hw_id: %#" PRIx64 "\n", h.hw_id);
	return 0;
}

/* ------------------------------------------------------------------ the trace itself */

/* Return the name of the texts of one kind of trace. */
static const char *trace_name(u32 type)
{
	static const char *const names[] = {
		[AUX_PT] = "Intel Processor Trace",
		[AUX_BTS] = "Intel BTS",
		[AUX_CS_ETM] = "CoreSight Trace",
		[AUX_ARM_SPE] = "ARM SPE",
		[AUX_S390] = "s390 AUX",
		[AUX_HISI_PTT] = "HISI PTT",
	};

	return type < ARRAY_SIZE(names) ? names[type] : NULL;
}

int put_auxtrace(const void *rec, size_t size, const struct record_about *about, struct strbuf *out)
{
	const char *name = trace_name(about->aux_type);
	bool hex = about->aux_type == AUX_ARM_SPE || about->aux_type == AUX_CS_ETM;
	struct rec_auxtrace a;

	if (rec_auxtrace_decode(rec, size, &a))
		return -EINVAL;
	strbuf_addf(out,
		    " size: %#" PRIx64 "  offset: %#" PRIx64 "  ref: %#" PRIx64
		    "  idx: %u  tid: %d  cpu: %d\n",
		    a.size, a.offset, a.reference, a.idx, (s32)a.tid, (s32)a.cpu);
	if (!about->style || !name)
		return 0;
	strbuf_addf(out,
		    hex ? ".\n. ... %s data: size %#" PRIx64 " bytes\n"
			: ".\n. ... %s data: size %" PRIu64 " bytes\n",
		    name, a.size);
	aux_text_put(about->aux_type, about->trace, about->trace_size, out);
	return 0;
}

int put_auxtrace_error(const void *rec, size_t size, const struct record_about *about,
		       struct strbuf *out)
{
	struct rec_auxtrace_error e;
	char msg[65];

	(void)about;
	if (rec_auxtrace_error_decode(rec, size, &e))
		return -EINVAL;
	strbuf_addf(out, " %s error type %u ", e.type == 1 ? "instruction trace" : "unknown AUX",
		    e.type);
	if (e.fmt && e.time)
		strbuf_addf(out, "time %" PRIu64 ".%09" PRIu64 " ", e.time / 1000000000,
			    e.time % 1000000000);
	else
		strbuf_addstr(out, "time 0 ");
	if (e.fmt >= 2 && e.machine_pid)
		strbuf_addf(out, "machine_pid %d vcpu %d ", (s32)e.machine_pid, (s32)e.vcpu);
	strbuf_addf(out, "cpu %d pid %d tid %d ip %#" PRIx64 " code %u: ", (s32)e.cpu, (s32)e.pid,
		    (s32)e.tid, e.ip, e.code);
	snprintf(msg, sizeof(msg), "%s", e.msg);
	strbuf_addname(out, msg);
	strbuf_addch(out, '\n');
	return 0;
}

/* ------------------------------------------------------------------ what describes it */

/* One word of the description: its label, and whether its value is shown in hex. */
struct info_row {
	const char *label;
	bool hex;
};

static void put_rows(const struct info_row *rows, size_t nr, const struct rec_auxtrace_info *i,
		     struct strbuf *out)
{
	for (u64 k = 0; k < nr && k < i->nr_priv; k++)
		strbuf_addf(out, rows[k].hex ? "  %s%#" PRIx64 "\n" : "  %s%" PRIu64 "\n",
			    rows[k].label, (u64)i->priv[k]);
}

#define PT_FILTER_LEN 16

static void put_pt(const struct rec_auxtrace_info *i, struct strbuf *out)
{
	static const struct info_row rows[PT_FILTER_LEN + 1] = {
		{ "PMU Type            ", false }, { "Time Shift          ", false },
		{ "Time Muliplier      ", false }, { "Time Zero           ", false },
		{ "Cap Time Zero       ", false }, { "TSC bit             ", true },
		{ "NoRETComp bit       ", true },  { "Have sched_switch   ", false },
		{ "Snapshot mode       ", false }, { "Per-cpu maps        ", false },
		{ "MTC bit             ", true },  { "MTC freq bits       ", true },
		{ "TSC:CTC numerator   ", false }, { "TSC:CTC denominator ", false },
		{ "CYC bit             ", true },  { "Max non-turbo ratio ", false },
		{ "Filter string len.  ", false },
	};
	u64 len, words;

	put_rows(rows, ARRAY_SIZE(rows), i, out);
	if (i->nr_priv <= PT_FILTER_LEN)
		return;
	/* the text is padded to whole words, including its terminator */
	len = i->priv[PT_FILTER_LEN];
	words = len ? len / 8 + 1 : 0;
	if (words > i->nr_priv - PT_FILTER_LEN - 1)
		return;
	strbuf_addstr(out, "  Filter string       ");
	for (const char *s = (const char *)(i->priv + PT_FILTER_LEN + 1); len && *s; s++, len--)
		strbuf_addch(out, (u8)*s < 0x20 || *s == 0x7f ? '?' : *s);
	strbuf_addch(out, '\n');
	if (i->nr_priv > PT_FILTER_LEN + 1 + words)
		strbuf_addf(out, "  Cap Event Trace     %" PRIu64 "\n",
			    (u64)i->priv[PT_FILTER_LEN + 1 + words]);
}

static void put_bts(const struct rec_auxtrace_info *i, struct strbuf *out)
{
	static const struct info_row rows[] = {
		{ "PMU Type           ", false }, { "Time Shift         ", false },
		{ "Time Muliplier     ", false }, { "Time Zero          ", false },
		{ "Cap Time Zero      ", false }, { "Snapshot mode      ", false },
	};

	put_rows(rows, ARRAY_SIZE(rows), i, out);
}

static void put_pmu(const struct rec_auxtrace_info *i, struct strbuf *out)
{
	static const struct info_row rows[] = { { "PMU Type           ", false } };

	put_rows(rows, ARRAY_SIZE(rows), i, out);
}

/* ---- CoreSight: three words, then for each CPU magic, number, [count of] parameters ---- */

#define CS_MAGIC_ETM3 0x3030303030303030ULL
#define CS_MAGIC_ETM4 0x4040404040404040ULL
#define CS_MAGIC_ETE 0x5050505050505050ULL
#define CS_VERSION_MAX 1

static const char *const etm3_params[] = {
	"ETMCR\t\t\t       ",
	"ETMTRACEIDR\t\t       ",
	"ETMCCER\t\t\t       ",
	"ETMIDR\t\t\t       ",
};
static const char *const etm4_params[] = {
	"TRCCONFIGR\t\t       ",    "TRCTRACEIDR\t\t       ",
	"TRCIDR0\t\t\t       ",     "TRCIDR1\t\t\t       ",
	"TRCIDR2\t\t\t       ",     "TRCIDR8\t\t\t       ",
	"TRCAUTHSTATUS\t\t       ", "TRCDEVARCH                     ",
};
#define ETM4_FIXED 7 /* the number of parameters in files that do not contain it */

/* Append one CPU from word @at on. Return: the word after it; nr_priv when it is unknown. */
static u64 put_cs_cpu(const struct rec_auxtrace_info *i, u64 at, bool counted, struct strbuf *out)
{
	u64 magic = i->priv[at], nr = ETM4_FIXED, known = ARRAY_SIZE(etm4_params);
	const char *const *names = etm4_params;

	if (magic == CS_MAGIC_ETM3) {
		names = etm3_params;
		nr = known = ARRAY_SIZE(etm3_params);
	} else if (magic != CS_MAGIC_ETM4 && magic != CS_MAGIC_ETE) {
		strbuf_addf(out, "\tMagic number Unknown\t       %" PRIx64 "\n", magic);
		return i->nr_priv;
	}
	strbuf_addf(out, "\tMagic number\t\t       %" PRIx64 "\n", magic);
	if (++at < i->nr_priv)
		strbuf_addf(out, "\tCPU\t\t\t       %" PRId64 "\n", (s64)i->priv[at++]);
	if (counted && at < i->nr_priv) {
		nr = i->priv[at++];
		strbuf_addf(out, "\tNR_TRC_PARAMS\t\t       %" PRIx64 "\n", nr);
	}
	for (u64 k = 0; k < nr && at < i->nr_priv; k++, at++) {
		if (k < known)
			strbuf_addf(out, "\t%s%" PRIx64 "\n", names[k], (u64)i->priv[at]);
		else /* numbers include the three words before the parameters */
			strbuf_addf(out, "\tUnknown parameter [%" PRIu64 "]\t       %" PRIx64 "\n",
				    k + 3, (u64)i->priv[at]);
	}
	return at;
}

static void put_cs_etm(const struct rec_auxtrace_info *i, struct strbuf *out)
{
	u64 version = i->nr_priv ? i->priv[0] : 0, at = 3, cpus;

	if (version > CS_VERSION_MAX) {
		strbuf_addf(out,
			    "\tUnknown Header Version = %" PRIx64 ", Version supported <= %x\n",
			    version, CS_VERSION_MAX);
		return;
	}
	if (i->nr_priv < at)
		return;
	strbuf_addf(out, "\tHeader version\t\t       %" PRIx64 "\n", version);
	strbuf_addf(out, "\tPMU type/num cpus\t       %" PRIx64 "\n", (u64)i->priv[1]);
	strbuf_addf(out, "\tSnapshot\t\t       %" PRIx64 "\n", (u64)i->priv[2]);
	for (cpus = i->priv[1] & UINT32_MAX; cpus && at < i->nr_priv; cpus--)
		at = put_cs_cpu(i, at, version > 0, out);
}

int put_auxtrace_info(const void *rec, size_t size, const struct record_about *about,
		      struct strbuf *out)
{
	struct rec_auxtrace_info i;

	if (rec_auxtrace_info_decode(rec, size, &i))
		return -EINVAL;
	strbuf_addf(out, " type: %u\n", i.type);
	if (!about->style)
		return 0;
	switch (i.type) {
	case AUX_PT:
		put_pt(&i, out);
		break;
	case AUX_BTS:
		put_bts(&i, out);
		break;
	case AUX_CS_ETM:
		put_cs_etm(&i, out);
		break;
	case AUX_ARM_SPE:
	case AUX_HISI_PTT:
		put_pmu(&i, out);
		break;
	default:
		break;
	}
	return 0;
}
