// SPDX-License-Identifier: GPL-2.0-or-later
/* perfetto-tracks.c - packets, and tracks */
#include "export/perfetto/perfetto.h"

#include <stdio.h>
#include <string.h>

#include "export/perfetto/perfetto-fields.h"
#include "export/perfetto/proto.h"

/* ---- packets ---- */

char *rs_perfetto_open_untimed(struct rs_perfetto *pf, size_t bytes)
{
	char *p = rs_buf_room(pf->out, RS_PERFETTO_ROOM + bytes);

	if (!p) /* the buffer has failed: this is reported as out of memory */
		return NULL;
	pf->nr_packets++;
	p = rs_proto_open(p, PF_TRACE_PACKET);
	pf->packet = (size_t)(p - pf->out->data);
	p = rs_proto_uint(p, PF_PACKET_SEQUENCE_ID, pf->machine + 1);
	return pf->machine ? rs_proto_uint(p, PF_PACKET_MACHINE_ID, pf->machine) : p;
}

char *rs_perfetto_open(struct rs_perfetto *pf, uint64_t ts_ns, size_t bytes)
{
	char *p = rs_perfetto_open_untimed(pf, bytes);

	return p ? rs_proto_uint(p, PF_PACKET_TIMESTAMP, ts_ns) : NULL;
}

void rs_perfetto_close(struct rs_perfetto *pf, char *p)
{
	rs_buf_wrote(pf->out, rs_proto_close(pf->out->data + pf->packet, p));
}

/* ---- tracks ---- */

/* Numbers of threads are odd and follow from the thread; all others are even. Machines share them. */
uint64_t rs_perfetto_thread_uuid(const struct rs_perfetto *pf, int32_t tid, uint32_t inst)
{
	return ((uint64_t)pf->machine << 56 | (uint64_t)(inst & 0xffffffu) << 32 | (uint32_t)tid) << 1 | 1;
}

static uint64_t tracks_next_uuid(struct rs_perfetto *pf)
{
	pf->next_uuid += 2;
	return pf->next_uuid;
}

static char *tracks_open(struct rs_perfetto *pf, uint64_t ts_ns, uint64_t uuid, uint64_t parent,
			 const char *name)
{
	char *p = rs_perfetto_open(pf, ts_ns, 2 * RS_PROTO_TEXT(strlen(name)));

	if (!p)
		return NULL;
	p = rs_proto_open(p, PF_PACKET_TRACK_DESCRIPTOR);
	pf->nested = (size_t)(p - pf->out->data);
	p = rs_proto_uint(p, PF_TRACK_UUID, uuid);
	if (parent)
		p = rs_proto_uint(p, PF_TRACK_PARENT_UUID, parent);
	return p;
}

static void tracks_close(struct rs_perfetto *pf, char *p)
{
	rs_perfetto_close(pf, rs_proto_close(pf->out->data + pf->nested, p));
}

static uint64_t tracks_begin_ns(const struct rs_perfetto *pf, const struct rs_task *t)
{
	return t ? rs_perfetto_birth_ns(pf, t) : pf->scene.begin_ns;
}

uint64_t rs_perfetto_add_track(struct rs_perfetto *pf, uint64_t parent, const struct rs_task *t,
			       const char *name)
{
	uint64_t uuid = tracks_next_uuid(pf);
	char *p = tracks_open(pf, tracks_begin_ns(pf, t), uuid, parent, name);

	if (p)
		tracks_close(pf, rs_proto_text(p, PF_TRACK_NAME, name, strlen(name)));
	return uuid;
}

uint64_t rs_perfetto_add_counter(struct rs_perfetto *pf, uint64_t parent, const struct rs_task *t,
				 const char *name, unsigned int unit)
{
	uint64_t uuid = tracks_next_uuid(pf);
	char *p = tracks_open(pf, tracks_begin_ns(pf, t), uuid, parent, name), *counter;

	if (!p)
		return uuid;
	p = rs_proto_text(p, PF_TRACK_NAME, name, strlen(name));
	p = counter = rs_proto_open(p, PF_TRACK_COUNTER);
	if (unit)
		p = rs_proto_uint(p, PF_COUNTER_UNIT, unit);
	tracks_close(pf, rs_proto_close(counter, p));
	return uuid;
}

