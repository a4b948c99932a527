// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * runner - runs every suite of tests/unit/test-*.c
 *
 * CK_RUN_SUITE=name runs one, CK_FORK=no stays in one process (for gdb).
 */
#include <check.h>
#include <stdlib.h>

extern Suite *(*const rs_suites[])(void);

int main(void)
{
	SRunner *runner = srunner_create(NULL);
	int failed;

	for (int i = 0; rs_suites[i]; i++)
		srunner_add_suite(runner, rs_suites[i]());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
