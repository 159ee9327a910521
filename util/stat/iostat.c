// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "stat/iostat.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PMU "/sys/bus/event_source/devices/uncore_iio_%u"
#define MOST 64 /* PMUs, and dies */

/* Inbound is what devices ask of memory, outbound what processors ask of devices. */
const struct iostat_count iostat_counts[IOSTAT_COUNTS] = {
	{ "Inbound Read(MB)", "event=0x83,umask=0x04,ch_mask=0xf,fc_mask=0x07" },
	{ "Inbound Write(MB)", "event=0x83,umask=0x01,ch_mask=0xf,fc_mask=0x07" },
	{ "Outbound Read(MB)", "event=0xc0,umask=0x04,ch_mask=0xf,fc_mask=0x07" },
	{ "Outbound Write(MB)", "event=0xc0,umask=0x01,ch_mask=0xf,fc_mask=0x07" },
};

/* Read a port as sysfs and users write it, which ends at @end or with the text. */
static bool parse_port(const char *text, char end, struct iostat_port *port, const char **after)
{
	char *at;
	unsigned long domain = strtoul(text, &at, 16), bus;

	if (at == text || *at != ':' || domain > UINT32_MAX)
		return false;
	text = at + 1;
	bus = strtoul(text, &at, 16);
	if (at == text || bus > UINT8_MAX || (*at && *at != end))
		return false;
	port->domain = (u32)domain;
	port->bus = (u8)bus;
	*after = *at ? at + 1 : at;
	return true;
}

/* Tell whether a port is among those that were chosen. */
static bool is_chosen(const struct iostat_port *port, const char *chosen)
{
	struct iostat_port one;

	while (chosen && *chosen && parse_port(chosen, ',', &one, &chosen))
		if (one.domain == port->domain && one.bus == port->bus)
			return true;
	return !chosen;
}

/* Read a file of a PMU. Return: whether there is one that names a port. */
static bool read_port(const struct sysroot *sr, u8 pmu, u8 die, struct iostat_port *port)
{
	struct strbuf text = STRBUF_INIT;
	const char *after;
	bool found;

	*port = (struct iostat_port){ .pmu = pmu, .die = die };
	found = !sysroot_read(sr, &text, PMU "/die%u", pmu, die) &&
		parse_port(strbuf_str(&text), '\n', port, &after);
	strbuf_release(&text);
	return found;
}

bool iostat_is_choice(const char *word)
{
	return !strcmp(word, "list") ||
	       (strchr(word, ':') && !word[strspn(word, "0123456789abcdefABCDEF:,")]);
}

/* Return 0 when all of a list of ports can be read. */
static int check_list(const char *chosen, struct err *err)
{
	struct iostat_port one;
	const char *at = chosen;

	while (at && *at)
		if (!parse_port(at, ',', &one, &at))
			return err_set(err, -EINVAL,
				       "--iostat: '%s' is no list of root ports: they are written "
				       "as in 0000:17,0000:3a, see perf iostat list",
				       chosen);
	return 0;
}

/* Return 0 when each port that was chosen is there. */
static int check_found(const struct iostat_ports *p, const char *chosen, struct err *err)
{
	struct iostat_port one;

	while (chosen && *chosen && parse_port(chosen, ',', &one, &chosen)) {
		bool found = false;

		for (size_t i = 0; i < p->nr && !found; i++)
			found = p->v[i].domain == one.domain && p->v[i].bus == one.bus;
		if (!found)
			return err_set(err, -ENOENT,
				       "--iostat: there is no root port %04x:%02x: see perf iostat "
				       "list",
				       one.domain, (unsigned int)one.bus);
	}
	return 0;
}

int iostat_scan(struct iostat_ports *p, const struct sysroot *sr, const char *chosen,
		struct err *err)
{
	struct iostat_port port;
	bool any = false;

	*p = (struct iostat_ports){ 0 };
	if (check_list(chosen, err))
		return -EINVAL;
	for (u8 pmu = 0; pmu < MOST; pmu++)
		for (u8 die = 0; die < MOST && read_port(sr, pmu, die, &port); die++) {
			any = true;
			if (!is_chosen(&port, chosen))
				continue;
			VEC_GROW(p->v, p->nr + 1, p->cap);
			p->v[p->nr++] = port;
		}
	if (!any)
		return err_set(err, -EOPNOTSUPP, "Unsupported uncore pmu configuration");
	return check_found(p, chosen, err);
}

void iostat_release(struct iostat_ports *p)
{
	free(p->v);
	*p = (struct iostat_ports){ 0 };
}

void iostat_list(const struct iostat_ports *p, struct strbuf *out)
{
	for (size_t i = 0; i < p->nr; i++)
		strbuf_addf(out, "S%u-uncore_iio_%u<%04x:%02x>\n", (unsigned int)p->v[i].die,
			    (unsigned int)p->v[i].pmu, p->v[i].domain, (unsigned int)p->v[i].bus);
}

/* Tell whether a port is the first of its PMU. */
static bool is_first(const struct iostat_ports *p, size_t i)
{
	return !i || p->v[i].pmu != p->v[i - 1].pmu;
}

void iostat_events(const struct iostat_ports *p, struct strbuf *out)
{
	for (size_t i = 0; i < p->nr; i++)
		for (size_t k = 0; is_first(p, i) && k < IOSTAT_COUNTS; k++)
			strbuf_addf(out, "%suncore_iio_%u/%s/", out->len ? "," : "",
				    (unsigned int)p->v[i].pmu, iostat_counts[k].terms);
}

size_t iostat_event(const struct iostat_ports *p, const struct iostat_port *port)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr && p->v[i].pmu != port->pmu; i++)
		nr += is_first(p, i);
	return nr * IOSTAT_COUNTS;
}
