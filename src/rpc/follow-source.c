// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * follow-source - pages that a daemon hands on, kept in a list for each CPU until they are asked for
 *
 * The daemon runs as another user, so what it sends is untrusted, like a file: each head is checked before
 * anything is kept.
 */
#include "rpc/follow-source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/monotonic.h"
#include "base/pidns.h"
#include "rpc/follow-told.h"
#include "source/call-params.h"
#include "source/live/args-reader.h"
#include "source/live/cgroup-counts.h"
#include "source/live/cpu-power.h"
#include "source/live/mount-points.h"
#include "source/live/proc.h"
#include "source/live/task-snapshot.h"
#include "source/trace-clock.h"

#define FOLLOW_MAX_CPUS 8192
#define FOLLOW_READ_BYTES (1u << 20)
#define MAX_KEPT_BYTES (64u << 20)  /* of pages; beyond it the socket is not read */
#define STOP_MS 1000

struct follow_cached {
	struct follow_cached *next;
	uint64_t empty_at_ns;
	uint32_t len_bytes;
	uint8_t data[];
};

struct follow_cpu {
	struct follow_cached *first, *last, *held;
};

struct follow {
	struct rs_source source;       /* first */
	int fd;
	struct rs_buf in;
	size_t in_at, kept_bytes;
	struct follow_cpu *cpus;
	uint64_t mark_ns, shown_from_ns, stop_ns;
	int64_t stop_at_ms;            /* CLOCK_MONOTONIC; 0: goes on */
	bool ended;                    /* nothing more is read */
	bool end_sent;                 /* the capture ended, rather than its process crashed */
	struct rs_follow_told told;
	unsigned int samples;
	int symbols_fd;
	struct rs_task_snapshot now;
	struct rs_proc_sample sample;
	clockid_t clock;
	bool has_clock;                /* this process can read the trace clock */
	/* what source.info points to */
	const struct rs_follow_reply *reply;
	struct rs_format_text *formats;
	struct rs_disk *disks;
	struct rs_call_params_list call_params;
	struct rs_task_snapshot snapshot;
	struct rs_args_reader *args;
	struct rs_cpu_power power;
	struct rs_gauges gauges;
};

static struct follow *follow_of(const struct rs_source *s)
{
	return (struct follow *)(uintptr_t)s;
}

static const clockid_t *follow_clock(const struct follow *f)
{
	return f->has_clock ? &f->clock : NULL;
}

/* ---- what comes ---- */

static bool keep_page(struct follow *f, const struct rs_follow_head *h, const char *bytes)
{
	struct follow_cpu *c = h->cpu < f->source.info.nr_cpus ? &f->cpus[h->cpu] : NULL;
	struct follow_cached *k = c && h->len_bytes <= f->source.info.page_bytes ?
					  malloc(sizeof *k + h->len_bytes) :
					  NULL;

	if (!k)
		return false;
	*k = (struct follow_cached){ .empty_at_ns = h->a, .len_bytes = h->len_bytes };
	memcpy(k->data, bytes, h->len_bytes);
	if (c->first)
		c->last->next = k;
	else
		c->first = k;
	c->last = k;
	f->kept_bytes += sizeof *k + h->len_bytes;
	return true;
}

static void follow_add_pause(struct follow *f, const struct rs_follow_head *h, const char *bytes)
{
	struct rs_pause pause = { .off_ns = h->a, .on_ns = h->b };

	memcpy(pause.what, bytes, h->len_bytes);
	rs_pauses_put(&f->source.pauses, &pause);
}

static bool follow_accept_message(struct follow *f, const struct rs_follow_head *h, const char *bytes)
{
	switch (h->type) {
	case RS_FOLLOW_PAGE:
		return keep_page(f, h, bytes);
	case RS_FOLLOW_MARK:
		f->mark_ns = h->a > f->mark_ns ? h->a : f->mark_ns;
		f->ended |= f->stop_at_ms && f->mark_ns >= f->stop_ns;
		return true;
	case RS_FOLLOW_PAUSE:
		follow_add_pause(f, h, bytes);
		return true;
	case RS_FOLLOW_EVENT:
		return rs_follow_told_switch(&f->told, h, bytes);
	case RS_FOLLOW_SOCKET:
		rs_follow_told_add_socket(&f->told, h, bytes);
		return true;
	default:
		f->end_sent = f->ended = true; /* also for an unknown type, which a newer daemon may send */
		return true;
	}
}

