/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * protocol.h - the numbers of docs/protocol.md that both ends go by
 */
#ifndef RS_RPC_PROTOCOL_H
#define RS_RPC_PROTOCOL_H

#define RS_PROTOCOL 1
#define RS_MAX_OPEN_REQUESTS 32
#define RS_MAX_UNREAD_BYTES (32u << 20) /* of one client; then it is dropped */
#define RS_MAX_UNREAD_SECONDS 10
#define RS_HELLO_SECONDS 5              /* who has connected says hello within */
#define RS_MAX_CLIENTS_OF_ONE 32        /* connections of one user; root and the owner have no such bound */

#endif
