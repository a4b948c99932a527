/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guardian-rights.h - what a guardian keeps of root's rights: it lives as long as the session, and answers
 * the engine
 */
#ifndef RS_TRACEFS_GUARDIAN_RIGHTS_H
#define RS_TRACEFS_GUARDIAN_RIGHTS_H

#include <stdbool.h>

/*
 * Gives up all capabilities but those that removing an instance and, if answers, the engine's requests need,
 * and refuses all system calls but theirs, for good. The user stays: tracefs is root's. Allocates nothing.
 * What the kernel cannot do is left out: a guardian with too many rights still removes the instance.
 */
void rs_guardian_rights_limit(bool answers);

#endif