static size_t most_bytes(const struct follow *f, const struct rs_follow_head *h)
{
	switch (h->type) {
	case RS_FOLLOW_PAGE:
		return f->source.info.page_bytes;
	case RS_FOLLOW_EVENT:
		return RS_FOLLOW_NAME_BYTES - 1;
	case RS_FOLLOW_SOCKET:
		return RS_FOLLOW_SOCKET_BYTES - 1;
	case RS_FOLLOW_PAUSE:
		return RS_PAUSE_WHAT_BYTES - 1;
	default:
		return 0;
	}
}

/* Takes all complete messages. A malformed one ends the source: what follows it could be anything. */
static void follow_take_all(struct follow *f)
{
	struct rs_follow_head h;

	while (!f->ended && f->in.len - f->in_at >= sizeof h) {
		memcpy(&h, f->in.data + f->in_at, sizeof h);
		if (h.len_bytes > most_bytes(f, &h)) {
			f->ended = true;
			return;
		}
		if (f->in.len - f->in_at < sizeof h + h.len_bytes)
			return;
		f->ended |= !follow_accept_message(f, &h, f->in.data + f->in_at + sizeof h);
		f->in_at += sizeof h + h.len_bytes;
	}
}

/* Reads what the socket has now. */
static void follow_read_some(struct follow *f)
{
	while (!f->ended && f->kept_bytes < MAX_KEPT_BYTES) {
		ssize_t n;

		memmove(f->in.data, f->in.data + f->in_at, f->in.len - f->in_at);
		f->in.len -= f->in_at;
		f->in_at = 0;
		if (!rs_buf_reserve(&f->in, FOLLOW_READ_BYTES)) {
			f->ended = true;
			return;
		}
		n = recv(f->fd, f->in.data + f->in.len, FOLLOW_READ_BYTES, MSG_DONTWAIT);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		f->ended |= n <= 0;
		f->in.len += n > 0 ? (size_t)n : 0;
		follow_take_all(f);
	}
}

/* ---- as a source ---- */

static bool all_handed_out(const struct follow *f)
{
	for (unsigned int i = 0; i < f->source.info.nr_cpus; i++)
		if (f->cpus[i].first)
			return false;
	return true;
}

static enum rs_next follow_next(struct rs_source *s, unsigned int cpu, struct rs_page *page,
				struct rs_error *err)
{
	struct follow *f = follow_of(s);
	struct follow_cpu *c = &f->cpus[cpu];

	free(c->held);
	c->held = c->first;
	if (!c->held)
		return f->ended ? RS_NEXT_END : RS_NEXT_NONE;
	c->first = c->held->next;
	f->kept_bytes -= sizeof *c->held + c->held->len_bytes;
	*page = (struct rs_page){ .data = c->held->data, .len_bytes = c->held->len_bytes,
				  .empty_at_ns = c->held->empty_at_ns };
	return RS_NEXT_PAGE;
}

/* A page begins with a timestamp; no event in it is earlier. */
static uint64_t follow_watermark_ns(struct rs_source *s, unsigned int cpu)
{
	struct follow *f = follow_of(s);
	const struct follow_cached *k = f->cpus[cpu].first;
	uint64_t stamp_ns = 0;

	if (!k)
		return f->ended ? UINT64_MAX : f->mark_ns;
	if (k->len_bytes >= sizeof stamp_ns)
		memcpy(&stamp_ns, k->data, sizeof stamp_ns);
	return stamp_ns;
}

/* After a stop, waits at most STOP_MS for pages that may never come. */
static void stop_in_time(struct follow *f)
{
	if (f->stop_at_ms && rs_monotonic_ms() >= f->stop_at_ms)
		f->ended = true;
}

