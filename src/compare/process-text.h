/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process-text.h - the change of a process as a sentence, whose parts sum to it */
#ifndef RS_COMPARE_PROCESS_TEXT_H
#define RS_COMPARE_PROCESS_TEXT_H

#include "base/buf.h"
#include "compare/process.h"

#define RS_PROCESS_TEXT_SHARE 0.02 /* of the change: a part of less is among the rest */

/* "shop: 8.1ms for each read instead of 3.0ms: +5.01ms timer (new)", escaped for a terminal. */
void rs_process_text_put(struct rs_buf *out, const struct rs_process_change *p);
/* "95 %: +4.9ms to +5.2ms; 300 and 300 read" */
void rs_process_text_put_evidence(struct rs_buf *out, const struct rs_process_change *p);

const char *rs_process_text_unit(const struct rs_process_change *p); /* "read", "run", "second" */
/* Is the part one of those that the sentence has? */
bool rs_process_text_is_told(const struct rs_process_change *p, const struct rs_process_part *part);
/* "10.0.0.2:80": for whose answers it waits. False: it is no such part. */
bool rs_process_text_put_server(struct rs_buf *out, const struct rs_process_part *part);
/* A text of the view that is not "-". */
bool rs_process_text_is_named(const char *text);

#endif
