/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc-args.h - the arguments of a process that still runs what it was seen to begin
 */
#ifndef RS_SOURCE_PROC_ARGS_H
#define RS_SOURCE_PROC_ARGS_H

#include <stddef.h>
#include <stdint.h>

/*
 * rs_proc_args - the words of /proc/PID/cmdline with a space between, always
 * terminated; returns the length. 0 where the process has gone, may not be
 * looked at, or is not called comm any more: then it may run something else
 * by now, and these would be another program's words. The bytes are hostile.
 */
size_t rs_proc_args(int32_t pid, const char *comm, char *buf, size_t size_bytes);

#endif
