// SPDX-License-Identifier: GPL-2.0-or-later
/* container-files - what its runtime calls the container of a process, and its pod */
#include "tracefs/container-files.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tracefs/home-files.h"

#define CONTAINER_ID 64        /* hex digits */
#define CONTAINER_UID 36       /* of a pod, with its hyphens */
#define CONTAINER_NAME 64      /* as container-names.h takes them */
#define CONTAINER_POD 128
#define CONTAINER_FILE_BYTES (512u << 10) /* podman's has all containers */
#define CONTAINER_DEPTH 6u
#define CONTAINER_PODS 65536u  /* entries of the folder that are looked at */

struct container {
	const char *root;
	char id[CONTAINER_ID + 1], uid[CONTAINER_UID + 1];
	uint32_t uid_of_user;          /* whose systemd runs it; 0: the machine's */
	char name[CONTAINER_NAME];
	char pod_namespace[CONTAINER_POD], pod_name[CONTAINER_POD];
};

/* The memory is touched with the first container. */
static _Alignas(8) char container_file[CONTAINER_FILE_BYTES];

/* Returns the length; what does not fit is left out. */
static size_t container_read(const char *path)
{
	return rs_home_files_read(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), container_file,
				  sizeof container_file);
}

/* ---- the control group ---- */

static bool container_is_hex(char c)
{
	return isdigit((unsigned char)c) || (c >= 'a' && c <= 'f');
}

/* The last id of the text: of containers within each other the innermost. */
static bool container_find_id(const char *text, size_t len, char id[CONTAINER_ID + 1])
{
	size_t nr = 0;
	bool found = false;

	for (size_t i = 0; i <= len; i++) {
		if (i < len && container_is_hex(text[i])) {
			nr++;
			continue;
		}
		if (nr == CONTAINER_ID) {
			memcpy(id, text + i - nr, nr);
			id[nr] = '\0';
			found = true;
		}
		nr = 0;
	}
	return found;
}

/* "pod1f6c2d1e-9c1a-...", "...-pod1f6c2d1e_9c1a_....slice" */
static void container_find_uid(const char *text, size_t len, char uid[CONTAINER_UID + 1])
{
	for (size_t i = 1; i + 3 + CONTAINER_UID <= len; i++) {
		size_t nr = 0;

		if (memcmp(text + i, "pod", 3) != 0 || (text[i - 1] != '/' && text[i - 1] != '-'))
			continue;
		for (; nr < CONTAINER_UID && (container_is_hex(text[i + 3 + nr]) ||
					      text[i + 3 + nr] == '-' || text[i + 3 + nr] == '_'); nr++)
			uid[nr] = text[i + 3 + nr] == '_' ? '-' : text[i + 3 + nr];
		uid[nr == CONTAINER_UID ? nr : 0] = '\0';
	}
}

/* "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-3f2a....scope" */
static uint32_t container_find_user(const char *text, size_t len)
{
	static const char begin[] = "/user-";
	const char *at = memmem(text, len, begin, sizeof begin - 1), *end = text + len;
	uint64_t uid = 0;

	for (at = at ? at + sizeof begin - 1 : end; at < end && isdigit((unsigned char)*at); at++)
		uid = uid > UINT32_MAX ? uid : uid * 10 + (uint64_t)(*at - '0');
	return at < end && *at == '.' && uid <= UINT32_MAX ? (uint32_t)uid : 0;
}

static bool container_find_group(struct container *c, int32_t pid)
{
	char path[PATH_MAX];
	size_t len;

	snprintf(path, sizeof path, "%s/proc/%d/cgroup", c->root, (int)pid);
	len = container_read(path);
	container_find_uid(container_file, len, c->uid);
	c->uid_of_user = container_find_user(container_file, len);
	return container_find_id(container_file, len, c->id);
}

/* ---- JSON ---- */

struct container_text {
	const char *at;
	size_t len;
};

/* At a string: its keys, from the outermost. In a list they have no text. */
struct container_json {
	const char *at, *end;
	unsigned int depth;
	struct container_text keys[CONTAINER_DEPTH + 1];
	struct container_text value;
};

/* What is in quotes; escapes stay as they are, for no name has any. */
static bool container_take_string(struct container_json *j, struct container_text *text)
{
	text->at = ++j->at;
	for (; j->at < j->end && *j->at != '"'; j->at++)
		j->at += *j->at == '\\' && j->at + 1 < j->end;
	if (j->at >= j->end)
		return false;
	text->len = (size_t)(j->at++ - text->at);
	return true;
}

static bool container_is_key(struct container_json *j)
{
	while (j->at < j->end && isspace((unsigned char)*j->at))
		j->at++;
	return j->at < j->end && *j->at == ':';
}

static void container_nest(struct container_json *j)
{
	if (*j->at == '{' || *j->at == '[') {
		j->depth++;
		if (j->depth <= CONTAINER_DEPTH)
			j->keys[j->depth] = (struct container_text){ "", 0 };
	} else if (*j->at == '}' || *j->at == ']') {
		j->depth -= j->depth > 0;
	}
	j->at++;
}

/* Goes on to the next string that is a value. False: there is none. */
static bool container_next(struct container_json *j)
{
	struct container_text text;

	while (j->at < j->end) {
		if (*j->at != '"') {
			container_nest(j);
			continue;
		}
		if (!container_take_string(j, &text))
			return false;
		if (container_is_key(j)) {
			if (j->depth <= CONTAINER_DEPTH)
				j->keys[j->depth] = text;
			continue;
		}
		j->value = text;
		return true;
	}
	return false;
}

static bool container_is(const struct container_text *text, const char *word)
{
	return text->len == strlen(word) && !memcmp(text->at, word, text->len);
}

