// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * call-shape.c - how many arguments a call takes, of which types, and what they are called: as the kernel
 * says it
 *
 * From its syscalls/sys_enter_NAME/format: live and in ringside's recordings of all calls, else of those
 * whose events the recording has. Looked up when a call of the kind is shown first.
 */
#include "engine/calls/call-shape.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/internal.h"
#include "source/call-params.h"

struct rs_call_shapes {
	struct rs_call_shape *of[RS_MAX_CALL_NUMBERS];
	bool asked[RS_MAX_CALL_NUMBERS];
};

/* The events are named for the kernel's functions, whose names may differ from those of the calls. */
static const char *const other_names[][2] = {
	{ "stat", "newstat" }, { "lstat", "newlstat" }, { "fstat", "newfstat" }, { "uname", "newuname" },
	{ "umount2", "umount" }, { "sendfile", "sendfile64" },
};

/*
 * How to show a parameter by its type and name, with the letters of call-shape.h; the first row applies whose
 * type is a part of the type and whose name is the end of the name.
 */
static const struct {
	const char *type, *name;
	char letter;
} rules[] = {
	{ "*", NULL, 'p' },
	{ "int", "dfd", 'D' }, { "int", "fd", 'f' }, { "int", "fildes", 'f' },
	{ NULL, "flags", 'x' }, { NULL, "mask", 'x' }, { NULL, "addr", 'x' }, { NULL, "cmd", 'x' },
	{ "umode_t", NULL, 'o' }, { "ssize_t", NULL, 'd' }, { "size_t", NULL, 'z' }, { "off_t", NULL, 'd' },
	{ "unsigned long", NULL, 'x' }, { "unsigned", NULL, 'u' }, { "uid_t", NULL, 'u' },
	{ "gid_t", NULL, 'u' },
	{ "u32", NULL, 'u' }, { "u64", NULL, 'z' }, { "long", NULL, 'd' }, { "int", NULL, 'i' },
	{ "pid_t", NULL, 'i' },
	{ "clockid_t", NULL, 'c' }, { NULL, NULL, 'x' },
};

static bool call_shape_ends_so(const char *name, const char *end)
{
	size_t len = strlen(name), end_len = strlen(end);

	return len >= end_len && !strcmp(name + len - end_len, end);
}

static char call_shape_letter_of(const char *type, const char *name)
{
	size_t i = 0;

	while ((rules[i].type && !strstr(type, rules[i].type)) ||
	       (rules[i].name && !call_shape_ends_so(name, rules[i].name)))
		i++;
	return rules[i].letter;
}

/* "const char * filename": type and name apart. */
static void call_shape_add_param(struct rs_call_shape *shape, char *param)
{
	char *name = strrchr(param, ' ');

	if (!name)
		return;
	*name++ = '\0';
	shape->letters[shape->nr] = call_shape_letter_of(param, name);
	snprintf(shape->names[shape->nr], sizeof shape->names[shape->nr], "%s", name);
	shape->nr++;
}

static struct rs_call_shape *call_shape_parse(const char *params)
{
	struct rs_call_shape *shape = calloc(1, sizeof *shape);
	char *text = strdup(params), *save = NULL, *at;

	for (at = text && shape ? strtok_r(text, ",", &save) : NULL; at && shape->nr < 6;
	     at = strtok_r(NULL, ",", &save))
		call_shape_add_param(shape, at + strspn(at, " "));
	free(text);
	return shape;
}

static const char *call_shape_listed_params(const struct rs_trace_info *info, const char *name)
{
	for (size_t i = 0; i < info->nr_call_params; i++)
		if (!strcmp(info->call_params[i].name, name))
			return info->call_params[i].params;
	return NULL;
}

static struct rs_call_shape *call_shape_lookup(const struct rs_session *s, const char *name)
{
	const char *listed = call_shape_listed_params(&s->source->info, name);
	struct rs_call_shape *shape;
	char event[80], *params;
	struct rs_text text;

	if (listed)
		return call_shape_parse(listed);
	snprintf(event, sizeof event, "sys_enter_%s", name);
	text = rs_formats_text(s->formats, "syscalls", event);
	params = text.data ? rs_call_params_parse(text) : NULL;
	shape = params ? call_shape_parse(params) : NULL;
	free(params);
	return shape;
}

static struct rs_call_shape *call_shape_find(const struct rs_session *s, const char *name)
{
	struct rs_call_shape *shape = call_shape_lookup(s, name);

	for (size_t i = 0; !shape && i < sizeof other_names / sizeof *other_names; i++)
		if (!strcmp(other_names[i][0], name))
			shape = call_shape_lookup(s, other_names[i][1]);
	return shape;
}

const struct rs_call_shape *rs_call_shape_get(struct rs_session *s, int64_t nr)
{
	const char *name;

	/* only for the kernel's own table, and if a word holds any argument */
	if (nr < 0 || nr >= RS_MAX_CALL_NUMBERS || rs_syscall_is_narrow(s->syscalls, nr))
		return NULL;
	if (!s->call_texts.shapes && !(s->call_texts.shapes = calloc(1, sizeof *s->call_texts.shapes)))
		return NULL;
	if (!s->call_texts.shapes->asked[nr]) {
		s->call_texts.shapes->asked[nr] = true;
		name = rs_syscall_names_get(s->syscalls, nr);
		s->call_texts.shapes->of[nr] = name ? call_shape_find(s, name) : NULL;
	}
	return s->call_texts.shapes->of[nr];
}

void rs_call_shapes_free(struct rs_call_shapes *shapes)
{
	for (unsigned int i = 0; shapes && i < RS_MAX_CALL_NUMBERS; i++)
		free(shapes->of[i]);
	free(shapes);
}
