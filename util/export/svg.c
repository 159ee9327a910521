// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flame graph as a picture (SVG): each function is as wide as its weight and that of its callees,
 * and is above its caller; siblings are sorted by name. The picture is complete without its script,
 * which adds search and zoom in a browser.
 */
#include "base/compat.h"

#include "export/formats.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/hash.h"
#include "codec/quote.h"

#define PAD 10
#define ROW 16
#define TOP 56      /* pixels for title and buttons */
#define SUBTITLE 15 /* pixels of a line about the quality of the recording */
#define SUBTITLES 2
#define BOTTOM 34 /* pixels for the description of the frame under the pointer */
#define LETTER 7  /* approximate width of a letter in pixels */
#define SHADES 6
#define MANY_LEVELS 60 /* with more of them, those that hardly anything reaches are left out */
#define USED 0.002     /* the least share of all that a level has then */

static const char script[] = {
#include "export/flamegraph-script.inc"
};

/* Colours that also differ in lightness, so that nobody has to distinguish red from green. */
static const struct {
	const char *name;
	u16 hue;
	u8 saturation, light;
} kinds[NR_FRAME_KINDS] = {
	[FRAME_UNKNOWN] = { "unknown", 0, 0, 76 },
	[FRAME_USER] = { "user", 42, 88, 64 },
	[FRAME_KERNEL] = { "kernel", 212, 62, 70 },
	[FRAME_MODULE] = { "module", 188, 50, 66 },
	[FRAME_JIT] = { "jit", 105, 45, 64 },
	[FRAME_INLINED] = { "inlined", 285, 45, 76 },
	[FRAME_GUEST_KERNEL] = { "guest-kernel", 240, 45, 76 },
	[FRAME_GUEST_USER] = { "guest", 20, 70, 74 },
	[FRAME_HYPERVISOR] = { "hypervisor", 330, 45, 74 },
	[FRAME_COMM] = { "comm", 42, 20, 86 },
	[FRAME_WAIT] = { "wait", 10, 62, 76 },
};

struct picture {
	const struct stacks *s;
	const struct export_opts *opts;
	struct strbuf *out;
	struct export_out *o;
	const char *event;
	u64 *total, *samples; /* by node */
	u64 *before;          /* by node, in the other recording; or NULL */
	u64 all, all_before;
	double scale; /* pixels for a weight of one */
	double *x;    /* by node: its left edge */
	u64 *used;    /* by node: the weight of its children that have been placed */
	/*
	 * Runs of frames without symbols are one box, that of the outermost: by node, the node
	 * whose box it is part of, the level of that box, and the most frames of the run so far.
	 */
	u32 *host, *level, *run;
	u32 height, levels, deeper; /* levels that are drawn, and that are not */
	u32 event_nr;               /* that is drawn, of those that can be chosen */
	u32 top;                    /* pixels above the frames */
};

static void add_fixed(struct strbuf *out, double v)
{
	u64 cents = (u64)(v * 100 + 0.5);

	strbuf_dec(out, cents / 100, 0);
	strbuf_addch(out, '.');
	strbuf_addch(out, (char)('0' + cents / 10 % 10));
	strbuf_addch(out, (char)('0' + cents % 10));
}

/* Append a number such as "1,234,567". */
static void add_grouped(struct strbuf *out, u64 v)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%" PRIu64, v);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			strbuf_addch(out, ',');
		strbuf_addch(out, text[i]);
	}
}

static double width_of(const struct picture *p, u32 node)
{
	return (double)p->total[node] * p->scale;
}

static bool is_drawn(const struct picture *p, u32 node)
{
	return p->total[node] && width_of(p, node) >= p->opts->min_width;
}

static bool is_unknown(const struct stacks *s, u32 node)
{
	return node && s->frames[s->nodes[node].frame].kind == FRAME_UNKNOWN;
}

