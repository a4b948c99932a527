// SPDX-License-Identifier: GPL-2.0-or-later
/* test-kallsyms - which variable or function of the kernel lies at an address */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "symbols/kallsyms.h"

static struct rs_buf text;

/* The name at addr, "-" for none; nr_more: variables far away, as a kernel with CONFIG_KALLSYMS_ALL names */
static const char *name_at(const char *lines, unsigned int nr_more, uint64_t addr)
{
	static char name[RS_KALLSYMS_TEXT];
	struct rs_kallsyms *s;

	text = (struct rs_buf)RS_BUF_INIT;
	rs_buf_puts(&text, lines);
	for (unsigned int i = 0; i < nr_more; i++)
		rs_buf_printf(&text, "%x D far_%u\n", 0x1000 + i * 16, i);
	s = rs_kallsyms_new(0, text.data, text.len, false);
	if (!rs_kallsyms_variable(s, addr, name, sizeof name))
		strcpy(name, "-");
	rs_kallsyms_free(s);
	rs_buf_done(&text);
	return name;
}

#define KERNEL \
	"ffffffff81000000 T _text\n" \
	"ffffffff82a06080 D tasklist_lock\n" \
	"ffffffff82a060c0 D rcu_state\n" \
	"ffffffff82b00000 t some_code\n" \
	"ffffffff82c00000 b futex_queues\t[module]\n" \
	"ffffffff82c10000 B _end\n"

START_TEST(at_and_below)
{
	ck_assert_str_eq(name_at(KERNEL, 2000, 0xffffffff82a06080), "tasklist_lock");
	ck_assert_str_eq(name_at(KERNEL, 2000, 0xffffffff82a06088), "tasklist_lock+0x8");
	ck_assert_str_eq(name_at(KERNEL, 2000, 0xffffffff82a06900), "rcu_state+0x840");
	ck_assert_str_eq(name_at(KERNEL, 2000, 0xffffffff82c00004), "futex_queues+0x4"); /* of a module */
	/* too far behind, in code, behind the kernel, before it, in the heap */
	ck_assert_str_eq(name_at(KERNEL, 2000, 0xffffffff82a160c0), "-");
	ck_assert_str_eq(name_at(KERNEL, 2000, 0xffffffff82b00010), "-");
	ck_assert_str_eq(name_at(KERNEL, 2000, 0xffffffff82c10000), "-");
	ck_assert_str_eq(name_at(KERNEL, 2000, 0xffff888004860970), "-");
	ck_assert_str_eq(name_at(KERNEL, 2000, 8), "-");
}
END_TEST

/* Without CONFIG_KALLSYMS_ALL most variables have no symbol: what lies behind one is another. */
START_TEST(few_variables)
{
	ck_assert_str_eq(name_at(KERNEL, 0, 0xffffffff82a06080), "tasklist_lock");
	ck_assert_str_eq(name_at(KERNEL, 0, 0xffffffff82a06088), "-");
}
END_TEST

START_TEST(order_and_several_names)
{
	/* not sorted, as modules are not; of two names at one address the kernel puts the better first */
	ck_assert_str_eq(name_at("2000 D second\n1000 D first\n1000 D __alias\n", 0, 0x1000), "first");
	/* a tail that is out of order: all of it above what is in order, and not */
	ck_assert_str_eq(name_at("1000 D a\n2000 D b\n9000 D z\n8000 D y\n8800 D x\n", 0, 0x8800), "x");
	ck_assert_str_eq(name_at("1000 D a\n3000 D c\n9000 D z\n2000 D b\n4000 D d\n", 0, 0x2000), "b");
	ck_assert_str_eq(name_at("1000 T code_too\n1000 D first\n", 0, 0x1000), "first");
}
END_TEST

/* Where a variable ends, though not all of the code is kept that may be there. */
START_TEST(code_is_an_end)
{
	static const char at_one_address[] = "ffffffff83783000 B begin\nffffffff83783000 t at_it\nffffffff83783010 t code\n"
					     "ffffffff83783020 t more\nffffffff83784000 D variable\nffffffff83784010 T code\n"
					     "ffffffff83784020 T more\n";
	static const char unsorted[] = "ffffffff83785000 T a\nffffffff83783000 T b\nffffffff83782000 D v\n";
	static const char module[] = "ffffffffc0002000 t a\t[m]\nffffffffc0003000 t b\t[m]\nffffffffc0002800 d v\t[m]\n";

	ck_assert_str_eq(name_at(at_one_address, 2000, 0xffffffff83783008), "begin+0x8");
	ck_assert_str_eq(name_at(at_one_address, 2000, 0xffffffff83783018), "-");
	ck_assert_str_eq(name_at(at_one_address, 2000, 0xffffffff83783028), "-");
	ck_assert_str_eq(name_at(at_one_address, 2000, 0xffffffff83784004), "variable+0x4");
	ck_assert_str_eq(name_at(at_one_address, 2000, 0xffffffff83784018), "-");
	ck_assert_str_eq(name_at(at_one_address, 2000, 0xffffffff83784028), "-");
	ck_assert_str_eq(name_at(unsorted, 2000, 0xffffffff83783008), "-");
	ck_assert_str_eq(name_at(module, 2000, 0xffffffffc0003008), "-");
	ck_assert_str_eq(name_at(module, 2000, 0xffffffffc0002808), "v+0x8");
}
END_TEST

