// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ctf.c - the kernel's events, one by one, to the stream of their CPU
 *
 *	events           each, of everybody: fields copied, some as LTTng has them
 *	lost events      a packet without events that spans the time in which they were lost
 *	the begin        tasks and disks that were there, as LTTng's state dump
 *
 * No event is interpreted: readers do that.
 */
#include "export/ctf/ctf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

/* ---- fields ---- */

#define CTF_KERNEL_PRIOS 100  /* MAX_RT_PRIO */

enum {
	CTF_RWBS_WRITE = 1 << 0,
	CTF_RWBS_DISCARD = 1 << 1,
	CTF_RWBS_READ = 1 << 2,
	CTF_RWBS_RAHEAD = 1 << 3,
	CTF_RWBS_SYNC = 1 << 5,
	CTF_RWBS_META = 1 << 6,
	CTF_RWBS_SECURE = 1 << 7,
	CTF_RWBS_FLUSH = 1 << 8,
	CTF_RWBS_FUA = 1 << 9,
	CTF_RWBS_PREFLUSH = 1 << 10,
};

/*
 * As blk_fill_rwbs() writes it: F for a flush before it; then what it does; then flags. An F alone is a
 * flush.
 */
static uint32_t ctf_rwbs_bits(const char *s, size_t len)
{
	static const struct { char letter; uint32_t bit; } doing[] = {
		{ 'W', CTF_RWBS_WRITE }, { 'D', CTF_RWBS_DISCARD }, { 'R', CTF_RWBS_READ },
		{ 'F', CTF_RWBS_FLUSH }, { 'N', 0 },
	}, flags[] = {
		{ 'E', CTF_RWBS_SECURE }, { 'F', CTF_RWBS_FUA }, { 'A', CTF_RWBS_RAHEAD },
		{ 'S', CTF_RWBS_SYNC }, { 'M', CTF_RWBS_META },
	};
	uint32_t bits = 0;
	size_t at = 0;

	if (len > 1 && s[0] == 'F' && s[1] && strchr("WDRNF", s[1])) {
		bits = CTF_RWBS_PREFLUSH;
		at = 1;
	}
	for (size_t i = 0; at < len && i < sizeof doing / sizeof *doing; i++)
		bits |= doing[i].letter == s[at] ? doing[i].bit : 0;
	while (++at < len && s[at])
		for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
			bits |= flags[i].letter == s[at] ? flags[i].bit : 0;
	return bits;
}

static uint32_t ctf_get_u32(const struct rs_ctf *ctf, const uint8_t *at)
{
	uint32_t v;

	memcpy(&v, at, sizeof v);
	return ctf->swaps ? __builtin_bswap32(v) : v;
}

/* The bytes of a dynamic field, as far as they lie in the record. */
static const uint8_t *ctf_find_dynamic(const struct rs_ctf *ctf, const struct rs_ctf_op *op,
				       const struct rs_event *ev, uint32_t *len)
{
	uint32_t at = op->offset, place, bytes = ev->len_bytes;

	if (op->place != RS_CTF_REST) {
		place = ctf_get_u32(ctf, ev->data + op->offset);
		at = (place & 0xffff) + (op->place == RS_CTF_REL_LOC ? op->offset + 4u : 0);
		bytes = place >> 16;
	}
	if (at > ev->len_bytes)
		at = ev->len_bytes;
	*len = bytes < ev->len_bytes - at ? bytes : ev->len_bytes - at;
	return ev->data + at;
}

static uint8_t *ctf_put_string(uint8_t *to, const uint8_t *text, size_t len)
{
	len = strnlen((const char *)text, len);
	memcpy(to, text, len);
	rs_ctf_clean_text(to, len);
	to[len] = '\0';
	return to + len + 1;
}

static uint8_t *ctf_put_dynamic(const struct rs_ctf *ctf, uint8_t *to, const struct rs_ctf_op *op,
				const struct rs_event *ev)
{
	const uint8_t *data;
	uint32_t len;

	data = ctf_find_dynamic(ctf, op, ev, &len);
	if (op->kind == RS_CTF_STRING)
		return ctf_put_string(to, data, len);
	to = rs_ctf_put_u32(ctf, to, len / op->bytes);
	len -= len % op->bytes;
	memcpy(to, data, len);
	return to + len;
}

