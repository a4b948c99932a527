/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * retime.h - a recording's pages with the times of the clock that it shares with others
 *
 * Applies a file's map of times (source/time-map.h) page by page, so that all readers of pages see the right
 * times. A page keeps its records, losses and malformations. If the new distance of two records exceeds 27
 * bits, a time extend is inserted: pages may be up to twice as long, and info.page_bytes is doubled. A file
 * without a map is returned as it is.
 */
#ifndef RS_DECODE_RETIME_H
#define RS_DECODE_RETIME_H

#include "source/source.h"

/*
 * Returns `of` itself if its info has no time_map; else a source that closes it. NULL on error: `of` has been
 * closed.
 */
struct rs_source *rs_retime(struct rs_source *of, struct rs_error *err);

#endif
