// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input.h"

#include <unistd.h>

#include "cli/progress.h"
#include "source/unpack.h"

static void input_step(void *arg, uint64_t done_bytes, uint64_t all_bytes)
{
	struct rs_progress *line = arg;

	if (rs_progress_due(line))
		rs_progress_show(line, "unpacking: %3u %%  %llu of %llu MB",
				 (unsigned int)(all_bytes ? (double)done_bytes * 100 / (double)all_bytes : 100),
				 (unsigned long long)done_bytes / 1000000, (unsigned long long)all_bytes / 1000000);
}

int rs_input_open(struct rs_options *opt, struct rs_error *err)
{
	struct rs_progress line;
	const struct rs_unpack_progress progress = { input_step, &line };
	int fd, ret;

	if (opt->input_fd)
		return 0;
	rs_progress_init(&line, opt->quiet);
	ret = rs_unpack_open(opt->input, &progress, &fd, err);
	rs_progress_done(&line);
	if (fd > 0)
		opt->input_fd = fd;
	return ret;
}

void rs_input_close(struct rs_options *opt)
{
	if (opt->input_fd > 0)
		close(opt->input_fd);
	opt->input_fd = 0;
}
