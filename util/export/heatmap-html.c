// SPDX-License-Identifier: GPL-2.0-or-later
/* Draw heat maps as a page with picture, figures and histogram. */
#include "base/compat.h"
#include "export/heatmap.h"

#include "codec/quote.h"
#include "export/export.h"

static const char style[] = "body{margin:24px;font:15px system-ui,sans-serif}"
			    "svg{max-width:100%;height:auto;display:block}"
			    "pre{font:13px ui-monospace,monospace;overflow-x:auto}"
			    "#here{min-height:1.4em;font-variant-numeric:tabular-nums}\n";

/* Shows the contents of the cell under the pointer without the delay of its title. */
static const char script[] =
	"const here=document.getElementById('here'),svg=document.querySelector('svg'),"
	"tell=t=>{here.textContent=t?t.textContent:'\\u00a0'};"
	"svg.addEventListener('pointerover',e=>"
	"tell(e.target.querySelector&&e.target.querySelector(':scope>title')));"
	"svg.addEventListener('pointerleave',()=>tell());\n";

void heatmap_html(const struct heatmap_conf *conf, u32 nr, struct strbuf *out)
{
	strbuf_addstr(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			   "<meta name=\"viewport\" content=\"width=device-width\">\n"
			   "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	quote_xml(out, conf->title);
	strbuf_addstr(out, "</title>\n<style>");
	strbuf_addstr(out, style);
	strbuf_addstr(out, "</style>\n</head>\n<body>\n");
	heatmap_svg(conf, nr, out);
	strbuf_addstr(out, "<p id=\"here\">&nbsp;</p>\n");
	if (conf->pairs) {
		struct strbuf text = STRBUF_INIT;

		pair_text(conf->pairs, conf->title, conf->subtitle, &text);
		strbuf_addstr(out, "<pre>");
		for (char *line = text.buf, *end; *line; line = end) {
			end = strchr(line, '\n');
			*end++ = '\0';
			quote_xml(out, line);
			strbuf_addch(out, '\n');
		}
		strbuf_addstr(out, "</pre>\n");
		strbuf_release(&text);
	}
	strbuf_addstr(out, "<script>");
	strbuf_addstr(out, script);
	strbuf_addstr(out, "</script>\n</body>\n</html>\n");
}

int heatmap_write(const struct heatmap_conf *conf, u32 nr, const char *path, struct err *err)
{
	struct export_out *o = export_open(path, err);

	if (!o)
		return err->code;
	if (export_is_page(path))
		heatmap_html(conf, nr, export_buf(o));
	else
		heatmap_svg(conf, nr, export_buf(o));
	return export_close(o, err);
}
