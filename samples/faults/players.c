// SPDX-License-Identifier: GPL-2.0-or-later
/* players.c - begins the players of all actors: processes, and threads of the processes that actors name */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "stage.h"

struct actor stage_actors[STAGE_ACTORS];
int stage_nr_actors;

void *shared_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	return memory;
}

long step_number(struct player *player, const struct step *step, int first)
{
	long from = step->numbers[first];

	if (step->nr_numbers < first + 2 || step->numbers[first + 1] <= from)
		return from;
	return from + (long)((unsigned)rand_r(&player->seed) % (step->numbers[first + 1] - from + 1));
}

struct actor *players_find(const char *name)
{
	for (int i = 0; i < stage_nr_actors; i++)
		if (!strcmp(stage_actors[i].name, name))
			return &stage_actors[i];
	die("no actor '%s'", name);
}

static void players_join_cgroup(const char *name)
{
	char path[256];
	int fd;

	snprintf(path, sizeof path, "/sys/fs/cgroup/%s/cgroup.procs", name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		die("%s: %s", path, strerror(errno));
	close(fd);
}

static void players_dress(const struct actor *actor)
{
	struct sched_param fifo = { actor->fifo };

	prctl(PR_SET_NAME, actor->name);
	if (actor->cgroup && !*actor->process)
		players_join_cgroup(actor->cgroup);
	if (actor->nr_cpus && sched_setaffinity(0, sizeof actor->cpus, &actor->cpus))
		die("%s: CPUs: %s", actor->name, strerror(errno));
	if (actor->nice && setpriority(PRIO_PROCESS, 0, actor->nice))
		die("%s: nice: %s", actor->name, strerror(errno));
	if (actor->fifo && sched_setscheduler(0, SCHED_FIFO, &fifo))
		die("%s: SCHED_FIFO: %s", actor->name, strerror(errno));
}

static void players_perform(struct actor *actor, int index, long rounds)
{
	struct player player = { .actor = actor, .index = index, .seed = (unsigned)index + 1, .client = -1 };
	struct play *play = &actor->plays[index];

	player.steps = malloc(sizeof actor->steps);
	if (!player.steps)
		die("out of memory");
	memcpy(player.steps, actor->steps, sizeof actor->steps);
	for (long i = 0; !rounds || i < rounds; i++) {
		for (int s = 0; s < actor->nr_steps; s++)
			player.steps[s].verb->perform(&player, &player.steps[s]);
		__atomic_add_fetch(&play->rounds, 1, __ATOMIC_RELAXED);
	}
}

static void players_play(struct actor *actor, int index)
{
	players_dress(actor);
	actor->plays[index].tid = (int)syscall(SYS_gettid);
	if (actor->nr_steps)
		players_perform(actor, index, actor->rounds);
	for (;;)
		pause();
}

struct part {
	struct actor *actor;
	int index;
};

static void *players_thread(void *arg)
{
	struct part part = *(struct part *)arg;

	free(arg);
	players_play(part.actor, part.index);
	return NULL;
}

/* The threads of the process NAME that calls this. */
static void players_begin_threads(const char *name)
{
	for (int a = 0; a < stage_nr_actors; a++) {
		struct actor *actor = &stage_actors[a];

		if (strcmp(actor->process, name))
			continue;
		for (int i = 0; i < actor->nr_players; i++) {
			pthread_t thread;
			struct part *part = malloc(sizeof *part);

			if (!part)
				die("out of memory");
			*part = (struct part){ actor, i };
			if (pthread_create(&thread, NULL, players_thread, part))
				die("%s: no thread", actor->name);
		}
	}
}

static int players_fork(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	}
	return pid;
}

/* A player's child that performs ACTOR's steps once; returns when it has ended. */
void players_run_called(struct actor *actor)
{
	pid_t pid = players_fork();

	if (!pid) {
		players_dress(actor);
		actor->plays[0].tid = (int)syscall(SYS_gettid);
		players_perform(actor, 0, 1);
		_exit(0);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* A process that is only named by its threads: its main thread waits. */
static int players_has_process(const char *name, int before)
{
	for (int i = 0; i < before; i++)
		if (!strcmp(stage_actors[i].process, name) ||
		    (!*stage_actors[i].process && !strcmp(stage_actors[i].name, name)))
			return 1;
	return 0;
}

static void players_begin_owner(const struct actor *thread)
{
	struct actor owner = { .nr_players = 1, .cgroup = thread->cgroup };

	if (players_fork())
		return;
	snprintf(owner.name, sizeof owner.name, "%s", thread->process);
	players_dress(&owner);
	players_begin_threads(owner.name);
	for (;;)
		pause();
}

void players_begin(void)
{
	for (int a = 0; a < stage_nr_actors; a++) {
		struct actor *actor = &stage_actors[a];

		actor->plays = shared_memory(sizeof(struct play) * (size_t)actor->nr_players);
		for (int s = 0; s < actor->nr_steps; s++)
			if (actor->steps[s].verb->prepare)
				actor->steps[s].verb->prepare(&actor->steps[s], actor->nr_players);
	}
	for (int a = 0; a < stage_nr_actors; a++) {
		struct actor *actor = &stage_actors[a];

		if (*actor->process) {
			if (!players_has_process(actor->process, a))
				players_begin_owner(actor);
			continue;
		}
		for (int i = 0; i < actor->nr_players && !actor->called; i++)
			if (!players_fork()) {
				players_begin_threads(actor->name);
				players_play(actor, i);
			}
	}
}
