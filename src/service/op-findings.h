/* SPDX-License-Identifier: GPL-2.0-or-later */
/* op-findings.h - a finding as the protocol's message, which is its JSON everywhere */
#ifndef RS_SERVICE_OP_FINDINGS_H
#define RS_SERVICE_OP_FINDINGS_H

#include "base/json.h"
#include "model/finding-list.h"

void rs_op_findings_put(struct rs_json *j, const struct rs_finding_item *f);

#endif
