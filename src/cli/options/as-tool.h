/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * as-tool.h - the options of the tools that people know, for the wrappers in scripts/
 *
 *	ringside iosnoop --as iosnoop -s -d 8,0 5
 * becomes
 *	ringside iosnoop --as=iosnoop --starts --dev=8,0 --duration=5
 *
 * Long options of ringside and what follows "--" pass as they are.
 */
#ifndef RS_CLI_OPTIONS_AS_TOOL_H
#define RS_CLI_OPTIONS_AS_TOOL_H

#include "base/buf.h"
#include "base/error.h"

/*
 * rs_as_tool - where argv[1] is --as, puts translated words in argv's place, and
 * *owned is to be freed; otherwise leaves all as it is. takes: the
 * view's options, a list with commas; only these are named where a letter is refused.
 */
int rs_as_tool(int *argc, char ***argv, const char *takes, char ***owned, struct rs_error *err);

/* What -h says of the tool: its options, and those that cannot be had. view: whose they become. */
void rs_as_tool_help(const char *tool, const char *view, struct rs_buf *out);

#endif
