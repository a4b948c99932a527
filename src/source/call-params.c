// SPDX-License-Identifier: GPL-2.0-or-later
/* call-params - which parameters the kernel's system calls have, from the formats of their events */
#include "source/call-params.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/vector.h"
#include "tracefs/tracefs.h"

static const char prefix[] = "sys_enter_";

/*
 * "       field:const char * filename;    offset:24;...": the text up to the semicolon; NULL: a line of
 * another kind.
 */
static char *field_of(char *line)
{
	static const char mark[] = "\tfield:";

	if (strncmp(line, mark, strlen(mark)))
		return NULL;
	line[strcspn(line, ";")] = '\0';
	return line + strlen(mark);
}

/* A call's fields are the common ones, its number, the parameters, and copies of texts. */
char *rs_call_params_parse(struct rs_text format)
{
	char *text = strndup(format.data ? format.data : "", format.len), *save = NULL;
	struct rs_buf out = RS_BUF_INIT;
	bool seen_nr = false;

	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *field = field_of(line);

		if (!field || strstr(field, " common_") || !strncmp(field, "__data_loc", 10) ||
		    !strncmp(field, "__rel_loc", 9))
			continue;
		if (seen_nr)
			rs_buf_printf(&out, "%s%s", out.len ? ", " : "", field);
		seen_nr = true;
	}
	free(text);
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

void rs_call_params_done(struct rs_call_params_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		free(list->row[i].name);
		free(list->row[i].params);
	}
	free(list->row);
	*list = (struct rs_call_params_list){ 0 };
}
