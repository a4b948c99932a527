// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-tracedat.c - the reader of trace.dat on any bytes: an error, or a source that is read to its end
 *
 * Input: the file, packed whole or not. Each buffer inside is read as well.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "decode/retime.h"
#include "recording/recording.h"
#include "recording/unpack.h"
#include "source/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* So that no read is left out as useless. */
static volatile uint32_t sink;

static uint32_t sum(const char *text, size_t len)
{
	uint32_t s = 0;

	for (size_t i = 0; i < len; i++)
		s += (uint8_t)text[i];
	return s;
}

static uint32_t read_info(const struct rs_trace_info *info)
{
	uint32_t s = sum(info->header_page.data, info->header_page.len);

	must(info->nr_cpus >= 1 && info->nr_cpus <= 65536);
	must(info->page_bytes >= 4096 && !(info->page_bytes & (info->page_bytes - 1)));
	must(info->long_bytes == 4 || info->long_bytes == 8);
	s += sum(info->kallsyms.data, info->kallsyms.len);
	s += sum(info->printk_formats.data, info->printk_formats.len);
	for (size_t i = 0; i < info->nr_formats; i++)
		s += sum(info->formats[i].system, strlen(info->formats[i].system)) +
		     sum(info->formats[i].text.data, info->formats[i].text.len);
	for (size_t i = 0; i < info->nr_initial; i++)
		must(memchr(info->snapshot[i].comm, 0, sizeof info->snapshot[i].comm));
	for (size_t i = 0; i < info->nr_disks; i++)
		must(memchr(info->disks[i].name, 0, sizeof info->disks[i].name));
	for (size_t i = 0; i < info->nr_fd_paths; i++) {
		const struct rs_fd_path *p = &info->fd_paths[i];

		must(p->tid >= 0 && p->fd >= 0 && p->path && strlen(p->path) < 4096 && (!i || p[-1].read_ns <= p->read_ns));
		s += sum(p->path, strlen(p->path));
	}
	for (size_t i = 0; i < info->nr_fd_sockets; i++) {
		const struct rs_fd_socket *k = &info->fd_sockets[i];

		must(k->pid >= 0 && k->fd >= 0 && k->since_ns <= k->until_ns && strlen(k->name) < 4096 &&
		     (!i || k[-1].since_ns <= k->since_ns));
		s += sum(k->name, strlen(k->name));
	}
	return s;
}

static void read_source(struct rs_source *source)
{
	uint32_t s = read_info(&source->info);
	uint64_t done, all;

	for (unsigned int cpu = 0; cpu < source->info.nr_cpus; cpu++) {
		struct rs_error err = { 0 };
		struct rs_page page;
		enum rs_next next;

		while ((next = source->ops->next(source, cpu, &page, &err)) == RS_NEXT_PAGE) {
			must(page.len_bytes >= 1 && page.len_bytes <= source->info.page_bytes);
			s += page.data[0] + page.data[page.len_bytes - 1];
		}
		must((next == RS_NEXT_ERROR) == (err.status != RS_OK));
		must(source->ops->next(source, cpu, &page, &err) == RS_NEXT_END);
	}
	sink = s;
	source->ops->progress(source, &done, &all);
	must(done == all);
}

static void read_buffer(const char *path, const char *buffer)
{
	struct rs_error err = { 0 };
	struct rs_source *source = rs_tracedat_open(path, buffer, &err);

	must((source == NULL) == (err.status != RS_OK));
	if (!source || !(source = rs_retime(source, &err)))
		return;
	read_source(source);
	source->ops->close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct rs_error err = { 0 };
	char path[32], *names, *name, *rest;
	int unpacked;

	must(fd >= 0 && write(fd, data, len) == (ssize_t)len);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	must((rs_unpack_open(path, NULL, &unpacked, &err) < 0) == (err.status != RS_OK));
	if (unpacked >= 0) {
		close(fd);
		fd = unpacked;
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	}
	err = (struct rs_error){ 0 };
	read_buffer(path, NULL);
	names = rs_tracedat_buffers(path, &err);
	rest = names;
	for (int i = 0; i < 4 && (name = strsep(&rest, "\n")); i++)
		read_buffer(path, name);
	free(names);
	close(fd);
	return 0;
}
