/* SPDX-License-Identifier: GPL-2.0-or-later */
/* syscall-list.h - whether a system call exists, and which one was probably meant */
#ifndef RS_ENGINE_SYSCALL_LIST_H
#define RS_ENGINE_SYSCALL_LIST_H

#include "source/source.h"

/*
 * rs_syscall_is_known - pattern: a name, or one with * and ?
 *
 * Calls of other architectures are known, too, for 32-bit programs make them. False: near, of size bytes, gets the
 * most similar name, or "". If the recording's architecture is not known, every name is accepted.
 */
bool rs_syscall_is_known(const struct rs_trace_info *info, const char *pattern, char *near, size_t size);

#endif
