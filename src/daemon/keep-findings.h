/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keep-findings.h - the findings of a recording that is kept, beside it: STEM.findings.txt and .json
 *
 * "findings" among the formats of --keep-as: as `ringside findings -i STEM.dat` prints them, and an object a
 * line as with --json, for who looks at an incident first, or collects them.
 */
#ifndef RS_DAEMON_KEEP_FINDINGS_H
#define RS_DAEMON_KEEP_FINDINGS_H

#include "daemon/keep-folder.h"
#include "rpc/protocol.h"

#define RS_KEEP_FINDINGS "findings"
#define RS_KEEP_FINDINGS_TEXT ".findings.txt"
#define RS_KEEP_FINDINGS_JSON ".findings.json"

struct rs_keep_findings {
	const struct rs_wire_alarm *alarms; /* what fired: the first lines of the text */
	size_t nr_alarms;
	bool has_recording;                 /* STEM.dat is kept, too: commands are of it */
	const struct rs_findings_reply *reply;
};

/* -1: a file is not whole. */
int rs_keep_findings_write(struct rs_keep_folder *f, const char *stem, const struct rs_keep_findings *k,
			   struct rs_error *err);

#endif
