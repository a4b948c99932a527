/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unix-diag.h - what the kernel tells of a Unix socket by its inode, as it tells ss: its peer and its path
 *
 * Of the network namespace that the descriptor was opened in. Where the kernel has no unix_diag, nothing is
 * told. Calls nothing that allocates: for a guardian.
 */
#ifndef RS_TRACEFS_UNIX_DIAG_H
#define RS_TRACEFS_UNIX_DIAG_H

#include "base/unix-ends.h"

/* Returns a descriptor, or -1. A guardian opens it before it gives up the right to. */
int rs_unix_diag_open(void);
/* Returns false if there is no such socket there, or nobody tells. *ends: of that socket itself. */
bool rs_unix_diag_ask(int diag_fd, uint32_t inode, int *type, struct rs_unix_ends *ends);

#endif
