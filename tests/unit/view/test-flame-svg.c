// SPDX-License-Identifier: GPL-2.0-or-later
/* test-flame-svg - stacks as a picture for a browser, and folded */
#include <ctype.h>
#include <stdlib.h>

#include "formatted.h"
#include "model/named-stacks.h"
#include "view/flame-svg.h"

enum { STACK_COMM, STACK_STACK, STACK_MODULES, STACK_SELF };

static uint32_t no_stack(const struct rs_ctx *c, const struct rs_group *g)
{
	return 0;
}

static const struct rs_column columns[] = {
	[STACK_COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, "the process" },
	[STACK_STACK] = { "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "functions", .stack = no_stack },
	[STACK_MODULES] = { "modules", "MODULES", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "theirs", .stack = no_stack, .of_modules = true },
	[STACK_SELF] = { "self", "SELF", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 0, "samples" },
	{ 0 },
};

static const struct rs_view view = { .name = "stacks", .summary = "stacks <that> run", .kind = RS_VIEW_TABLE, .columns = columns, .sort = "-self" };

struct stack {
	const char *comm, *stack, *modules;
	uint64_t self;
};

/* Valid until the next one. */
static const char *print(const char *format, const struct stack *stacks)
{
	struct rs_printer *p = formatted_printer(&view, &(struct rs_formatter_options){ .format = format, .aside = &formatted_aside });

	for (; stacks->stack; stacks++)
		rs_printer_sink(p)->row(rs_printer_sink(p), (struct rs_value[]){ rs_s(stacks->comm), rs_s(stacks->stack), rs_s(stacks->modules), rs_u(stacks->self) });
	rs_printer_finish(p);
	rs_printers_quality(&p, 1, "stacks", &formatted_quality);
	rs_printer_free(p);
	return formatted_out.data;
}

/* Likewise, of rows that have numbers of stacks. The first name of a stack is its function, and its module. */
static const char *print_by_number(const struct stack *stacks)
{
	struct rs_printer *p = formatted_printer(&view, &(struct rs_formatter_options){ .format = "svg", .aside = &formatted_aside });
	struct rs_sink *sink = rs_printer_sink(p);

	for (; stacks->stack; stacks++) {
		char functions[64], modules[64], *of_functions, *of_modules;
		struct rs_value stack = { .s = "", .known = true };

		strcpy(functions, stacks->stack);
		strcpy(modules, stacks->modules);
		for (const char *function = strtok_r(functions, ";", &of_functions), *module = strtok_r(modules, ";", &of_modules); function;
		     function = strtok_r(NULL, ";", &of_functions), module = strtok_r(NULL, ";", &of_modules))
			stack.stack = rs_named_stacks_add(sink->stacks, stack.stack, function, module);
		sink->row(sink, (struct rs_value[]){ rs_s(stacks->comm), stack, stack, rs_u(stacks->self) });
	}
	rs_printer_finish(p);
	rs_printer_free(p);
	return formatted_out.data;
}

static unsigned int count(const char *text, const char *of)
{
	unsigned int nr = 0;

	for (; (text = strstr(text, of)); text += strlen(of))
		nr++;
	return nr;
}

#define HAS(text, part) ck_assert_msg(strstr(text, part), "no %s in %s", part, text)

/* sh 10: main 10: read 6, write 3, itself 1. */
START_TEST(frames)
{
	const char *svg = print("svg", (const struct stack[]){ { "sh", "main;read", "sh;libc.so", 6 }, { "sh", "main;write", "sh;[kernel]", 3 }, { "sh", "main", "sh", 1 }, { 0 } });

	HAS(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\"");
	HAS(svg, "stacks &lt;that&gt; run</text>");
	HAS(svg, "10 samples, 5 frames</text>");
	HAS(svg, "data-x=\"0.0000\" data-w=\"60.0000\" data-d=\"3\" data-n=\"read\" data-t=\"read libc.so\"><title>read (libc.so)\n6 samples, 60.00 %; self 60.00 %</title>"
		 "<rect x=\"0.0000%\" width=\"60.0000%\" y=\"116\" height=\"17\" rx=\"2\"/><text dx=\"3\" x=\"0.0000%\" y=\"129\">read</text></g>");
	HAS(svg, "<g class=\"f k\" data-x=\"60.0000\" data-w=\"30.0000\" data-d=\"3\" data-n=\"write\"");
	HAS(svg, "<title>main (sh)\n10 samples, 100.00 %; self 10.00 %</title>");
	ck_assert_uint_eq(count(svg, "<g class="), 5);
	ck_assert_uint_eq(count(svg, "</svg>"), 1);
	HAS(formatted_aside.data, "lost 0");
}
END_TEST

/* main: read is 80 of 100 samples on A, 20 of 200 on B; write 20 and 180. Colors are of shares, whatever the numbers. */
START_TEST(a_difference)
{
	static const struct { const char *text; enum rs_frame_side side; uint64_t weight; } stacks[] = {
		{ "main;read", RS_FRAME_BEFORE, 80 }, { "main;write", RS_FRAME_BEFORE, 20 },
		{ "main;read", RS_FRAME_SHOWN, 20 }, { "main;write", RS_FRAME_SHOWN, 180 },
	};
	struct rs_frame_tree *tree = rs_frame_tree_new();
	struct rs_buf out = RS_BUF_INIT;

	for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++)
		rs_frame_tree_add_stack(tree, &(struct rs_frame_stack){ .text = stacks[i].text, .side = stacks[i].side, .weight = stacks[i].weight });
	ck_assert(rs_frame_tree_finish(tree));
	rs_flame_svg_put(&out, &(struct rs_flame_svg){ .tree = tree, .title = "a <b>", .is_difference = true });
	HAS(out.data, "a &lt;b&gt;</text>");
	HAS(out.data, "100 samples on A, 200 samples on B");
	HAS(out.data, "<g class=\"f same\" data-x=\"0.0000\" data-w=\"100.0000\" data-d=\"1\" data-n=\"main\"");
	HAS(out.data, "<g class=\"f less4\" data-x=\"55.0000\" data-w=\"45.0000\" data-d=\"2\" data-n=\"read\"");
	HAS(out.data, "80.00 % on A, 10.00 % on B: 70.00 points less");
	HAS(out.data, "<g class=\"f more4\" data-x=\"0.0000\" data-w=\"55.0000\" data-d=\"2\" data-n=\"write\"");
	HAS(out.data, "20.00 % on A, 90.00 % on B: 70.00 points more");
	rs_buf_done(&out);
	rs_frame_tree_free(tree);
}
END_TEST

