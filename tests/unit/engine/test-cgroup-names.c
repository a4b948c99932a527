// SPDX-License-Identifier: GPL-2.0-or-later
/* test-cgroup-names - paths of control groups as they are found on machines, and what people call them */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "engine/cgroups/container-names.h"

#define ID "3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708"
#define OTHER "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define UID "1f6c2d1e-9c1a-4b4e-8d4e-1a2b3c4d5e6f"
#define UID_UNIT "1f6c2d1e_9c1a_4b4e_8d4e_1a2b3c4d5e6f"
#define KUBE "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_UNIT ".slice"
#define USER "/user.slice/user-1000.slice/user@1000.service"

static const struct {
	const char *path, *unit, *container, *pod, *slice;
} names[] = {
	/* systemd */
	{ "/", "/", "", "", "" },
	{ "/init.scope", "init.scope", "", "", "" },
	{ "/system.slice", "system.slice", "", "", "system.slice" },
	{ "/system.slice/ssh.service", "ssh.service", "", "", "system.slice" },
	{ "/system.slice/nginx.service/worker", "nginx.service", "", "", "system.slice" },
	{ "/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service", "", "", "system-getty.slice" },
	{ "/system.slice/run-u42.scope/", "run-u42.scope", "", "", "system.slice" },
	{ "/system.slice/dev-disk-by\\x2dlabel-boot.service", "dev-disk-by-label-boot.service", "", "", "system.slice" },
	{ "/user.slice/user-1000.slice/session-3.scope", "session-3.scope", "", "", "user-1000.slice" },
	{ USER "/init.scope", "init.scope", "", "", "user-1000.slice" },
	{ USER "/app.slice/app-gnome-firefox-4711.scope", "app-gnome-firefox-4711.scope", "", "", "app.slice" },
	{ USER "/session.slice/pipewire.service", "pipewire.service", "", "", "session.slice" },
	/* docker: cgroupfs and systemd drivers */
	{ "/docker/" ID, "docker 3f2a1b4c5d6e", "3f2a1b4c5d6e", "", "" },
	{ "/system.slice/docker-" ID ".scope", "docker 3f2a1b4c5d6e", "3f2a1b4c5d6e", "", "system.slice" },
	{ "/system.slice/docker-" ID ".scope/system.slice/nginx.service", "docker 3f2a1b4c5d6e", "3f2a1b4c5d6e", "", "system.slice" },
	{ "/system.slice/docker.service", "docker.service", "", "", "system.slice" },
	/* podman */
	{ "/machine.slice/libpod-" ID ".scope/container", "podman 3f2a1b4c5d6e", "3f2a1b4c5d6e", "", "machine.slice" },
	{ "/machine.slice/libpod-conmon-" ID ".scope", "libpod-conmon-" ID ".scope", "", "", "machine.slice" },
	{ USER "/user.slice/libpod-" ID ".scope/container", "podman 3f2a1b4c5d6e", "3f2a1b4c5d6e", "", "user.slice" },
	{ "/libpod_parent/libpod-" ID, "podman 3f2a1b4c5d6e", "3f2a1b4c5d6e", "", "" },
	/* Kubernetes: systemd and cgroupfs drivers, besteffort, burstable, guaranteed */
	{ KUBE "/cri-containerd-" ID ".scope", "pod 1f6c2d1e/3f2a1b4c5d6e", "3f2a1b4c5d6e", UID, "kubepods-burstable-pod" UID_UNIT ".slice" },
	{ KUBE "/crio-" ID ".scope/container", "pod 1f6c2d1e/3f2a1b4c5d6e", "3f2a1b4c5d6e", UID, "kubepods-burstable-pod" UID_UNIT ".slice" },
	{ KUBE, "pod 1f6c2d1e", "", UID, "kubepods-burstable-pod" UID_UNIT ".slice" },
	{ "/kubepods.slice/kubepods-pod" UID_UNIT ".slice/docker-" ID ".scope", "pod 1f6c2d1e/3f2a1b4c5d6e", "3f2a1b4c5d6e", UID, "kubepods-pod" UID_UNIT ".slice" },
	{ "/kubepods/besteffort/pod" UID "/" ID, "pod 1f6c2d1e/3f2a1b4c5d6e", "3f2a1b4c5d6e", UID, "" },
	{ "/kubepods/burstable/pod" UID "/" ID, "pod 1f6c2d1e/3f2a1b4c5d6e", "3f2a1b4c5d6e", UID, "" },
	{ "/kubepods/pod" UID "/" ID, "pod 1f6c2d1e/3f2a1b4c5d6e", "3f2a1b4c5d6e", UID, "" },
	{ "/kubepods/burstable/pod1f6c2d1e9c1a4b4e8d4e1a2b3c4d5e6f/" ID, "pod 1f6c2d1e/3f2a1b4c5d6e", "3f2a1b4c5d6e", "1f6c2d1e9c1a4b4e8d4e1a2b3c4d5e6f", "" },
	{ "/system.slice/containerd.service/kubepods-besteffort-pod" UID_UNIT ".slice:cri-containerd:" ID, "pod 1f6c2d1e/3f2a1b4c5d6e", "3f2a1b4c5d6e", UID, "system.slice" },
	/* a node that is a container: the pod's container, and the pod itself, not the node */
	{ "/docker/" OTHER "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod" UID_UNIT ".slice/cri-containerd-" ID ".scope", "pod 1f6c2d1e/3f2a1b4c5d6e", "3f2a1b4c5d6e", UID, "kubelet-kubepods-pod" UID_UNIT ".slice" },
	{ "/docker/" OTHER "/kubelet.slice/kubelet-kubepods-pod" UID_UNIT ".slice", "pod 1f6c2d1e", "", UID, "kubelet-kubepods-pod" UID_UNIT ".slice" },
	{ "/kubepods.slice/kubepods-burstable.slice", "kubepods-burstable.slice", "", "", "kubepods-burstable.slice" },
	{ "/kubepods", "kubepods", "", "", "" },
	/* lxc, nspawn, guests */
	{ "/lxc.payload.web1/system.slice/nginx.service", "lxc web1", "web1", "", "system.slice" },
	{ "/lxc/101/ns", "lxc 101", "101", "", "" },
	{ "/machine.slice/systemd-nspawn@build.service/payload", "machine build", "build", "", "machine.slice" },
	{ "/machine.slice/machine-qemu\\x2d1\\x2dfedora.scope/libvirt/vcpu0", "machine qemu-1-fedora", "qemu-1-fedora", "", "machine.slice" },
	/* none of these; outside of this namespace */
	{ "/build/job", "job", "", "", "" },
	{ "/../docker/" ID, "docker 3f2a1b4c5d6e", "3f2a1b4c5d6e", "", "" },
	{ "/docker/" "not-an-id", "not-an-id", "", "", "" },
	{ "", "", "", "", "" },
};

