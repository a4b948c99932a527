// SPDX-License-Identifier: GPL-2.0-or-later
/* record-fds - the files of descriptors, looked up while a recording is made */
#include "cli/record/record-fds.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/monotonic.h"
#include "base/vector.h"
#include "engine/files/fd-paths.h"
#include "engine/files/open-names.h"
#include "ringside/event.h"
#include "source/live/args-reader.h"
#include "tracefs/guardian.h"

enum { RECORD_FDS_FILENAME, RECORD_FDS_PID };
enum { RECORD_FDS_NR, RECORD_FDS_ARGS, RECORD_FDS_RET = RECORD_FDS_ARGS };

/*
 * Numbers of this machine's own programs: for a 32-bit one another descriptor may be looked up, which is as
 * true.
 */
static bool record_fds_uses(int64_t nr)
{
	switch (nr) {
	case SYS_read: case SYS_write: case SYS_readv: case SYS_writev: case SYS_pread64: case SYS_pwrite64:
	case SYS_preadv: case SYS_pwritev: case SYS_fsync: case SYS_fdatasync: case SYS_sendfile:
		return true;
	/* s390 and i386 have had these apart from socketcall since 4.3 */
	case SYS_sendto: case SYS_sendmsg: case SYS_sendmmsg: case SYS_recvfrom: case SYS_recvmsg:
	case SYS_recvmmsg: case SYS_accept4: case SYS_shutdown:
		return true;
	default:
		return false;
	}
}

static bool record_fds_opens(int64_t nr)
{
#ifdef SYS_open
	if (nr == SYS_open || nr == SYS_creat)
		return true;
#endif
	return nr == SYS_openat || nr == 437; /* openat2, the same on every architecture */
}

/* A new socket gets its name later, when it connects: it is asked for by the calls that use it. */
static bool record_fds_makes_socket(int64_t nr)
{
	return nr == SYS_socket || nr == SYS_accept4;
}

/* What makes a process whose names begin where its parent's do, and what changes that. */
static bool record_fds_forks(int64_t nr)
{
#ifdef SYS_fork
	if (nr == SYS_fork || nr == SYS_vfork)
		return true;
#endif
	return nr == SYS_clone || nr == 435; /* clone3 */
}

static bool record_fds_has_names(const struct rs_formats *formats)
{
	const char *system, *name;
	unsigned int id;

	for (size_t i = 0; rs_formats_nth(formats, i, &system, &name, &id); i++)
		if (rs_open_names_is_group(system))
			return true;
	return false;
}

void rs_record_fds_done(struct rs_record_fds *r)
{
	for (size_t i = 0; i < r->nr_paths; i++)
		free(r->paths[i].path);
	free(r->paths);
	rs_buf_done(&r->containers);
}

static uint64_t record_fds_key(int32_t tid, int64_t fd)
{
	return (uint64_t)(uint32_t)tid << 32 | (uint32_t)fd;
}

static uint64_t *record_fds_seen(struct rs_record_fds *r, uint64_t key)
{
	return &r->seen[rs_hash_u64(key) % RECORD_FDS_SEEN];
}

/* The next call that uses it asks for it, again. */
static void record_fds_forget(struct rs_record_fds *r, int32_t tid, int64_t fd)
{
	uint64_t key = record_fds_key(tid, fd), *seen = record_fds_seen(r, key);

	if (*seen == key)
		*seen = 0;
}

static void record_fds_ask(struct rs_record_fds *r, int32_t tid, int64_t fd, bool is_new)
{
	uint64_t key = record_fds_key(tid, fd), *seen = record_fds_seen(r, key);

	if (tid <= 0 || fd < 0 || fd > INT32_MAX || (*seen == key && !is_new) ||
	    r->nr_asked >= RECORD_FDS_ASKS)
		return;
	if (r->requester.ask(r->requester.arg, tid, (int32_t)fd)) {
		*seen = key;
		r->nr_asked++;
	}
}

