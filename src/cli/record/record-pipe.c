// SPDX-License-Identifier: GPL-2.0-or-later
/* record-pipe - record -o -: a trace.dat on standard output */
#include "cli/record/record-pipe.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/out.h"
#include "recording/unpack.h"

#define RECORD_PIPE_BYTES (256u << 10)

struct rs_tracedat_writer *rs_record_pipe_open(unsigned int nr_cpus, size_t page_bytes, struct rs_error *err)
{
	if (!isatty(STDOUT_FILENO))
		return rs_tracedat_writer_open_nameless(rs_unpack_folder(), nr_cpus, page_bytes, err);
	rs_fail_usage(err, "cannot record to a terminal (name a file with -o)");
	return NULL;
}

int rs_record_pipe_copy(const struct rs_tracedat_writer *writer, struct rs_error *err)
{
	int fd = rs_tracedat_writer_dup(writer);
	struct rs_buf out = RS_BUF_INIT;
	ssize_t n = 1;

	for (off_t at = 0; fd >= 0 && n > 0 && err->status == RS_OK && !rs_out_closed(); at += n) {
		char *room = rs_buf_room(&out, RECORD_PIPE_BYTES);

		n = room ? pread(fd, room, RECORD_PIPE_BYTES, at) : -1;
		if (n <= 0)
			break;
		rs_buf_wrote(&out, room + n);
		rs_out(&out, err);
	}
	if (fd < 0 || n < 0)
		rs_fail(err, "cannot read what was recorded: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	rs_buf_done(&out);
	return err->status == RS_OK ? 0 : -1;
}
