// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * runner [K/N] - runs every suite of the files test-*.c, or every Nth from the Kth on
 *
 * CK_RUN_SUITE=name runs one, CK_FORK=no stays in one process (for gdb).
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

extern Suite *(*const rs_suites[])(void);

int main(int argc, char **argv)
{
	SRunner *runner = srunner_create(NULL);
	unsigned int first = 1, step = 1;
	int failed, nr_run;

	if (argc > 1 && (sscanf(argv[1], "%u/%u", &first, &step) != 2 || !first || first > step)) {
		fprintf(stderr, "usage: %s [K/N]\n", argv[0]);
		return EXIT_FAILURE;
	}
	for (unsigned int i = 0; rs_suites[i]; i++)
		if (i % step == first - 1)
			srunner_add_suite(runner, rs_suites[i]());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	nr_run = srunner_ntests_run(runner);
	srunner_free(runner);
	if (!nr_run)
		fprintf(stderr, "no test was run: CK_RUN_SUITE takes the name that suite_create() has\n");
	return failed || !nr_run ? EXIT_FAILURE : EXIT_SUCCESS;
}
