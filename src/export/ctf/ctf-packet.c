// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ctf-packet - the packets of a CPU, each written to the end of its file when it is full
 *
 * No file is held open: a machine has more CPUs than a process may have descriptors. The time of an event has
 * 32 bits; readers complete it from the event before. Where that one is too long ago the event has all of it.
 */
#include "export/ctf/ctf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/escape.h"

#define CTF_PACKET_BYTES (64u << 10)
#define CTF_MAGIC 0xC1FC1FC1u
#define CTF_PACKET_HEAD_BYTES (4 + 16 + 4 + 6 * 8 + 4)
#define CTF_EVENT_HEAD_BYTES 20 /* at most */
#define CTF_EXTENDED 65535u      /* the id of an event whose time has 64 bits */

uint8_t *rs_ctf_put_u16(const struct rs_ctf *ctf, uint8_t *to, uint16_t v)
{
	v = ctf->swaps ? __builtin_bswap16(v) : v;
	memcpy(to, &v, sizeof v);
	return to + sizeof v;
}

uint8_t *rs_ctf_put_u32(const struct rs_ctf *ctf, uint8_t *to, uint32_t v)
{
	v = ctf->swaps ? __builtin_bswap32(v) : v;
	memcpy(to, &v, sizeof v);
	return to + sizeof v;
}

uint8_t *rs_ctf_put_u64(const struct rs_ctf *ctf, uint8_t *to, uint64_t v)
{
	v = ctf->swaps ? __builtin_bswap64(v) : v;
	memcpy(to, &v, sizeof v);
	return to + sizeof v;
}

void rs_ctf_clean_text(uint8_t *text, size_t len)
{
	size_t at = 0, taken;
	uint32_t code;

	while (at < len && text[at] < 0x80)
		at++;
	for (; at < len; at += taken) {
		taken = rs_escape_utf8_next((const char *)text + at, len - at, &code);
		if (!taken)
			taken = 1;
		if (code == 0xFFFD && taken == 1)
			text[at] = '?';
	}
}

