// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reader of trace.dat: real recordings against what trace-cmd says of them,
 * and files built by hand for what those do not have.
 */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording/recording.h"
#include "source/source.h"
#include "tracedat-builder.h"

Suite *rs_suite_tracedat(void);

/* Recordings, with the numbers that `trace-cmd dump` prints of them; formats are ftrace's and the others. */
static const struct {
	const char *name, *clock, *kernel, *machine;
	unsigned int nr_cpus, long_bytes, nr_formats;
	size_t kallsyms_bytes, printk_bytes;
	unsigned int nr_initial;
} recordings[] = {
	{ "debian-5.10-amd64-v6", "local", "5.10.0-32-amd64", "x86_64", 2, 8, 15 + 39, 224379, 4020, 65 },
	{ "debian-6.1-amd64-lost", "local", "6.1.0-50-amd64", "x86_64", 4, 8, 18 + 53, 247507, 5729, 109 },
	{ "debian-6.1-amd64-mixed", "local", "6.1.0-50-amd64", "x86_64", 4, 8, 18 + 43, 4098526, 5729, 47 },
	{ "debian-6.1-amd64-v6", "local", "6.1.0-50-amd64", "x86_64", 4, 8, 18 + 43, 247507, 5729, 86 },
	{ "debian-6.1-i386-v6", "global", "6.1.0-50-686-pae", "i686", 2, 4, 18 + 43, 182402, 3755, 47 },
	{ "debian-6.1-s390x-v6", "local", "6.1.0-50-s390x", "s390x", 2, 8, 18 + 41, 170218, 2236, 52 },
	{ "host-6.18-amd64-v6", "local", "6.18.44-fc-v657", "x86_64", 2, 8, 18 + 48, 644684, 4316, 6552 },
};

static const char *file(int i, const char *suffix)
{
	static char path[256];

	snprintf(path, sizeof path, "tests/traces/%s%s", recordings[i].name, suffix);
	return path;
}

START_TEST(recording_describes_itself)
{
	struct rs_source *s = built_open(file(_i, ".dat"), NULL);
	const struct rs_trace_info *info = &s->info;

	ck_assert_uint_eq(info->nr_cpus, recordings[_i].nr_cpus);
	ck_assert_uint_eq(info->page_bytes, 4096);
	ck_assert_uint_eq(info->long_bytes, recordings[_i].long_bytes);
	ck_assert_int_eq(info->big_endian, !strcmp(info->machine, "s390x"));
	ck_assert_str_eq(info->clock, recordings[_i].clock);
	ck_assert_str_eq(info->kernel, recordings[_i].kernel);
	ck_assert_str_eq(info->machine, recordings[_i].machine);
	ck_assert_uint_eq(info->nr_formats, recordings[_i].nr_formats);
	ck_assert_uint_eq(info->kallsyms.len, recordings[_i].kallsyms_bytes);
	ck_assert_uint_eq(info->printk_formats.len, recordings[_i].printk_bytes);
	ck_assert_uint_eq(info->nr_initial, recordings[_i].nr_initial);
	ck_assert_uint_eq(info->header_page.len, 205);
	ck_assert(!info->live && !info->realtime_offset_known);
	ck_assert_ptr_null(info->warnings);
	s->ops->close(s);
}
END_TEST

START_TEST(recording_has_whole_formats)
{
	struct rs_source *s = built_open(file(_i, ".dat"), NULL);
	bool ftrace = false, sched_switch = false;

	for (size_t i = 0; i < s->info.nr_formats; i++) {
		const struct rs_format_text *f = &s->info.formats[i];

		ck_assert_uint_gt(f->text.len, 6);
		ck_assert_mem_eq(f->text.data, "name: ", 6);
		ck_assert_int_eq(f->text.data[f->text.len - 1], '\n');
		ftrace |= !strcmp(f->system, "ftrace");
		if (!strcmp(f->system, "sched") && !memcmp(f->text.data, "name: sched_switch\n", 19))
			sched_switch = true;
	}
	ck_assert(ftrace && sched_switch);
	s->ops->close(s);
}
END_TEST

