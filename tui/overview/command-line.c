// SPDX-License-Identifier: GPL-2.0-or-later
/* command-line.c - the command lines of live processes, read by a thread of its own and cached */
#include "tui/overview/command-line.h"

#include <string.h>

#include "base/buf.h"
#include "base/thread.h"
#include "ringside/task.h"

#define COMMAND_LINES 128
#define READ_BYTES 1024      /* the program's folder may be long */
#define AGAIN \
	64 /* asked for so often, it is read again: a program may rename itself, or run another of the same \
	      name */

struct command_line {
	int32_t pid;         /* 0: free */
	char comm[RS_COMM_LEN];
	char text[RS_COMMAND_LINE];
	bool asked;          /* the thread is to read it */
	unsigned int nr_gets;
	uint64_t used;
};

/* Of the whole program, and never freed: the thread may be held by a process that is stuck. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool is_running;
	rs_command_line_read *read;
	uint64_t now;
	struct command_line at[COMMAND_LINES];
} command_lines = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static struct command_line *command_line_asked(void)
{
	for (size_t i = 0; i < COMMAND_LINES; i++)
		if (command_lines.at[i].asked)
			return &command_lines.at[i];
	return NULL;
}

/* Leaves out the folder of the program. */
static void command_line_store(struct command_line *line, const char *text)
{
	size_t program = strcspn(text, " "), folder = program;

	while (folder && text[folder - 1] != '/')
		folder--;
	rs_copy(line->text, sizeof line->text, text + folder);
}

static void *command_line_body(void *arg)
{
	char text[READ_BYTES];

	(void)arg;
	pthread_mutex_lock(&command_lines.lock);
	for (;;) {
		struct command_line *line = command_line_asked(), asked;

		if (!line) {
			pthread_cond_wait(&command_lines.changed, &command_lines.lock);
			continue;
		}
		line->asked = false;
		asked = *line;
		pthread_mutex_unlock(&command_lines.lock);
		command_lines.read(asked.pid, asked.comm, text, sizeof text);
		pthread_mutex_lock(&command_lines.lock);
		if (line->pid == asked.pid && !strcmp(line->comm, asked.comm))
			command_line_store(line, text);
	}
	return NULL;
}

/* Of too many the one that was not asked for for longest is replaced. */
static struct command_line *command_line_find(int32_t pid, const char *comm)
{
	struct command_line *oldest = command_lines.at;

	for (struct command_line *line = command_lines.at; line < command_lines.at + COMMAND_LINES; line++) {
		if (line->pid == pid && !strcmp(line->comm, comm))
			return line;
		if (line->used < oldest->used)
			oldest = line;
	}
	*oldest = (struct command_line){ .pid = pid, .nr_gets = AGAIN };
	rs_copy(oldest->comm, sizeof oldest->comm, comm);
	return oldest;
}

void rs_command_line_get(rs_command_line_read *read, int32_t pid, const char *comm,
			 char text[RS_COMMAND_LINE])
{
	struct command_line *line;
	pthread_t thread;

	pthread_mutex_lock(&command_lines.lock);
	if (!command_lines.is_running) {
		command_lines.read = read;
		command_lines.is_running = rs_thread_begin(&thread, 0, command_line_body, NULL) == 0;
		if (command_lines.is_running)
			pthread_detach(thread);
	}
	line = command_line_find(pid, comm);
	line->used = ++command_lines.now;
	if (++line->nr_gets > AGAIN) {
		line->nr_gets = 0;
		line->asked = true;
		pthread_cond_signal(&command_lines.changed);
	}
	memcpy(text, line->text, sizeof line->text);
	pthread_mutex_unlock(&command_lines.lock);
}
