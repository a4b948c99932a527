// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracedat-builder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "recording/recording.h"

static const char format[] =
	"name: tick\nID: 11\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\nprint fmt: \"\"\n";

static void put(struct built *f, uint64_t v, unsigned int bytes)
{
	size_t at = f->buf.len;

	rs_buf_pad(&f->buf, 0, bytes);
	built_put(f, at, v, bytes);
}

void built_put(struct built *f, size_t at, uint64_t v, unsigned int bytes)
{
	/* The buffer moves as it grows. */
	f->data = (uint8_t *)f->buf.data;
	for (unsigned int i = 0; i < bytes; i++)
		f->data[at + (f->big_endian ? bytes - 1 - i : i)] = (uint8_t)(v >> 8 * i);
}

static void put_text(struct built *f, const char *text, unsigned int size_bytes)
{
	put(f, strlen(text), size_bytes);
	rs_buf_puts(&f->buf, text);
}

static void put_string(struct built *f, const char *s)
{
	rs_buf_add(&f->buf, s, strlen(s) + 1);
}

/* The parts, the same in both versions. */

static void put_headers(struct built *f, const struct recipe *r)
{
	char page[256];

	snprintf(page, sizeof page, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
		 "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:1;\n",
		 r->long_bytes, 8 + r->long_bytes, r->page_bytes - 8 - r->long_bytes);
	put_string(f, "header_page");
	f->header_page_size_at = f->buf.len;
	put_text(f, page, 8);
	put_string(f, "header_event");
	put_text(f, "# compressed entry header\n", 8);
}

static void put_ftrace_formats(struct built *f, const struct recipe *r)
{
	put(f, 1, 4);
	put_text(f, format, 8);
}

static void put_formats(struct built *f, const struct recipe *r)
{
	f->nr_systems_at = f->buf.len;
	put(f, 2, 4);
	put_string(f, "toy");
	put(f, 2, 4);
	put_text(f, format, 8);
	put_text(f, format, 8);
	put_string(f, "sched");
	put(f, 1, 4);
	put_text(f, format, 8);
}

static void put_kallsyms(struct built *f, const struct recipe *r)
{
	put_text(f, "ffffffff81000000 T _text\n", 4);
}

static void put_printk(struct built *f, const struct recipe *r)
{
	put_text(f, "0xffffffff81000000 : \"hello\"\n", 4);
}

static void put_cmdlines(struct built *f, const struct recipe *r)
{
	put_text(f, r->cmdlines, 8);
}

static const struct {
	uint16_t id;
	void (*put)(struct built *f, const struct recipe *r);
} parts[] = {
	{ 16, put_headers }, { 17, put_ftrace_formats }, { 18, put_formats },
	{ 19, put_kallsyms }, { 20, put_printk }, { 21, put_cmdlines },
};

static size_t put_option(struct built *f, uint16_t id, const void *data, uint32_t len)
{
	size_t at;

	put(f, id, 2);
	f->option_size_at = f->buf.len;
	put(f, len, 4);
	at = f->buf.len;
	rs_buf_add(&f->buf, data, len);
	return at;
}

static void put_common_options(struct built *f, const struct recipe *r)
{
	static const char uname[] = "Linux a host 6.1.0-test x86_64";

	if (r->option)
		put_option(f, r->option, r->option_data, r->option_bytes);
	put_option(f, 2, "CPU: 0\nentries: 0\n", 19);
	put_option(f, 4, r->clock, (uint32_t)strlen(r->clock) + !!*r->clock);
	put_option(f, 5, uname, sizeof uname);
}

static void fill_page(uint8_t *page, const struct recipe *r, unsigned int buffer, uint32_t cpu,
		      uint32_t number)
{
	memset(page, (int)(16 * buffer + 4 * cpu + number), r->page_bytes);
	page[0] = (uint8_t)buffer;
	page[1] = (uint8_t)cpu;
	page[2] = (uint8_t)number;
}

static void put_pages(struct built *f, const struct recipe *r, unsigned int buffer, uint32_t cpu,
		      uint32_t from, uint32_t to)
{
	uint8_t *page = malloc(r->page_bytes);

	ck_assert_ptr_nonnull(page);
	for (uint32_t i = from; i < to; i++) {
		fill_page(page, r, buffer, cpu, i);
		rs_buf_add(&f->buf, page, r->page_bytes);
	}
	free(page);
}

