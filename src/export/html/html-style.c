// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html-style.c - how the page looks, on the screen, light and dark, and on paper; and what it does when it is
 * clicked
 */
#include <ctype.h>
#include <inttypes.h>

#include "base/palette.h"
#include "export/html/html.h"

const char rs_html_style[] =
	":root{color-scheme:light "
	"dark;--paper:#fff;--ink:#1f2328;--dim:#656d76;--line:#d8dee4;--card:#f6f8fa;--key:#0969da;--bar:#"
	"b6d4f2;--ground:#eef1f4}\n"
	"@media(prefers-color-scheme:dark){:root{--paper:#0f1318;--ink:#d8dbe0;--dim:#8b949e;--line:#2c333b;-"
	"-card:#161b22;--key:#6cb6ff;--bar:#234a70;--ground:#1a2027}}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0 auto;max-width:1280px;padding:0 24px "
	"48px;background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,'Segoe "
	"UI',sans-serif;overflow-wrap:break-word}\n"
	"h1{font-size:24px;margin:28px 0 4px}h2{font-size:18px;margin:36px 0 "
	"10px;padding-bottom:6px;border-bottom:1px solid var(--line)}\n"
	"h3{font-size:14px;margin:0 0 8px}p{margin:6px "
	"0}a{color:var(--key);text-decoration:none}a:hover{text-decoration:underline}\n"
	"nav{position:sticky;top:0;z-index:1;background:var(--paper);padding:10px 0;border-bottom:1px solid "
	"var(--line);margin-bottom:8px}\n"
	"nav a{margin-right:18px}.dim{color:var(--dim);font-size:12.5px}\n"
	"code,table,.lane,.tick{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}\n"
	"code{font-size:12.5px;background:var(--card);padding:1px "
	"5px;border-radius:4px;overflow-wrap:anywhere}\n"
	".finding{border:1px solid var(--line);border-left:4px solid #d1242f;border-radius:6px;padding:10px "
	"14px;margin:10px 0;background:var(--card)}\n"
	".finding b{font-size:15px;font-weight:600;overflow-wrap:anywhere}.finding ul{margin:6px 0 "
	"0;padding-left:20px}.finding li{margin:3px 0}.finding code{background:var(--paper)}\n"
	".ok{border-left-color:#1a7f37}\n"
	".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,560px),1fr));gap:16px;"
	"align-items:start}\n"
	".card{border:1px solid "
	"var(--line);border-radius:6px;padding:14px;background:var(--card);overflow-x:auto;min-width:0}.card+"
	".card{margin-top:0}\n"
	".wide{overflow-x:auto}\n"
	"table{border-collapse:collapse;font-size:12px;line-height:1.45;width:100%}\n"
	"th{text-align:left;color:var(--dim);font-weight:600;white-space:nowrap;padding:3px 10px 5px "
	"0;border-bottom:1px solid var(--line)}\n"
	"td{padding:2px 10px 2px 0;white-space:pre;max-width:520px;overflow:hidden;text-overflow:ellipsis}\n"
	".n{text-align:right}.rows th{cursor:pointer;user-select:none}.rows th:hover{color:var(--key)}\n"
	"th[aria-sort=ascending]::after{content:' \\25b4'}th[aria-sort=descending]::after{content:' "
	"\\25be'}\n"
	".rows tbody tr:hover{background:var(--ground)}\n"
	"summary{cursor:pointer}#tables details{border:1px solid var(--line);border-radius:6px;margin:8px "
	"0;padding:0 12px}#tables summary{padding:8px 0}details .wide{padding-bottom:12px}\n"
	".bars td.split{width:70%;padding-right:0;max-width:none}.split "
	"div{display:flex;height:14px;background:var(--ground);border-radius:3px;overflow:hidden}.split "
	"i{display:block;height:100%}\n"
	".hist td{width:1%}.hist td.chart{width:98%;max-width:none}.hist "
	"i{display:block;height:12px;background:var(--key);border-radius:2px;min-width:1px}\n"
	"td{position:relative}.bar{position:absolute;inset:2px auto 2px "
	"0;background:var(--bar);border-radius:2px;z-index:-1}.card table{position:relative;z-index:0}\n"
	".legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12.5px;color:var(--dim)}.legend "
	"i{display:inline-block;width:11px;outline:1px solid "
	"var(--line);height:11px;border-radius:2px;margin-right:6px;"
	"vertical-align:-1px}.legend i:not([class]){background:var(--ground)}\n"
	"#timeline{width:100%;min-width:900px;display:block}.lane{font-size:11.5px;text-anchor:end;fill:var(-"
	"-ink)}.tick{font-size:11px;fill:var(--dim);stroke:none;text-anchor:middle}\n"
	"path.tick,#cursor{stroke:var(--line);fill:none}#cursor{stroke:var(--key);display:none}.ground{fill:"
	"var(--ground)}\n"
	".p0{--p:#4e79a7}.p1{--p:#59a14f}.p2{--p:#edc948}.p3{--p:#b07aa1}.p4{--p:#76b7b2}.p5{--p:#e15759}.p6{"
	"--p:#f28e2b}.p7{--p:#9c755f}.p8{--p:#ff9da7}.p9{--p:#8cd17d}"
	".p10{--p:#a0cbe8}.p11{--p:#7f6bc4}.p12{--p:#a5a5a5}[class^=p]{fill:var(--p);background:var(--p)}\n"
	".flame{width:100%;border:1px solid "
	"var(--line);border-radius:6px;margin-bottom:16px;color-scheme:light dark}\n"
	"footer{margin-top:36px;border-top:1px solid var(--line);padding-top:10px;overflow-wrap:anywhere}\n"
	"@page{margin:14mm}@media "
	"print{:root{--paper:#fff;--ink:#000;--dim:#444;--line:#bbb;--card:#fff;--key:#000;--ground:#f0f0f0}"
	"nav{display:none}body{max-width:none;padding:0;font-size:11px}\n"
	"h2{break-after:avoid}.finding,.card,tr,svg{break-inside:avoid}.cards{display:block}.card{margin-"
	"bottom:10px}table{font-size:9px}#timeline{min-width:0}.wide,.card{overflow:visible}\n"
	"*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

