/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print-text.h - a record as the kernel's own trace file prints it, by the event's print fmt
 *
 *	struct rs_print_texts *p = rs_print_texts_new(&source->info);
 *	rs_print_texts_put(p, event_id, &event, &out);      // "reason EXTERNAL_INTERRUPT rip 0xffff... info 0 0"
 *
 * libtraceevent parses the print fmt and prints: names of symbols and flags, functions of the kernel where the recording
 * has their addresses. It trusts both, so it is given a copy of the record with zeros behind, of which every field is
 * known to lie inside, or in these; where it crashes all the same it is not called again, and no text is had.
 */
#ifndef RS_DECODE_PRINT_TEXT_H
#define RS_DECODE_PRINT_TEXT_H

#include "base/buf.h"
#include "ringside/event.h"
#include "source/source.h"

/*
 * Zeros after a record: a text without an end stops there, and so does an array that is shorter than in its format.
 */
#define RS_PRINT_SLACK_BYTES 256

struct rs_print_texts;

/* A format is parsed when its first event is printed. info must outlive it. NULL: no memory. */
struct rs_print_texts *rs_print_texts_new(const struct rs_trace_info *info);
void rs_print_texts_free(struct rs_print_texts *p); /* may be NULL */

/*
 * Adds the text, with untrusted bytes. False: libtraceevent does not understand the print fmt. ev's fields lie inside
 * the record, or in the RS_PRINT_SLACK_BYTES after it.
 */
bool rs_print_texts_put(struct rs_print_texts *p, const struct rs_event *ev, struct rs_buf *out);

#endif
