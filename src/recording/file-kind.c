// SPDX-License-Identifier: GPL-2.0-or-later
/* file-kind - recognizes files that are not trace.dat by their first bytes */
#include "recording/file-kind.h"

#include <endian.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_HEAD_BYTES 65536

struct head {
	const char *path;
	const uint8_t *data;
	size_t len;
	uint64_t file_bytes;
};

static bool kind_has(const struct head *h, const char *word)
{
	return memmem(h->data, h->len, word, strlen(word));
}

/* A pointer is a short text; its second line names the content's hash. */
static bool kind_is_lfs(const struct head *h)
{
	return h->len < 1024 && kind_has(h, "\noid ");
}

static bool kind_is_html(const struct head *h)
{
	static const char *const begins[] = { "<!doctype html", "<html" };

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (h->len >= strlen(begins[i]) &&
		    !strncasecmp((const char *)h->data, begins[i], strlen(begins[i])))
			return true;
	return false;
}

static bool kind_is_systrace(const struct head *h)
{
	return kind_is_html(h) &&
	       (kind_has(h, "trace-data") || kind_has(h, "trace-viewer") || kind_has(h, "tr.ui."));
}

/* "# tracer: nop", perhaps behind "TRACE:", as systrace and atrace write it. */
static bool kind_is_ftrace_text(const struct head *h)
{
	return !memchr(h->data, 0, h->len) &&
	       (kind_has(h, "# tracer: ") || kind_has(h, "#              | |"));
}

/* "  comm-123  [001] d..2. 76.211513: sched_switch: ...", with the flags or without: from the bracket on. */
static bool is_event_line(const char *line, size_t len)
{
	char text[256];
	const char *at;
	int end = 0;

	snprintf(text, sizeof text, "%.*s", (int)(len < sizeof text ? len : sizeof text - 1), line);
	at = strchr(text, '[');
	if (at && (sscanf(at, "[%*u] %*u.%*u:%n", &end) < 0 || !end))
		sscanf(at, "[%*u] %*s %*u.%*u:%n", &end);
	return end > 0;
}

/* What trace-cmd report and perf script print: a few lines of a heading, and then an event in each. */
static bool kind_is_report_text(const struct head *h)
{
	const char *at = (const char *)h->data, *end = at + h->len;

	if (memchr(h->data, 0, h->len))
		return false;
	for (int line = 0; line < 50 && at < end; line++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		if (!newline)
			return false;
		if (is_event_line(at, (size_t)(newline - at)))
			return true;
		at = newline + 1;
	}
	return false;
}

/* Objects with "traceEvents", or a list of events with their phase. */
static bool kind_is_chrome(const struct head *h)
{
	return (*h->data == '{' && kind_has(h, "\"traceEvents\"")) ||
	       (*h->data == '[' && kind_has(h, "\"ph\""));
}

static bool read_varint(const struct head *h, size_t *at, uint64_t *value)
{
	*value = 0;
	for (unsigned int shift = 0; shift < 64 && *at < h->len; shift += 7) {
		uint8_t b = h->data[(*at)++];

		*value |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return true;
	}
	return false;
}

/*
 * A protobuf of packets: each field 1 with a length, inside of it another field. Two of them, or one that
 * fits.
 */
static bool kind_is_pftrace(const struct head *h)
{
	size_t at = 0, nr = 0;

	while (at < h->len) {
		uint64_t len, field;
		size_t inner;

		if (h->data[at++] != 0x0a || !read_varint(h, &at, &len) || !len)
			return false;
		inner = at;
		if (inner == h->len || !read_varint(h, &inner, &field) || !(field >> 3) || (field & 7) > 5 ||
		    (field & 7) == 3 || (field & 7) == 4)
			return false;
		nr++;
		if (len > h->len - at)
			return nr > 1 || (h->file_bytes && len <= h->file_bytes - at);
		at += len;
	}
	return nr > 0;
}

/* trace-cmd's name for a CPU's raw pages while it records: they stay behind if it is killed. */
static bool kind_is_cpu_file(const struct head *h)
{
	const char *at = strrchr(h->path, '.');

	if (!at || strncmp(at, ".cpu", 4) || !at[4])
		return false;
	return strspn(at + 4, "0123456789") == strlen(at + 4);
}

#define PAGE_BYTES 4096u
#define PAGE_HEADER_BYTES 16u

static bool is_raw_page(const uint8_t *page, uint64_t *ts_ns)
{
	uint64_t commit;

	memcpy(ts_ns, page, sizeof *ts_ns);
	memcpy(&commit, page + 8, sizeof commit);
	*ts_ns = le64toh(*ts_ns);
	commit = le64toh(commit);
	return *ts_ns && commit && commit % 4 == 0 && commit <= PAGE_BYTES - PAGE_HEADER_BYTES;
}

/*
 * The same under another name, of a little-endian machine: pages of 4 KiB, the second no earlier than the
 * first.
 */
