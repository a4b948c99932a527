// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stage [-d SECONDS] ACTOR... - tasks with known names do known things to one another for SECONDS (5)
 *
 * An actor is "NAME: VERB ARGUMENT..., VERB ARGUMENT..." and does these in a loop. After NAME: "*N" so many
 * of it, "@CPUS" where it may run, "+nice=N", "+fifo=PRIORITY", "+cg=CGROUP", "+rounds=N" and no more,
 * "+called" only when another says "run NAME". "PROCESS/NAME" is a thread of PROCESS. So
 *
 *	stage 'client: ask s, sleep 1000' 'server: serve s, write /mnt/log 4K, fsync /mnt/log, reply s'
 *
 * is a client that waits for a server that waits for a disk. Durations are microseconds; of two numbers, any
 * between them. At the end stage kills all players and prints "name=NAME tid=TID rounds=N" for each.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "stage.h"

static void stage_usage(void)
{
	printf("usage: stage [-d SECONDS] 'NAME[*COUNT][@CPUS][+ATTRIBUTE]...: VERB [ARGUMENT]..., ...' "
	       "...\nverbs:\n");
	script_print_verbs();
	exit(0);
}

static void stage_print(void)
{
	for (int a = 0; a < stage_nr_actors; a++)
		for (int i = 0; i < stage_actors[a].nr_players; i++)
			printf("name=%s tid=%d rounds=%ld\n", stage_actors[a].name,
			       stage_actors[a].plays[i].tid, stage_actors[a].plays[i].rounds);
}

int main(int argc, char **argv)
{
	long seconds = 5;
	sigset_t ending;
	int opt;

	while ((opt = getopt(argc, argv, "d:h")) >= 0) {
		if (opt == 'd')
			seconds = number(optarg);
		else
			stage_usage();
	}
	for (; optind < argc && stage_nr_actors < STAGE_ACTORS; optind++)
		script_read(argv[optind], &stage_actors[stage_nr_actors++]);
	if (!stage_nr_actors)
		die("no actor (stage -h)");
	setpgid(0, 0);
	cpu_calibrate();
	players_begin();
	sigemptyset(&ending);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGINT);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	sigtimedwait(&ending, NULL, &(struct timespec){ seconds, 0 });
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	for (int i = 0; i < STAGE_ACTORS * STAGE_PLAYERS && waitpid(-1, NULL, WNOHANG) >= 0; i++)
		sleep_us(1000);
	stage_print();
	return 0;
}
