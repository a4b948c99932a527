/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h - amounts that people write on the command line and in a file of options: bytes, percents
 */
#ifndef RS_CLI_PARSE_H
#define RS_CLI_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* "256M", "30s", "1G,60s": each set if it is said. -1: wrong usage, err names `what`. */
int rs_parse_window(const char *what, const char *text, size_t *bytes, uint64_t *ns, struct rs_error *err);

/* "256M", 4K to 1T. */
int rs_parse_size(const char *what, const char *text, uint64_t *bytes, struct rs_error *err);

/* "5%", "2.5": thousandths of the whole. */
int rs_parse_percent(const char *what, const char *text, unsigned int *milli, struct rs_error *err);

#endif