/* Determine in which box a node is drawn, and on which level. Return: it has a box of its own. */
static bool find_host(struct picture *p, u32 node)
{
	u32 parent = p->s->nodes[node].parent, host = p->host[parent];

	if (!is_unknown(p->s, node) || !is_unknown(p->s, parent)) {
		p->host[node] = node;
		p->level[node] = p->level[host] + 1;
		p->run[node] = 1;
		return true;
	}
	p->host[node] = host;
	p->level[node] = p->level[host];
	p->run[node] = p->run[parent] + 1;
	p->run[host] = MAX(p->run[host], p->run[node]);
	return false;
}

/* Return the levels that are drawn: a few towers of what nobody sees do not make a picture high. */
static u32 used_levels(const struct picture *p, const double *width, u32 levels)
{
	double least = USED * (p->opts->width - 2 * PAD);

	if (levels <= MANY_LEVELS)
		return levels;
	for (u32 i = MANY_LEVELS; i < levels; i++)
		if (width[i + 1] < least)
			return i;
	return levels;
}

/*
 * Compute the position of all nodes and the number of levels. Nothing is drawn above a node that is
 * left out.
 */
static void lay_out(struct picture *p)
{
	const struct stacks *s = p->s;
	double *width = xcalloc((size_t)stacks_depth(s) + 2, sizeof(*width));
	u32 levels = 0;

	p->x[0] = PAD;
	for (u32 i = 1; i < s->nr_nodes;) {
		const struct stacks_node *n = &s->nodes[i];
		u32 below = p->host[n->parent];

		if (!is_drawn(p, i)) {
			i = n->end;
			continue;
		}
		if (find_host(p, i)) {
			p->x[i] = p->x[below] + (double)p->used[below] * p->scale;
			p->used[below] = stacks_add(p->used[below], p->total[i]);
			width[p->level[i]] += width_of(p, i);
			levels = MAX(levels, p->level[i]);
		}
		i++;
	}
	p->levels = MAX(p->levels, used_levels(p, width, levels));
	p->deeper = levels > p->levels ? levels - p->levels : 0;
	p->height = p->top + (p->levels + 1) * ROW + BOTTOM;
	free(width);
}

static u32 y_of(const struct picture *p, u32 depth)
{
	return p->opts->icicle ? p->top + depth * ROW : p->height - BOTTOM - (depth + 1) * ROW;
}

static const char *name_of(const struct picture *p, u32 node)
{
	return node ? stacks_frame_name(p->s, p->s->nodes[node].frame) : "all";
}

/* Append as much of a name as there is room for. */
static void add_label(struct strbuf *out, const char *name, double width)
{
	size_t room = width < 4 ? 0 : (size_t)(width - 4) / LETTER, len = strlen(name), at = 0,
	       nr = 0;
	size_t cut = 0; /* the end of the letters that fit beside dots */

	while (at < len && nr <= room) {
		size_t n = utf8_length(name + at, len - at);

		at += n ? n : 1;
		nr++;
		cut = nr + 2 <= room ? at : cut;
	}
	if (nr <= room) {
		quote_xml(out, name);
		return;
	}
	if (cut) {
		char *part = xstrndup(name, cut);

		quote_xml(out, part);
		free(part);
	}
	strbuf_addstr(out, "..");
}

/*
 * Set the colour: red where it grew, blue where it shrank, by the change in relation to the total.
 */
static void add_difference(const struct picture *p, u32 node)
{
	double share = (double)p->total[node] / (double)p->all;
	double before = p->all_before ? (double)p->before[node] / (double)p->all_before : 0;
	double change = share - before, much = MAX(share, before);
	double part = much > 0 ? (change < 0 ? -change : change) / much : 0;
	int pale = (int)(255 - 175 * (part > 1 ? 1 : part));

	if (change < 0)
		strbuf_addf(p->out, " fill=\"rgb(%d,%d,255)\"", pale, pale);
	else
		strbuf_addf(p->out, " fill=\"rgb(255,%d,%d)\"", pale, pale);
}