/*
 * Readers require a process: a thread whose process is unknown is one of its own. A name here is final,
 * whatever events say later; "": none.
 */
static void tracks_put_thread(struct rs_perfetto *pf, uint64_t ts_ns, uint64_t uuid, const struct rs_task *t,
			      const char *name)
{
	char *p = tracks_open(pf, ts_ns, uuid, 0, name), *thread;

	if (!p)
		return;
	p = thread = rs_proto_open(p, PF_TRACK_THREAD);
	p = rs_proto_uint(p, PF_TRACK_THREAD_PID, (uint32_t)(t->pid ? t->pid : t->tid));
	p = rs_proto_uint(p, PF_TRACK_THREAD_TID, (uint32_t)t->tid);
	if (*name)
		p = rs_proto_text(p, PF_TRACK_THREAD_NAME, name, strlen(name));
	tracks_close(pf, rs_proto_close(thread, p));
}

uint64_t rs_perfetto_task_track(struct rs_perfetto *pf, struct rs_task *t)
{
	struct rs_perfetto_task *d = rs_scene_task_own(&pf->scene, t);
	uint64_t uuid = rs_perfetto_thread_uuid(pf, t->tid, t->inst);
	char name[96];

	if (d->has_track)
		return uuid;
	d->has_track = true;
	rs_perfetto_list_task(pf, d, t);
	rs_source_vcpu_name(pf->scene.info, t->tid, t->comm, name, sizeof name);
	tracks_put_thread(pf, rs_perfetto_birth_ns(pf, t), uuid, t, strcmp(name, t->comm) ? name : "");
	return uuid;
}

uint64_t rs_perfetto_add_group(struct rs_perfetto *pf, const char *name)
{
	char text[160];

	snprintf(text, sizeof text, "%.60s%s%.80s", pf->machine_name ? pf->machine_name : "",
		 pf->machine_name ? ": " : "", name);
	return rs_perfetto_add_track(pf, 0, NULL, text);
}

uint64_t rs_perfetto_cpu_track(struct rs_perfetto *pf, unsigned int cpu)
{
	struct rs_perfetto_cpu *at = rs_perfetto_cpu(pf, cpu);
	char name[32];

	if (!pf->cpus_uuid)
		pf->cpus_uuid = rs_perfetto_add_group(pf, "CPUs");
	if (!at->uuid) {
		snprintf(name, sizeof name, "CPU %u", cpu);
		at->uuid = rs_perfetto_add_track(pf, pf->cpus_uuid, NULL, name);
	}
	return at->uuid;
}

/* A disk is a group of its own, the connections share one. */
static uint64_t tracks_place(struct rs_perfetto *pf, const struct rs_scene_track *at)
{
	const char *name = rs_scene_place_name(&pf->scene, at);
	struct rs_perfetto_place *place = at->own;

	if (place->uuid)
		return place->uuid;
	if (at->type == RS_TRACK_CONNECTION && !pf->connections_uuid)
		pf->connections_uuid = rs_perfetto_add_group(pf, "connections");
	place->uuid = at->type == RS_TRACK_CONNECTION ?
			      rs_perfetto_add_track(pf, pf->connections_uuid, NULL, name) :
			      rs_perfetto_add_group(pf, name);
	return place->uuid;
}

uint64_t rs_perfetto_track(struct rs_perfetto *pf, const struct rs_scene_track *at)
{
	return at->type == RS_TRACK_TASK ? rs_perfetto_task_track(pf, at->task) :
	       at->type == RS_TRACK_CPU  ? rs_perfetto_cpu_track(pf, at->id) :
					   tracks_place(pf, at);
}
