/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interrupt.h - Ctrl-C, SIGTERM and SIGHUP end a long job in good order; the second one kills */
#ifndef RS_CLI_INTERRUPT_H
#define RS_CLI_INTERRUPT_H

#include <stdbool.h>

void rs_interrupt_watch(void);
/* Returns true once one of these signals has come. */
bool rs_interrupt_came(void);

#endif