static void add_about(const struct picture *p, u32 node)
{
	struct strbuf *out = p->out;

	strbuf_addstr(out, " (");
	if (p->opts->weight == WEIGHT_PERIOD) {
		add_grouped(out, p->total[node]);
		strbuf_addch(out, ' ');
		quote_xml(out, p->event);
		strbuf_addstr(out, ", ");
	}
	add_grouped(out, p->samples[node]);
	strbuf_addstr(out, " samples, ");
	add_fixed(out, (double)p->total[node] * 100.0 / (double)p->all);
	strbuf_addch(out, '%');
	if (p->before) {
		strbuf_addstr(out, ", before ");
		add_fixed(out, p->all_before
				       ? (double)p->before[node] * 100.0 / (double)p->all_before
				       : 0);
		strbuf_addch(out, '%');
	}
	strbuf_addch(out, ')');
}

static void add_frame(const struct picture *p, u32 node)
{
	const struct stacks_frame *f = node ? &p->s->frames[p->s->nodes[node].frame] : NULL;
	char *joined = p->run[node] > 1 ? xasprintf("%s \303\227%u", name_of(p, node), p->run[node])
					: NULL;
	const char *name = joined ? joined : name_of(p, node);
	u32 depth = p->level[node], y = y_of(p, depth);
	double width = width_of(p, node);
	struct strbuf *out = p->out;

	strbuf_addf(out, "<g class=\"%s s%u\" data-d=\"%u\"><title>",
		    f ? kinds[f->kind].name : "comm",
		    (unsigned int)(hash_bytes(name, strlen(name)) % SHADES), depth);
	quote_xml(out, name);
	add_about(p, node);
	strbuf_addstr(out, "</title><rect x=\"");
	add_fixed(out, p->x[node]);
	strbuf_addstr(out, "\" y=\"");
	strbuf_dec(out, y, 0);
	strbuf_addstr(out, "\" width=\"");
	add_fixed(out, width);
	strbuf_addf(out, "\" height=\"%d\"", ROW - 1);
	if (p->before)
		add_difference(p, node);
	strbuf_addstr(out, "/>");
	if (width >= 4 + 3 * LETTER) {
		strbuf_addstr(out, "<text x=\"");
		add_fixed(out, p->x[node] + 3);
		strbuf_addf(out, "\" y=\"%u\">", y + ROW - 4);
		add_label(out, name, width);
		strbuf_addstr(out, "</text>");
	}
	strbuf_addstr(out, "</g>\n");
	free(joined);
	export_more(p->o);
}

static void add_style(struct strbuf *out)
{
	strbuf_addstr(out, "<style>\n"
			   "text{font:12px Verdana,'DejaVu Sans',sans-serif;fill:#000}\n"
			   ".frames text{font:11px Menlo,Consolas,'DejaVu Sans Mono',monospace;"
			   "pointer-events:none}\n"
			   "#title{font-size:17px;text-anchor:middle}\n"
			   ".note{text-anchor:middle;fill:#a00}\n"
			   ".frames g:hover rect,.chosen rect{stroke:#000;stroke-width:1}\n"
			   ".frames g{cursor:pointer}.above{opacity:.55}\n"
			   ".frames .hit rect{fill:#e0f}\n"
			   "#events text{cursor:pointer;fill:#666}#events .on{fill:#000}\n"
			   "#reset,#search,#case{cursor:pointer;fill:#444}.on{font-weight:bold}\n");
	for (u32 k = 0; k < NR_FRAME_KINDS; k++)
		for (u32 i = 0; i < SHADES; i++)
			strbuf_addf(out, ".%s.s%u rect{fill:hsl(%u,%u%%,%u%%)}\n", kinds[k].name, i,
				    kinds[k].saturation ? (kinds[k].hue + 350 + i * 4) % 360 : 0,
				    kinds[k].saturation, kinds[k].light - 5 + i * 2);
	strbuf_addstr(out, "</style>\n");
}