static int32_t ctf_process_of(struct rs_ctx *c, int32_t tid)
{
	const struct rs_task *t = tid > 0 ? rs_task_find(c, tid) : NULL;

	return t && t->pid ? t->pid : -1;
}

static uint8_t *ctf_put_op(const struct rs_ctf *ctf, struct rs_ctx *c, uint8_t *to,
			   const struct rs_ctf_op *op, const struct rs_event *ev)
{
	const uint8_t *from = ev->data + op->offset;

	switch ((enum rs_ctf_op_kind)op->kind) {
	case RS_CTF_COPY:
		memcpy(to, from, op->bytes);
		return to + op->bytes;
	case RS_CTF_TEXT:
		memcpy(to, from, op->bytes);
		rs_ctf_clean_text(to, op->bytes);
		return to + op->bytes;
	case RS_CTF_PRIO:
		return rs_ctf_put_u32(ctf, to, ctf_get_u32(ctf, from) - CTF_KERNEL_PRIOS);
	case RS_CTF_RWBS:
		return rs_ctf_put_u32(ctf, to, ctf_rwbs_bits((const char *)from, op->bytes));
	case RS_CTF_PROCESS:
		return rs_ctf_put_u32(ctf, to, (uint32_t)ctf_process_of(c, (int32_t)ctf_get_u32(ctf, from)));
	default:
		return ctf_put_dynamic(ctf, to, op, ev);
	}
}

/* ---- the initial state ---- */

enum { CTF_USER_THREAD, CTF_KERNEL_THREAD };
enum { CTF_MODE_UNKNOWN = 0, CTF_SUBMODE_UNKNOWN = 1, CTF_STATUS_UNKNOWN = 0 };

struct ctf_dump_task {
	int32_t tid, pid, ppid;
	const char *comm;
	bool kernel_thread;
};

static void ctf_dump_task(struct rs_ctf *ctf, const struct rs_event *ev, const struct ctf_dump_task *t)
{
	uint8_t *to = rs_ctf_packet_begin(ctf, ev->cpu, RS_CTF_DUMP_PROCESS, ev->ts_ns, ev->tid,
					  7 * 4 + RS_COMM_LEN);

	if (!to)
		return;
	to = rs_ctf_put_u32(ctf, to, (uint32_t)t->tid);
	to = rs_ctf_put_u32(ctf, to, t->pid ? (uint32_t)t->pid : UINT32_MAX);
	to = rs_ctf_put_u32(ctf, to, t->ppid ? (uint32_t)t->ppid : UINT32_MAX);
	memset(to, 0, RS_COMM_LEN);
	memcpy(to, t->comm, strnlen(t->comm, RS_COMM_LEN - 1));
	rs_ctf_clean_text(to, RS_COMM_LEN);
	to = rs_ctf_put_u32(ctf, to + RS_COMM_LEN, t->kernel_thread ? CTF_KERNEL_THREAD : CTF_USER_THREAD);
	to = rs_ctf_put_u32(ctf, to, CTF_MODE_UNKNOWN);
	to = rs_ctf_put_u32(ctf, to, CTF_SUBMODE_UNKNOWN);
	rs_ctf_packet_end(ctf, ev->cpu, rs_ctf_put_u32(ctf, to, CTF_STATUS_UNKNOWN));
}

static void ctf_dump_disk(struct rs_ctf *ctf, const struct rs_event *ev, const struct rs_disk *disk)
{
	uint8_t *to = rs_ctf_packet_begin(ctf, ev->cpu, RS_CTF_DUMP_DISK, ev->ts_ns, ev->tid,
					  4 + sizeof disk->name + 1);

	if (!to)
		return;
	to = rs_ctf_put_u32(ctf, to, disk->dev);
	rs_ctf_packet_end(ctf, ev->cpu, ctf_put_string(to, (const uint8_t *)disk->name, sizeof disk->name));
}

static void ctf_dump_mark(struct rs_ctf *ctf, const struct rs_event *ev, uint16_t class)
{
	uint8_t *to = rs_ctf_packet_begin(ctf, ev->cpu, class, ev->ts_ns, ev->tid, 0);

	if (to)
		rs_ctf_packet_end(ctf, ev->cpu, to);
}