/* A name that could be taken for something else is none. */
static void container_set(char *to, size_t size_bytes, const struct container_text *text)
{
	const char *at = text->at;
	size_t len = text->len;

	if (len && *at == '/') { /* Docker's begin so */
		at++;
		len--;
	}
	if (len >= size_bytes)
		return;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)at[i]) && !strchr("._-", at[i]))
			return;
	memcpy(to, at, len);
	to[len] = '\0';
}

/* ---- the runtimes ---- */

static const struct {
	const char *label;
	size_t offset, size_bytes;
} container_labels[] = {
	{ "io.kubernetes.container.name", offsetof(struct container, name), CONTAINER_NAME },
	{ "io.kubernetes.pod.name", offsetof(struct container, pod_name), CONTAINER_POD },
	{ "io.kubernetes.pod.namespace", offsetof(struct container, pod_namespace), CONTAINER_POD },
};

static void container_take_docker(struct container *c, const struct container_json *j)
{
	if (j->depth == 1 && container_is(&j->keys[1], "Name") && !c->name[0])
		container_set(c->name, sizeof c->name, &j->value);
	if (j->depth != 3 || !container_is(&j->keys[1], "Config") || !container_is(&j->keys[2], "Labels"))
		return;
	for (size_t i = 0; i < sizeof container_labels / sizeof *container_labels; i++)
		if (container_is(&j->keys[3], container_labels[i].label))
			container_set((char *)c + container_labels[i].offset, container_labels[i].size_bytes,
				      &j->value);
}

static void container_ask_docker(struct container *c)
{
	struct container_json j = { .at = container_file };
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/var/lib/docker/containers/%s/config.v2.json", c->root, c->id);
	j.end = container_file + container_read(path);
	while (container_next(&j))
		container_take_docker(c, &j);
}

/* [{"id":"3f2a...","names":["web"],...},...] */
static void container_take_podman(struct container *c, size_t len)
{
	struct container_json j = { .at = container_file, .end = container_file + len };
	bool is_it = false;

	while (!c->name[0] && container_next(&j)) {
		if (j.depth == 2 && container_is(&j.keys[2], "id"))
			is_it = container_is(&j.value, c->id);
		if (j.depth == 3 && is_it && container_is(&j.keys[2], "names"))
			container_set(c->name, sizeof c->name, &j.value);
	}
}

/* Those that go when they end (--rm) are in a file of their own. */
static const char *const container_podman[] = { "containers/storage/overlay-containers/containers.json",
						"containers/storage/overlay-containers/"
						"volatile-containers.json" };

static void container_ask_podman(struct container *c)
{
	char path[PATH_MAX];

	for (size_t i = 0; !c->name[0] && i < sizeof container_podman / sizeof *container_podman; i++) {
		snprintf(path, sizeof path, "%s/var/lib/%s", c->root, container_podman[i]);
		container_take_podman(c, container_read(path));
	}
}

/* A user's own are below that user's home. */
static void container_ask_users_podman(struct container *c)
{
	char path[PATH_MAX];

	for (size_t i = 0; !c->name[0] && i < sizeof container_podman / sizeof *container_podman; i++) {
		int fd;

		snprintf(path, sizeof path, ".local/share/%s", container_podman[i]);
		fd = rs_home_files_open(c->root, c->uid_of_user, path, container_file, sizeof container_file);
		container_take_podman(c, rs_home_files_read(fd, container_file, sizeof container_file));
	}
}

/* "default_web-5d9c7_1f6c2d1e-9c1a-...": no part has a '_' of its own. */
static void container_take_pod(struct container *c, const char *entry)
{
	const char *name = strchr(entry, '_'), *uid = name ? strchr(name + 1, '_') : NULL;

	if (!uid || strcmp(uid + 1, c->uid) != 0)
		return;
	container_set(c->pod_namespace, sizeof c->pod_namespace,
		      &(struct container_text){ entry, (size_t)(name - entry) });
	container_set(c->pod_name, sizeof c->pod_name,
		      &(struct container_text){ name + 1, (size_t)(uid - name - 1) });
}

static void container_ask_pods(struct container *c)
{
	char path[PATH_MAX];
	unsigned int nr = 0;
	long len;
	int fd;

	snprintf(path, sizeof path, "%s/var/log/pods", c->root);
	fd = c->uid[0] ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	while (fd >= 0 && nr < CONTAINER_PODS && !c->pod_name[0] &&
	       (len = syscall(SYS_getdents64, fd, container_file, sizeof container_file)) > 0)
		for (long at = 0; at < len; nr++) {
			const struct dirent64 *entry = (const void *)(container_file + at);

			container_take_pod(c, entry->d_name);
			at += entry->d_reclen;
		}
	if (fd >= 0)
		close(fd);
}

size_t rs_container_files_find(const char *root, int32_t pid, char *buf, size_t size_bytes)
{
	struct container c = { .root = root };
	bool has_pod;
	int len;

	if (pid <= 0 || !container_find_group(&c, pid))
		return 0;
	container_ask_docker(&c);
	if (!c.name[0])
		container_ask_podman(&c);
	if (!c.name[0] && c.uid_of_user)
		container_ask_users_podman(&c);
	if (!c.pod_name[0])
		container_ask_pods(&c);
	has_pod = c.pod_name[0] && c.pod_namespace[0] &&
		  strlen(c.pod_name) + strlen(c.pod_namespace) + 1 < CONTAINER_POD;
	if (!c.name[0] && !has_pod)
		return 0;
	len = snprintf(buf, size_bytes, "CONTAINER:[%s,%s,%s%s%s]", c.id, c.name,
		       has_pod ? c.pod_namespace : "", has_pod ? "/" : "", has_pod ? c.pod_name : "");
	return len > 0 && (size_t)len < size_bytes ? (size_t)len : 0;
}
