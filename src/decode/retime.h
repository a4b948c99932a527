/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * retime.h - a recording's pages with the times of the clock that it shares with others
 *
 * What a file says of its clock (source/time-map.h) is applied here, once, page by page: whoever reads the pages (the
 * merge, time ranges, the window, an exporter) sees a recording whose clock was right from the beginning. A page
 * stays one page and keeps its records, losses and malformations; only its entries' times are written anew. Where the
 * new distance of two records no longer fits into the first's 27 bits a time extend is put in: so pages may be up to twice
 * as long, and info.page_bytes is doubled. Files that need none of this are handed out as they are, at no cost.
 */
#ifndef RS_DECODE_RETIME_H
#define RS_DECODE_RETIME_H

#include "source/source.h"

/*
 * Returns `of` itself if its info has no time_map; else a source that closes it. NULL on error: `of` has been closed.
 */
struct rs_source *rs_retime(struct rs_source *of, struct rs_error *err);

#endif
