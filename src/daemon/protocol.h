/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * protocol.h - the numbers of docs/protocol.md that both ends go by
 */
#ifndef RS_DAEMON_PROTOCOL_H
#define RS_DAEMON_PROTOCOL_H

#define RS_PROTOCOL 1
#define RS_MAX_OPEN_REQUESTS 32
#define RS_MAX_UNREAD_BYTES (32u << 20) /* of one client; then it is dropped */
#define RS_MAX_UNREAD_SECONDS 10

#endif
