// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroup-names - what people call a control group, from its path alone: the service, container or pod
 *
 * The deepest part of the path that is a container wins, then the deepest service or scope, then the deepest
 * slice: a container's own systemd makes groups of services below it, and a user's manager is a service with
 * services below it.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "engine/cgroups/cgroups.h"
#include "engine/cgroups/container-names.h"
#include "engine/internal.h"
#include "ringside/plugin.h"

#define NAMES_ID RS_CONTAINER_WHOLE_ID
#define NAMES_POD_UNIT 8 /* of a pod's uid, in the name of its containers */

/* What a part of the path is called; the middle is the id or the name. */
static const struct {
	const char *prefix, *suffix;
	bool is_id;          /* the middle is NAMES_ID hex digits */
	const char *runtime;
} names_patterns[] = {
	{ "docker-", ".scope", true, "docker" },
	{ "libpod-", ".scope", true, "podman" },
	{ "libpod-", "", true, "podman" },
	{ "cri-containerd-", ".scope", true, "containerd" },
	{ "crio-", ".scope", true, "cri-o" },
	{ "crio-", "", true, "cri-o" },
	{ "lxc.payload.", "", false, "lxc" },
	{ "systemd-nspawn@", ".service", false, "machine" },
	{ "machine-", ".scope", false, "machine" },
};

/* Parts whose names say nothing: the folder that they are in does. */
static const struct {
	const char *parent;
	bool is_id;
	const char *runtime;
} names_parents[] = {
	{ "docker", true, "docker" },
	{ "libpod_parent", true, "podman" },
	{ "lxc", false, "lxc" },
};

struct names_part {
	const char *at;
	size_t len;
};

static bool names_has(const struct names_part *p, const char *prefix, const char *suffix)
{
	size_t before = strlen(prefix), after = strlen(suffix);

	return p->len > before + after && !memcmp(p->at, prefix, before) &&
	       !memcmp(p->at + p->len - after, suffix, after);
}

static bool names_is(const struct names_part *p, const char *word)
{
	return p->len == strlen(word) && !memcmp(p->at, word, p->len);
}

static bool names_is_id(const char *at, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isxdigit((unsigned char)at[i]))
			return false;
	return len == NAMES_ID;
}

/* Of "\x2d": '-'. 0: it is no such escape, or of what is not printable. */
static char names_escaped(const char *at, const char *end)
{
	char digits[3];
	unsigned long c;

	if (end - at < 4 || at[0] != '\\' || at[1] != 'x' || !isxdigit((unsigned char)at[2]) ||
	    !isxdigit((unsigned char)at[3]))
		return 0;
	memcpy(digits, at + 2, 2);
	digits[2] = '\0';
	c = strtoul(digits, NULL, 16);
	return c > ' ' && c < 127 ? (char)c : 0;
}

/* "machine-qemu\x2d1\x2dweb": systemd escapes what is special in a unit's name. */
static void names_unescape(const char *at, size_t len, char *to, size_t size_bytes)
{
	size_t nr = 0;

	for (const char *end = at + len; at < end && nr + 1 < size_bytes; nr++) {
		char c = names_escaped(at, end);

		to[nr] = c ? c : *at;
		at += c ? 4 : 1;
	}
	to[nr] = '\0';
}

static void names_set_container(struct rs_cgroup_names *names, const char *runtime, bool is_id,
				const char *at, size_t len)
{
	rs_copy(names->runtime, sizeof names->runtime, runtime);
	names->id = is_id ? at : NULL;
	names_unescape(at, is_id ? RS_CONTAINER_ID : len, names->container, sizeof names->container);
}

/* A container by the name of its part. */
static bool names_match_part(struct rs_cgroup_names *names, const struct names_part *p)
{
	const char *id = p->len > NAMES_ID ? p->at + p->len - NAMES_ID : p->at;

	for (size_t i = 0; i < sizeof names_patterns / sizeof *names_patterns; i++) {
		size_t before = strlen(names_patterns[i].prefix), after = strlen(names_patterns[i].suffix);

		if (!names_has(p, names_patterns[i].prefix, names_patterns[i].suffix) ||
		    (names_patterns[i].is_id && !names_is_id(p->at + before, p->len - before - after)))
			continue;
		names_set_container(names, names_patterns[i].runtime, names_patterns[i].is_id,
				    p->at + before, p->len - before - after);
		return true;
	}
	/* "kubepods-besteffort-podUID.slice:cri-containerd:ID", "ID" of a pod */
	if (!names_is_id(id, p->len < NAMES_ID ? p->len : NAMES_ID) || (id > p->at && id[-1] != ':'))
		return false;
	names_set_container(names, id == p->at ? "container" : "containerd", true, id, NAMES_ID);
	return true;
}

static bool names_match_parent(struct rs_cgroup_names *names, const struct names_part *parent,
			       const struct names_part *p)
{
	for (size_t i = 0; i < sizeof names_parents / sizeof *names_parents; i++)
		if (names_is(parent, names_parents[i].parent) &&
		    (!names_parents[i].is_id || names_is_id(p->at, p->len))) {
			names_set_container(names, names_parents[i].runtime, names_parents[i].is_id, p->at,
					    p->len);
			return true;
		}
	return false;
}

