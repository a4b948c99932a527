// SPDX-License-Identifier: GPL-2.0-or-later
/* record-head - what a recording says of the kernel that made it, and of the command it was made of */
#include "cli/record/record-head.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FTRACE_FORMATS 256
#define RECORD_COMMAND_BYTES 200 /* about: of the words of a command, to be known again by */

static void record_head_add_format(struct rs_record_head *h, const char *tracefs, const char *name)
{
	char file[PATH_MAX];
	size_t len;
	char *text;

	snprintf(file, sizeof file, "events/ftrace/%s/format", name);
	text = rs_tracefs_read(tracefs, file, &len);
	if (text)
		h->ftrace[h->nr_ftrace++] = (struct rs_format_text){ .system = "ftrace",
			.text = { text, len } };
}

/* The kernel's own entries (print, function ...): trace-cmd expects them, few kernels lack them. */
static void record_head_read_formats(struct rs_record_head *h, const char *tracefs)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir;

	h->ftrace = calloc(MAX_FTRACE_FORMATS, sizeof *h->ftrace);
	snprintf(path, sizeof path, "%s/events/ftrace", tracefs);
	dir = h->ftrace ? opendir(path) : NULL;
	while (dir && (entry = readdir(dir)) && h->nr_ftrace < MAX_FTRACE_FORMATS)
		if (entry->d_type == DT_DIR && *entry->d_name != '.')
			record_head_add_format(h, tracefs, entry->d_name);
	if (dir)
		closedir(dir);
}

static struct rs_text record_head_text(const char *data, size_t len)
{
	return data ? (struct rs_text){ data, len } : (struct rs_text){ "", 0 };
}

int rs_record_head_read(struct rs_record_head *h, const char *tracefs, struct rs_instance *in,
			struct rs_error *err)
{
	size_t len = 0;

	*h = (struct rs_record_head){ .head = { .kallsyms_fd = -1 } };
	h->head.info = &h->info;
	h->header_event = rs_tracefs_read(tracefs, "events/header_event", &len);
	if (!h->header_event)
		return rs_fail(err, "cannot read %s/events/header_event: %s", tracefs, strerror(errno));
	h->head.header_event = record_head_text(h->header_event, len);
	h->printk_formats = rs_tracefs_read(tracefs, "printk_formats", &len);
	h->info.printk_formats = record_head_text(h->printk_formats, len);
	if (rs_instance_await_clock(in, err) < 0)
		return -1;
	h->clocks = rs_tracefs_read(in->path, "trace_clock", &len);
	h->head.clocks = record_head_text(h->clocks, len);
	record_head_read_formats(h, tracefs);
	h->head.ftrace_formats = h->ftrace;
	h->head.nr_ftrace_formats = h->nr_ftrace;
	/* without it addresses have no names, and that is all */
	h->head.kallsyms_fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	return 0;
}

void rs_record_head_set_info(struct rs_record_head *h, const struct rs_trace_info *info)
{
	struct rs_text printk_formats = h->info.printk_formats;

	h->info = *info;
	h->info.printk_formats = printk_formats;
}

void rs_record_head_set_command(struct rs_record_head *h, int32_t pid, char *const *words)
{
	h->command = (struct rs_buf)RS_BUF_INIT;
	for (char *const *word = words; *word && h->command.len < RECORD_COMMAND_BYTES; word++)
		rs_buf_printf(&h->command, "%s%.*s", word == words ? "" : " ", RECORD_COMMAND_BYTES, *word);
	h->info.command_pid = pid;
	h->info.command = h->command.data;
}

void rs_record_head_done(struct rs_record_head *h)
{
	rs_buf_done(&h->command);
	for (size_t i = 0; i < h->nr_ftrace; i++)
		free((char *)h->ftrace[i].text.data);
	free(h->ftrace);
	free(h->header_event);
	free(h->printk_formats);
	free(h->clocks);
	if (h->head.kallsyms_fd >= 0)
		close(h->head.kallsyms_fd);
}