/*
 * Before the first event, and at its time: the tasks that events have named up to the time range, and those
 * of the snapshot.
 */
static void ctf_dump(struct rs_ctf *ctf, struct rs_ctx *c, const struct rs_event *ev)
{
	const struct rs_trace_info *info = ctf->info;

	ctf->dumped = true;
	ctf_dump_mark(ctf, ev, RS_CTF_DUMP_START);
	for (const struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, (struct rs_task *)t))
		if (!t->exited && t->first_ns < ev->ts_ns)
			ctf_dump_task(ctf, ev,
				      &(struct ctf_dump_task){ t->tid, t->pid, t->ppid, t->comm,
							       t->kernel_thread });
	for (size_t i = 0; i < info->nr_initial; i++) {
		const struct rs_initial_task *t = &info->snapshot[i];
		const struct rs_task *seen = rs_task_find(c, t->tid);
		char comm[RS_COMM_LEN + 1] = { 0 };

		memcpy(comm, t->comm, sizeof t->comm);
		/* without a time it is a name that some task had, or will have */
		if (t->ts_ns && t->tid > 0 && (!seen || (!seen->exited && seen->first_ns >= ev->ts_ns)))
			ctf_dump_task(
				ctf, ev,
				&(struct ctf_dump_task){ t->tid, t->pid, t->ppid, comm, t->kernel_thread });
	}
	for (size_t i = 0; i < info->nr_disks; i++)
		ctf_dump_disk(ctf, ev, &info->disks[i]);
	ctf_dump_mark(ctf, ev, RS_CTF_DUMP_END);
}

/* ---- events ---- */

static void ctf_on_event(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_ctf *ctf = rs_api_session_arg(c);
	const struct rs_ctf_class *class;
	uint8_t *to;

	if (rs_api_is_muted(c) || ev->cpu >= ctf->nr_cpus)
		return;
	if (__builtin_expect(!ctf->dumped, 0))
		ctf_dump(ctf, c, ev);
	class = rs_ctf_class_get(ctf, c, ev);
	if (!class || ev->len_bytes < class->min_len_bytes)
		return; /* malformed: no field of it can be trusted */
	to = rs_ctf_packet_begin(ctf, ev->cpu, class->id, ev->ts_ns, ev->tid,
				 class->fixed_bytes + (size_t)class->nr_dynamic * (ev->len_bytes + 5));
	if (!to)
		return;
	for (const struct rs_ctf_op *op = class->ops; op < class->ops + class->nr_ops; op++)
		to = ctf_put_op(ctf, c, to, op, ev);
	rs_ctf_packet_end(ctf, ev->cpu, to);
}

/* Readers know only a number: what the kernel did not count is one event at least. */
static void ctf_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct rs_ctf *ctf = rs_api_session_arg(c);

	if (!rs_api_is_muted(c) && gap->cpu < ctf->nr_cpus && rs_cpu_is_shown(c, gap->cpu))
		rs_ctf_packet_lost(ctf, gap->cpu, gap->from_ns, gap->to_ns, gap->nr_lost ? gap->nr_lost : 1);
}

/*
 * Before its exit comes as an event. The engine knows which programs have 32 bits: their calls have other
 * numbers.
 */
static void ctf_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_ctf *ctf = rs_api_session_arg(c);

	ctf->exited = call->task;
	ctf->exit_ns = call->exit_ns;
	ctf->exit_nr = call->nr;
}

static const struct rs_requirement requirements[] = {
	{ "*", "*", RS_NAMED, RS_BY_ANYONE, ctf_on_event, { NULL } },
	{ 0 },
};

static const struct rs_analysis subscriber = {
	.abi = RS_ABI, .name = "ctf", .summary = "each event, for a CTF", .requirements = requirements,
	.callbacks = RS_LIST(rs_callback, { RS_ON_GAP, .gap = ctf_on_gap },
			     { RS_ON_CALL, .call = ctf_on_call, .if_recorded = true }),
};

/* ---- the folder ---- */

