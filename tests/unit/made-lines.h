/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * made-lines.h - a trace of lines that are made one after the other
 *
 *	made_lines_begin();
 *	made_line("%u000 cpu0 sched_switch a/10 S -> idle/0", at_us);
 *	check_rows(FINDINGS, made_lines, ROWS("..."));
 */
#ifndef TESTS_MADE_LINES_H
#define TESTS_MADE_LINES_H

#define MADE_LINES_MAX 1300

extern const char *made_lines[MADE_LINES_MAX + 1]; /* ends with NULL */

void made_lines_begin(void);
__attribute__((format(printf, 1, 2))) void made_line(const char *format, ...);

#endif
