// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 5-segv - three children die of a signal each, and each signal has another sender
 *
 * "parser" reads through a pointer to nothing; "checker" fails an assertion; "server" waits until its parent
 * ends it.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "../sample.h"

struct token {
	const char *text;
	struct token *next;
};

/* Expects one token more than there is. */
static void segv_parse(void)
{
	struct token last = { "end", NULL }, first = { "begin", &last };
	const struct token *volatile t = &first;

	for (int i = 0; i < 3; i++, t = t->next)
		(void)*(const volatile char *)t->text;
}

static void segv_wait(void)
{
	for (;;)
		pause();
}

static pid_t segv_begin(const char *name, void (*work)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, name);
	work();
	_exit(0);
}

int main(void)
{
	static const struct { const char *name; void (*work)(void); } children[] = {
		{ "parser", segv_parse }, { "checker", abort }, { "server", segv_wait },
	};

	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	for (size_t i = 0; i < sizeof children / sizeof *children; i++) {
		pid_t pid = segv_begin(children[i].name, children[i].work);
		int status;

		if (children[i].work == segv_wait) {
			sleep_us(200000);
			kill(pid, SIGTERM);
		}
		if (waitpid(pid, &status, 0) != pid)
			die("waitpid: %s", strerror(errno));
		printf("%s=%d signal=%d\n", children[i].name, (int)pid,
		       WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	}
	return 0;
}