static void ctf_bind_calls(struct rs_ctf *ctf)
{
	static const char *const names[2] = { "sys_enter", "sys_exit" }, *const fields[2][3] = {
		{ "id", "args" }, { "id", "ret" }
	};
	struct rs_bound bound;

	for (int i = 0; i < 2; i++) {
		ctf->call_id[i] = UINT32_MAX;
		if (rs_formats_bind(ctf->formats, "raw_syscalls", names[i], fields[i], &bound, NULL) !=
		    RS_BIND_OK)
			continue;
		ctf->call_id[i] = bound.id;
		ctf->call_nr[i] = bound.fields[0];
		ctf->call_data[i] = bound.fields[1];
	}
}

static void ctf_begin(struct rs_export *e, unsigned int pass, const struct rs_trace_info *info,
		      uint64_t begin_ns)
{
	struct rs_ctf *ctf = (struct rs_ctf *)e;

	ctf->info = info;
	ctf->begin_ns = begin_ns;
	ctf->swaps = info->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	ctf->formats = rs_formats_new(info, &e->error);
	ctf->cpus = calloc(info->nr_cpus + 1, sizeof *ctf->cpus);
	ctf->by_id = calloc(UINT16_MAX + 1, sizeof(struct rs_ctf_class *));
	ctf->nr_cpus = ctf->cpus && ctf->by_id && ctf->formats ? info->nr_cpus : 0;
	if (!ctf->nr_cpus && e->error.status == RS_OK)
		rs_fail(&e->error, "cannot export: out of memory");
	if (ctf->formats)
		ctf_bind_calls(ctf);
	rs_ctf_metadata_put_head(ctf);
	rs_ctf_class_add_dump(ctf);
}

static void ctf_finish(struct rs_export *e, unsigned int pass, const struct rs_quality *quality)
{
	struct rs_ctf *ctf = (struct rs_ctf *)e;

	for (unsigned int cpu = 0; cpu < ctf->nr_cpus; cpu++)
		rs_ctf_packet_flush(ctf, cpu);
}

/* Only now all classes are known. */
static void ctf_close(struct rs_export *e)
{
	struct rs_ctf *ctf = (struct rs_ctf *)e;

	rs_ctf_packet_write_file(ctf, "metadata", ctf->head.data, ctf->head.len);
	rs_ctf_packet_write_file(ctf, "metadata", ctf->classes.data, ctf->classes.len);
	if ((ctf->head.failed || ctf->classes.failed) && e->error.status == RS_OK)
		rs_fail(&e->error, "cannot export: out of memory");
}

static void ctf_free(struct rs_export *e)
{
	struct rs_ctf *ctf = (struct rs_ctf *)e;

	for (unsigned int cpu = 0; cpu < ctf->nr_cpus; cpu++)
		free(ctf->cpus[cpu].packet);
	free(ctf->cpus);
	rs_ctf_class_free_all(ctf);
	rs_formats_free(ctf->formats);
	rs_buf_done(&ctf->head);
	rs_buf_done(&ctf->classes);
	if (ctf->folder_fd >= 0)
		close(ctf->folder_fd);
	free(ctf);
}

/* Readers take folders with the same id for one trace: no two are the same. */
static void ctf_make_uuid(struct rs_ctf *ctf)
{
	if (getrandom(ctf->uuid, sizeof ctf->uuid, 0) != sizeof ctf->uuid)
		memcpy(ctf->uuid, &(uint64_t){ (uint64_t)getpid() }, sizeof(uint64_t));
	ctf->uuid[6] = (uint8_t)((ctf->uuid[6] & 0x0f) | 0x40); /* version 4: random */
	ctf->uuid[8] = (uint8_t)((ctf->uuid[8] & 0x3f) | 0x80);
}

struct rs_export *rs_ctf_make(const struct rs_export_options *options, struct rs_buf *out)
{
	struct rs_ctf *ctf = calloc(1, sizeof *ctf);

	if (!ctf)
		return NULL;
	ctf->export = (struct rs_export){ .subscriber = { &subscriber }, .begin = ctf_begin,
					  .end = ctf_finish, .close = ctf_close, .free = ctf_free };
	ctf->head = ctf->classes = (struct rs_buf)RS_BUF_INIT;
	ctf->folder_fd = open(options->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (ctf->folder_fd < 0)
		rs_fail(&ctf->export.error, "cannot write '%s': %s", options->path, strerror(errno));
	ctf_make_uuid(ctf);
	return &ctf->export;
}
