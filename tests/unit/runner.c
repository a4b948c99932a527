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

/* libcheck's own, by the linker's --wrap. */
void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);

/*
 * Each assertion that holds is written to a file, to tell where a test was when it crashed: one that compares in
 * loops writes millions of times. So a line is written when it comes, and then each 1024th time.
 */
void __wrap__mark_point(const char *file, int line)
{
	static _Thread_local struct { const char *file; int line; unsigned int nr; } marks[256];
	unsigned int i = (unsigned int)line % 256;

	if (marks[i].file == file && marks[i].line == line && ++marks[i].nr % 1024)
		return;
	marks[i].file = file;
	marks[i].line = line;
	__real__mark_point(file, line);
}

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
