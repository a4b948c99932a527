/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why-code.h - the function that most samples of a row's time on a CPU are in */
#ifndef RS_PLUGINS_PARTS_WHY_CODE_H
#define RS_PLUGINS_PARTS_WHY_CODE_H

#include "ringside/plugin.h"

/* "compress libz.so.1 83 %"; null: not of time on a CPU by part, of one call, or too few samples. */
struct rs_value rs_why_code(struct rs_ctx *c, const struct rs_group *g, char *buf);

#endif