/* "CPU0 data recorded at offset=0x42000\n    172032 bytes in size (N uncompressed)" */
START_TEST(recording_has_the_bytes_that_trace_cmd_wrote)
{
	struct rs_source *s = built_open(file(_i, ".dat"), NULL);
	FILE *out = fopen(file(_i, ".out"), "r");
	unsigned int cpu, nr = 0;
	size_t size, unpacked;
	char line[256];

	ck_assert_ptr_nonnull(out);
	while (fgets(line, sizeof line, out)) {
		struct rs_buf all;

		if (!strstr(line, " data recorded") || sscanf(line, "CPU%u", &cpu) != 1)
			continue;
		ck_assert_ptr_nonnull(fgets(line, sizeof line, out));
		if (sscanf(line, "%zu bytes in size (%zu uncompressed)", &size, &unpacked) == 2)
			size = unpacked;
		all = built_read_cpu(s, cpu);
		ck_assert_uint_eq(all.len, size);
		rs_buf_done(&all);
		nr++;
	}
	ck_assert_uint_eq(nr, s->info.nr_cpus);
	fclose(out);
	s->ops->close(s);
}
END_TEST

START_TEST(recording_is_progress_to_its_end)
{
	struct rs_source *s = built_open(file(_i, ".dat"), NULL);
	uint64_t done = 1, before, all = 0;
	struct rs_error err = { 0 };
	struct rs_page page;

	s->ops->progress(s, &before, &all);
	ck_assert_uint_gt(all, before);
	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++)
		while (s->ops->next(s, cpu, &page, &err) == RS_NEXT_PAGE) {
			s->ops->progress(s, &done, &all);
			ck_assert_uint_ge(done, before);
			before = done;
		}
	s->ops->progress(s, &done, &all);
	ck_assert_uint_eq(done, all);
	s->ops->close(s);
}
END_TEST

static const struct rs_initial_task *seed_of(const struct rs_source *s, int32_t tid)
{
	for (size_t i = 0; i < s->info.nr_initial; i++)
		if (s->info.snapshot[i].tid == tid)
			return &s->info.snapshot[i];
	return NULL;
}

START_TEST(names_are_kept_byte_for_byte)
{
	struct rs_source *s = built_open("tests/traces/debian-6.1-amd64-v6.dat", NULL);

	ck_assert_str_eq(seed_of(s, 414)->comm, "a b=c");
	ck_assert_str_eq(seed_of(s, 416)->comm, "x<&>\"'");
	ck_assert_str_eq(seed_of(s, 417)->comm, "né→");
	ck_assert_str_eq(seed_of(s, 418)->comm, "tab\there");
	ck_assert_uint_eq(seed_of(s, 414)->ts_ns, 0);
	ck_assert_int_eq(seed_of(s, 414)->pid, 0);
	s->ops->close(s);
}
END_TEST

/* trace-cmd's own conversion of a recording hands out the same pages. */

static const struct {
	const char *name, *how;
} conversions[] = {
	{ "debian-6.1-amd64-v6", "--file-version 7 --compression none" },
	{ "debian-6.1-amd64-v6", "--file-version 7 --compression zstd" },
	{ "debian-6.1-amd64-v6", "--file-version 7 --compression zlib" },
	{ "debian-6.1-i386-v6", "--file-version 7 --compression zstd" },
	{ "debian-6.1-amd64-mixed", "--file-version 6" },
	{ "debian-6.1-amd64-lost", "--file-version 7 --compression none" },
};

static void same_pages(struct rs_source *a, struct rs_source *b)
{
	ck_assert_uint_eq(a->info.nr_cpus, b->info.nr_cpus);
	ck_assert_uint_eq(a->info.nr_formats, b->info.nr_formats);
	ck_assert_uint_eq(a->info.nr_initial, b->info.nr_initial);
	ck_assert_uint_eq(a->info.kallsyms.len, b->info.kallsyms.len);
	ck_assert_mem_eq(a->info.kallsyms.data, b->info.kallsyms.data, a->info.kallsyms.len);
	ck_assert_str_eq(a->info.clock, b->info.clock);
	for (unsigned int cpu = 0; cpu < a->info.nr_cpus; cpu++) {
		struct rs_buf x = built_read_cpu(a, cpu), y = built_read_cpu(b, cpu);

		ck_assert_uint_eq(x.len, y.len);
		ck_assert_mem_eq(x.data, y.data, x.len);
		rs_buf_done(&x);
		rs_buf_done(&y);
	}
}

