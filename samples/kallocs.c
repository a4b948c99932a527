// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kallocs [-n NR] [-g PAGES] [-r QUEUE] [-w] - a program for which the kernel makes a known number of known
 * things
 *
 * NR pipes, two files each, which it closes; NR messages of 16 bytes in a System V queue, which with the
 * kernel's 48 take 64, and which outlive the program; PAGES pages of fresh memory. -r: receives NR messages
 * of the queue instead, and removes it where there are no more.
 */
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>

#include "sample.h"

#define MESSAGE_BYTES 16 /* a queue takes 16 KiB without CAP_SYS_RESOURCE */

static struct { long type; char text[MESSAGE_BYTES]; } message = { .type = 1 };

static int make_queue(void)
{
	int queue = msgget(IPC_PRIVATE, 0600);

	if (queue < 0)
		die("msgget: %s", strerror(errno));
	return queue;
}

static void make_pipes(long nr)
{
	for (long i = 0; i < nr; i++) {
		int fds[2];

		if (pipe(fds) < 0)
			die("pipe: %s", strerror(errno));
		close(fds[0]);
		close(fds[1]);
	}
}

static void touch_pages(long nr)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)nr * page_bytes;
	char *at = nr ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : NULL;

	if (at == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	for (size_t i = 0; i < bytes; i += page_bytes)
		at[i] = 1;
}

static void receive(int queue, long nr)
{
	struct msqid_ds left = { 0 };

	for (long i = 0; i < nr; i++)
		if (msgrcv(queue, &message, MESSAGE_BYTES, 0, IPC_NOWAIT) < 0)
			die("msgrcv: %s", strerror(errno));
	msgctl(queue, IPC_STAT, &left);
	if (!left.msg_qnum)
		msgctl(queue, IPC_RMID, NULL);
}

int main(int argc, char **argv)
{
	long nr = 100, pages = 0, from = -1;
	int told = options(argc, argv, "ngr", &nr, &pages, &from),
	    queue = from < 0 ? make_queue() : (int)from;

	wait_to_be_told(told);
	if (from >= 0) {
		receive(queue, nr);
		return 0;
	}
	make_pipes(nr);
	for (long i = 0; i < nr; i++)
		if (msgsnd(queue, &message, MESSAGE_BYTES, IPC_NOWAIT) < 0)
			die("msgsnd: %s", strerror(errno));
	touch_pages(pages);
	printf("pid=%d queue=%d\n", (int)getpid(), queue);
	return 0;
}