static void align(struct built *f, uint32_t to)
{
	rs_buf_pad(&f->buf, 0, (to - f->buf.len % to) % to);
}

/* Version 6. */

static size_t put_empty_table(struct built *f, const struct recipe *r, const char *kind)
{
	size_t at;

	f->kind_at = f->buf.len;
	rs_buf_puts(&f->buf, kind);
	rs_buf_pad(&f->buf, strlen(kind) < 9 ? ' ' : 0, 9 - strlen(kind));
	rs_buf_putc(&f->buf, 0);
	at = f->buf.len;
	rs_buf_pad(&f->buf, 0, 16 * r->nr_cpus);
	return at;
}

static void put_cpus_v6(struct built *f, const struct recipe *r, unsigned int buffer, size_t table)
{
	for (uint32_t cpu = 0; cpu < r->nr_cpus; cpu++) {
		align(f, r->page_bytes);
		built_put(f, table + 16 * cpu, f->buf.len, 8);
		built_put(f, table + 16 * cpu + 8, (uint64_t)r->nr_pages * r->page_bytes, 8);
		put_pages(f, r, buffer, cpu, 0, r->nr_pages);
	}
}

static void build_v6(struct built *f, const struct recipe *r)
{
	char option[8 + 64] = { 0 };
	size_t inner_at = 0, table;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		parts[i].put(f, r);
	f->nr_cpus_at = f->buf.len;
	put(f, r->nr_cpus, 4);
	rs_buf_add(&f->buf, "options  ", 10);
	put_common_options(f, r);
	if (r->inner) {
		strcpy(option + 8, r->inner);
		inner_at = put_option(f, 3, option, (uint32_t)(8 + strlen(r->inner) + 1));
	}
	put(f, 0, 2);
	f->table_at = put_empty_table(f, r, r->kind);
	if (!*r->clock)
		put_text(f, "local [boot] mono\n", 8);
	put_cpus_v6(f, r, 0, f->table_at);
	if (r->inner) {
		built_put(f, inner_at, f->buf.len, 8);
		table = put_empty_table(f, r, "flyrecord");
		put_cpus_v6(f, r, 1, table);
	}
}

/* Version 7. */

static size_t pack(const char *codec, const void *data, size_t len, uint8_t *out, size_t size)
{
	uLongf got = (uLongf)size;

	if (!strcmp(codec, "zstd"))
		return ZSTD_compress(out, size, data, len, 1);
	ck_assert_int_eq(compress2(out, &got, data, (uLong)len, 1), Z_OK);
	return got;
}

/* Takes what stands behind `from` away and puts it there packed, with both sizes before. */
static void pack_from(struct built *f, const struct recipe *r, size_t from)
{
	size_t len = f->buf.len - from, size = len + 1024;
	uint8_t *packed = malloc(size);

	ck_assert_ptr_nonnull(packed);
	size = pack(r->codec, f->buf.data + from, len, packed, size);
	f->buf.len = from;
	put(f, size, 4);
	put(f, len, 4);
	rs_buf_add(&f->buf, packed, size);
	free(packed);
}

static size_t begin_section(struct built *f, uint16_t id, bool packed)
{
	size_t at = f->buf.len;

	put(f, id, 2);
	put(f, packed, 2);
	put(f, 0, 4);
	put(f, 0, 8);
	return at;
}

static void end_section(struct built *f, const struct recipe *r, size_t at, bool packed)
{
	if (packed)
		pack_from(f, r, at + 16);
	built_put(f, at + 8, f->buf.len - at - 16, 8);
}

static void put_section_option(struct built *f, uint16_t id, uint64_t at)
{
	size_t data = put_option(f, id, "\0\0\0\0\0\0\0", 8);

	built_put(f, data, at, 8);
}

struct cpu_data {
	uint64_t at, size;
};

/*
 * The size of packed data is as trace-cmd 3.1 counts it, without the number of chunks; or as 3.2 does, with all; or that
 * of the packed bytes alone.
 */