START_TEST(converted_by_trace_cmd)
{
	char path[] = "/tmp/test-tracedat-XXXXXX", command[512];
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	snprintf(command, sizeof command, "trace-cmd convert -i tests/traces/%s.dat -o %s %s >/dev/null 2>&1",
		 conversions[_i].name, path, conversions[_i].how);
	/* It may not be there, or be built without zlib. */
	if (system(command) == 0) {
		struct rs_source *a, *b = built_open(path, NULL);

		snprintf(command, sizeof command, "tests/traces/%s.dat", conversions[_i].name);
		a = built_open(command, NULL);
		same_pages(a, b);
		a->ops->close(a);
		b->ops->close(b);
	}
	close(fd);
	unlink(path);
}
END_TEST

/* Built files. */

static const struct recipe shapes[] = {
	{ .version = 6 },
	{ .version = 6, .big_endian = true },
	{ .version = 6, .long_bytes = 4, .page_bytes = 65536 },
	{ .version = 6, .inner = "second one", .nr_cpus = 3, .nr_pages = 3 },
	{ .version = 6, .clock = "", .inner = "x" },
	{ .version = 7 },
	{ .version = 7, .codec = "zlib", .inner = "second one" },
	{ .version = 7, .codec = "zstd", .inner = "second one", .nr_pages = 7 },
	{ .version = 7, .codec = "zstd", .big_endian = true, .long_bytes = 4, .page_bytes = 16384 },
};
#define NR_SHAPES ((int)(sizeof shapes / sizeof *shapes))

START_TEST(built_file_reads_back)
{
	const struct recipe *r = &shapes[_i];
	struct built f = build_tracedat(r);
	struct rs_source *s = built_open(built_path(&f), NULL);

	ck_assert_uint_eq(s->info.page_bytes, r->page_bytes ? r->page_bytes : 4096);
	ck_assert_uint_eq(s->info.long_bytes, r->long_bytes ? r->long_bytes : 8);
	ck_assert_int_eq(s->info.big_endian, r->big_endian);
	ck_assert_uint_eq(s->info.nr_formats, 4);
	ck_assert_str_eq(s->info.formats[0].system, "ftrace");
	ck_assert_str_eq(s->info.formats[2].system, "toy");
	ck_assert_str_eq(s->info.formats[3].system, "sched");
	ck_assert_uint_eq(s->info.kallsyms.len, 25);
	ck_assert_mem_eq(s->info.kallsyms.data, "ffffffff81000000 T _text\n", 25);
	ck_assert_str_eq(s->info.clock, "boot");
	ck_assert_str_eq(s->info.kernel, "6.1.0-test");
	ck_assert_str_eq(s->info.machine, "x86_64");
	ck_assert_ptr_null(s->info.warnings);
	built_check_pages(s, r, 0);
	s->ops->close(s);
	built_done(&f);
}
END_TEST

/*
 * 60 chunks of a page each: 484 bytes beside the packed ones, more than the options that follow have. However the size counts
 * them (see the builder), the file is whole, and nothing is said of it.
 */
START_TEST(whole_however_chunks_are_counted)
{
	const struct recipe r = {
		.version = 7, .codec = "zstd", .nr_cpus = 1, .nr_pages = 60, .nr_chunks = 60, .counted = (unsigned int)_i,
	};
	struct built f = build_tracedat(&r);
	struct rs_source *s = built_open(built_path(&f), NULL);
	struct rs_buf all;

	ck_assert_ptr_null(s->info.warnings);
	all = built_read_cpu(s, 0);
	ck_assert_uint_eq(all.len, 60 * 4096);
	ck_assert_int_eq(all.data[59 * 4096 + 2], 59);
	rs_buf_done(&all);
	s->ops->close(s);
	built_done(&f);
}
END_TEST

START_TEST(inner_buffer_reads_back)
{
	const struct recipe *r = &shapes[_i];
	struct built f = build_tracedat(r);
	const char *path = built_path(&f);
	struct rs_error err = { 0 };
	char *names = rs_tracedat_buffers(path, &err);
	struct rs_source *s;

	ck_assert_ptr_nonnull(names);
	ck_assert_str_eq(names, r->inner ? r->inner : "");
	free(names);
	if (r->inner) {
		s = built_open(path, r->inner);
		/* Version 7 has a clock for each buffer, version 6 one for all. */
		if (r->version == 7)
			ck_assert_str_eq(s->info.clock, "mono");
		built_check_pages(s, r, 1);
		s->ops->close(s);
	}
	built_done(&f);
}
END_TEST

