// SPDX-License-Identifier: GPL-2.0-or-later
/* locks.c - the verbs that lock: mutexes among players, and files */
#include <fcntl.h>
#include <sys/file.h>

#include "stage.h"

static struct named_lock {
	const char *name;
	pthread_mutex_t *mutex;
	const char *process; /* of those who lock it; NULL: of several */
} locks[16];

/* NULL: of several */
static const char *locks_process_of(const struct step *step)
{
	for (int a = 0; a < stage_nr_actors; a++)
		if (step >= stage_actors[a].steps && step < stage_actors[a].steps + STAGE_STEPS)
			return *stage_actors[a].process       ? stage_actors[a].process :
			       stage_actors[a].nr_players > 1 ? NULL :
								stage_actors[a].name;
	return NULL;
}

/* A mutex of one process has private futexes, as almost all have. */
static void locks_prepare(struct step *step, int nr_players)
{
	const char *process = locks_process_of(step);
	pthread_mutexattr_t shared;
	struct named_lock *l = locks;

	(void)nr_players;
	while (l->name && strcmp(l->name, step->words[0]))
		if (++l == locks + 15)
			die("too many locks");
	pthread_mutexattr_init(&shared);
	if (!l->name)
		*l = (struct named_lock){ step->words[0], shared_memory(sizeof *l->mutex), process };
	else if (l->process && (!process || strcmp(l->process, process)))
		l->process = NULL;
	if (!l->process)
		pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(l->mutex, &shared);
	step->shared = l->mutex;
}

static void locks_lock(struct player *player, struct step *step)
{
	(void)player;
	pthread_mutex_lock(step->shared);
}

static void locks_unlock(struct player *player, struct step *step)
{
	(void)player;
	pthread_mutex_unlock(step->shared);
}

static void locks_flock(struct player *player, struct step *step)
{
	if (flock(files_open(player, step->words[0])->fd, LOCK_EX))
		die("flock %s: %s", step->words[0], strerror(errno));
}

static void locks_funlock(struct player *player, struct step *step)
{
	flock(files_open(player, step->words[0])->fd, LOCK_UN);
}

static void locks_fcntl(struct player *player, short type, const char *path)
{
	struct flock whole = { .l_type = type, .l_whence = SEEK_SET };

	if (fcntl(files_open(player, path)->fd, F_SETLKW, &whole))
		die("fcntl %s: %s", path, strerror(errno));
}

static void locks_posix(struct player *player, struct step *step)
{
	locks_fcntl(player, F_WRLCK, step->words[0]);
}

static void locks_unposix(struct player *player, struct step *step)
{
	locks_fcntl(player, F_UNLCK, step->words[0]);
}

const struct verb lock_verbs[] = {
	{ "lock", "NAME: takes a mutex", 1, 1, locks_prepare, locks_lock },
	{ "unlock", "NAME: releases it", 1, 1, locks_prepare, locks_unlock },
	{ "flock", "FILE: flock(LOCK_EX)", 1, 1, NULL, locks_flock },
	{ "funlock", "FILE: flock(LOCK_UN)", 1, 1, NULL, locks_funlock },
	{ "posix", "FILE: fcntl(F_SETLKW), a write lock", 1, 1, NULL, locks_posix },
	{ "unposix", "FILE: releases it", 1, 1, NULL, locks_unposix },
	{ 0 },
};
