// SPDX-License-Identifier: GPL-2.0-or-later
/* slice - reads --slice TID@TIME: what a thread of a recording was in at a time, "4242@1.5" */
#include "cli/options/slice.h"

#include <stdlib.h>

int rs_slice_ask(struct rs_options *opt, struct rs_error *err)
{
	char *end;
	unsigned long tid = strtoul(opt->slice, &end, 10);

	if (*opt->slice < '1' || *opt->slice > '9' || *end != '@' || tid > INT32_MAX ||
	    !rs_moment_parse(end + 1, "s", &opt->slice_at)) {
		rs_fail_usage(err,
			      "--slice '%.60s': write it as TID@TIME, a thread and a time as --from takes it",
			      opt->slice);
		return -1;
	}
	if (!opt->input) {
		rs_fail_usage(err, "--slice is of a recording: name it with -i FILE");
		return -1;
	}
	opt->asked_why = (struct rs_time_asked){ .kind = RS_ASKED_SLICE, .tid = (int32_t)tid };
	return 0;
}
