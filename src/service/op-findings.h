/* SPDX-License-Identifier: GPL-2.0-or-later */
/* op-findings.h - a finding as the protocol's message, which is its JSON everywhere */
#ifndef RS_SERVICE_OP_FINDINGS_H
#define RS_SERVICE_OP_FINDINGS_H

#include "base/json.h"
#include "model/finding-list.h"
#include "rpc/protocol.h"

/* The texts that the message of a finding points to. */
struct rs_op_findings_room {
	struct rs_finding_evidence evidence[RS_MAX_EVIDENCE];
	struct rs_wire_word words[RS_PHRASE_PARTS];
	struct rs_wire_wait slowest;
	struct rs_phrase cause;
	char words_text[RS_PHRASE_SIZE + RS_PHRASE_PARTS];
	char text[RS_FINDING_TEXT], brief[RS_FINDING_TEXT], code[RS_FINDING_TEXT];
};

/* Makes the message; it lives as long as item and room. */
void rs_op_findings_fill(const struct rs_finding_item *f, struct rs_op_findings_room *room,
			 struct rs_wire_finding *to);
/* machine: of several, whose it is; NULL: there is one */
void rs_op_findings_put(struct rs_json *j, const char *machine, const struct rs_finding_item *f);
/* Of the message: the command that shows its first evidence. */
void rs_op_findings_put_command(const struct rs_wire_finding *f, struct rs_buf *out);

#endif
