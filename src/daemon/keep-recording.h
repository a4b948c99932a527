/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keep-recording.h - the files of a recording that is kept: the time around what fired, and why
 *
 *	struct rs_keep_recording k = { client, &folder, formats, before_ns, after_ns, offset, alarms, nr };
 *	rs_keep_recording_save(&k, stem, &err);         // STEM.dat, STEM.findings.txt, STEM.json: all or none
 */
#ifndef RS_DAEMON_KEEP_RECORDING_H
#define RS_DAEMON_KEEP_RECORDING_H

#include "daemon/keep-folder.h"
#include "rpc/client.h"

#define RS_KEEP_FORMATS 8
#define RS_KEEP_FILE (RS_KEEP_STEM + 32)

struct rs_keep_recording {
	struct rs_client *client;
	struct rs_keep_folder *folder;
	const char *const *formats;       /* of "save", and "findings"; ends with NULL */
	uint64_t before_ns, after_ns;
	struct rs_value realtime_offset_ns;
	const struct rs_wire_alarm *alarms; /* what fired: one at least */
	size_t nr_alarms;
	struct rs_error missing;          /* set: why there are no findings beside it */
};

/* The caller finishes the stem, or drops it: -1 with err. Returns once the daemon has written them. */
int rs_keep_recording_save(struct rs_keep_recording *k, const char *stem, struct rs_error *err);
/* The file of the first format. */
void rs_keep_recording_file(const struct rs_keep_recording *k, const char *stem, char file[RS_KEEP_FILE]);

#endif
