/* SPDX-License-Identifier: GPL-2.0-or-later */
/* channel.h - one descriptor at one side of a link: what was read of it, and what is to be written to it */
#ifndef RS_LINK_CHANNEL_H
#define RS_LINK_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

#define RS_LINK_CHANNELS 40 /* the connection, and what its requests in flight have passed */

struct rs_channel {
	bool used;
	bool is_file;                /* a file or a pipe, at the client's side */
	bool reads;                  /* it is a socket here */
	/* the other side has closed it: once all is written, it is closed here */
	bool at_end;
	uint32_t number;
	int fd;                      /* owned */
	uint32_t sent_bytes;         /* to the other side, and not passed on there as far as it is known */
	struct rs_buf out;
	size_t out_at;               /* written so far */
	int pass_fd;                 /* owned: goes with the byte at pass_at of .out; -1: none */
	size_t pass_at;
};

struct rs_channels {
	struct rs_channel at[RS_LINK_CHANNELS]; /* the first is the connection */
	uint32_t last;               /* the highest number so far */
};

/* Takes the connection's socket. */
void rs_channels_init(struct rs_channels *channels, int socket_fd);
void rs_channels_done(struct rs_channels *channels);

/*
 * number: higher than any before. Takes fd, unless it returns NULL: there is no place, or it is not higher
 */
struct rs_channel *rs_channel_add(struct rs_channels *channels, uint32_t number, int fd,
					    bool is_file);
struct rs_channel *rs_channel_find(struct rs_channels *channels, uint32_t number);
void rs_channel_close(struct rs_channel *c);

/* To be written. Returns false if it is more than the window, or there is no memory. */
bool rs_channel_put(struct rs_channel *c, const void *bytes, size_t len);
/* Takes fd, which goes along with what is put next. */
void rs_channel_pass(struct rs_channel *c, int fd);
size_t rs_channel_waiting(const struct rs_channel *c);

/* How many bytes were written; 0: there is no room. -1: it takes nothing more. Files are waited for. */
ssize_t rs_channel_write(struct rs_channel *c);
/* Likewise; -1: nothing is there now; 0: its end. passed_fd: came along, the caller's; -1: none */
ssize_t rs_channel_read(struct rs_channel *c, void *bytes, size_t size_bytes, int *passed_fd);

/* Is it no socket? */
bool rs_channel_is_file(int fd);

#endif
