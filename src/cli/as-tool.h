/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * as-tool.h - the letters of the tools that people know, for the wrappers in scripts/
 *
 *	ringside iosnoop --as iosnoop -s -d 8,0 5
 * becomes
 *	ringside iosnoop --as=iosnoop --starts --dev=8,0 --duration=5
 *
 * Long options and what follows "--" pass as they are. To add a tool: rows.
 */
#ifndef RS_CLI_AS_TOOL_H
#define RS_CLI_AS_TOOL_H

#include "base/error.h"

/*
 * rs_as_tool - where argv[1] is --as, puts translated words in argv's place, and
 * owned is to be freed by rs_as_tool_free; otherwise leaves all as it is.
 */
int rs_as_tool(int *argc, char ***argv, char ***owned, struct rs_error *err);
void rs_as_tool_free(char **owned);

#endif
