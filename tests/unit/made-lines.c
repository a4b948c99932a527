// SPDX-License-Identifier: GPL-2.0-or-later
#include "made-lines.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>

const char *made_lines[MADE_LINES_MAX + 1];

static char made_text[MADE_LINES_MAX][128];
static unsigned int nr_made;

void made_lines_begin(void)
{
	nr_made = 0;
	made_lines[0] = NULL;
}

void made_line(const char *format, ...)
{
	va_list args;

	ck_assert_uint_lt(nr_made, MADE_LINES_MAX);
	va_start(args, format);
	ck_assert_int_lt(vsnprintf(made_text[nr_made], sizeof *made_text, format, args), (int)sizeof *made_text);
	va_end(args);
	made_lines[nr_made] = made_text[nr_made];
	made_lines[++nr_made] = NULL;
}
