// SPDX-License-Identifier: GPL-2.0-or-later
/* test-mount-points - where disks are mounted, from a text of mountinfo and a copy of sysfs */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "source/live/mount-points.h"

static const struct {
	const char *mountinfo;
	const char *vda, *vda1, *vda2, *vdb; /* disks 254:0, its partitions, and 254:16 */
} mount_points[] = {
	{ "25 1 254:1 / /var rw,relatime shared:1 - ext4 /dev/vda1 rw\n26 1 254:16 / /data rw - xfs /dev/vdb rw\n", "/var", "/var", "", "/data" },
	/* of two partitions: which one a request of the disk is for is not known */
	{ "25 1 254:1 / / rw - ext4 /dev/vda1 rw\n26 1 254:2 / /var rw - ext4 /dev/vda2 rw\n", "", "/", "/var", "" },
	/* mounted twice is one file system, and a bind mount of a subdirectory is none */
	{ "25 1 254:1 / /var rw - ext4 /dev/vda1 rw\n26 1 254:1 / /mnt rw - ext4 /dev/vda1 rw\n27 1 254:16 /sub /srv rw - ext4 /dev/vdb rw\n", "/var", "/var", "", "" },
	/* no disk, cut, nonsense, too long for a sentence */
	{ "25 1 0:30 / /run rw - tmpfs tmpfs rw\n26 1 254:16 / /data", "", "", "", "" },
	{ "x\n\n254:16 / /data rw\n25 1 254:16 data data rw - a b c\n25 1 254:16 / "
	  "/3456789012345678901234567890123456789012345678901234567890123456 rw - a b c", "", "", "", "" },
};

START_TEST(mounts)
{
	char folder[] = "/tmp/ringside-mounts-XXXXXX", command[600];
	struct rs_disk disks[] = { { 254 << 20, "vda", "" }, { 254 << 20 | 1, "vda1", "" }, { 254 << 20 | 2, "vda2", "" }, { 254 << 20 | 16, "vdb", "" } };

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(command, sizeof command, "cd %s && mkdir -p devices/vda/vda1 devices/vda/vda2 dev/block && echo 254:0 >devices/vda/dev && "
		 "echo 1 >devices/vda/vda1/partition && echo 2 >devices/vda/vda2/partition && "
		 "ln -s ../../devices/vda dev/block/254:0 && ln -s ../../devices/vda/vda1 dev/block/254:1 && ln -s ../../devices/vda/vda2 dev/block/254:2", folder);
	ck_assert_int_eq(system(command), 0);
	rs_mount_points_set(mount_points[_i].mountinfo, folder, disks, 4);
	ck_assert_str_eq(disks[0].mount, mount_points[_i].vda);
	ck_assert_str_eq(disks[1].mount, mount_points[_i].vda1);
	ck_assert_str_eq(disks[2].mount, mount_points[_i].vda2);
	ck_assert_str_eq(disks[3].mount, mount_points[_i].vdb);
	snprintf(command, sizeof command, "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

Suite *rs_suite_mount_points(void);
Suite *rs_suite_mount_points(void)
{
	Suite *s = suite_create("mount-points");
	TCase *t = tcase_create("mounts");

	tcase_add_loop_test(t, mounts, 0, sizeof mount_points / sizeof *mount_points);
	suite_add_tcase(s, t);
	return s;
}
