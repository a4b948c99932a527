/* SPDX-License-Identifier: GPL-2.0-or-later */
/* close.h - closes a descriptor that may be absent (-1, or -errno), and makes it -1 */
#ifndef RS_BASE_CLOSE_H
#define RS_BASE_CLOSE_H

#include <unistd.h>

static inline void rs_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

#endif
