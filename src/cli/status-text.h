/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status-text.h - the daemon's account of itself, for a person or a program
 */
#ifndef RS_CLI_STATUS_TEXT_H
#define RS_CLI_STATUS_TEXT_H

#include "rpc/protocol.h"

void rs_status_text(const struct rs_status_reply *status, struct rs_buf *out);
void rs_status_text_json(const struct rs_status_reply *status, struct rs_buf *out); /* one line */

#endif