static struct cpu_data put_cpu_v7(struct built *f, const struct recipe *r, bool packed, unsigned int buffer,
				  uint32_t cpu)
{
	static const uint32_t left_out[] = { [COUNT_3_1] = 4, [COUNT_3_2] = 0, [COUNT_PACKED] = 4 };
	uint32_t nr_chunks = r->nr_pages < r->nr_chunks ? r->nr_pages : r->nr_chunks;
	struct cpu_data data;

	align(f, r->page_bytes);
	data.at = f->buf.len;
	if (!packed) {
		put_pages(f, r, buffer, cpu, 0, r->nr_pages);
		data.size = f->buf.len - data.at;
		return data;
	}
	if (!buffer && !cpu)
		f->chunks_at = f->buf.len;
	put(f, nr_chunks, 4);
	for (uint32_t i = 0; i < nr_chunks; i++) {
		size_t from = f->buf.len;

		put_pages(f, r, buffer, cpu, r->nr_pages * i / nr_chunks, r->nr_pages * (i + 1) / nr_chunks);
		pack_from(f, r, from);
	}
	data.size = f->buf.len - data.at - left_out[r->counted];
	if (r->counted == COUNT_PACKED)
		data.size -= 8 * nr_chunks;
	return data;
}

static void put_buffer_v7(struct built *f, const struct recipe *r, bool packed, unsigned int buffer,
			  const char *name, struct built *options)
{
	struct cpu_data *cpus = calloc(r->nr_cpus, sizeof *cpus);
	size_t section, size_at;

	ck_assert_ptr_nonnull(cpus);
	section = begin_section(f, 3, packed);
	for (uint32_t cpu = 0; cpu < r->nr_cpus; cpu++)
		cpus[cpu] = put_cpu_v7(f, r, packed, buffer, cpu);
	built_put(f, section + 8, f->buf.len - section - 16, 8);

	put(options, strcmp(r->kind, "latency") ? 3 : 22, 2);
	size_at = options->buf.len;
	put(options, 0, 4);
	put(options, section, 8);
	put_string(options, name);
	put_string(options, buffer ? "mono" : "boot");
	put(options, r->page_bytes, 4);
	put(options, r->nr_cpus, 4);
	if (!buffer)
		options->table_at = options->buf.len;
	for (uint32_t cpu = 0; cpu < r->nr_cpus; cpu++) {
		put(options, cpu, 4);
		put(options, cpus[cpu].at, 8);
		put(options, cpus[cpu].size, 8);
	}
	built_put(options, size_at, options->buf.len - size_at - 4, 4);
	free(cpus);
}

static void build_v7(struct built *f, const struct recipe *r)
{
	struct built last = { .buf = RS_BUF_INIT, .big_endian = r->big_endian };
	bool packed = strcmp(r->codec, "none");
	size_t at[sizeof parts / sizeof *parts], options, done;

	put_string(f, r->codec);
	put_string(f, "1");
	f->first_options_at = f->buf.len;
	put(f, 0, 8);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		at[i] = begin_section(f, parts[i].id, packed);
		parts[i].put(f, r);
		end_section(f, r, at[i], packed);
	}
	f->section_at = at[2];
	options = begin_section(f, 0, false);
	built_put(f, f->first_options_at, options, 8);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		put_section_option(f, parts[i].id, at[i]);
	put_common_options(f, r);
	put_option(f, 8, "\0\0\0", 4);
	f->nr_cpus_at = f->buf.len - 4;
	built_put(f, f->nr_cpus_at, r->nr_cpus, 4);
	done = put_option(f, 0, "\0\0\0\0\0\0\0", 8);
	end_section(f, r, options, false);
	put_buffer_v7(f, r, packed, 0, "", &last);
	if (r->inner)
		put_buffer_v7(f, r, packed, 1, r->inner, &last);
	built_put(f, done, f->buf.len, 8);
	options = begin_section(f, 0, false);
	f->table_at = f->buf.len + last.table_at;
	rs_buf_add(&f->buf, last.buf.data, last.buf.len);
	f->done_at = put_option(f, 0, "\0\0\0\0\0\0\0", 8);
	end_section(f, r, options, false);
	rs_buf_done(&last.buf);
}

static struct recipe with_defaults(const struct recipe *recipe)
{
	struct recipe r = *recipe;