void rs_ctf_packet_write_file(struct rs_ctf *ctf, const char *name, const void *data, size_t len_bytes)
{
	int fd = openat(ctf->folder_fd, name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
	size_t done = 0;

	while (fd >= 0 && done < len_bytes) {
		ssize_t n = write(fd, (const char *)data + done, len_bytes - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || errno != EINTR)
			break;
	}
	if ((fd < 0 || done < len_bytes) && ctf->export.error.status == RS_OK)
		rs_fail(&ctf->export.error, "cannot write '%s': %s", name, strerror(errno));
	if (fd >= 0 && close(fd) < 0 && ctf->export.error.status == RS_OK)
		rs_fail(&ctf->export.error, "cannot write '%s': %s", name, strerror(errno));
}

static void ctf_packet_put_head(const struct rs_ctf *ctf, unsigned int cpu, uint64_t end_ns)
{
	struct rs_ctf_cpu *p = &ctf->cpus[cpu];
	uint8_t *to = rs_ctf_put_u32(ctf, p->packet, CTF_MAGIC);

	memcpy(to, ctf->uuid, sizeof ctf->uuid);
	to = rs_ctf_put_u32(ctf, to + sizeof ctf->uuid, 0);
	to = rs_ctf_put_u64(ctf, to, p->begin_ns);
	to = rs_ctf_put_u64(ctf, to, end_ns);
	to = rs_ctf_put_u64(ctf, to, p->len * 8);
	to = rs_ctf_put_u64(ctf, to, p->len * 8);
	to = rs_ctf_put_u64(ctf, to, p->nr_packets);
	to = rs_ctf_put_u64(ctf, to, p->nr_lost);
	rs_ctf_put_u32(ctf, to, cpu);
}

/* Writes the packet as it is. */
static void ctf_packet_write(struct rs_ctf *ctf, unsigned int cpu, uint64_t end_ns)
{
	struct rs_ctf_cpu *p = &ctf->cpus[cpu];
	char name[32];

	ctf_packet_put_head(ctf, cpu, end_ns);
	snprintf(name, sizeof name, "channel0_%u", cpu);
	rs_ctf_packet_write_file(ctf, name, p->packet, p->len);
	p->nr_packets++;
	p->len = CTF_PACKET_HEAD_BYTES;
}

void rs_ctf_packet_flush(struct rs_ctf *ctf, unsigned int cpu)
{
	const struct rs_ctf_cpu *p = &ctf->cpus[cpu];

	if (p->packet && p->len > CTF_PACKET_HEAD_BYTES)
		ctf_packet_write(ctf, cpu, p->last_ns);
}

/* Makes room for so many bytes; false: no memory. */
static bool ctf_packet_reserve(struct rs_ctf *ctf, unsigned int cpu, size_t bytes)
{
	struct rs_ctf_cpu *p = &ctf->cpus[cpu];
	size_t room = CTF_PACKET_HEAD_BYTES + bytes;
	uint8_t *packet;

	rs_ctf_packet_flush(ctf, cpu);
	room = room > CTF_PACKET_BYTES ? room : CTF_PACKET_BYTES;
	if (room > p->room) {
		packet = realloc(p->packet, room);
		if (!packet) {
			rs_fail(&ctf->export.error, "cannot export: out of memory");
			return false;
		}
		p->packet = packet;
		p->room = room;
		p->len = CTF_PACKET_HEAD_BYTES;
	}
	return true;
}

uint8_t *rs_ctf_packet_begin(struct rs_ctf *ctf, unsigned int cpu, uint16_t class, uint64_t ts_ns,
			     int32_t tid, size_t max_bytes)
{
	struct rs_ctf_cpu *p = &ctf->cpus[cpu];
	uint8_t *to;

	max_bytes += CTF_EVENT_HEAD_BYTES;
	if (__builtin_expect(p->room - p->len < max_bytes, 0) && !ctf_packet_reserve(ctf, cpu, max_bytes))
		return NULL;
	/* a gap may end behind the time that a late event gets */
	ts_ns = ts_ns < p->last_ns ? p->last_ns : ts_ns;
	if (p->len == CTF_PACKET_HEAD_BYTES)
		p->begin_ns = p->last_ns = ts_ns;
	to = p->packet + p->len;
	if (__builtin_expect(ts_ns - p->last_ns <= UINT32_MAX, 1)) {
		to = rs_ctf_put_u16(ctf, to, class);
		to = rs_ctf_put_u32(ctf, to, (uint32_t)ts_ns);
	} else {
		to = rs_ctf_put_u16(ctf, to, CTF_EXTENDED);
		to = rs_ctf_put_u32(ctf, to, class);
		to = rs_ctf_put_u64(ctf, to, ts_ns);
	}
	p->last_ns = ts_ns;
	return rs_ctf_put_u32(ctf, to, (uint32_t)tid);
}

void rs_ctf_packet_lost(struct rs_ctf *ctf, unsigned int cpu, uint64_t from_ns, uint64_t to_ns,
			uint64_t nr_lost)
{
	struct rs_ctf_cpu *p = &ctf->cpus[cpu];

	if (!ctf_packet_reserve(ctf, cpu, 0))
		return;
	p->begin_ns = from_ns > p->last_ns ? from_ns : p->last_ns;
	p->begin_ns = p->begin_ns > ctf->begin_ns ? p->begin_ns : ctf->begin_ns;
	if (!p->nr_packets) /* readers take a count in the first packet for one of unknown times before it */
		ctf_packet_write(ctf, cpu, p->begin_ns);
	p->nr_lost += nr_lost;
	p->last_ns = to_ns > p->begin_ns ? to_ns : p->begin_ns;
	ctf_packet_write(ctf, cpu, p->last_ns);
}
