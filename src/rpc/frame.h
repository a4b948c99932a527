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
	int fd;                   /* owned */
	size_t max_bytes;         /* of a received frame */
	struct rs_buf in, out;
	size_t in_at, out_at;     /* taken, and written, so far */
	int passed_fd;            /* came with a frame; -1: none. The taker sets it to -1 */
	int to_pass_fd;           /* goes with the next byte written, and is closed then; -1: none */
};

void rs_frames_init(struct rs_frames *f, int fd, size_t max_bytes);
void rs_frames_done(struct rs_frames *f);

/* Returns -1 if the other end has closed (err is not set), or breaks the protocol (err is set). */
int rs_frames_read(struct rs_frames *f, struct rs_error *err);
/* Returns the next whole frame, terminated and valid until the next call; NULL: none yet, or err is set. */
const char *rs_frames_next(struct rs_frames *f, size_t *len, struct rs_error *err);
/* fd: to pass along, duplicated; -1: none. Returns false without memory. */
bool rs_frames_put(struct rs_frames *f, const char *text, size_t len, int fd);
int rs_frames_write(struct rs_frames *f, struct rs_error *err);
/* The process at the other end; of a socketpair, the one that made it. 0: unknown. */
pid_t rs_frames_pid(const struct rs_frames *f);
static inline size_t rs_frames_waiting(const struct rs_frames *f) { return f->out.len - f->out_at; }

/* The error without memory for a longer one. */
#define RS_FRAME_NO_MEMORY \
	"{\"event\":\"failed\",\"error\":\"the engine: out of memory (free memory, or ask for less)\"}"
/*
 * Sends a short text as a frame if the socket has room at once; otherwise it is lost. Needs no memory and no
 * rs_frames.
 */
void rs_frame_send(int fd, const char *text);
/* The event "failed", with why: to a client whose engine could not start, or is gone. */
void rs_frame_send_failed(int fd, const char *why);

#endif
