/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * broadcaster.h - hands the window's pages on to who follows them, as they come
 *
 * A thread of its own, at normal priority. A follower that does not take what it is sent falls behind, and where the
 * window has moved on over what was next its next page says that events were lost before it: it slows no other.
 */
#ifndef RS_SERVICE_BROADCASTER_H
#define RS_SERVICE_BROADCASTER_H

#include "capture/capture.h"
#include "source/window.h"

#define RS_MAX_FOLLOWERS 16

struct rs_broadcaster;

/* capture: its events may be switched. */
struct rs_broadcaster *rs_broadcaster_new(struct rs_capture *capture, struct rs_error *err);
void rs_broadcaster_free(struct rs_broadcaster *p);   /* after its thread */
void rs_broadcaster_run(struct rs_broadcaster *p);    /* until rs_broadcaster_quit */
void rs_broadcaster_quit(struct rs_broadcaster *p);   /* any thread */

/* The thread of the analysis: every event before this time is in the window. */
void rs_broadcaster_mark(struct rs_broadcaster *p, uint64_t known_ns);

/*
 * Any thread: from from_ns on, to a stream socket, which is the broadcaster's from now on if this succeeds.
 * -EBUSY: there are too many; -ENOTSOCK: it is none; or another negative errno.
 */
int rs_broadcaster_add(struct rs_broadcaster *p, int fd, struct rs_window *w, struct rs_source *of,
		       uint64_t from_ns);

#endif