START_TEST(unknown_buffer_is_refused_with_the_names_there_are)
{
	struct built f = build_tracedat(&(struct recipe){ .inner = "second one" });
	struct rs_error err = { 0 };

	ck_assert_ptr_null(rs_tracedat_open(built_path(&f), "secnd", &err));
	ck_assert_int_eq(err.status, RS_FAILED);
	ck_assert_ptr_nonnull(strstr(err.text, "has no buffer 'secnd': it has second one"));
	built_done(&f);
}
END_TEST

/* A 32-bit recorder on a 64-bit kernel: the file says 4, the kernel's header_page says 8. */
START_TEST(long_is_the_kernels_not_the_recorders)
{
	struct built f = build_tracedat(&(struct recipe){ .long_bytes = 8 });
	struct rs_source *s;

	ck_assert_uint_eq(f.data[f.page_size_at - 1], 8);
	f.data[f.page_size_at - 1] = 4;
	s = built_open(built_path(&f), NULL);
	ck_assert_uint_eq(s->info.long_bytes, 8);
	s->ops->close(s);
	built_done(&f);
}
END_TEST

/* Options: what each one leaves in the source. */
static const struct {
	uint16_t id;
	const char *data;
	unsigned int len;
	const char *note;    /* NULL: none */
	const char *clock;
	bool offset_known;
	int64_t offset_ns;
} options[] = {
	{ 1, "0x10", 5, NULL, "boot", true, 16000 },
	{ 1, "-5", 2, NULL, "boot", true, -5000 },
	{ 1, "9223372036854775807", 20, NULL, "boot", false, 0 },
	{ 1, "soon", 5, NULL, "boot", false, 0 },
	{ 7, "12345", 6, NULL, "boot", false, 0 },
	{ 7, "0", 2, NULL, "boot", false, 0 },
	{ 9, "3.1.6", 6, NULL, "boot", false, 0 },
	{ 12, "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, NULL, "boot", false, 0 },
	{ 12, "\1\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0", 16, "the differences from the host's clock are damaged", "boot", false, 0 },
	{ 14, "\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0", 16, NULL, "tsc2nsec", false, 0 },
	{ 14, "\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0", 16, "the factor from cycles to ns is missing", "x86-tsc", false, 0 },
	{ 14, "\1\0\0\0\100\0\0\0\0\0\0\0\0\0\0\0", 16, "the factor from cycles to ns is damaged", "x86-tsc", false, 0 },
	{ 999, "abc", 3, "option 999 (3 bytes) is unknown, skipped", "boot", false, 0 },
	{ 8, "123456789", 9, NULL, "boot", false, 0 },
};

START_TEST(option_is_heeded)
{
	for (unsigned int version = 6; version <= 7; version++) {
		const struct recipe recipe = {
			.version = version, .option = options[_i].id,
			.option_data = options[_i].data, .option_bytes = options[_i].len,
		};
		struct built f = build_tracedat(&recipe);
		struct rs_source *s = built_open(built_path(&f), NULL);

		if (options[_i].note)
			ck_assert_ptr_nonnull(strstr(s->info.warnings, options[_i].note));
		else
			ck_assert_ptr_null(s->info.warnings);
		ck_assert_str_eq(s->info.clock, options[_i].clock);
		ck_assert_int_eq(s->info.realtime_offset_known, options[_i].offset_known);
		ck_assert_int_eq(s->info.realtime_offset_ns, options[_i].offset_ns);
		ck_assert_uint_eq(s->info.nr_cpus, 2);
		s->ops->close(s);
		built_done(&f);
	}
}
END_TEST

START_TEST(lines_that_are_no_names_are_left_out)
{
	struct built f = build_tracedat(&(struct recipe){ .cmdlines =
		"7 seven\nx\n8\n9 \n 10 ten\n-1 minus\n4294967296 big\n2147483647 max\n11 <...>\n"
		"12  two blanks\n13 a name that is longer than the kernel's\n14 no newline" });
	struct rs_source *s = built_open(built_path(&f), NULL);

	ck_assert_uint_eq(s->info.nr_initial, 5);
	ck_assert_str_eq(seed_of(s, 7)->comm, "seven");
	ck_assert_str_eq(seed_of(s, 2147483647)->comm, "max");
	ck_assert_str_eq(seed_of(s, 12)->comm, " two blanks");
	ck_assert_str_eq(seed_of(s, 13)->comm, "a name that is ");
	ck_assert_str_eq(seed_of(s, 14)->comm, "no newline");
	s->ops->close(s);
	built_done(&f);
}
END_TEST

START_TEST(trailer_is_read)
{
	struct built f = build_tracedat(&(struct recipe){ .trailer =
		"{\"version\":1,\"realtime_offset_ns\":\"1795241949392278001\",\"command\":[300,\"make \\\"a b\\\"\"],\"self\":[300,20],"
		"\"tasks\":[[\"9007199254740993\",300,299,\"me \\\"q\\\"\",0],[5,2,2,\"kthreadd\",1]],"
		"\"cgroups\":[[\"/a b\",[299,9]],[\"/c\",[2],null,\"/m\",\"\"]],\"disks\":[[8388609,\"sda1\"]],\"pauses\":[[\"10\",\"20\"],[20,\"30\",\"tracing_on 0\"]],"
		"\"lost_by_cpu\":[\"0\",null],\"more\":{}}" });
	struct rs_source *s = built_open(built_path(&f), NULL);
	const struct rs_initial_task *seeds = s->info.snapshot;

	ck_assert_ptr_null(s->info.warnings);
	ck_assert(s->info.realtime_offset_known);
	ck_assert_int_eq(s->info.realtime_offset_ns, 1795241949392278001);
	ck_assert_int_eq(s->info.command_pid, 300);
	ck_assert_str_eq(s->info.command, "make \"a b\"");
	/* In the order of time; the file's cmdlines have none and come first. */
	ck_assert_uint_eq(s->info.nr_initial, 4);
	ck_assert_int_eq(seeds[0].tid, 1);
	ck_assert_int_eq(seeds[1].tid, 20);
	ck_assert(seeds[1].self && !seeds[0].self);
	ck_assert_int_eq(seeds[2].tid, 2);
	ck_assert(seeds[2].kernel_thread && !seeds[2].self);
	ck_assert_uint_eq(seeds[2].ts_ns, 5);
	ck_assert_uint_eq(seeds[3].ts_ns, 9007199254740993);
	ck_assert_int_eq(seeds[3].tid, 300);
	ck_assert_int_eq(seeds[3].pid, 299);
	ck_assert_str_eq(seeds[3].comm, "me \"q\"");
	ck_assert(seeds[3].self && !seeds[3].kernel_thread);
	ck_assert_ptr_null(seeds[0].cgroup);
	ck_assert_str_eq(seeds[2].cgroup, "/c"); /* by its process */
	ck_assert_str_eq(seeds[3].cgroup, "/a b");
	ck_assert_ptr_null(seeds[2].cgroup_of[RS_CGROUP_CPU]);
	ck_assert_str_eq(seeds[2].cgroup_of[RS_CGROUP_MEMORY], "/m");
	ck_assert_str_eq(seeds[2].cgroup_of[RS_CGROUP_IO], "");
	ck_assert_ptr_null(seeds[3].cgroup_of[RS_CGROUP_MEMORY]);
	ck_assert_uint_eq(s->info.nr_disks, 1);
	ck_assert_uint_eq(s->info.disks[0].dev, 8 << 20 | 1);
	ck_assert_str_eq(s->info.disks[0].name, "sda1");
	ck_assert_uint_eq(s->pauses.nr, 2);
	ck_assert_str_eq(s->pauses.list[1].what, "tracing_on 0");
	ck_assert_uint_eq(s->pauses.list[0].off_ns, 10);
	ck_assert_uint_eq(s->pauses.list[0].on_ns, 20);
	built_check_pages(s, &(struct recipe){ 0 }, 0);
	s->ops->close(s);
	built_done(&f);
}
END_TEST

static const char *const bad_trailers[] = {
	"", "{", "[]", "{\"version\":2}", "{\"version\":1,\"tasks\":[[1,2,3,4,5]]}",
	"{\"version\":1,\"tasks\":[[1,2]]}", "{\"version\":1,\"tasks\":[7]}",
	"{\"version\":1,\"tasks\":[[\"1x\",1,1,\"a\",0]]}", "{\"version\":1,\"tasks\":[[-1,1,1,\"a\",0]]}",
	"{\"version\":1,\"tasks\":[[1,1e300,1,\"a\",0]]}", "{\"version\":1,\"disks\":[[-1,\"a\"]]}",
	"{\"version\":1,\"cgroups\":[[\"/a\",{}]]}", "{\"version\":1,\"cgroups\":[[null,[7]]]}", "{\"version\":1,\"cgroups\":[[\"/a\",[\"b\"]]]}",
	"{\"version\":1,\"args\":[[7,\"a\"]]}", "{\"version\":1,\"args\":[[-7,\"a\",\"b\"]]}", "{\"version\":1,\"args\":[[7,\"a\",null]]}",
	"{\"version\":1,\"cgroups\":[[\"/a\",[7],8]]}",
	"{\"version\":1,\"cgroup_counts\":[[null,7]]}", "{\"version\":1,\"cgroup_counts\":[[\"/a\",-7]]}", "{\"version\":1,\"cgroup_counts\":[[\"/a\",[7]]]}",
	"{\"version\":1,\"pressure\":[[-1,\"/a\"]]}", "{\"version\":1,\"pressure\":[[1]]}", "{\"version\":1,\"pressure\":[[1,\"/a\",-5]]}",
	"{\"version\":1,\"pauses\":[[5,1]]}", "{\"version\":1,\"pauses\":[[1]]}",
	"{\"version\":1,\"command\":[0,\"a\"]}", "{\"version\":1,\"command\":[7]}", "{\"version\":1,\"command\":\"a\"}",
	"{\"version\":1,\"fds\":[[1,2,4294967296,\"/a\"]]}", "{\"version\":1,\"fds\":[[1,2,-1,\"/a\"]]}",
	"{\"version\":1,\"fds\":[[1,2147483648,3,\"/a\"]]}", "{\"version\":1,\"fds\":[[9223372036854775808,2,3,\"/a\"]]}",
	"{\"version\":1,\"fds\":[[1,2,3]]}", "{\"version\":1,\"fds\":[[1,2,3,null]]}", "{\"version\":1,\"fds\":[[1,2,3,4]]}",
	"{\"version\":1,\"fds\":{}}", "{\"version\":1,\"fds\":[[1,2,3,\"/a\"],[1,2",
	"{\"version\":1,\"self\":[\"a\"]}", "{\"version\":1,\"realtime_offset_ns\":1e18}",
	/* later than any clock: 2^62 + 1 */
	"{\"version\":1,\"realtime_offset_ns\":\"4611686018427387905\"}", "{\"version\":1,\"realtime_offset_ns\":\"-4611686018427387905\"}",
	"{\"version\":1,\"pauses\":[[5,\"4611686018427387905\"]]}", "{\"version\":1,\"tasks\":[[\"4611686018427387905\",1,1,\"a\",0]]}",
	"{\"version\":1,\"fds\":[[\"4611686018427387905\",2,3,\"/a\"]]}",
};

START_TEST(bad_trailer_is_noted)
{
	struct built f = build_tracedat(&(struct recipe){ .trailer = bad_trailers[_i] });
	struct rs_source *s = built_open(built_path(&f), NULL);

	ck_assert_ptr_nonnull(s->info.warnings);
	ck_assert_ptr_nonnull(strstr(s->info.warnings, "ringside's own part"));
	ck_assert_uint_eq(s->info.nr_initial, 2);
	ck_assert(!s->info.realtime_offset_known);
	built_check_pages(s, &(struct recipe){ 0 }, 0);
	s->ops->close(s);
	built_done(&f);
}
END_TEST

START_TEST(trailer_with_an_impossible_length_is_noted)
{
	struct built f = build_tracedat(&(struct recipe){ .trailer = "{\"version\":1}" });
	const uint64_t latencies[] = { UINT64_MAX, f.len, f.len - 15 };
	struct rs_source *s;

	for (unsigned int i = 0; i < 3; i++) {
		built_put(&f, f.len - 16, latencies[i], 8);
		s = built_open(built_path(&f), NULL);
		ck_assert_ptr_nonnull(strstr(s->info.warnings, "an impossible length"));
		s->ops->close(s);
	}
	built_done(&f);
}
END_TEST

/* Memory: what was read of a large file is given back. */

/* The sanitizer has an eighth of all that was ever mapped as its shadow: of 128 MiB, 16. */
#ifdef __SANITIZE_ADDRESS__
#define MOST_GROWTH_KIB ((16 + 16) << 10)
#else
#define MOST_GROWTH_KIB (16 << 10)
#endif

static long resident_kib(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[128];
	long kib = -1;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof line, f))
		sscanf(line, "VmRSS: %ld", &kib);
	fclose(f);
	return kib;
}