START_TEST(names_of_paths)
{
	struct rs_cgroup_names found;
	char unit[160];

	rs_cgroup_names(NULL, names[_i].path, &found);
	ck_assert_str_eq(rs_cgroup_unit(NULL, names[_i].path, unit, sizeof unit), names[_i].unit);
	ck_assert_str_eq(found.container, names[_i].container);
	ck_assert_str_eq(found.pod, names[_i].pod);
	ck_assert_str_eq(found.slice, names[_i].slice);
}
END_TEST

/* What is longer than its place is cut, never overrun; a path may be anything. */
START_TEST(long_parts)
{
	char path[4096] = "/", unit[16];
	struct rs_cgroup_names found;

	for (size_t i = 1; i < sizeof path - 1; i++)
		path[i] = i % 700 ? 'a' : '-';
	rs_cgroup_names(NULL, path, &found);
	ck_assert_str_eq(rs_cgroup_unit(NULL, path, unit, sizeof unit), "aaaaaaaaaaaaaaa");
	memcpy(path + sizeof path - 9, ".service", 9);
	rs_cgroup_names(NULL, path, &found);
	ck_assert_uint_eq(strlen(found.unit), sizeof found.unit - 1);
}
END_TEST

#define RUNS "1000 cpu0 sched_switch idle/0 R -> a/10", "1200 cpu0 sched_switch a/10 S -> b/11", "1500 cpu0 sched_switch b/11 S -> idle/0"