/* Frames of one weight stand in the order of the rows, which are in that of the texts of their stacks, then of the modules. */
START_TEST(numbers_are_as_texts)
{
	static const struct stack stacks[] = {
		{ "sh", "main;write", "sh;libc.so", 2 }, { "sh", "main;read;x", "sh;sh;sh", 2 }, { "sh", "main;read", "sh;libc.so", 2 },
		{ "sh", "main;read", "sh;a.so", 2 }, { "sh", "main b;read", "sh;libc.so", 2 }, { "ls", "main;write", "ls;libc.so", 2 },
		{ "ls", "main", "ls", 9 }, { 0 },
	};
	char *by_number = strdup(print_by_number(stacks));

	rs_buf_clear(&formatted_out);
	ck_assert_str_eq(by_number, print("svg", stacks));
	HAS(by_number, "21 samples, 13 frames</text>");
	free(by_number);
}
END_TEST

/* Any process chooses its name, any file its symbols. The script stands in a CDATA section: no name does. */
START_TEST(hostile_names)
{
	const char *svg = print("svg", (const struct stack[]){ { "a\"b,\x1b[2J", "</title><script>x</script>;]]>&", "\xff;<m>", 1 }, { 0 } });

	HAS(svg, "&lt;/title&gt;&lt;script&gt;x&lt;/script&gt;");
	HAS(svg, "a&quot;b,\\x1B[2J");
	HAS(svg, "]]&gt;&amp; &lt;m&gt;");
	ck_assert_uint_eq(count(svg, "<script>"), 1);
	ck_assert_uint_eq(count(svg, "]]>"), 1);
}
END_TEST