void rs_record_fds_init(struct rs_record_fds *r, const struct rs_trace_info *info,
			struct rs_fd_requester requester, int32_t command, struct rs_args_reader *args)
{
	struct rs_error ignored = { 0 };
	struct rs_formats *formats = requester.ask || args ? rs_formats_new(info, &ignored) : NULL;
	bool readable = formats && rs_page_layout_of(&r->layout, info, &ignored) == 0;

	if (readable && args &&
	    rs_formats_bind(formats, "sched", "sched_process_exec",
			    (const char *const[]){ "filename", "pid", NULL }, &r->exec, NULL) == RS_BIND_OK)
		r->args = args;
	if (readable && requester.ask &&
	    rs_formats_bind(formats, "raw_syscalls", "sys_enter", (const char *const[]){ "id", "args", NULL },
			    &r->enter, NULL) == RS_BIND_OK &&
	    rs_formats_bind(formats, "raw_syscalls", "sys_exit", (const char *const[]){ "id", "ret", NULL },
			    &r->leave, NULL) == RS_BIND_OK)
		r->requester = requester;
	if ((r->args || r->requester.ask) && !rs_formats_common(formats, &r->common)) { /* of what is bound */
		r->args = NULL;
		r->requester = (struct rs_fd_requester){ 0 };
	}
	r->has_names = r->requester.ask && record_fds_has_names(formats);
	rs_formats_free(formats);
	if (r->has_names && command > 0)
		record_fds_ask(r, command, RS_FD_CWD, true);
}

/* A call has returned: of names that are relative, where they begin. */
static void record_fds_ask_cwd(struct rs_record_fds *r, int32_t tid, int64_t nr, int64_t ret)
{
	bool moves = !ret && (nr == SYS_chdir || nr == SYS_fchdir);

	if (r->has_names &&
	    (moves || (ret >= 0 && record_fds_opens(nr)) || (ret > 0 && record_fds_forks(nr))))
		record_fds_ask(r, tid, RS_FD_CWD, moves);
}

static void record_fds_ask_args(struct rs_record_fds *r, const struct rs_event *ev)
{
	char path[512];
	const char *base;
	struct rs_process of = { .from_ns = ev->ts_ns };

	if (ev->len_bytes < r->exec.min_len_bytes ||
	    !rs_str(ev, &r->exec.fields[RECORD_FDS_FILENAME], path, sizeof path))
		return;
	base = strrchr(path, '/');
	base = base ? base + 1 : path;
	path[base - path + (ptrdiff_t)strnlen(base, RS_COMM_LEN - 1)] = '\0'; /* as the kernel cuts it */
	of.pid = (int32_t)rs_i64(ev, &r->exec.fields[RECORD_FDS_PID]);
	of.comm = base;
	rs_args_reader_ask(r->args, &of);
}

static void record_fds_record(struct rs_record_fds *r, const struct rs_event *ev, uint16_t id)
{
	int32_t tid = (int32_t)rs_i64(ev, &r->common.pid);
	int64_t nr, ret;

	if (r->args && id == r->exec.id)
		record_fds_ask_args(r, ev);
	if (!r->requester.ask)
		return;
	if (id == r->enter.id && ev->len_bytes >= r->enter.min_len_bytes &&
	    record_fds_uses(rs_i64(ev, &r->enter.fields[RECORD_FDS_NR])))
		record_fds_ask(r, tid, (int32_t)rs_u64_elem(ev, &r->enter.fields[RECORD_FDS_ARGS], 0, 6),
			       false);
	if (id != r->leave.id || ev->len_bytes < r->leave.min_len_bytes)
		return;
	nr = rs_i64(ev, &r->leave.fields[RECORD_FDS_NR]);
	ret = rs_i64(ev, &r->leave.fields[RECORD_FDS_RET]);
	record_fds_ask_cwd(r, tid, nr, ret);
	if (record_fds_opens(nr))
		record_fds_ask(r, tid, ret, true);
	else if (record_fds_makes_socket(nr))
		record_fds_forget(r, tid, ret);
}