/* Write below the title what is wrong with the recording. */
static void add_subtitles(const struct picture *p)
{
	u32 w = p->opts->width, nr = MIN(p->opts->nr_notes, (u32)SUBTITLES);

	for (u32 i = 0; i < nr; i++) {
		strbuf_addf(p->out, "<text class=\"note\" x=\"%u\" y=\"%u\">", w / 2,
			    TOP - 12 + (i + 1) * SUBTITLE);
		add_label(p->out, p->opts->notes[i], w - 2 * PAD);
		strbuf_addstr(p->out, "</text>\n");
	}
}

static const char *title_of(const struct picture *p)
{
	const char *command = export_fact(p->opts, "command");

	if (p->opts->title)
		return p->opts->title;
	if (p->before)
		return "Difference flame graph";
	return command ? command : p->opts->icicle ? "Icicle graph" : "Flame graph";
}

/* Add the names of the events, which the script makes choices of. */
static void add_events(const struct picture *p)
{
	double x = PAD + 90;

	strbuf_addstr(p->out, "<g id=\"events\" style=\"display:none\">");
	for (u32 i = 0; i < p->s->nr_events; i++) {
		const char *name = stacks_text(p->s, p->s->events[i].name);

		strbuf_addf(p->out, "<text x=\"%u\" y=\"44\"%s>", (u32)x,
			    i == p->event_nr ? " class=\"on\"" : "");
		quote_xml(p->out, name);
		strbuf_addstr(p->out, "</text>");
		x += (double)strlen(name) * 8 + 16;
	}
	strbuf_addstr(p->out, "</g>\n");
}

static void add_head(const struct picture *p)
{
	struct strbuf *out = p->out;
	u32 w = p->opts->width;

	strbuf_addf(out,
		    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		    "<svg version=\"1.1\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" "
		    "height=\"%u\" viewBox=\"0 0 %u %u\" data-icicle=\"%d\">\n",
		    w, p->height, w, p->height, p->opts->icicle);
	add_style(out);
	strbuf_addstr(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fbfaf5\"/>\n");
	strbuf_addf(out, "<text id=\"title\" x=\"%u\" y=\"24\">", w / 2);
	add_label(out, title_of(p), (double)w * LETTER / 12);
	strbuf_addstr(out, ": <tspan id=\"event\">");
	quote_xml(out, p->event);
	strbuf_addstr(out, "</tspan>");
	strbuf_addf(out,
		    "</text>\n<text id=\"reset\" x=\"%d\" y=\"44\" style=\"display:none\">Reset "
		    "zoom</text>\n"
		    "<text id=\"matched\" x=\"%u\" y=\"44\"/>\n"
		    "<text id=\"case\" x=\"%u\" y=\"44\" style=\"display:none\">aA</text>\n"
		    "<text id=\"search\" x=\"%u\" y=\"44\" style=\"display:none\">Search</text>\n"
		    "<text id=\"details\" x=\"%d\" y=\"%u\"/>\n",
		    PAD, w / 2, w - 130, w - 100, PAD, p->height - 12);
	add_subtitles(p);
	if (p->deeper)
		strbuf_addf(
			out,
			"<text x=\"%u\" y=\"%u\" text-anchor=\"end\">%u more levels, of less than "
			"%.1f%%, are not drawn</text>\n",
			w - PAD, p->height - 12, p->deeper, USED * 100);
}

/* Draw the frames of an event; only those of the @first one are seen before one is chosen. */
static void draw(struct picture *p, bool first)
{
	const struct stacks *s = p->s;

	strbuf_addstr(p->out, first ? "<g id=\"frames\" class=\"frames\">\n"
				    : "<g class=\"frames\" style=\"display:none\">\n");
	for (u32 i = 0; i < s->nr_nodes && !export_failed(p->o);) {
		if (i && !is_drawn(p, i)) {
			i = s->nodes[i].end;
			continue;
		}
		if (p->host[i] == i && p->level[i] <= p->levels)
			add_frame(p, i);
		i++;
	}
	strbuf_addstr(p->out, "</g>\n");
}