/* 1 of 30,000 is less than a 20,000th: left out, and said. */
START_TEST(narrow_frames_are_left_out)
{
	const char *svg = print("svg", (const struct stack[]){ { "sh", "main", "sh", 29999 }, { "sh", "rare", "sh", 1 }, { 0 } });

	HAS(svg, "30,000 samples, 3 frames (1 of less than 0.005 % are left out)");
	ck_assert_ptr_null(strstr(svg, "rare"));
}
END_TEST

START_TEST(long_names_are_cut)
{
	/* a tenth of 1200: 17 characters of 7 */
	const char *svg = print("svg", (const struct stack[]){ { "sh", "a_function_of_a_long_name", "sh", 1 }, { "sh", "b", "sh", 9 }, { 0 } });

	HAS(svg, ">a_function_of_a..</text>");
	HAS(svg, "<title>a_function_of_a_long_name (sh)");
}
END_TEST

START_TEST(nothing)
{
	const char *svg = print("svg", (const struct stack[]){ { 0 } });

	HAS(svg, "0 samples, 0 frames");
	ck_assert_ptr_null(strstr(svg, "<script>"));
	HAS(svg, "</svg>");
}
END_TEST

START_TEST(a_view_without_stacks)
{
	struct rs_error err = { 0 };

	ck_assert_ptr_null(rs_printer_new(&formatted_table, &(struct rs_formatter_options){ .format = "svg" }, &formatted_out, &err));
	ck_assert_str_eq(err.text, "tasks: no stacks, which the format svg is of");
	ck_assert_int_eq(err.status, RS_USAGE);
}
END_TEST

/* What flamegraph.pl and speedscope take a line for: frames with a ; between, none empty, a blank, digits. */
static bool is_folded_line(const char *line, size_t len)
{
	size_t digits = 0;

	while (digits < len && isdigit((unsigned char)line[len - 1 - digits]))
		digits++;
	if (!digits || digits + 2 > len || line[len - 1 - digits] != ' ' || *line == ';' || line[len - 2 - digits] == ';')
		return false;
	for (size_t i = 0; i + 1 < len; i++)
		if (iscntrl((unsigned char)line[i]) || (line[i] == ';' && line[i + 1] == ';'))
			return false;
	return true;
}

START_TEST(folded)
{
	const char *text = print("folded", (const struct stack[]){ { "a;b 1\n2", "main;operator new(unsigned long) [clone]", "x;y", 3 }, { "", "main", "x", 2 }, { 0 } });

	ck_assert_str_eq(text, "a:b 1\\x0A2;main;operator new(unsigned long) [clone] 3\n[unknown];main 2\n");
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		ck_assert(is_folded_line(text, (size_t)(end - text)));
	HAS(formatted_aside.data, "lost 0");
}
END_TEST

Suite *rs_suite_flame_svg(void)
{
	Suite *s = suite_create("flame-svg");
	TCase *t = tcase_create("flame-svg");

	tcase_add_checked_fixture(t, formatted_set_up, formatted_clean_up);
	tcase_add_test(t, frames);
	tcase_add_test(t, a_difference);
	tcase_add_test(t, numbers_are_as_texts);
	tcase_add_test(t, hostile_names);
	tcase_add_test(t, narrow_frames_are_left_out);
	tcase_add_test(t, long_names_are_cut);
	tcase_add_test(t, nothing);
	tcase_add_test(t, a_view_without_stacks);
	tcase_add_test(t, folded);
	suite_add_tcase(s, t);
	return s;
}
