// SPDX-License-Identifier: GPL-2.0-or-later
/* ctf-metadata - the text that tells how to read the streams: all but the events */
#include "export/ctf/ctf.h"

#include <inttypes.h>

#include "base/escape.h"

/* Of lttng-modules whose names and fields these are; from 2.9 on Trace Compass reads the names used here. */
#define CTF_LTTNG_MAJOR 2
#define CTF_LTTNG_MINOR 13

#define CTF_NS_PER_S 1000000000

void rs_ctf_metadata_put_quoted(struct rs_buf *out, const char *text)
{
	size_t len = strlen(text), taken;
	uint32_t code;

	rs_buf_putc(out, '"');
	for (size_t at = 0; at < len; at += taken) {
		taken = rs_escape_utf8_next(text + at, len - at, &code);
		if (code < ' ' || code == 0x7f || (code == 0xFFFD && taken == 1))
			rs_buf_putc(out, '?');
		else if (code == '"' || code == '\\')
			rs_buf_printf(out, "\\%c", (char)code);
		else
			rs_buf_add(out, text + at, taken);
	}
	rs_buf_putc(out, '"');
}

static void ctf_metadata_put_uuid(struct rs_buf *out, const uint8_t *uuid)
{
	for (int i = 0; i < 16; i++)
		rs_buf_printf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

static void ctf_metadata_put_trace(struct rs_ctf *ctf)
{
	struct rs_buf *out = &ctf->head;

	rs_buf_puts(out, "/* CTF 1.8 */\n\n"
		    "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
		    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
		    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n\n"
		    "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"");
	ctf_metadata_put_uuid(out, ctf->uuid);
	rs_buf_printf(out, "\";\n\tbyte_order = %s;\n\tpacket.header := struct {\n"
		      "\t\tuint32_t magic;\n"
		      "\t\tinteger { size = 8; align = 8; signed = false; } uuid[16];\n"
		      "\t\tuint32_t stream_id;\n\t};\n};\n\n", ctf->info->big_endian ? "be" : "le");
}

static void ctf_metadata_put_env_text(struct rs_buf *out, const char *key, const char *value)
{
	if (!value)
		return;
	rs_buf_printf(out, "\t%s = ", key);
	rs_ctf_metadata_put_quoted(out, value);
	rs_buf_puts(out, ";\n");
}

static void ctf_metadata_put_env(struct rs_ctf *ctf)
{
	struct rs_buf *out = &ctf->head;

	rs_buf_puts(out, "env {\n\tdomain = \"kernel\";\n\tsysname = \"Linux\";\n");
	ctf_metadata_put_env_text(out, "hostname", ctf->info->host);
	ctf_metadata_put_env_text(out, "kernel_release", ctf->info->kernel);
	ctf_metadata_put_env_text(out, "architecture", ctf->info->machine);
	rs_buf_printf(out,
		      "\ttracer_name = \"lttng-modules\";\n\ttracer_major = %d;\n\ttracer_minor = "
		      "%d;\n\ttracer_patchlevel = 0;\n",
		      CTF_LTTNG_MAJOR, CTF_LTTNG_MINOR);
	ctf_metadata_put_env_text(out, "exporter", "ringside " RS_VERSION);
	rs_buf_puts(out, "};\n\n");
}

/* The remainder is not negative: the offset of a time before 1970 has a lower second. */
static void ctf_metadata_put_clock(struct rs_ctf *ctf)
{
	int64_t offset_ns = ctf->info->realtime_offset_known ? ctf->info->realtime_offset_ns : 0;
	int64_t rest_ns = (offset_ns % CTF_NS_PER_S + CTF_NS_PER_S) % CTF_NS_PER_S;
	struct rs_buf *out = &ctf->head;

	rs_buf_puts(out, "clock {\n\tname = \"monotonic\";\n\tdescription = ");
	rs_ctf_metadata_put_quoted(out, ctf->info->clock ? ctf->info->clock : "trace clock");
	rs_buf_printf(out, ";\n\tfreq = %d;\n\toffset_s = %" PRId64 ";\n\toffset = %" PRId64 ";\n};\n\n",
		      CTF_NS_PER_S, (offset_ns - rest_ns) / CTF_NS_PER_S, rest_ns);
	rs_buf_puts(out, "typealias integer { size = 32; align = 8; signed = false; map = "
			 "clock.monotonic.value; } := uint32_clock_monotonic_t;\n"
			 "typealias integer { size = 64; align = 8; signed = false; map = "
			 "clock.monotonic.value; } := uint64_clock_monotonic_t;\n\n");
}

/* As rs_ctf_packet_begin and ctf_packet_put_head write them. */
static void ctf_metadata_put_stream(struct rs_ctf *ctf)
{
	rs_buf_puts(&ctf->head,
		    "struct packet_context {\n"
		    "\tuint64_clock_monotonic_t timestamp_begin;\n\tuint64_clock_monotonic_t timestamp_end;\n"
		    "\tuint64_t content_size;\n\tuint64_t packet_size;\n\tuint64_t "
		    "packet_seq_num;\n\tuint64_t events_discarded;\n"
		    "\tuint32_t cpu_id;\n};\n\n"
		    "struct event_header_large {\n"
		    "\tenum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;\n"
		    "\tvariant <id> {\n"
		    "\t\tstruct {\n\t\t\tuint32_clock_monotonic_t timestamp;\n\t\t} compact;\n"
		    "\t\tstruct {\n\t\t\tuint32_t id;\n\t\t\tuint64_clock_monotonic_t timestamp;\n\t\t} "
		    "extended;\n"
		    "\t} v;\n} align(8);\n\n"
		    "stream {\n\tid = 0;\n\tevent.header := struct event_header_large;\n\tpacket.context := "
		    "struct packet_context;\n"
		    "\tevent.context := struct {\n\t\tinteger { size = 32; align = 8; signed = true; } "
		    "_tid;\n\t};\n};\n\n");
}

void rs_ctf_metadata_put_head(struct rs_ctf *ctf)
{
	ctf_metadata_put_trace(ctf);
	ctf_metadata_put_env(ctf);
	ctf_metadata_put_clock(ctf);
	ctf_metadata_put_stream(ctf);
}