static bool follow_wait(struct rs_source *s, int timeout_ms)
{
	struct follow *f = follow_of(s);
	struct pollfd p = { .fd = f->fd, .events = POLLIN };

	if (!f->ended && f->kept_bytes < MAX_KEPT_BYTES && poll(&p, 1, timeout_ms) > 0)
		follow_read_some(f);
	stop_in_time(f);
	return !f->ended || !all_handed_out(f);
}

static size_t follow_args(struct rs_source *s, const struct rs_process *of, char *buf, size_t size_bytes)
{
	struct rs_args_reader *reader = follow_of(s)->args;

	if (buf)
		return rs_args_reader_read(reader, of, buf, size_bytes);
	rs_args_reader_ask(reader, of);
	return 0;
}

static const struct rs_proc_sample *follow_sample(struct rs_source *s)
{
	struct follow *f = follow_of(s);

	if (!f->samples)
		return NULL;
	f->now.nr = 0;
	if (f->samples & RS_SAMPLE_TASKS && rs_pidns() != RS_PIDNS_OTHER)
		rs_task_snapshot_read(&f->now, follow_clock(f), NULL, 0, NULL);
	if (f->now.nr)
		qsort(f->now.row, f->now.nr, sizeof *f->now.row, rs_task_snapshot_compare_tid);
	if (f->samples & RS_SAMPLE_GAUGES)
		rs_proc_gauges(&f->sample.gauges, "/proc", follow_clock(f));
	f->sample.tasks = f->now.row;
	f->sample.nr_tasks = f->now.nr;
	return &f->sample;
}

static void follow_close(struct rs_source *s)
{
	struct follow *f = follow_of(s);

	for (unsigned int i = 0; f->cpus && i < f->source.info.nr_cpus; i++) {
		free(f->cpus[i].held);
		for (struct follow_cached *k = f->cpus[i].first, *next; k; k = next) {
			next = k->next;
			free(k);
		}
	}
	if (f->fd >= 0)
		close(f->fd);
	if (f->symbols_fd >= 0)
		close(f->symbols_fd);
	rs_args_reader_end(f->args);
	rs_task_snapshot_done(&f->now);
	rs_buf_done(&f->in);
	rs_follow_told_done(&f->told);
	rs_message_drop(f->reply);
	free(f->formats);
	free(f->disks);
	rs_cpu_power_done(&f->power);
	rs_call_params_done(&f->call_params);
	rs_task_snapshot_done(&f->snapshot);
	free(f->cpus);
	free(f);
}

static const struct rs_source_ops follow_ops = {
	.next = follow_next, .watermark_ns = follow_watermark_ns, .wait = follow_wait,
	.args = follow_args, .sample = follow_sample, .close = follow_close,
};

/* ---- the beginning ---- */

static int follow_ask_daemon(struct follow *f, struct rs_client *client, struct rs_error *err)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return rs_fail(err, "cannot follow: %s", strerror(errno));
	f->fd = fds[0];
	f->reply = rs_client_call(client, "follow", NULL, fds[1], err);
	close(fds[1]);
	return f->reply ? 0 : -1;
}

static bool follow_read_formats(struct follow *f)
{
	f->formats = calloc(f->reply->nr_formats + 1, sizeof *f->formats);
	if (!f->formats)
		return false;
	for (size_t i = 0; i < f->reply->nr_formats; i++)
		f->formats[i] = (struct rs_format_text){ f->reply->formats[i].system,
							 { f->reply->formats[i].text,
							   strlen(f->reply->formats[i].text) } };
	f->source.info.formats = f->formats;
	f->source.info.nr_formats = f->reply->nr_formats;
	return true;
}

/* The answer of a daemon that captures no calls has none: then the table of common calls is used. */
static bool follow_read_params(struct follow *f)
{
	for (size_t i = 0; i < f->reply->nr_calls; i++)
		if (!rs_call_params_add(&f->call_params, f->reply->calls[i].name, f->reply->calls[i].params))
			return false;
	f->source.info.call_params = f->call_params.row;
	f->source.info.nr_call_params = f->call_params.nr;
	return true;
}

