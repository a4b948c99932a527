/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stage.h - what the parts of stage share: actors, their steps, and the verbs that steps are made of
 *
 * An actor is one argument of stage's. Each of its instances is a player: a process or a thread that performs
 * the actor's steps in turn until stage ends it. All actors are read before the first player begins, so
 * channels and locks are there before anybody forks.
 */
#ifndef STAGE_H
#define STAGE_H

#include <pthread.h>
#include <sched.h>
#include <sys/types.h>

#include "../sample.h"

#define STAGE_ARGS 4
#define STAGE_STEPS 16
#define STAGE_ACTORS 32
#define STAGE_FILES 8
#define STAGE_PLAYERS 256

struct player;
struct step;

struct verb {
	const char *name;
	const char *usage;                                   /* its arguments, for the help */
	/* so many arguments are words, the others are numbers */
	int nr_words;
	int nr_least;                                        /* arguments that must be there */
	void (*prepare)(struct step *step, int nr_players);  /* before any player begins; may be NULL */
	void (*perform)(struct player *player, struct step *step);
};

struct step {
	const struct verb *verb;
	const char *words[STAGE_ARGS];
	long numbers[STAGE_ARGS];
	int nr_numbers;
	void *shared;    /* what prepare() made, the same for each player */
	int fd;          /* the player's own, 0: none yet */
	void *memory;    /* the player's own */
	long position;
};

struct actor {
	char name[16];      /* the task's comm */
	char process[16];   /* the process that it is a thread of; "": it is a process itself */
	int nr_players;
	cpu_set_t cpus;
	int nr_cpus;        /* 0: any */
	int nice;
	int fifo;           /* SCHED_FIFO's priority; 0: none */
	const char *cgroup; /* a directory below /sys/fs/cgroup */
	int called;         /* performs only when another runs it, once each time */
	long rounds;        /* ends after so many; 0: never */
	struct step steps[STAGE_STEPS];
	int nr_steps;
	struct play *plays; /* one for each player, in shared memory */
};

/* What a player leaves for stage to print. */
struct play {
	int tid;
	long rounds;
};

struct file {
	const char *path;
	int fd;
	long size, position;
	char *map;
};

struct player {
	struct actor *actor;
	int index;           /* among the actor's players */
	struct step *steps;  /* the player's copy */
	struct file files[STAGE_FILES];
	unsigned seed;
	int client;          /* the connection that "serve" got its last request from */
};

extern struct actor stage_actors[STAGE_ACTORS];
extern int stage_nr_actors;

/* script.c: reads one actor's text into *ACTOR; dies of an error. */
void script_read(char *text, struct actor *actor);
void script_print_verbs(void);

/* players.c */
struct actor *players_find(const char *name);
void players_begin(void);
void players_run_called(struct actor *actor);

/* The verbs, by what they are about; each table ends with a verb that has no name. */
extern const struct verb cpu_verbs[], channel_verbs[], lock_verbs[], file_verbs[], memory_verbs[];

/*
 * files.c: the player's file, opened at first use. "direct:PATH" opens with O_DIRECT, "sync:PATH" with
 * O_DSYNC.
 */
struct file *files_open(struct player *player, const char *path);

/* cpu.c */
void cpu_calibrate(void);

/* In [from, to] where the step has two numbers from FIRST on, else the first of them. */
long step_number(struct player *player, const struct step *step, int first);
void *shared_memory(size_t size);

#endif
