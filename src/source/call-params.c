// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/call-params.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/vector.h"
#include "tracefs/tracefs.h"

static const char prefix[] = "sys_enter_";

/* "	field:const char * filename;	offset:24;..." Returns what is behind the line. */
static const char *take_line(const char *at, const char *end, const char **field, size_t *len)
{
	static const char mark[] = "\tfield:";
	const char *eol = memchr(at, '\n', (size_t)(end - at)), *semicolon;

	eol = eol ? eol : end;
	*field = NULL;
	if ((size_t)(eol - at) > strlen(mark) && !memcmp(at, mark, strlen(mark))) {
		semicolon = memchr(at, ';', (size_t)(eol - at));
		*field = at + strlen(mark);
		*len = semicolon ? (size_t)(semicolon - *field) : 0;
	}
	return eol < end ? eol + 1 : end;
}

static bool begins(const char *field, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(field, with, strlen(with));
}

/* Of the common fields the name begins so. The call's own begin with its number, and the copies of texts are last. */
static bool is_common(const char *field, size_t len)
{
	return memmem(field, len, " common_", strlen(" common_"));
}

char *rs_call_params_parse(struct rs_text format)
{
	const char *at = format.data, *end = format.data + format.len, *field;
	struct rs_buf out = RS_BUF_INIT;
	bool seen_nr = false;
	size_t len;

	while (at < end) {
		at = take_line(at, end, &field, &len);
		if (!field || is_common(field, len) || begins(field, len, "__data_loc") || begins(field, len, "__rel_loc"))
			continue;
		if (!seen_nr) {
			seen_nr = true;
			continue;
		}
		if (out.len)
			rs_buf_puts(&out, ", ");
		rs_buf_add(&out, field, len);
	}
	if (!seen_nr || out.failed) {
		rs_buf_done(&out);
		return NULL;
	}
	rs_buf_putc(&out, '\0');
	return out.data;
}

bool rs_call_params_add(struct rs_call_params_list *list, const char *name, const char *params)
{
	struct rs_call_params *row;

	if (!RS_VECTOR_RESERVE(&list->row, &list->room, list->nr + 1))
		return false;
	row = &list->row[list->nr];
	row->name = strdup(name);
	row->params = strdup(params);
	if (row->name && row->params) {
		list->nr++;
		return true;
	}
	free(row->name);
	free(row->params);
	return false;
}

static bool read_one(struct rs_call_params_list *list, const char *tracefs, const char *event)
{
	char file[300], *params;
	struct rs_text text;
	bool ok = true;

	snprintf(file, sizeof file, "events/syscalls/%s/format", event);
	text.data = rs_tracefs_read(tracefs, file, &text.len);
	params = text.data ? rs_call_params_parse(text) : NULL;
	if (params)
		ok = rs_call_params_add(list, event + strlen(prefix), params);
	free(params);
	free((char *)text.data);
	return ok;
}

void rs_call_params_read(struct rs_call_params_list *list, const char *tracefs)
{
	struct dirent *d;
	char path[300];
	DIR *dir;

	snprintf(path, sizeof path, "%s/events/syscalls", tracefs);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (!strncmp(d->d_name, prefix, strlen(prefix)) && !read_one(list, tracefs, d->d_name))
			break;
	if (dir)
		closedir(dir);
}

void rs_call_params_put(struct rs_json *j, const struct rs_trace_info *info)
{
	if (!info->nr_call_params)
		return;
	rs_json_key(j, "calls");
	rs_json_open(j, '[');
	for (size_t i = 0; i < info->nr_call_params; i++) {
		rs_json_open(j, '[');
		rs_json_str(j, info->call_params[i].name);
		rs_json_str(j, info->call_params[i].params);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

void rs_call_params_done(struct rs_call_params_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		free(list->row[i].name);
		free(list->row[i].params);
	}
	free(list->row);
	*list = (struct rs_call_params_list){ 0 };
}
