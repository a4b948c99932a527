// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay.c - runs a fuzzer's inputs without libFuzzer: replay-NAME FILE...
 *
 * For compilers that have none, for valgrind, and to look at one input in a debugger.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static bool replay(const char *path)
{
	struct rs_buf b = RS_BUF_INIT;
	FILE *f = fopen(path, "rb");
	char piece[4096];
	size_t n;
	bool ok;

	if (!f) {
		perror(path);
		return false;
	}
	while ((n = fread(piece, 1, sizeof piece, f)) > 0)
		rs_buf_add(&b, piece, n);
	ok = !ferror(f) && !b.failed;
	fclose(f);
	if (ok)
		LLVMFuzzerTestOneInput((const uint8_t *)b.data, b.len);
	rs_buf_done(&b);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = argc > 1;

	for (int i = 1; i < argc; i++)
		ok = replay(argv[i]) && ok;
	printf("%d inputs replayed\n", argc - 1);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