/* "pod1f6c2d1e-9c1a-4b4e-8d4e-1a2b3c4d5e6f", "kubepods-burstable-pod1f6c2d1e_9c1a_....slice" */
static bool names_match_pod(struct rs_cgroup_names *names, const struct names_part *p)
{
	const char *end = p->at + p->len;

	for (const char *at = p->at; at + 3 < end; at++) {
		size_t nr = 0, nr_digits = 0;

		if (memcmp(at, "pod", 3) != 0 || (at > p->at && at[-1] != '-'))
			continue;
		for (at += 3; at + nr < end && strchr("0123456789abcdef-_", at[nr]); nr++)
			nr_digits += at[nr] != '-' && at[nr] != '_';
		if (nr_digits != 32 || nr >= sizeof names->pod)
			return false;
		for (size_t i = 0; i < nr; i++)
			names->pod[i] = at[i] == '_' ? '-' : at[i];
		names->pod[nr] = '\0';
		return true;
	}
	return false;
}

static void names_match_unit(struct rs_cgroup_names *names, const struct names_part *p)
{
	if (names_has(p, "", ".service") || names_has(p, "", ".scope"))
		names_unescape(p->at, p->len, names->unit, sizeof names->unit);
	else if (names_has(p, "", ".slice"))
		names_unescape(p->at, p->len, names->slice, sizeof names->slice);
}

static void names_of_path(const char *path, struct rs_cgroup_names *names)
{
	struct names_part parent = { "", 0 }, p = { path, 0 };

	*names = (struct rs_cgroup_names){ .unit = "" };
	for (const char *at = path + strspn(path, "/"); *at; at = p.at + p.len + strspn(p.at + p.len, "/")) {
		p = (struct names_part){ at, strcspn(at, "/") };
		names_match_unit(names, &p);
		if (names_match_pod(names, &p))
			names->container[0] = '\0', names->id = NULL; /* of the node, where that is one */
		if (!names_match_parent(names, &parent, &p))
			names_match_part(names, &p);
		parent = p;
	}
	names_unescape(p.at, p.len, names->last, sizeof names->last);
}

void rs_cgroup_names_of(const struct rs_session *s, const char *path, struct rs_cgroup_names *names)
{
	names_of_path(path, names);
	if (s)
		rs_container_names_add_to(s, names);
}

void rs_cgroup_names(const struct rs_ctx *c, const char *path, struct rs_cgroup_names *names)
{
	rs_cgroup_names_of(c ? c->session : NULL, path, names);
}

/* "docker web (3f2a1b4c5d6e)", "docker 3f2a1b4c5d6e" */
static void names_put_container(const struct rs_cgroup_names *names, char *buf, size_t size_bytes)
{
	if (names->container_name[0])
		snprintf(buf, size_bytes, "%s %s (%s)", names->runtime, names->container_name,
			 names->container);
	else
		snprintf(buf, size_bytes, "%s %s", names->runtime, names->container);
}

static void names_put_pod(const struct rs_cgroup_names *names, char *buf, size_t size_bytes)
{
	const char *container = names->container_name[0] ? names->container_name : names->container;
	const char *slash = container[0] ? "/" : "";

	if (names->pod_name[0])
		snprintf(buf, size_bytes, "pod %s%s%s", names->pod_name, slash, container);
	else
		snprintf(buf, size_bytes, "pod %.*s%s%s", NAMES_POD_UNIT, names->pod, slash, container);
}

const char *rs_cgroup_unit_of(const struct rs_session *s, const char *path, char *buf, size_t size_bytes)
{
	struct rs_cgroup_names names;

	rs_cgroup_names_of(s, path, &names);
	if (names.pod[0])
		names_put_pod(&names, buf, size_bytes);
	else if (names.container[0])
		names_put_container(&names, buf, size_bytes);
	else
		snprintf(buf, size_bytes, "%s",
			 names.unit[0] ? names.unit : names.slice[0] ? names.slice :
			 names.last[0] ? names.last : path);
	return buf;
}

const char *rs_cgroup_unit(const struct rs_ctx *c, const char *path, char *buf, size_t size_bytes)
{
	return rs_cgroup_unit_of(c ? c->session : NULL, path, buf, size_bytes);
}

static struct rs_value names_copy(char *buf, const char *name, const char *otherwise)
{
	rs_copy(buf, RS_CELL_TEXT_BYTES, *name ? name : otherwise);
	return rs_s(buf);
}

struct rs_value rs_cgroup_value(const struct rs_ctx *c, const char *path, enum rs_column_key key, char *buf)
{
	struct rs_cgroup_names names;

	if (!path || key == RS_KEY_CGROUP)
		return rs_s(path);
	if (key == RS_KEY_UNIT)
		return rs_s(rs_cgroup_unit(c, path, buf, RS_CELL_TEXT_BYTES));
	rs_cgroup_names(c, path, &names);
	if (key == RS_KEY_SLICE)
		return names_copy(buf, names.slice, "");
	return key == RS_KEY_CONTAINER ? names_copy(buf, names.container_name, names.container) :
					 names_copy(buf, names.pod_name, names.pod);
}
