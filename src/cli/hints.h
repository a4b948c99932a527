/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hints.h - what other tools call a command, and what does the same here
 */
#ifndef RS_CLI_HINTS_H
#define RS_CLI_HINTS_H

/* "irqs --type irq" for "hardirqs"; NULL: no such tool is known. */
const char *rs_hint(const char *word);

#endif