START_TEST(memory_does_not_grow_with_the_file)
{
	const uint64_t cpu_bytes = 64 << 20;
	struct built f = build_tracedat(&(struct recipe){ .nr_pages = 1 });
	char path[] = "/tmp/test-tracedat-XXXXXX";
	int fd = mkstemp(path);
	struct rs_error err = { 0 };
	unsigned int nr_pages = 0;
	struct rs_source *s;
	struct rs_page page;
	long before, most = 0;

	/* Holes are pages as any other to who reads them. */
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		built_put(&f, f.table_at + 16 * cpu, (1 << 20) + cpu * cpu_bytes, 8);
		built_put(&f, f.table_at + 16 * cpu + 8, cpu_bytes, 8);
	}
	ck_assert_int_eq(pwrite(fd, f.data, f.len, 0), (ssize_t)f.len);
	ck_assert_int_eq(ftruncate(fd, (off_t)((1 << 20) + 2 * cpu_bytes)), 0);
	s = built_open(path, NULL);
	before = resident_kib();
	for (unsigned int ends = 0; ends < 2;) {
		ends = 0;
		for (unsigned int cpu = 0; cpu < 2; cpu++) {
			if (s->ops->next(s, cpu, &page, &err) != RS_NEXT_PAGE) {
				ends++;
				continue;
			}
			ck_assert_uint_eq(page.data[0] | page.data[page.len_bytes - 1], 0);
			if (++nr_pages % 1024 == 0 && resident_kib() > most)
				most = resident_kib();
		}
	}
	ck_assert_uint_eq(nr_pages, 2 * cpu_bytes / 4096);
	ck_assert_msg(most - before < MOST_GROWTH_KIB, "grew by %ld KiB", most - before);
	s->ops->close(s);
	close(fd);
	unlink(path);
	built_done(&f);
}
END_TEST