START_TEST(hidden_or_broken)
{
	ck_assert_str_eq(name_at("0000000000000000 D tasklist_lock\n0000000000000000 D b\n", 2000, 0), "-");
	ck_assert_str_eq(name_at("", 0, 0x1000), "-");
	ck_assert_str_eq(name_at("zz D a\n1000\n1000 D\n1000 D \n1000  D b\n\n", 0, 0x1000), "-");
	ck_assert_str_eq(name_at("ffffffff82a0608g D bad\nffffffff82a0608/ D bad\nffffffff82a0608` D bad\n", 0, 0xffffffff82a06080), "-");
	ck_assert_str_eq(name_at("FFFFFFFF82A06080 D upper\n", 0, 0xffffffff82a06080), "upper");
	ck_assert_str_eq(name_at("0123456789abcdef D all_digits\n", 0, 0x0123456789abcdef), "all_digits");
	ck_assert_str_eq(name_at("1000 D cut_off", 0, 0x1000), "cut_off");
	ck_assert_str_eq(name_at("1000 A absolute\n", 0, 0x1000), "-");
	ck_assert_str_eq(name_at("1000 D ok\nfff", 0, 0x1000), "ok");
}
END_TEST

/* Live: a file that was opened with more rights than are left; read from its begin each time. */
START_TEST(from_a_descriptor)
{
	char path[] = "/tmp/ringside-kallsyms-XXXXXX", name[RS_KALLSYMS_TEXT];

	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	unlink(path);
	ck_assert_int_eq(write(fd, "1000 D a_lock\n", 14), 14);
	for (int i = 0; i < 2; i++) {
		struct rs_kallsyms *s = rs_kallsyms_new(fd, NULL, 0, false);

		ck_assert(rs_kallsyms_variable(s, 0x1000, name, sizeof name));
		ck_assert_str_eq(name, "a_lock");
		rs_kallsyms_free(s);
	}
	close(fd);
	struct rs_kallsyms *s = rs_kallsyms_new(-1, NULL, 0, false); /* it could not be opened */

	ck_assert(!rs_kallsyms_variable(s, 0x1000, name, sizeof name));
	rs_kallsyms_free(s);
}
END_TEST

/* "name[module]" of the function at addr, "-" for none */
static const char *function_at(const char *lines, uint64_t addr)
{
	struct rs_kallsyms *s = rs_kallsyms_new(0, lines, strlen(lines), true);
	static char found[2 * RS_KALLSYMS_TEXT];
	const char *name, *module;

	if (rs_kallsyms_function(s, addr, &name, &module))
		snprintf(found, sizeof found, "%s%s", name, module);
	else
		strcpy(found, "-");
	rs_kallsyms_free(s);
	return found;
}

START_TEST(functions)
{
	static const char lines[] = "ffffffff81000000 T _text\nffffffff81000000 T startup\nffffffff81000100 t vfs_read\n"
				    "ffffffff81000200 W weak_one\nffffffff81000300 R a_table\nffffffff82000000 D data\n"
				    "ffffffffc0001000 t ext4_read\t[ext4]\nffffffffc0001100 d ext4_ops\t[ext4]\n"
				    "ffffffffc0000000 t xfs_read\t[xfs]\n";

	ck_assert_str_eq(function_at(lines, 0xffffffff81000080), "_text"); /* the kernel lists the better name first */
	ck_assert_str_eq(function_at(lines, 0xffffffff81000100), "vfs_read");
	ck_assert_str_eq(function_at(lines, 0xffffffff810001ff), "vfs_read");
	ck_assert_str_eq(function_at(lines, 0xffffffff81000210), "weak_one");
	ck_assert_str_eq(function_at(lines, 0xffffffffc0000010), "xfs_read[xfs]");
	ck_assert_str_eq(function_at(lines, 0xffffffffc0001010), "ext4_read[ext4]");
	/* in a table, in data, far behind the last function of a module, before the first */
	ck_assert_str_eq(function_at(lines, 0xffffffff81000310), "-");
	ck_assert_str_eq(function_at(lines, 0xffffffff82000000), "-");
	ck_assert_str_eq(function_at(lines, 0xffffffffc0001100), "-");
	ck_assert_str_eq(function_at("ffffffffc0001000 t f\t[m]\n", 0xffffffffc0111000), "-");
	ck_assert_str_eq(function_at(lines, 0x1000), "-");
	ck_assert_str_eq(function_at("1000 t cut\t[m", 0x1000), "cut[m");
	ck_assert_str_eq(function_at("1000 t \n1000 t\n", 0x1000), "-");
}
END_TEST

Suite *rs_suite_kallsyms(void)
{
	Suite *s = suite_create("kallsyms");
	TCase *t = tcase_create("symbols");

	tcase_add_test(t, at_and_below);
	tcase_add_test(t, few_variables);
	tcase_add_test(t, order_and_several_names);
	tcase_add_test(t, code_is_an_end);
	tcase_add_test(t, hidden_or_broken);
	tcase_add_test(t, from_a_descriptor);
	tcase_add_test(t, functions);
	suite_add_tcase(s, t);
	return s;
}
