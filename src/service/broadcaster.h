/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * broadcaster.h - sends the pages of the window to followers, as they come
 *
 * It has its own thread, at normal priority. A slow follower falls behind without slowing others; if the
 * window has dropped its next page, its next page reports lost events.
 */
#ifndef RS_SERVICE_BROADCASTER_H
#define RS_SERVICE_BROADCASTER_H

#include "capture/capture.h"
#include "engine/files/fd-history.h"
#include "source/window.h"

#define RS_MAX_FOLLOWERS 16

struct rs_broadcaster;

/* capture: its events may be switched on and off. */
struct rs_broadcaster *rs_broadcaster_new(struct rs_capture *capture, struct rs_error *err);
void rs_broadcaster_free(struct rs_broadcaster *p);   /* after its thread has ended */
void rs_broadcaster_run(struct rs_broadcaster *p);    /* until rs_broadcaster_quit */
void rs_broadcaster_quit(struct rs_broadcaster *p);   /* any thread */

/* Called in the analyzer thread: the window has every event before this time. */
void rs_broadcaster_mark(struct rs_broadcaster *p, uint64_t known_ns);

/*
 * Sends pages from from_ns on to a stream socket, which the broadcaster owns on success, and what the history
 * has of sockets from then on; it may be NULL, and outlives the broadcaster. Any thread. Returns
 * -EBUSY: too many followers; -ENOTSOCK: not a socket; or another negative errno.
 */
int rs_broadcaster_add(struct rs_broadcaster *p, int fd, struct rs_window *w, struct rs_source *of,
		       struct rs_fd_history *history, uint64_t from_ns);

#endif