/* What a runtime calls it, live by the guardian, or of a recording: shown beside the id, and matched by --cgroup. */
START_TEST(container_names)
{
	check_rows(ASK("tasks", .by = "unit,container,pod,slice"),
		   LINES("containers CONTAINER:[" ID ",web,]", "seed a/10 pid=10 cgroup=/system.slice/docker-" ID ".scope", "seed b/11 pid=11 cgroup=/user.slice/app.slice/x.service", RUNS),
		   ROWS("unit='docker web (3f2a1b4c5d6e)' container=web pod=- slice=system.slice", "unit=x.service container=- pod=- slice=app.slice"));
	check_rows(ASK("tasks", .by = "unit,container,pod,slice", .cgroup_glob = "pod shop/*"),
		   LINES("containers CONTAINER:[" ID ",nginx,shop/web-5d9c7]", "seed a/10 pid=10 cgroup=/kubepods/pod" UID "/" ID, "seed b/11 pid=11 cgroup=/x", RUNS),
		   ROWS("unit='pod shop/web-5d9c7/nginx' container=nginx pod=shop/web-5d9c7 slice=-"));
}
END_TEST

/* Each container is asked about once, by any of its processes; the reply counts for all. */
START_TEST(container_live)
{
	check_rows(ASK("tasks", .by = "unit", .container = "CONTAINER:[" ID ",web,]"),
		   LINES("live", "seed a/10 pid=10 cgroup=/docker/" ID, "seed b/11 pid=11 cgroup=/x", "seed c/12 pid=12 cgroup=/docker/" ID "/y", RUNS,
			 "1600 cpu0 sched_switch idle/0 R -> c/12", "1700 cpu0 sched_switch c/12 S -> idle/0"),
		   ROWS("unit='docker web (3f2a1b4c5d6e)' run_ns=300", "unit=x run_ns=300"));
}
END_TEST

/* A recording may say anything: what is no such text is left out. */
START_TEST(container_texts)
{
	static const char *const bad[] = {
		"", "CONTAINER:[", "CONTAINER:[" ID, "CONTAINER:[" ID ",", "CONTAINER:[" ID ",web", "CONTAINER:[" ID ",web,", "CONTAINER:[" ID ",web,]x",
		"CONTAINER:[x,web,]", "CONTAINER:[" ID "0,web,]", "CONTAINER:[" ID ",w\x1b[2Jeb,]", "CONTAINER:[" ID ",a b,]", "socket:[1]",
	};
	struct rs_container_names names = { .nr = 0 };
	char text[600];

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(!rs_container_names_add(&names, bad[i], strlen(bad[i])), "%s", bad[i]);
	snprintf(text, sizeof text, "CONTAINER:[" ID ",%0*d,]", 64, 0);
	ck_assert(!rs_container_names_add(&names, text, strlen(text)));
	memset(text, 'x', sizeof text);
	ck_assert(!rs_container_names_add(&names, text, sizeof text));
	ck_assert_uint_eq(names.nr, 0);
	/* a container's name may change: the last one holds */
	ck_assert(rs_container_names_add(&names, "CONTAINER:[" ID ",web,]", strlen("CONTAINER:[" ID ",web,]")));
	ck_assert(rs_container_names_add(&names, "CONTAINER:[" ID ",api,]", strlen("CONTAINER:[" ID ",api,]")));
	ck_assert_uint_eq(names.nr, 1);
	ck_assert_str_eq(names.at[0].name, "api");
	rs_container_names_done(&names);
}
END_TEST

Suite *rs_suite_cgroup_names(void)
{
	Suite *s = suite_create("cgroup-names");
	TCase *t = tcase_create("cgroup-names");

	tcase_add_loop_test(t, names_of_paths, 0, sizeof names / sizeof *names);
	tcase_add_test(t, long_parts);
	tcase_add_test(t, container_names);
	tcase_add_test(t, container_live);
	tcase_add_test(t, container_texts);
	suite_add_tcase(s, t);
	return s;
}