void rs_record_fds_page(struct rs_record_fds *r, const uint8_t *page, size_t len_bytes)
{
	uint64_t now_ns;
	struct rs_page_cursor c;
	uint16_t id;

	if (!r->requester.ask && !r->args)
		return;
	now_ns = rs_monotonic_ns();
	if (now_ns - r->tick_ns >= RECORD_FDS_TICK_NS) {
		r->tick_ns = now_ns;
		r->nr_pages = r->nr_asked = r->nr_again = 0;
	}
	if (r->nr_pages++ >= RECORD_FDS_PAGES || !rs_page_load(&c, &r->layout, page, len_bytes))
		return;
	while (rs_page_next(&c)) {
		const struct rs_event ev = { .ts_ns = c.ts_ns, .data = c.record, .len_bytes = c.len_bytes };

		if (c.len_bytes < r->common.min_len_bytes)
			continue;
		memcpy(&id, c.record + r->common.type.offset_bytes, sizeof id);
		if (id == r->enter.id || id == r->leave.id || id == r->exec.id)
			record_fds_record(r, &ev, id);
	}
}

/* ---- containers ---- */

void rs_record_fds_ask_containers(struct rs_record_fds *r, const struct rs_trace_info *info,
				  struct rs_fd_requester requester)
{
	r->container_requester = requester;
	r->next_task = info->snapshot;
	r->end_tasks = info->snapshot + info->nr_initial;
}

static bool record_fds_is_container(const char *path, const char *last)
{
	struct rs_cgroup_names names;

	if (!path || path == last)
		return false;
	rs_cgroup_names(NULL, path, &names);
	return names.id;
}

/* A task that has ended, or whose container is another's by now, has no reply, or that one's. */
static void record_fds_take_containers(struct rs_record_fds *r)
{
	const struct rs_fd_requester *requester = &r->container_requester;
	const char *last = NULL;

	if (!requester->ask)
		return;
	for (; r->next_task < r->end_tasks; last = r->next_task++->cgroup)
		if (record_fds_is_container(r->next_task->cgroup, last) &&
		    !requester->ask(requester->arg, r->next_task->pid, RS_FD_CONTAINER))
			break;
	while (requester->answer(requester->arg, &r->reply))
		if (r->reply.len > 0 && r->containers.len + (size_t)r->reply.len < RECORD_FDS_TEXT_BYTES) {
			rs_buf_add(&r->containers, r->reply.path, (size_t)r->reply.len);
			rs_buf_putc(&r->containers, '\n');
		}
}

void rs_record_fds_take_replies(struct rs_record_fds *r)
{
	const struct rs_fd_reply *reply = &r->reply;

	record_fds_take_containers(r);

	while (r->requester.ask && r->requester.answer(r->requester.arg, &r->reply)) {
		char *path = reply->len > 0 && r->nr_paths < RECORD_FDS_MAX &&
					     r->text_bytes + (size_t)reply->len <= RECORD_FDS_TEXT_BYTES ?
				     strndup(reply->path, (size_t)reply->len) :
				     NULL;
		struct rs_fd_path *p = path ? RS_VECTOR_ADD(&r->paths, &r->nr_paths, &r->paths_room) : NULL;

		if (rs_fd_paths_is_unnamed(path) && r->nr_again++ < RECORD_FDS_AGAIN)
			record_fds_forget(r, reply->pid, reply->fd);
		if (p) {
			*p = (struct rs_fd_path){ .read_ns = reply->read_ns, .tid = reply->pid,
						  .fd = reply->fd, .path = path,
						  .state = (uint32_t)reply->state,
						  .state_ns = reply->state_ns };
			r->text_bytes += (size_t)reply->len;
		} else {
			free(path);
		}
	}
}
