// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-pack.c - packets compressed together, as packets that hold a zlib stream
 *
 * By libdeflate, because the writer must keep up with the reading: its level 1 takes half the time of zlib's,
 * for the same size. It is linked, not loaded: the daemon, which saves these files too, may load nothing.
 */
#include <libdeflate.h>

#include "export/perfetto/perfetto-fields.h"
#include "export/perfetto/perfetto.h"
#include "export/perfetto/proto.h"

#define PACK_LEVEL 1

int rs_perfetto_pack_begin(struct rs_perfetto *pf)
{
	pf->packer = libdeflate_alloc_compressor(PACK_LEVEL);
	return pf->packer ? 0 : -1;
}

void rs_perfetto_pack_end(struct rs_perfetto *pf)
{
	libdeflate_free_compressor(pf->packer);
	rs_buf_done(&pf->packed);
}

/* How many of these packets are compressed together: whole ones, at least one. */
static size_t pack_bytes(const char *data, size_t len)
{
	size_t at = 0, next = 0;

	if (len <= RS_PERFETTO_PACK)
		return len;
	do {
		uint64_t bytes = 0;

		at = next++;
		for (unsigned int shift = 0; next < len; shift += 7) {
			bytes |= (uint64_t)(data[next] & 0x7f) << shift;
			if (!(data[next++] & 0x80))
				break;
		}
		next += bytes;
	} while (next < len && next < RS_PERFETTO_PACK);
	return next <= RS_PERFETTO_PACK || !at ? next : at;
}

/* Replaces pf->packed by these bytes, compressed. */
static void pack_compress(struct rs_perfetto *pf, const char *data, size_t len)
{
	size_t room = libdeflate_zlib_compress_bound(pf->packer, len);
	char *p;

	rs_buf_clear(&pf->packed);
	p = rs_buf_room(&pf->packed, room);
	if (p)
		rs_buf_wrote(&pf->packed, p + libdeflate_zlib_compress(pf->packer, data, len, p, room));
}

void rs_perfetto_pack(struct rs_scene *s, struct rs_buf *b)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);
	struct rs_buf out = RS_BUF_INIT;
	bool failed = b->failed;

	for (size_t done = 0, nr; done < b->len && !failed; done += nr) {
		char *p, *packet;

		nr = pack_bytes(b->data + done, b->len - done);
		pack_compress(pf, b->data + done, nr);
		p = pf->packed.failed ? NULL : rs_buf_room(&out, pf->packed.len + 4 * RS_PROTO_MESSAGE);
		failed = !p;
		if (failed)
			break;
		p = packet = rs_proto_open(p, PF_TRACE_PACKET);
		p = rs_proto_bytes(p, PF_PACKET_COMPRESSED, pf->packed.data, pf->packed.len);
		rs_buf_wrote(&out, rs_proto_close(packet, p));
	}
	rs_buf_clear(b);
	rs_buf_add(b, out.data, out.len);
	b->failed |= failed;
	rs_buf_done(&out);
}
