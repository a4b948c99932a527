// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/fd-effects.h"

static const struct {
	const char *name;
	enum rs_fd_effect effect;
	uint8_t flags;
} effects[] = {
	{ "close", RS_FD_CLOSES_FIRST }, { "dup2", RS_FD_CLOSES_SECOND, RS_FD_NO_FLAGS }, { "dup3", RS_FD_CLOSES_SECOND, 3 }, { "close_range", RS_FD_CLOSES_RANGE },
	{ "execve", RS_FD_CLOSES_ANY }, { "execveat", RS_FD_CLOSES_ANY }, { "unshare", RS_FD_UNSHARES },
	{ "chdir", RS_FD_MOVES }, { "fchdir", RS_FD_MOVES_TO }, { "setns", RS_FD_MOVES }, { "pivot_root", RS_FD_MOVES },
	{ "io_uring_setup", RS_FD_HIDES }, { "io_uring_enter", RS_FD_HIDES }, { "io_uring_register", RS_FD_HIDES },
	{ "open", RS_FD_OPENS, 2 }, { "openat", RS_FD_OPENS_AT, 3 }, { "openat2", RS_FD_OPENS_AT }, { "creat", RS_FD_OPENS, RS_FD_NO_FLAGS }, { "open_by_handle_at", RS_FD_OPENS },
	{ "ioctl", RS_FD_MARKS }, { "dup", RS_FD_DUPS, RS_FD_NO_FLAGS }, { "fcntl", RS_FD_CONTROLS }, { "fcntl64", RS_FD_CONTROLS }, { "socket", RS_FD_OPENS, 2 }, { "accept", RS_FD_OPENS, RS_FD_NO_FLAGS }, { "accept4", RS_FD_OPENS, 4 }, { "memfd_create", RS_FD_OPENS },
	{ "epoll_create", RS_FD_OPENS }, { "epoll_create1", RS_FD_OPENS }, { "eventfd", RS_FD_OPENS }, { "eventfd2", RS_FD_OPENS },
	{ "signalfd", RS_FD_OPENS }, { "signalfd4", RS_FD_OPENS }, { "timerfd_create", RS_FD_OPENS }, { "inotify_init", RS_FD_OPENS },
	{ "inotify_init1", RS_FD_OPENS }, { "fanotify_init", RS_FD_OPENS }, { "perf_event_open", RS_FD_OPENS }, { "userfaultfd", RS_FD_OPENS },
	{ "pidfd_open", RS_FD_OPENS }, { "pidfd_getfd", RS_FD_OPENS }, { "mq_open", RS_FD_OPENS }, { "open_tree", RS_FD_OPENS },
};

static const struct {
	const char *name;
	enum rs_file_op op;
} ops[] = {
	{ "read", RS_FILE_READ }, { "pread64", RS_FILE_READ }, { "readv", RS_FILE_READ }, { "preadv", RS_FILE_READ },
	{ "preadv2", RS_FILE_READ }, { "write", RS_FILE_WRITE }, { "pwrite64", RS_FILE_WRITE }, { "writev", RS_FILE_WRITE },
	{ "pwritev", RS_FILE_WRITE }, { "pwritev2", RS_FILE_WRITE }, { "fsync", RS_FILE_SYNC }, { "fdatasync", RS_FILE_SYNC },
	{ "sync_file_range", RS_FILE_SYNC }, { "syncfs", RS_FILE_SYNC },
};

static void fd_effects_set(struct rs_syscall_names *names, uint8_t *places, const char *name, uint8_t value)
{
	for (int table = 0; table < RS_NR_CALL_TABLES; table++) {
		int place = rs_call_place(rs_syscall_number(names, (enum rs_call_table)table, name));

		if (place >= 0)
			places[place] = value;
	}
}

void rs_fd_effects_init(struct rs_fd_effects *e, struct rs_syscall_names *names)
{
	bool generic = rs_syscall_generic_constants(names);

	for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
		fd_effects_set(names, e->effects, effects[i].name, effects[i].effect);
		fd_effects_set(names, e->flags, effects[i].name, generic ? effects[i].flags : 0);
	}
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		fd_effects_set(names, e->ops, ops[i].name, ops[i].op);
	for (size_t place = 0; place < RS_NR_CALL_PLACES; place++)
		e->begins[place] = e->effects[place] || e->ops[place];
}
