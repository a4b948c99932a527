/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status-text.h - the daemon's account of itself, for a person or a program
 */
#ifndef RS_CLI_STATUS_TEXT_H
#define RS_CLI_STATUS_TEXT_H

#include <cjson/cJSON.h>

#include "base/buf.h"

void rs_status_text(const cJSON *status, struct rs_buf *out);
void rs_status_text_json(const cJSON *status,
			 struct rs_buf *out); /* one line, without what is the protocol's */

#endif
