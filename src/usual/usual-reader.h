/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usual-reader.h - the rows of a session's views, as series
 *
 *	struct rs_usual_reader *r = rs_usual_reader_new(&config, &err);
 *
 *	rs_usual_begin_interval(u);
 *	rs_usual_reader_add(r, session, u);          // at the end of each interval, before the reset
 *	rs_usual_end_interval(u, &interval);
 *	rs_usual_reader_free(r);
 */
#ifndef RS_USUAL_USUAL_READER_H
#define RS_USUAL_USUAL_READER_H

#include "engine/session.h"
#include "usual/usual.h"

struct rs_usual_reader;

/* config: of the sessions, which says what they run; other views are left out. NULL: err is set. */
struct rs_usual_reader *rs_usual_reader_new(const struct rs_session_config *config, struct rs_error *err);
void rs_usual_reader_free(struct rs_usual_reader *r);
void rs_usual_reader_add(struct rs_usual_reader *r, struct rs_session *s, struct rs_usual *to);

#endif
