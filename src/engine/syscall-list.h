/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syscall-list.h - is there such a system call, and which one was meant?
 */
#ifndef RS_ENGINE_SYSCALL_LIST_H
#define RS_ENGINE_SYSCALL_LIST_H

#include "source/source.h"

/*
 * rs_syscall_is_known - pattern: a name, or one with * and ?. Calls of other architectures are known too, for a 32-bit
 * program makes them. False: near, of size bytes, has the name that was most likely meant, "" none. Where the
 * recording's architecture is not known, every name may be one.
 */
bool rs_syscall_is_known(const struct rs_trace_info *info, const char *pattern, char *near, size_t size);

#endif
