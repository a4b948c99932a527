// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * version - of ringside, of what plugins are checked against, and of the libraries in use
 */
#include <seccomp.h>
#include <zlib.h>
#include <zstd.h>

#include "base/message.h"
#include "cli/command.h"
#include "cli/out.h"

static enum rs_exit version_run(const struct rs_options *opt, struct rs_error *err)
{
	const struct scmp_version *seccomp = seccomp_version();
	struct rs_buf out = RS_BUF_INIT;

	rs_buf_printf(&out, "ringside %s, plugin ABI %d\n", RS_VERSION, RS_ABI);
	rs_buf_printf(&out, "libseccomp %u.%u.%u, libcjson %s, zlib %s, libzstd %s\n", seccomp->major,
		      seccomp->minor, seccomp->micro, rs_message_reader_version(), zlibVersion(),
		      ZSTD_versionString());
	return rs_out_end(&out, err);
}

const struct rs_command rs_command_version = {
	.name = "version", .summary = "versions of ringside and of its libraries", .options = "",
	.run = version_run,
};