static bool follow_read_disks(struct follow *f)
{
	f->disks = calloc(f->reply->nr_disks + 1, sizeof *f->disks);
	if (!f->disks)
		return false;
	for (size_t i = 0; i < f->reply->nr_disks; i++) {
		f->disks[i].dev = f->reply->disks[i].dev;
		rs_copy(f->disks[i].name, sizeof f->disks[i].name, f->reply->disks[i].name);
	}
	rs_mount_points_read(f->disks, f->reply->nr_disks);
	f->source.info.disks = f->disks;
	f->source.info.nr_disks = f->reply->nr_disks;
	return true;
}

static void follow_read_clock(struct follow *f)
{
	f->has_clock = f->source.info.clock && rs_trace_clock_id(f->source.info.clock, &f->clock);
	if (!f->has_clock)
		return;
	f->source.info.realtime_offset_ns = rs_trace_clock_realtime_offset_ns(f->clock);
	f->source.info.realtime_offset_known = true;
}

static bool follow_read_info(struct follow *f, const struct rs_client *client)
{
	const struct rs_hello_reply *hello = rs_client_hello_reply(client);
	const struct rs_follow_reply *r = f->reply;

	if (!hello->nr_cpus || hello->nr_cpus > FOLLOW_MAX_CPUS || r->page_bytes < 64 ||
	    (r->long_bytes != 4 && r->long_bytes != 8))
		return false;
	f->source.info = (struct rs_trace_info){
		.kallsyms_fd = f->symbols_fd, .nr_cpus = hello->nr_cpus, .page_bytes = r->page_bytes,
		.long_bytes = r->long_bytes,
		.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
		.header_page = { r->header_page, strlen(r->header_page) },
		.clock = hello->clock, .kernel = hello->kernel, .machine = hello->machine, .live = true,
	};
	follow_read_clock(f);
	f->cpus = calloc(hello->nr_cpus, sizeof *f->cpus);
	return f->cpus && follow_read_formats(f) && follow_read_disks(f) && follow_read_params(f);
}

/* ---- the tasks ---- */

static void add_ended_task(struct follow *f, const struct rs_follow_task *task)
{
	struct rs_initial_task *initial = rs_task_snapshot_add(&f->snapshot);

	if (!initial)
		return;
	*initial = (struct rs_initial_task){
		.ts_ns = f->reply->from_ns, .tid = task->tid, .pid = task->pid, .ppid = task->ppid,
		.self = task->self,
		.kernel_thread = task->kernel_thread, .abi = (uint8_t)task->abi,
	};
	snprintf(initial->comm, sizeof initial->comm, "%s", task->comm);
}

/*
 * Tasks that /proc no longer has: some have ended between the first page and the read of it. Of the others
 * the answer has what only root can read, whether the program is of 32 bits. Added tasks come after the
 * sorted ones.
 */
static void add_ended(struct follow *f)
{
	size_t nr = f->snapshot.nr;

	if (nr)
		qsort(f->snapshot.row, nr, sizeof *f->snapshot.row, rs_task_snapshot_compare_tid);
	for (const struct rs_follow_task *task = f->reply->tasks; task < f->reply->tasks + f->reply->nr_tasks;
	     task++) {
		struct rs_initial_task key = { .tid = task->tid }, *known;

		if (!task->tid)
			continue;
		known = nr ? bsearch(&key, f->snapshot.row, nr, sizeof key, rs_task_snapshot_compare_tid) :
			     NULL;
		if (known)
			known->abi = (uint8_t)task->abi;
		else
			add_ended_task(f, task);
	}
}

/*
 * Reads tasks and gauges from /proc, with the rights of this user. Pages arrive already, so events bring
 * newer tasks.
 */
