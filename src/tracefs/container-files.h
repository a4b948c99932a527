/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * container-files.h - what its runtime calls the container of a process, and its pod
 *
 *	"CONTAINER:[3f2a...,web,]", "CONTAINER:[3f2a...,nginx,default/web-5d9c7]"
 *
 * The id is that of the process' control group. Docker has the name in
 * /var/lib/docker/containers/ID/config.v2.json, and the pod in labels there; podman in
 * /var/lib/containers/storage/overlay-containers/containers.json; Kubernetes the pod in the name of a folder,
 * /var/log/pods/NAMESPACE_NAME_UID. Those that a user's own podman runs are in the user's control group, and
 * their names below that user's home, in .local/share (see home-files.h). Of a runtime that keeps its files
 * elsewhere there are no names. What the files say is anything: only letters, digits, '.', '_', '-' and '/'
 * pass.
 *
 * For a guardian: it calls nothing that allocates.
 */
#ifndef RS_TRACEFS_CONTAINER_FILES_H
#define RS_TRACEFS_CONTAINER_FILES_H

#include <stddef.h>
#include <stdint.h>

/*
 * root: before each path; "" but for tests. Returns the length of the text in buf, which is terminated, too;
 * 0: the process is in no container, or nothing is known of it.
 */
size_t rs_container_files_find(const char *root, int32_t pid, char *buf, size_t size_bytes);

#endif
