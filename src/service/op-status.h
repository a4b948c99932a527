/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * op-status.h - the answer to "status", and to requests that change the status
 */
#ifndef RS_SERVICE_OP_STATUS_H
#define RS_SERVICE_OP_STATUS_H

#include "service/op.h"

int rs_op_status_put(struct rs_job *job, struct rs_error *err);

#endif