const char rs_html_script[] =
	"'use strict';\n"
	"function key(row, column) {\n"
	"  const cell = row.cells[column], text = cell.textContent.trim();\n"
	"  if (text === '-' || text === '') return null;\n"
	"  const number = Number(cell.dataset.v ?? text);\n"
	"  return Number.isNaN(number) ? text : number;\n"
	"}\n"
	"function compare(a, b) { return typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "
	"'number' ? -1 : 1; }\n"
	"function sort(th) {\n"
	"  const table = th.closest('table'), body = table.tBodies[0], column = th.cellIndex;\n"
	"  const up = th.getAttribute('aria-sort') === 'descending' || (!th.hasAttribute('aria-sort') && "
	"!th.classList.contains('n'));\n"
	"  for (const other of th.parentNode.cells) other.removeAttribute('aria-sort');\n"
	"  th.setAttribute('aria-sort', up ? 'ascending' : 'descending');\n"
	"  const rows = [...body.rows].map(row => ({ row, key: key(row, column) }));\n"
	"  rows.sort((a, b) => a.key === null || b.key === null ? (a.key === null) - (b.key === null) : up ? "
	"compare(a.key, b.key) : compare(b.key, a.key));\n"
	"  body.append(...rows.map(r => r.row));\n"
	"}\n"
	"document.addEventListener('click', e => {\n"
	"  const th = e.target.closest('.rows th'), a = e.target.closest('a[href^=\"#v-\"]');\n"
	"  if (th) sort(th);\n"
	"  const target = a && document.getElementById(a.getAttribute('href').slice(1));\n"
	"  if (target) target.open = true;\n"
	"});\n"
	"const timeline = document.getElementById('timeline');\n"
	"if (timeline) {\n"
	"  const cursor = document.getElementById('cursor'), at = document.getElementById('at'), d = "
	"timeline.dataset;\n"
	"  timeline.addEventListener('pointermove', e => {\n"
	"    const box = timeline.getBoundingClientRect(), x = (e.clientX - box.left) / box.width * "
	"timeline.viewBox.baseVal.width;\n"
	"    const share = (x - d.left) / d.width, inside = share >= 0 && share <= 1;\n"
	"    cursor.style.display = inside ? 'inline' : 'none';\n"
	"    cursor.setAttribute('transform', 'translate(' + x + ' 0)');\n"
	"    const lane = e.target.querySelector && e.target.querySelector('title');\n"
	"    at.textContent = inside ? (share * d.ns / 1e9).toFixed(6) + ' s' + (lane && e.target !== "
	"timeline ? '  ' + lane.textContent : '') : '\\u00a0';\n"
	"  });\n"
	"}\n"
	"addEventListener('beforeprint', () => { for (const e of document.querySelectorAll('details')) "
	"e.open = true; });\n";

void rs_html_style_put_cause(struct rs_buf *out, enum rs_cause cause)
{
	for (const char *name = rs_cause_row(cause)->name; *name && *name != '('; name++)
		if (isalnum((unsigned char)*name))
			rs_buf_putc(out, (char)tolower((unsigned char)*name));
}

/* What has no color is the ground itself. */
static void style_put_causes(struct rs_buf *out, bool dark)
{
	for (enum rs_cause cause = RS_CAUSE_UNKNOWN; cause < RS_NR_CAUSES; cause++) {
		const struct rs_cause_row *row = rs_cause_row(cause);

		rs_buf_puts(out, ".c-");
		rs_html_style_put_cause(out, cause);
		if (row->rank == RS_RANK_IDLE)
			rs_buf_puts(out, "{background:transparent;fill:none}");
		else
			rs_buf_printf(out, "{background:#%06" PRIx32 ";fill:#%06" PRIx32 "}",
				      rs_palette_rgb(dark ? row->dark : row->light),
				      rs_palette_rgb(dark ? row->dark : row->light));
	}
}

void rs_html_style_put_causes(struct rs_buf *out)
{
	style_put_causes(out, false);
	rs_buf_puts(out, "\n@media(prefers-color-scheme:dark){");
	style_put_causes(out, true);
	rs_buf_puts(out, "}\n");
}
