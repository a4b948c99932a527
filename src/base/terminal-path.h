/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminal-path.h - is a link in /proc/PID/fd that of a terminal? */
#ifndef RS_BASE_TERMINAL_PATH_H
#define RS_BASE_TERMINAL_PATH_H

#include <stdbool.h>
#include <string.h>

/* path need not be terminated */
static inline bool rs_is_terminal_path(const char *path, size_t len)
{
	static const char *const begins[] = { "/dev/pts/", "/dev/tty", "/dev/console", "/dev/hvc" };

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (len >= strlen(begins[i]) && !strncmp(path, begins[i], strlen(begins[i])))
			return true;
	return false;
}

#endif
