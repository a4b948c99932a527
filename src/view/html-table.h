/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html-table.h - headings and cells of a table in an HTML page
 */
#ifndef RS_VIEW_HTML_TABLE_H
#define RS_VIEW_HTML_TABLE_H

#include "base/buf.h"
#include "view/cell.h"

/* "<th>", with the column's help as its title. */
void rs_html_table_put_heading(struct rs_buf *out, const struct rs_cell_style *style,
			       const struct rs_column *c);
/*
 * "<td>". What is shown with its unit, "4.51ms", has the number in data-v, by which the page's script sorts.
 */
void rs_html_table_put_cell(struct rs_buf *out, const struct rs_cell_style *style, const struct rs_column *c,
			    const struct rs_value *value);

#endif
