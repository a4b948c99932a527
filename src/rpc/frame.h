/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.h - frames of the protocol (docs/protocol.md) over a socket that never blocks
 *
 *	struct rs_frames f;
 *	rs_frames_init(&f, fd, RS_REQUEST_BYTES);
 *	if (rs_frames_read(&f, &err) < 0) ...       // what is there now
 *	while ((text = rs_frames_next(&f, &len, &err)))
 *		...
 *	rs_frames_put(&f, &buf, -1);                // a frame of what buf holds
 *	rs_frames_write(&f, &err);                  // as much as the socket takes
 *
 * A length is checked before anything is kept for it.
 */
#ifndef RS_RPC_FRAME_H
#define RS_RPC_FRAME_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"

#define RS_REQUEST_BYTES (64u << 10)
#define RS_ANSWER_BYTES (16u << 20)

struct rs_frames {
	int fd;                   /* the frames' own from now on */
	size_t max_bytes;         /* of a frame that comes */
	struct rs_buf in, out;
	size_t in_at, out_at;     /* taken, and written, so far */
	int passed_fd;            /* came with what was read; -1 none. Whoever takes it sets it to -1 */
	int to_pass_fd;           /* to go with the next byte written; -1 none. Closed once it has gone */
};

void rs_frames_init(struct rs_frames *f, int fd, size_t max_bytes);
void rs_frames_done(struct rs_frames *f);

/* -1: the other end has gone (err not set), or broke a rule (set). */
int rs_frames_read(struct rs_frames *f, struct rs_error *err);
/* The next whole frame, terminated, until the next call; NULL: none yet, or err is set. */
const char *rs_frames_next(struct rs_frames *f, size_t *len, struct rs_error *err);
/* fd: duplicated; -1 none. False: no memory. */
bool rs_frames_put(struct rs_frames *f, const char *text, size_t len, int fd);
int rs_frames_write(struct rs_frames *f, struct rs_error *err);
/* The process at the other end; of a socketpair, the one that made it. 0: unknown. */
pid_t rs_frames_pid(const struct rs_frames *f);
static inline size_t rs_frames_waiting(const struct rs_frames *f) { return f->out.len - f->out_at; }

/* What is said where there is no memory to say more. */
#define RS_FRAME_NO_MEMORY "{\"event\":\"failed\",\"error\":\"the engine: out of memory (free memory, or ask for less)\"}"
/* Sends a short text as a frame if the socket has room at once; otherwise it is lost. Needs no memory and no rs_frames. */
void rs_frame_send(int fd, const char *text);

#endif