/* Compare with the other recording, on the tree of both. Return: the current event. */
static u32 join(struct picture *p, const struct stacks *both)
{
	u32 now = UINT32_MAX;

	p->s = both;
	p->before = xcalloc(both->nr_nodes, sizeof(u64));
	for (u32 i = 0; i < both->nr_events; i++) {
		if (both->events[i].evsel == STACKS_BEFORE)
			stacks_node_sums(both, i, p->opts->weight, NULL, p->before);
		else
			now = i;
	}
	p->all_before = p->before[0];
	return now;
}

/* Compute everything about the picture of an event. */
static void prepare(struct picture *p, u32 event)
{
	u32 nr = p->s->nr_nodes;

	p->event_nr = event;
	if (!p->before)
		p->event = stacks_text(p->s, p->s->events[event].name);
	memset(p->used, 0, nr * sizeof(*p->used));
	stacks_node_sums(p->s, event, p->opts->weight, NULL, p->total);
	stacks_node_sums(p->s, event, WEIGHT_SAMPLES, NULL, p->samples);
	p->all = MAX(p->total[0], (u64)1);
	p->scale = (double)(p->opts->width - 2 * PAD) / (double)p->all;
	lay_out(p);
}

static void allocate(struct picture *p)
{
	u32 nr = p->s->nr_nodes;

	p->total = xcalloc(nr, sizeof(u64));
	p->samples = xcalloc(nr, sizeof(u64));
	p->used = xcalloc(nr, sizeof(u64));
	p->x = xcalloc(nr, sizeof(double));
	p->host = xcalloc(nr, sizeof(u32));
	p->level = xcalloc(nr, sizeof(u32));
	p->run = xcalloc(nr, sizeof(u32));
}

static void picture_release(struct picture *p)
{
	free(p->total);
	free(p->samples);
	free(p->used);
	free(p->x);
	free(p->host);
	free(p->level);
	free(p->run);
	free(p->before);
}

/* Draw one event, or all of them with the first one on top. All are as high as the highest. */
static void draw_all(struct picture *p, u32 event, bool all)
{
	for (u32 i = 0; all && i < p->s->nr_events; i++)
		if (i != event)
			prepare(p, i);
	prepare(p, event);
	add_head(p);
	if (all && p->s->nr_events > 1)
		add_events(p);
	for (u32 i = 0; i < p->s->nr_events; i++) {
		if (i != event && !all)
			continue;
		prepare(p, i);
		draw(p, i == event);
	}
	strbuf_addstr(p->out, "<script><![CDATA[\n");
	export_put(p->o, script, sizeof(script));
	export_str(p->o, "]]></script>\n</svg>\n");
}

/* Return the tree with the roots that are asked for, or NULL when @s has these. */
static struct stacks *rooted(const struct stacks *s, const struct export_opts *opts)
{
	return opts->root < STACKS_ROOT_PROCESS ? NULL : stacks_rooted(s, opts->root);
}

static int write_svg(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		     struct err *err)
{
	struct picture p = { .s = s, .opts = opts, .o = o, .out = export_buf(o) };
	u32 notes = MIN(opts->nr_notes, (u32)SUBTITLES);
	struct stacks *made = NULL;
	int event = export_event(s, opts, err);

	if (event < 0)
		return event;
	p.event = stacks_text(s, s->events[event].name);
	if (opts->other) {
		made = export_joined(s, opts, err);
		event = (int)join(&p, made);
	} else {
		made = rooted(s, opts);
		p.s = made ? made : s;
	}
	p.top = TOP + notes * SUBTITLE;
	allocate(&p);
	draw_all(&p, (u32)event, !opts->other && !opts->event);
	picture_release(&p);
	stacks_free(made);
	return 0;
}

const struct export_ops export_svg = {
	.name = "flamegraph",
	.arg = "FILE.svg",
	.help = "Write a flame graph, a picture that answers in a browser (-: standard output)",
	.narrow_out = true,
	.roots = true,
	.dims = { .comm = true, .comm_root = true },
	.write = write_svg,
};
