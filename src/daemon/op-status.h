/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * op-status.h - the answer of "status", and of what changes what it tells
 */
#ifndef RS_DAEMON_OP_STATUS_H
#define RS_DAEMON_OP_STATUS_H

#include "daemon/op.h"

int rs_put_status(struct rs_job *job, struct rs_error *err);

#endif
