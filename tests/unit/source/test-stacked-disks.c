// SPDX-License-Identifier: GPL-2.0-or-later
/* test-stacked-disks - which disk lies below another, from a copy of sysfs: of a device mapper's device and of md, partition or not */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/live/stacked-disks.h"

static void run_in(const char *folder, const char *commands)
{
	char text[1024];

	snprintf(text, sizeof text, "cd %s && %s", folder, commands);
	ck_assert_int_eq(system(text), 0);
}

START_TEST(device_mapper_and_md)
{
	static const struct rs_disk disks[] = { { 8 << 20, "sda" }, { 8 << 20 | 3, "sda3" }, { 254 << 20, "dm-0" }, { 9 << 20, "md0" } };
	static const struct rs_stacked_disk expected[] = { { 254 << 20, 8 << 20, "vg-root" }, { 9 << 20, 254 << 20 | 16, "" } };
	char folder[] = "/tmp/ringside-stacked-XXXXXX";
	struct rs_stacked_disk *found;
	size_t nr;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	run_in(folder, "mkdir -p devices/sda/sda3 class/block/dm-0/slaves/sda3 class/block/dm-0/dm class/block/md0/slaves/vdb class/block/vdb && "
	     "ln -s ../../devices/sda class/block/sda && ln -s ../../devices/sda/sda3 class/block/sda3 && "
	     "echo 8:0 >devices/sda/dev && echo 8:3 >devices/sda/sda3/dev && echo 3 >devices/sda/sda3/partition && "
	     "echo vg-root >class/block/dm-0/dm/name && echo 254:16 >class/block/vdb/dev");
	found = rs_stacked_disks_read(folder, disks, 4, &nr);
	ck_assert_uint_eq(nr, 2);
	for (size_t i = 0; i < nr; i++) {
		ck_assert_uint_eq(found[i].above, expected[i].above);
		ck_assert_uint_eq(found[i].below, expected[i].below);
		ck_assert_str_eq(found[i].label, expected[i].label);
	}
	free(found);
	found = rs_stacked_disks_read("none", disks, 4, &nr);
	ck_assert_uint_eq(nr, 0);
	free(found);
	run_in(folder, "rm -r devices class");
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

Suite *rs_suite_stacked_disks(void);
Suite *rs_suite_stacked_disks(void)
{
	Suite *s = suite_create("stacked-disks");
	TCase *t = tcase_create("stacked-disks");

	tcase_add_test(t, device_mapper_and_md);
	suite_add_tcase(s, t);
	return s;
}
