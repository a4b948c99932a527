/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ends.h - both ends of a socket as text, as strace -yy has it: "TCP:[10.0.0.1:5000->10.0.0.2:80]",
 * "TCPv6:[[::1]:5000->[::1]:80]", where it is not connected "UDP:[0.0.0.0:53]"
 */
#ifndef RS_BASE_ENDS_H
#define RS_BASE_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_ENDS_TEXT_BYTES 160 /* of the longest text, and more */

enum { RS_ENDS_LOCAL, RS_ENDS_REMOTE };

/*
 * Addresses as IPv6 (IPv4 is ::ffff:a.b.c.d). Port 0 of the remote end: it is not connected, and that
 * address is 0.0.0.0 or ::.
 */
struct rs_ends {
	uint8_t addr[2][16];
	uint16_t port[2];
};

/* protocol: "TCP". Calls nothing that allocates. Returns buf: RS_ENDS_TEXT_BYTES. */
const char *rs_ends_text(const char *protocol, const struct rs_ends *ends, char *buf);
/* Returns false if the text is none of that protocol's. */
bool rs_ends_parse(const char *text, const char *protocol, struct rs_ends *ends);

#endif
