// SPDX-License-Identifier: GPL-2.0-or-later
/* interrupt - Ctrl-C, SIGTERM and SIGHUP end a long job in good order; the second one kills */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupt_signal;

static void interrupt_on_signal(int sig)
{
	interrupt_signal = sig;
}

void rs_interrupt_watch(void)
{
	struct sigaction action = { .sa_handler = interrupt_on_signal, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

bool rs_interrupt_came(void)
{
	return interrupt_signal != 0;
}
