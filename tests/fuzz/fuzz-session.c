// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-session.c - a session over the recording that any bytes make: what must hold of every one holds
 *
 * Input: see tests/unit/trace-bytes.h; the formats are those of the kernels there.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../unit/trace-bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void broken(const char *what)
{
	fprintf(stderr, "%s\n", what);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	rs_check_bytes(data, len, broken);
	return 0;
}