static void follow_read_names(struct follow *f)
{
	/* the waits of all tasks, as far as this user may read them */
	static const struct rs_initial_waits no_names = { 0 };
	pid_t pids[4] = { getpid() };

	for (size_t i = 0; i < 3 && i < f->reply->nr_own_pids; i++)
		pids[i + 1] = f->reply->own_pids[i];
	if (rs_pidns() != RS_PIDNS_OTHER)
		rs_task_snapshot_read(&f->snapshot, follow_clock(f), pids, sizeof pids / sizeof *pids,
				      &no_names);
	add_ended(f);
	if (f->samples & RS_SAMPLE_CGROUPS)
		rs_proc_cgroups(&f->snapshot, "/proc");
	f->source.info.cgroup_root = rs_cgroup_counts_root("/sys/fs/cgroup");
	rs_cpu_power_read(&f->power, "/sys", &f->source.info);
	f->source.info.snapshot = f->snapshot.row;
	f->source.info.nr_initial = f->snapshot.nr;
	if (rs_pidns() != RS_PIDNS_OTHER)
		f->args = rs_args_reader_begin(follow_clock(f), false);
	f->source.info.args = rs_args_reader_table(f->args);
	if (!(f->samples & RS_SAMPLE_GAUGES))
		return;
	rs_proc_gauges(&f->gauges, "/proc", follow_clock(f));
	f->source.info.gauges = &f->gauges;
}

/*
 * Before the read of /proc this process is not known as ringside: hides what it did by then, as what it does
 * later.
 */
static void follow_begin_after_us(struct follow *f)
{
	f->shown_from_ns = f->reply->from_ns;
	for (size_t i = 0; i < f->snapshot.nr; i++)
		if (f->snapshot.row[i].tid == getpid() && f->snapshot.row[i].ts_ns > f->reply->from_ns)
			f->shown_from_ns = f->snapshot.row[i].ts_ns;
}

struct rs_source *rs_follow_source_open(struct rs_client *client, unsigned int samples, struct rs_error *err)
{
	struct follow *f = calloc(1, sizeof *f);

	if (!f) {
		rs_fail(err, "cannot follow: out of memory");
		return NULL;
	}
	f->source.ops = &follow_ops;
	f->fd = -1;
	f->in = (struct rs_buf)RS_BUF_INIT;
	f->samples = samples;
	/* has addresses only if this user may see them */
	f->symbols_fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	if (follow_ask_daemon(f, client, err) == 0 && follow_read_info(f, client)) {
		follow_read_names(f);
		follow_begin_after_us(f);
		return &f->source;
	}
	rs_fail(err, "cannot follow: the daemon's answer makes no sense"); /* the first error stays */
	follow_close(&f->source);
	return NULL;
}

uint64_t rs_follow_source_from_ns(const struct rs_source *s)
{
	return follow_of(s)->shown_from_ns;
}

bool rs_follow_source_has(const struct rs_source *s, const char *system, const char *name)
{
	for (size_t i = 0; i < s->info.nr_formats; i++) {
		const char *text = s->info.formats[i].text.data, *end;

		if (strcmp(s->info.formats[i].system, system) || strncmp(text, "name: ", 6))
			continue;
		end = strchr(text, '\n');
		if (end && (size_t)(end - text - 6) == strlen(name) && !strncmp(text + 6, name, strlen(name)))
			return true;
	}
	return false;
}

bool rs_follow_source_event(struct rs_source *s, const char **system, const char **name, bool *on)
{
	const struct rs_follow_switched *t = rs_follow_told_next_switched(&follow_of(s)->told);

	if (!t)
		return false;
	*system = t->event;
	*name = t->event + strlen(t->event) + 1;
	*on = t->on;
	return true;
}

const struct rs_fd_socket *rs_follow_source_socket(struct rs_source *s)
{
	return rs_follow_told_next_socket(&follow_of(s)->told);
}

enum rs_follow_end rs_follow_source_ended(const struct rs_source *s)
{
	const struct follow *f = follow_of(s);

	if (!f->ended || f->stop_at_ms)
		return RS_FOLLOW_AS_ASKED;
	return f->end_sent ? RS_FOLLOW_CAPTURE_ENDED : RS_FOLLOW_BROKEN;
}

void rs_follow_source_stop(struct rs_source *s)
{
	struct follow *f = follow_of(s);

	if (f->stop_at_ms)
		return;
	f->stop_at_ms = rs_monotonic_ms() + STOP_MS;
	f->stop_ns = f->has_clock ? rs_trace_clock_ns(f->clock) : 0; /* 0: with the next mark */
}