Suite *rs_suite_tracedat(void)
{
	Suite *s = suite_create("tracedat");
	TCase *recorded = tcase_create("recordings"), *built = tcase_create("built");
	TCase *own = tcase_create("own part");
	int nr_recordings = sizeof recordings / sizeof *recordings;

	tcase_set_timeout(recorded, 30);
	tcase_add_loop_test(recorded, recording_describes_itself, 0, nr_recordings);
	tcase_add_loop_test(recorded, recording_has_whole_formats, 0, nr_recordings);
	tcase_add_loop_test(recorded, recording_has_the_bytes_that_trace_cmd_wrote, 0, nr_recordings);
	tcase_add_loop_test(recorded, recording_is_progress_to_its_end, 0, nr_recordings);
	tcase_add_test(recorded, names_are_kept_byte_for_byte);
	tcase_add_loop_test(recorded, converted_by_trace_cmd, 0, sizeof conversions / sizeof *conversions);
	suite_add_tcase(s, recorded);

	tcase_set_timeout(built, 30);
	tcase_add_loop_test(built, built_file_reads_back, 0, NR_SHAPES);
	tcase_add_loop_test(built, whole_however_chunks_are_counted, COUNT_3_1, COUNT_PACKED + 1);
	tcase_add_loop_test(built, inner_buffer_reads_back, 0, NR_SHAPES);
	tcase_add_test(built, unknown_buffer_is_refused_with_the_names_there_are);
	tcase_add_test(built, long_is_the_kernels_not_the_recorders);
	tcase_add_loop_test(built, option_is_heeded, 0, sizeof options / sizeof *options);
	tcase_add_test(built, lines_that_are_no_names_are_left_out);
	tcase_add_test(built, memory_does_not_grow_with_the_file);
	suite_add_tcase(s, built);

	tcase_add_test(own, trailer_is_read);
	tcase_add_loop_test(own, bad_trailer_is_noted, 0, sizeof bad_trailers / sizeof *bad_trailers);
	tcase_add_test(own, trailer_with_an_impossible_length_is_noted);
	suite_add_tcase(s, own);
	return s;
}
