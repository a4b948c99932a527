/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unix-ends.h - both ends of a Unix socket as text: their inodes, and the path that one of them is bound to
 *
 *	UNIX-STREAM:[4711->4712]                    a pair
 *	UNIX-STREAM:[4712->4711,"/run/x.sock"]      the server's, as strace -yy has it
 *	UNIX-STREAM:[4711->4712 "/run/x.sock"]      the client's: the path is the peer's
 *	UNIX-STREAM:[4710,"/run/x.sock"]            not connected
 *
 * A path begins with @ where it is abstract.
 */
#ifndef RS_BASE_UNIX_ENDS_H
#define RS_BASE_UNIX_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_UNIX_PATH_BYTES 109    /* sun_path, and its end */

struct rs_unix_ends {
	uint32_t inode, peer;      /* peer 0: not connected, or unknown */
	bool is_peers;             /* the path */
	char path[RS_UNIX_PATH_BYTES]; /* "": none */
};

/*
 * type: SOCK_STREAM ...; another: "UNIX:[". Calls nothing that allocates. Returns the length; 0: buf is too
 * small.
 */
size_t rs_unix_ends_text(int type, const struct rs_unix_ends *ends, char *buf, size_t size_bytes);
/* Returns false if the text is of no Unix socket. */
bool rs_unix_ends_parse(const char *text, struct rs_unix_ends *ends);

#endif
