/* SPDX-License-Identifier: GPL-2.0-or-later */
/* short-cmdline.h - a process told from others of its name, by a short form of its command line */
#ifndef RS_ENGINE_SHORT_CMDLINE_H
#define RS_ENGINE_SHORT_CMDLINE_H

#include <stddef.h>
#include <stdint.h>

#include "model/short-args.h"

struct rs_ctx;
struct rs_session;

/*
 * Writes "python3 server.py" of a process where another of its name, comm, was seen in the session or in its
 * initial task snapshot: see model/short-args.h. Secrets are masked as in rs_task_args, untrusted bytes.
 * NULL: no other has its name, its command line is not known, or tells nothing. Walks all tasks: for what is
 * shown, not for each event. buf: RS_SHORT_ARGS_BYTES are enough.
 */
const char *rs_short_cmdline(struct rs_ctx *c, int32_t pid, const char *comm, char *buf, size_t size_bytes);
/* Likewise of all processes of its name that run its program. NULL also where all others run that. */
const char *rs_short_cmdline_of_all(struct rs_ctx *c, int32_t pid, const char *comm, char *buf,
				    size_t size_bytes);

/*
 * Writes what tells a process from others of its name in every recording, whoever else is in this one: see
 * rs_short_args_lasting. comm: its name. NULL: nothing does, its command line is not known, or the process
 * has another name by now.
 */
const char *rs_short_cmdline_lasting(const struct rs_session *s, int32_t pid, const char *comm, char *buf,
				     size_t size_bytes);

#endif