	r.version = r.version ? r.version : 6;
	r.long_bytes = r.long_bytes ? r.long_bytes : 8;
	r.page_bytes = r.page_bytes ? r.page_bytes : 4096;
	r.nr_cpus = r.nr_cpus ? r.nr_cpus : 2;
	r.nr_pages = r.nr_pages ? r.nr_pages : 2;
	r.nr_chunks = r.nr_chunks ? r.nr_chunks : 2;
	r.codec = r.codec ? r.codec : "none";
	r.kind = r.kind ? r.kind : "flyrecord";
	r.clock = r.clock ? r.clock : "local [boot] mono\n";
	r.cmdlines = r.cmdlines ? r.cmdlines : "1 init\n20 a b=c\n";
	return r;
}

struct built build_tracedat(const struct recipe *recipe)
{
	struct recipe r = with_defaults(recipe);
	struct built f = { .buf = RS_BUF_INIT, .big_endian = r.big_endian, .fd = -1 };

	rs_buf_add(&f.buf, "\x17\x08\x44tracing", 10);
	rs_buf_printf(&f.buf, "%u", r.version);
	rs_buf_putc(&f.buf, 0);
	rs_buf_putc(&f.buf, r.big_endian);
	rs_buf_putc(&f.buf, (char)r.long_bytes);
	f.page_size_at = f.buf.len;
	put(&f, r.page_bytes, 4);
	(r.version == 6 ? build_v6 : build_v7)(&f, &r);
	if (r.trailer) {
		rs_buf_puts(&f.buf, r.trailer);
		for (int i = 0; i < 8; i++)
			rs_buf_putc(&f.buf, (char)(strlen(r.trailer) >> 8 * i));
		rs_buf_puts(&f.buf, "RNGSIDE1");
	}
	ck_assert(!f.buf.failed);
	f.data = (uint8_t *)f.buf.data;
	f.len = f.buf.len;
	return f;
}

const char *built_path_of(struct built *f, const void *data, size_t len)
{
	if (f->fd < 0)
		f->fd = memfd_create("tracedat", MFD_CLOEXEC);
	ck_assert_int_ge(f->fd, 0);
	ck_assert_int_eq(ftruncate(f->fd, (off_t)len), 0);
	ck_assert_int_eq(pwrite(f->fd, data, len, 0), (ssize_t)len);
	snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
	return f->path;
}

const char *built_path(struct built *f)
{
	return built_path_of(f, f->data, f->len);
}

void built_done(struct built *f)
{
	if (f->fd >= 0)
		close(f->fd);
	rs_buf_done(&f->buf);
}

/* ---- read back ---- */

struct rs_source *built_open(const char *path, const char *buffer)
{
	struct rs_error err = { 0 };
	struct rs_source *s = rs_tracedat_open(path, buffer, &err);

	ck_assert_msg(s != NULL, "%s", err.text);
	ck_assert_int_eq(err.status, RS_OK);
	return s;
}

struct rs_buf built_read_cpu(struct rs_source *s, unsigned int cpu)
{
	struct rs_buf all = RS_BUF_INIT;
	struct rs_error err = { 0 };
	struct rs_page page;
	enum rs_next next;

	while ((next = s->ops->next(s, cpu, &page, &err)) == RS_NEXT_PAGE)
		rs_buf_add(&all, page.data, page.len_bytes);
	ck_assert_msg(next == RS_NEXT_END, "%s", err.text);
	ck_assert_int_eq(s->ops->next(s, cpu, &page, &err), RS_NEXT_END);
	ck_assert(!all.failed);
	return all;
}

static unsigned int built_or(unsigned int value, unsigned int otherwise)
{
	return value ? value : otherwise;
}

void built_check_pages(struct rs_source *s, const struct recipe *r, unsigned int buffer)
{
	unsigned int page_bytes = built_or(r->page_bytes, 4096), nr_pages = built_or(r->nr_pages, 2);

	ck_assert_uint_eq(s->info.nr_cpus, built_or(r->nr_cpus, 2));
	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++) {
		struct rs_buf all = built_read_cpu(s, cpu);

		ck_assert_uint_eq(all.len, (size_t)nr_pages * page_bytes);
		for (unsigned int i = 0; i < nr_pages; i++) {
			const uint8_t *page = (uint8_t *)all.data + i * page_bytes;

			ck_assert_uint_eq(page[0], buffer);
			ck_assert_uint_eq(page[1], cpu);
			ck_assert_uint_eq(page[2], i);
			ck_assert_uint_eq(page[page_bytes - 1], 16 * buffer + 4 * cpu + i);
		}
		rs_buf_done(&all);
	}
}
