// SPDX-License-Identifier: GPL-2.0-or-later
/* test-container-files - what a container is called, by the files of its runtime: a made-up tree of them, and hostile ones */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracefs/container-files.h"

#define ID "3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708"
#define OTHER "00001b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708"
#define UID "1f6c2d1e-9c1a-4b4e-8d4e-1a2b3c4d5e6f"
#define UNIT_UID "1f6c2d1e_9c1a_4b4e_8d4e_1a2b3c4d5e6f"
#define DOCKER "/var/lib/docker/containers/" ID "/config.v2.json"
#define PODMAN "/var/lib/containers/storage/overlay-containers/containers.json"

static char root[64];

static void setup(void)
{
	snprintf(root, sizeof root, "/tmp/test-container-files-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf '%s'", root);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *path, const char *text)
{
	char whole[512];
	FILE *f;

	snprintf(whole, sizeof whole, "%s%s", root, path);
	for (char *at = strchr(whole + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		ck_assert(mkdir(whole, 0700) == 0 || errno == EEXIST);
		*at = '/';
	}
	f = text ? fopen(whole, "w") : NULL;
	ck_assert(!text || f);
	if (f) {
		ck_assert_int_ge(fputs(text, f), 0);
		ck_assert_int_eq(fclose(f), 0);
	}
}

/* -> the text of process 42, "" none */
static const char *found(void)
{
	static char text[512];

	text[0] = '\0';
	ck_assert_uint_eq(rs_container_files_find(root, 42, text, sizeof text), strlen(text));
	return text;
}

START_TEST(docker)
{
	put("/proc/42/cgroup", "0::/system.slice/docker-" ID ".scope\n");
	ck_assert_str_eq(found(), "");
	/* other things have names, too: what is mounted, labels that say "Name", a text that has quotes */
	put(DOCKER, "{\"StreamConfig\":{},\"MountPoints\":{\"/x\":{\"Name\":\"volume\"}},\"Config\":{\"Env\":[\"Name=no\",\"A=\\\"Name\\\":\\\"no\\\"\"],"
		    "\"Labels\":{\"Name\":\"no\"}},\"Name\":\"/web_1\",\"Path\":\"/bin/sh\"}");
	ck_assert_str_eq(found(), "CONTAINER:[" ID ",web_1,]");
}
END_TEST

START_TEST(podman)
{
	put("/proc/42/cgroup", "12:cpu:/\n0::/machine.slice/libpod-" ID ".scope/container\n");
	put(PODMAN, "[ { \"id\": \"" OTHER "\", \"names\": [ \"db\" ] },\n  { \"id\" : \"" ID "\", \"names\" : [ \"cache\", \"alias\" ], \"image\": \"x\" } ]");
	ck_assert_str_eq(found(), "CONTAINER:[" ID ",cache,]");
}
END_TEST

/* "podman run --rm" keeps it in another file. */
START_TEST(podman_for_a_while)
{
	put("/proc/42/cgroup", "0::/machine.slice/libpod-" ID ".scope\n");
	put(PODMAN, "[]");
	put("/var/lib/containers/storage/overlay-containers/volatile-containers.json", "[{\"id\":\"" ID "\",\"names\":[\"job\"]}]");
	ck_assert_str_eq(found(), "CONTAINER:[" ID ",job,]");
}
END_TEST

START_TEST(pods)
{
	put("/proc/42/cgroup", "0::/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UNIT_UID ".slice/cri-containerd-" ID ".scope\n");
	put("/var/log/pods/default_web-0_" OTHER "/x", NULL);
	put("/var/log/pods/kube-system_web-5d9c7_" UID "/x", NULL);
	ck_assert_str_eq(found(), "CONTAINER:[" ID ",,kube-system/web-5d9c7]");
	put(DOCKER, "{\"Name\":\"/k8s_nginx_web\",\"Config\":{\"Labels\":{\"io.kubernetes.pod.name\":\"web-1\",\"io.kubernetes.pod.namespace\":\"shop\"}}}");
	ck_assert_str_eq(found(), "CONTAINER:[" ID ",k8s_nginx_web,shop/web-1]");
}
END_TEST

#define USERS_GROUP "0::/user.slice/user-%u.slice/user@%u.service/user.slice/libpod-" ID ".scope/container\n"
#define USERS "/home/web/.local/share/containers/storage/overlay-containers/"
#define USERS_JSON "[{\"id\":\"" ID "\",\"names\":[\"cache\"]}]"

/* The user is whoever runs the test: a file that is another's is not read. */
static void put_user(uint32_t uid, const char *home, const char *mounts)
{
	char text[512];

	snprintf(text, sizeof text, USERS_GROUP, uid, uid);
	put("/proc/42/cgroup", text);
	snprintf(text, sizeof text, "root:x:0:0:root:/root:/bin/sh\nweb:x:%u:%u:,,,:%s:/bin/sh\n", uid, uid, home);
	put("/etc/passwd", text);
	put("/proc/self/mountinfo", mounts);
}

#define ROOT_MOUNT "21 1 8:1 / / rw,noatime shared:1 - ext4 /dev/sda1 rw\n"

START_TEST(podman_of_a_user)
{
	uint32_t uid = 4242;
	char file[512];

	put_user(uid, "/home/web", ROOT_MOUNT);
	ck_assert_str_eq(found(), "");
	put(USERS "volatile-containers.json", USERS_JSON);
	snprintf(file, sizeof file, "%s" USERS "volatile-containers.json", root);
	ck_assert(getuid() != 0 || chown(file, 0, 0) == 0);
	ck_assert_str_eq(found(), ""); /* it is another's */
	if (getuid() != 0 || chown(file, uid, uid) != 0)
		return;
	ck_assert_str_eq(found(), "CONTAINER:[" ID ",cache,]");
	/* what is mounted there, the last of it on top, is of another machine; or nearby only by its name */
	put_user(uid, "/home/web", ROOT_MOUNT "22 21 0:40 / /home rw - nfs4 server:/home rw\n");
	ck_assert_str_eq(found(), "");
	put_user(uid, "/home/web", ROOT_MOUNT "22 21 0:40 / /home/web rw - xfs x rw\n23 22 0:41 / /home/web rw - autofs x rw\n");
	ck_assert_str_eq(found(), "");
	put_user(uid, "/home/web", ROOT_MOUNT "22 21 0:40 / /home/we rw - nfs x rw\n23 22 0:41 / /home/website rw - nfs x rw\n");
	ck_assert_str_eq(found(), "CONTAINER:[" ID ",cache,]");
	/* a home that is unknown, or odd */
	put_user(uid, "/home/we b", ROOT_MOUNT);
	ck_assert_str_eq(found(), "");
	put_user(uid, "", ROOT_MOUNT);
	ck_assert_str_eq(found(), "");
	put_user(uid, "/home/web/..//web", ROOT_MOUNT);
	put("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\n\n:::\nweb");
	ck_assert_str_eq(found(), "");
}
END_TEST

/* The user's file is a link to another's, or a folder above it is a link, or it is a pipe that nobody writes to. */
START_TEST(links_in_a_home)
{
	char path[512], to[512];

	if (getuid() != 0)
		return;
	put_user(4242, "/home/web", ROOT_MOUNT);
	put("/elsewhere/containers.json", USERS_JSON);
	snprintf(to, sizeof to, "%s/elsewhere/containers.json", root);
	ck_assert_int_eq(chown(to, 4242, 4242), 0);
	put(USERS, NULL);
	snprintf(path, sizeof path, "%s" USERS "containers.json", root);
	ck_assert_int_eq(symlink(to, path), 0);
	ck_assert_str_eq(found(), "");
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_str_eq(found(), "");
	ck_assert_int_eq(unlink(path), 0);
	path[strlen(path) - strlen("/containers.json")] = '\0';
	ck_assert_int_eq(rmdir(path), 0);
	to[strlen(to) - strlen("/containers.json")] = '\0';
	ck_assert_int_eq(symlink(to, path), 0);
	ck_assert_str_eq(found(), "");
	ck_assert_int_eq(unlink(path), 0);
	put(USERS "containers.json", USERS_JSON);
	snprintf(path, sizeof path, "%s" USERS "containers.json", root);
	ck_assert_int_eq(chown(path, 4242, 4242), 0);
	ck_assert_str_eq(found(), "CONTAINER:[" ID ",cache,]");
}
END_TEST

/* Anything may be in them. What could be taken for something else is no name. */
START_TEST(hostile)
{
	static const char *const files[] = {
		"", "{", "\"", "{\"Name\":", "{\"Name\":\"", "{\"Name\":\"\\", "{\"Name\":\"\\\"", "[[[[[[[[[[{\"Name\":\"web\"}", "]]]]}}}}\"Name\"",
		"{\"Name\":\"a b\"}", "{\"Name\":\"a,b]\"}", "{\"Name\":\"\\u001b[31m\"}", "{\"Name\":\"\x1b[2J\"}", "{\"Name\":\"/\"}", "{\"Name\":7}", "{\"Name\":{\"a\":\"web\"}}", "{\"Name\":[\"web\"]}",
		"{\"Name\":\"0123456789012345678901234567890123456789012345678901234567890123456789\"}",
	};

	put("/proc/42/cgroup", "0::/docker/" ID "\n");
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		put(DOCKER, files[i]);
		ck_assert_msg(!*found(), "%s: %s", files[i], found());
	}
	put(DOCKER, "{\"Name\":\"/web\"}");
	ck_assert_str_ne(found(), "");
	/* an id is 64 digits */
	put("/proc/42/cgroup", "0::/docker/" ID "0\n");
	ck_assert_str_eq(found(), "");
	put("/proc/42/cgroup", "0::/docker/../../etc\n");
	ck_assert_str_eq(found(), "");
	ck_assert_uint_eq(rs_container_files_find(root, -1, (char[8]){ "" }, 8), 0);
	ck_assert_uint_eq(rs_container_files_find(root, 43, (char[8]){ "" }, 8), 0);
}
END_TEST

/* A file that is longer than is read: names behind that are unknown, and nothing is overrun. */
START_TEST(long_files)
{
	char *text = malloc(3 << 20);

	ck_assert_ptr_nonnull(text);
	memset(text, ' ', 3 << 20);
	strcpy(text + (3 << 20) - 32, "{\"Name\":\"/web\"}");
	put("/proc/42/cgroup", "0::/docker/" ID "\n");
	put(DOCKER, text);
	ck_assert_str_eq(found(), "");
	memset(text, '[', (3 << 20) - 1);
	text[(3 << 20) - 1] = '\0';
	put(DOCKER, text);
	ck_assert_str_eq(found(), "");
	free(text);
}
END_TEST

Suite *rs_suite_container_files(void);
Suite *rs_suite_container_files(void)
{
	Suite *s = suite_create("container-files");
	TCase *t = tcase_create("container-files");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, docker);
	tcase_add_test(t, podman);
	tcase_add_test(t, podman_for_a_while);
	tcase_add_test(t, podman_of_a_user);
	tcase_add_test(t, links_in_a_home);
	tcase_add_test(t, pods);
	tcase_add_test(t, hostile);
	tcase_add_test(t, long_files);
	suite_add_tcase(s, t);
	return s;
}
