/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event-text.h - a record as text: its fields by name, or what it prints
 *
 *	struct rs_event_texts *t = rs_event_texts_new(formats, &source->info);
 *	rs_event_texts_put(t, &event, &out);      // "vcpu_id=0 exit_reason=12"
 *
 * The fields are those of the format, as libtraceevent parses it. The values are written here, for each place
 * that a record names is checked against its length: libtraceevent's own printing follows a damaged record
 * beyond its end. The events that only carry a text (print, bprint, raw_data) are that text alone.
 */
#ifndef RS_DECODE_EVENT_TEXT_H
#define RS_DECODE_EVENT_TEXT_H

#include "base/buf.h"
#include "decode/formats.h"

struct rs_event_texts;

/* info must outlive it. NULL: no memory. */
struct rs_event_texts *rs_event_texts_new(struct rs_formats *formats, const struct rs_trace_info *info);
void rs_event_texts_free(struct rs_event_texts *t);

/*
 * As the kernel prints it, by the event's print fmt; an event that is only a text gives that text. If the
 * print fmt is not understood, or the record is damaged, adds the fields. For rows that are shown: it takes
 * some microseconds.
 */
void rs_event_texts_print(struct rs_event_texts *t, const struct rs_event *ev, struct rs_buf *out);
/*
 * Adds the text, with untrusted bytes; nothing if the format is invalid or the record is shorter than it
 * says.
 */
void rs_event_texts_put(struct rs_event_texts *t, const struct rs_event *ev, struct rs_buf *out);

#endif