static bool kind_is_raw_pages(const struct head *h)
{
	uint64_t first_ns, second_ns;

	if (h->len < 2 * PAGE_BYTES || h->file_bytes % PAGE_BYTES)
		return false;
	return is_raw_page(h->data, &first_ns) && is_raw_page(h->data + PAGE_BYTES, &second_ns) &&
	       first_ns <= second_ns;
}

#define PERF_DATA "a perf.data, which perf record writes", \
	"give it by itself: what reads it here wants a trace.dat"
#define RAW_PAGES "one CPU's raw pages, without the formats that they need", \
	"make a recording of all CPUs' with trace-cmd restore"
#define CTF_STREAM "a data stream of a CTF trace", "read its folder with babeltrace2"

/* The first that matches: the more certain kinds come first. len 0: by the name only. */
static const struct file_kind {
	struct rs_file_kind kind;
	unsigned int at, len;
	const char *magic;
	bool (*is)(const struct head *h);
} kinds[] = {
	{ { "packed by gzip", "unpack it with gzip -dk" }, 0, 2, "\x1f\x8b", NULL },
	{ { "packed by xz", "unpack it with xz -dk" }, 0, 6, "\xfd" "7zXZ\0", NULL },
	{ { "packed by zstd", "unpack it with zstd -d" }, 0, 4, "\x28\xb5\x2f\xfd", NULL },
	{ { "packed by bzip2", "unpack it with bzip2 -dk" }, 0, 3, "BZh", NULL },
	{ { "packed by lz4", "unpack it with lz4 -d" }, 0, 4, "\x04\x22\x4d\x18", NULL },
	{ { "a zip archive", "unpack it with unzip, and give the trace.dat in it" }, 0, 4, "PK\3\4", NULL },
	{ { "a tar archive", "unpack it with tar -xf, and give the trace.dat in it" }, 257, 5, "ustar",
	  NULL },
	{ { "a perf.data of before Linux 3.2", "read it with a perf of that time" }, 0, 8, "PERFFILE", NULL },
	{ { PERF_DATA }, 0, 8, "PERFILE2", NULL },
	{ { PERF_DATA }, 0, 8, "2ELIFREP", NULL },
	{ { "a pointer of Git LFS, not the file that it stands for", "fetch that with git lfs pull" },
	  0, 19, "version https://git", kind_is_lfs },
	{ { RAW_PAGES }, 0, 0, "", kind_is_cpu_file },
	{ { CTF_STREAM }, 0, 4, "\xc1\x1f\xfc\xc1", NULL },
	{ { CTF_STREAM }, 0, 4, "\xc1\xfc\x1f\xc1", NULL },
	{ { "the metadata of a CTF trace", "read its folder with babeltrace2" }, 0, 7, "/* CTF ", NULL },
	{ { "a systrace report", "open it in ui.perfetto.dev, or record with ringside record" },
	  0, 0, "", kind_is_systrace },
	{ { "a web page", "give a recording in trace.dat format" }, 0, 0, "", kind_is_html },
	{ { "a Chrome trace in JSON, which ringside writes and does not read", "open it in ui.perfetto.dev" },
	  0, 0, "", kind_is_chrome },
	{ { "the text of ftrace, systrace or atrace",
	    "record with ringside record: text has lost the formats" },
	  0, 0, "", kind_is_ftrace_text },
	{ { "text that trace-cmd report or perf script has printed",
	    "give the recording that it was printed from" },
	  0, 0, "", kind_is_report_text },
	{ { "a Perfetto trace", "open it in ui.perfetto.dev, or record with ringside record" },
	  0, 0, "", kind_is_pftrace },
	{ { RAW_PAGES }, 0, 0, "", kind_is_raw_pages },
};

static bool file_kind_fits(const struct file_kind *k, const struct head *h)
{
	if (h->len < (size_t)k->at + k->len || memcmp(h->data + k->at, k->magic, k->len))
		return false;
	return !k->is || k->is(h);
}

bool rs_file_kind_is_tracedat(const uint8_t *head, size_t head_bytes)
{
	return head_bytes >= RS_TRACEDAT_MAGIC_BYTES &&
	       !memcmp(head, RS_TRACEDAT_MAGIC, RS_TRACEDAT_MAGIC_BYTES);
}

bool rs_file_kind_is_perfdata(const uint8_t *head, size_t head_bytes)
{
	return head_bytes >= RS_PERFDATA_MAGIC_BYTES && (!memcmp(head, "PERFILE2", RS_PERFDATA_MAGIC_BYTES) ||
							 !memcmp(head, "2ELIFREP", RS_PERFDATA_MAGIC_BYTES));
}

const struct rs_file_kind *rs_file_kind_find(const char *path, const uint8_t *head, size_t head_bytes,
					     uint64_t file_bytes)
{
	const struct head h = {
		.path = path, .data = head, .len = head_bytes < MAX_HEAD_BYTES ? head_bytes : MAX_HEAD_BYTES,
		.file_bytes = file_bytes,
	};

	if (rs_file_kind_is_tracedat(head, head_bytes))
		return NULL;
	for (size_t i = 0; h.len && i < sizeof kinds / sizeof *kinds; i++)
		if (file_kind_fits(&kinds[i], &h))
			return &kinds[i].kind;
	return NULL;
}
