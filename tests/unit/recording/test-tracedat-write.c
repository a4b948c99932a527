// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The writer of trace.dat: what it is given is what stands in the file, and
 * trace-cmd, which knows nothing of us, reads it.
 */
#include <check.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time-limit.h"
#include "recording/recording.h"
#include "recording/tracedat-writer.h"
#include "recording/tracedat.h"
#include "skip.h"

Suite *rs_suite_tracedat_write(void);

#define PAGE 4096


static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
static const char header_event[] =
	"# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   "
	"32 bits\n\n"
	"\tpadding     : type == 29\n\ttime_extend : type == 30\n\ttime_stamp : type == 31\n"
	"\tdata max type_len  == 28\n";

#define COMMON \
	"format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* id 11: one number */
static const char tick_format[] = "name: tick\nID: 11\n" COMMON
	"\tfield:u64 n;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"n=%llu\", REC->n\n";
/* id 12: what the kernel writes when a task ends */
static const char exit_format[] = "name: sched_process_exit\nID: 12\n" COMMON
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"comm=%s pid=%d prio=%d\", REC->comm, REC->pid, REC->prio\n";

/* id 13: as late kernels have it, without a pid and with a name of any length */
static const char rename_format[] = "name: task_rename\nID: 13\n" COMMON
	"\tfield:__data_loc char[] newcomm;\toffset:8;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"newcomm=%s\", __get_str(newcomm)\n";

static const struct rs_format_text formats[] = {
	{ "task", { rename_format, sizeof rename_format - 1 } },
	{ "toy", { tick_format, sizeof tick_format - 1 } },
	{ "sched", { exit_format, sizeof exit_format - 1 } },
};

static const struct rs_initial_task seeds[] = {
	{ .ts_ns = 9007199254740993u, .tid = 100, .pid = 100, .ppid = 7, .start_ns = 40, .comm = "elder", .cgroup = "/a.slice",
	  .cgroup_of = { [RS_CGROUP_MEMORY] = "/m" } },
	{ .ts_ns = 2, .tid = 200, .pid = 100, .cgroup = "/a.slice", .comm = "bad\n300 forged", .self = true },
};

static const struct rs_disk disks[] = { { 8 << 20 | 1, "sda1", "/var" } };

static const struct rs_stacked_disk stacked[] = { { 254 << 20, 8 << 20, "vg-root" } };

static const struct rs_idle_state idle_states[] = { { 1, 2, 85, 600, "C6" } };
static const struct rs_cpu_speed cpu_speeds[] = { { 1, 3400000, 2200000 } };

/* Of the last nothing could be read. */
static const struct rs_process_args process_args[] = {
	{ 100, "elder", 50, "./elder \"x\" \x1b" }, { 101, "long", 0, NULL }, { 200, "bad", 0, NULL },
};

static const struct rs_fd_socket fd_sockets[] = { { 4, RS_MAX_TIME_NS, 100, 3, (char *)(uintptr_t)"TCP:[[::1]:80]" } };

static const struct rs_pressure_reading pressure[] = {
	{ 5, "/a.slice", { [0] = { .u = 1, .known = true }, [5] = { .u = 9007199254740993u, .known = true } } }, { .ts_ns = 6, .path = "/other" },
};
static const struct rs_cgroup_row cgroup_rows[] = {
	{ (char *)(uintptr_t)"/a.slice", { { [RS_CGROUP_USAGE_NS] = { .u = 9007199254740993u, .known = true } } },
	  { { [RS_CGROUP_PERIODS] = { .u = 7, .known = true }, [RS_CGROUP_QUOTA_NS] = { .u = 9007199254740993u, .known = true },
	      [RS_CGROUP_MEMORY_MAX] = { .u = 67108864, .known = true } } } },
};

static struct rs_trace_info info = {
	.nr_cpus = 2, .page_bytes = PAGE, .long_bytes = 8,
	.header_page = { header_page, sizeof header_page - 1 },
	.formats = formats, .nr_formats = 3,
	.kallsyms = { "ffffffff81000000 T _text\n", 25 },
	.clock = "mono", .host = "a host", .kernel = "6.1.0", .machine = "x86_64",
	.realtime_offset_known = true, .realtime_offset_ns = -5, .command_pid = 100, .command = "./elder \"x\"",
	.snapshot = seeds, .nr_initial = 2, .disks = disks, .nr_disks = 1, .stacked = stacked, .nr_stacked = 1,
	.idle_states = idle_states, .nr_idle_states = 1, .cpu_speeds = cpu_speeds, .nr_cpu_speeds = 1,
	.cgroup_rows = cgroup_rows, .nr_cgroup_rows = 1, .pressure = pressure, .nr_pressure = 2,
	.fd_sockets = fd_sockets, .nr_fd_sockets = 1,
};
static const struct rs_tracedat_head head = {
	.info = &info, .header_event = { header_event, sizeof header_event - 1 }, .kallsyms_fd = -1,
};
static const struct rs_tracedat_tail no_tail;

/* A page that begins at ts with one record, which is not filled up. */
struct page {
	uint64_t ts, commit;
	uint32_t entry;
	uint16_t type;
	uint8_t flags, preempt;
	int32_t pid;
	union {
		struct { uint64_t n; } __attribute__((packed)) tick;
		struct { char comm[16]; int32_t pid, prio; } exit;
		struct { uint16_t at, size; char text[16]; } rename;
	};
} __attribute__((packed));

static size_t tick_page(struct page *p, uint64_t ts, int32_t pid, uint64_t n)
{
	*p = (struct page){
		.ts = ts, .commit = 4 + 16, .entry = 16 / 4, .type = 11, .pid = pid, .tick = { n }
	};
	return 16 + 4 + 16;
}

static size_t exit_page(struct page *p, uint64_t ts, int32_t pid, const char *comm)
{
	*p = (struct page){ .ts = ts, .commit = 4 + 32, .entry = 32 / 4, .type = 12, .pid = pid };
	snprintf(p->exit.comm, sizeof p->exit.comm, "%s", comm);
	p->exit.pid = pid;
	return 16 + 4 + 32;
}

static size_t rename_page(struct page *p, uint64_t ts, int32_t pid, const char *comm)
{
	*p = (struct page){ .ts = ts, .commit = 4 + 28, .entry = 28 / 4, .type = 13, .pid = pid };
	p->rename.at = 12;
	p->rename.size = (uint16_t)snprintf(p->rename.text, sizeof p->rename.text, "%s", comm) + 1;
	return 16 + 4 + 28;
}

static char folder[] = "/tmp/ringside-test-XXXXXX";
static char path[64];

static void setup(void)
{
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/out.dat", folder);
}

static void teardown(void)
{
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0); /* nothing else may be left */
}

static struct rs_tracedat_writer *begin_with(const struct rs_tracedat_head *of, struct rs_error *err)
{
	struct rs_tracedat_writer *w = rs_tracedat_writer_open(path, 2, PAGE, -1, -1, err);

	ck_assert_msg(w != NULL, "%s", err->text);
	ck_assert_msg(rs_tracedat_writer_begin(w, of, err) == 0, "%s", err->text);
	return w;
}

static struct rs_tracedat_writer *begin(struct rs_error *err)
{
	if (!info.args)
		info.args = rs_process_args_new(false);
	for (size_t i = 0; !rs_process_args_nr(info.args) && i < sizeof process_args / sizeof *process_args; i++)
		ck_assert(rs_process_args_add(info.args, &process_args[i]));
	return begin_with(&head, err);
}

static char *read_all(size_t *len)
{
	FILE *f = fopen(path, "r");
	struct stat st;
	char *data;

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fstat(fileno(f), &st), 0);
	*len = (size_t)st.st_size;
	data = malloc(*len + 1);
	ck_assert_uint_eq(fread(data, 1, *len, f), *len);
	data[*len] = '\0';
	fclose(f);
	return data;
}

/* The table behind "flyrecord": offset and size of each CPU's data. */
static void table_of(const char *file, size_t len, uint64_t table[4])
{
	const char *at = memmem(file, len, "flyrecord", 10);

	ck_assert_ptr_nonnull(at);
	memcpy(table, at + 10, 32);
	for (int i = 0; i < 4; i += 2) {
		ck_assert_uint_eq(table[i] % PAGE, 0);
		ck_assert_uint_le(table[i] + table[i + 1], len);
	}
}

/* What a command prints, both streams. */
static char *output_of(const char *fmt, const char *file)
{
	static char text[65536];
	char command[256];
	size_t n;
	FILE *p;

	snprintf(command, sizeof command, fmt, file);
	p = popen(command, "r");
	ck_assert_ptr_nonnull(p);
	n = fread(text, 1, sizeof text - 1, p);
	text[n] = '\0';
	pclose(p);
	return text;
}

static bool have_trace_cmd(void)
{
	return !system("command -v trace-cmd >/dev/null 2>&1");
}

/* Pages of two CPUs, in turn, of many batches: each CPU's stand in one piece, in order, padded. */
START_TEST(pages_come_back_in_order)
{
	static const unsigned int nr = 1000; /* 4 MB a CPU: 15 batches and a rest */
	struct rs_error err = { 0 };
	struct rs_tracedat_writer *w = begin(&err);
	uint64_t table[4];
	struct page p;
	size_t len;
	char *file;

	for (unsigned int i = 0; i < 2 * nr; i++) {
		size_t n = tick_page(&p, i, 1, i);

		ck_assert_msg(rs_tracedat_writer_page(w, i % 2, &p, n, &err) == 0, "%s", err.text);
	}
	ck_assert_msg(rs_tracedat_writer_finish(w, &no_tail, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(rs_tracedat_writer_data_bytes(w), 2 * nr * PAGE);
	file = read_all(&len);
	ck_assert_uint_eq(rs_tracedat_writer_file_bytes(w), len);
	rs_tracedat_writer_free(w);
	table_of(file, len, table);
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		ck_assert_uint_eq(table[cpu * 2 + 1], nr * PAGE);
		for (unsigned int i = 0; i < nr; i++) {
			const char *at = file + table[cpu * 2] + i * PAGE;
			size_t n = tick_page(&p, 2 * i + cpu, 1, 2 * i + cpu);
			static const char zeros[PAGE];

			ck_assert_mem_eq(at, &p, n);
			ck_assert_mem_eq(at + n, zeros, PAGE - n);
		}
	}
	free(file);
}
END_TEST

/* trace-cmd reads it, warns of nothing, and knows the names: at the begin, of an event, at the end. */
START_TEST(trace_cmd_reads_it)
{
	static const struct rs_initial_task living[] = { { .tid = 400, .comm = "renamed" } };
	const struct rs_tracedat_tail tail = { .tasks = living, .nr_tasks = 1 };
	struct rs_error err = { 0 };
	struct rs_tracedat_writer *w;
	struct page p;
	char *text;

	if (!have_trace_cmd())
		SKIP("trace-cmd is not installed");
	w = begin(&err);
	rs_tracedat_writer_page(w, 0, &p, tick_page(&p, 1000000, 100, 7), &err);
	rs_tracedat_writer_page(w, 1, &p, exit_page(&p, 2000000, 300, "shortlived"), &err);
	rs_tracedat_writer_page(w, 0, &p, tick_page(&p, 3000000, 400, 8), &err);
	/* two on different CPUs, the later one where it is moved first; an exit was never seen */
	rs_tracedat_writer_page(w, 0, &p, rename_page(&p, 5000000, 500, "latest"), &err);
	rs_tracedat_writer_page(w, 1, &p, rename_page(&p, 4000000, 500, "former"), &err);
	ck_assert_msg(rs_tracedat_writer_finish(w, &tail, &err) == 0, "%s", err.text);
	rs_tracedat_writer_free(w);
	text = output_of("trace-cmd report %s 2>&1 >/dev/null", path);
	ck_assert_str_eq(text, "");
	text = output_of("trace-cmd report -t %s 2>&1", path);
	ck_assert_ptr_nonnull(strstr(text, "cpus=2\n"));
	ck_assert_ptr_nonnull(strstr(text, "elder-100"));
	ck_assert_ptr_nonnull(strstr(text, "0.001000000: tick:                 n=7"));
	ck_assert_ptr_nonnull(strstr(text, "shortlived-300"));
	ck_assert_ptr_nonnull(strstr(text, "renamed-400"));
	ck_assert_ptr_nonnull(strstr(text, "n=8"));
	ck_assert_ptr_nonnull(strstr(text, "latest-500"));
	ck_assert_ptr_null(strstr(text, "former-500"));
	ck_assert_ptr_null(strstr(text, "forged-"));
}
END_TEST

/* A task's name with a line break cannot name another task. */
START_TEST(names_cannot_forge_lines)
{
	struct rs_error err = { 0 };
	struct rs_tracedat_writer *w = begin(&err);
	size_t len;
	char *file;

	ck_assert_int_eq(rs_tracedat_writer_finish(w, &no_tail, &err), 0);
	rs_tracedat_writer_free(w);
	file = read_all(&len);
	ck_assert_ptr_nonnull(memmem(file, len, "100 elder\n200 bad?300 forged\n", 29));
	free(file);
}
END_TEST

/* A file that ends with its last page, and its whole one with no such note. */
static void cut_before_trailer(const char *file, size_t len)
{
	char cut_path[] = "/tmp/cut-XXXXXX";
	int fd = mkstemp(cut_path);
	struct rs_error err = { 0 };
	struct rs_source *s;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, file, len), (ssize_t)len);
	s = rs_tracedat_open(cut_path, NULL, &err);
	ck_assert_msg(s, "%s", err.text);
	ck_assert_ptr_nonnull(s->info.warnings);
	ck_assert_ptr_nonnull(strstr(s->info.warnings, "ringside's own part at the file's end is missing, the file is cut off"));
	s->ops->close(s);
	unlink(cut_path);
	close(fd);
	s = rs_tracedat_open(path, NULL, &err);
	ck_assert(!s->info.warnings || !strstr(s->info.warnings, "own part"));
	s->ops->close(s);
}

/* The trailer: what other readers have no place for. */
START_TEST(trailer_is_the_last)
{
	static const uint64_t lost[] = { 3, RS_LOST_UNKNOWN };
	static struct rs_pauses pauses = { .nr = 2, .list = { { 5, 9007199254740993, "" },
									       { 9007199254740993, 9007199254740994, "trace\"" } } };
	const struct rs_tracedat_tail tail = { .lost_by_cpu = lost, .pauses = &pauses };
	static const char json[] = "{\"version\":1,\"realtime_offset_ns\":-5,\"command\":[100,\"./elder \\\"x\\\"\"],\"self\":[200],\"tasks\":"
		"[[\"9007199254740993\",100,100,\"elder\",0,7,40],[2,200,100,\"bad\\u000A300 forged\",0,0,0]],"
		"\"disks\":[[8388609,\"sda1\"]],\"mounts\":[[8388609,\"/var\"]],\"stacked\":[[266338304,8388608,\"vg-root\"]],"
		"\"idle_states\":[[1,2,85,600,\"C6\"]],\"cpu_speeds\":[[1,3400000,2200000]],\"fd_sockets\":[[4,\"4611686018427387904\",100,3,\"TCP:[[::1]:80]\"]],\"args\":[[100,\"elder\",\"./elder \\\"x\\\" \\u001B\",50]],\"cgroups\":[[\"/a.slice\",[100],null,\"/m\",null]],"
		"\"cgroup_counts\":[[\"/a.slice\",\"9007199254740993\",null,null,null,null,null,null,null,7,null,null,null,null,null,null,\"9007199254740993\",null,67108864,null"
		",null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null]],\"pressure\":[[5,\"/a.slice\",1,null,null,null,null,\"9007199254740993\"],[6,\"/other\",null,null,null,null,null,null]],\"lost_by_cpu\":[3,null],\"pauses\":[[5,\"9007199254740993\",null],"
		"[\"9007199254740993\",\"9007199254740994\",\"trace\\\"\"]]}";
	struct rs_error err = { 0 };
	struct rs_tracedat_writer *w = begin(&err);
	struct rs_source *s;
	uint64_t length;
	size_t len;
	char *file, text[64];

	ck_assert_int_eq(rs_tracedat_writer_finish(w, &tail, &err), 0);
	rs_tracedat_writer_free(w);
	file = read_all(&len);
	ck_assert_mem_eq(file + len - 8, "RNGSIDE1", 8);
	memcpy(&length, file + len - 16, 8);
	ck_assert_uint_eq(length, sizeof json - 1);
	cut_before_trailer(file, len - 16 - length);
	ck_assert_mem_eq(file + len - 16 - length, json, length);
	free(file);
	s = rs_tracedat_open(path, NULL, &err);
	ck_assert_msg(s, "%s", err.text);
	ck_assert_uint_eq(s->info.nr_stacked, 1);
	ck_assert_uint_eq(s->info.stacked->above, 254 << 20);
	ck_assert_uint_eq(s->info.stacked->below, 8 << 20);
	ck_assert_str_eq(s->info.stacked->label, "vg-root");
	ck_assert_str_eq(s->info.disks->mount, "/var");
	ck_assert_uint_eq(s->info.nr_idle_states, 1);
	ck_assert_mem_eq(s->info.idle_states, idle_states, sizeof idle_states);
	ck_assert_uint_eq(s->info.nr_cpu_speeds, 1);
	ck_assert_mem_eq(s->info.cpu_speeds, cpu_speeds, sizeof cpu_speeds);
	for (size_t i = 0; i < s->info.nr_initial; i++)
		ck_assert_uint_eq(s->info.snapshot[i].start_ns, s->info.snapshot[i].ts_ns > 2 ? 40 : 0);
	ck_assert_uint_gt(rs_process_args_get(s->info.args, &(struct rs_process){ 100, "elder" }, text, 64), 0);
	ck_assert_str_eq(text, "./elder \"x\" \x1b");
	ck_assert_uint_eq(rs_process_args_get(s->info.args, &(struct rs_process){ 100, "other" }, text, 64), 0);
	ck_assert_uint_eq(rs_process_args_get(s->info.args, &(struct rs_process){ 200, "bad" }, text, 64), 0);
	ck_assert_uint_eq(s->info.nr_fd_sockets, 1);
	ck_assert(s->info.fd_sockets->until_ns == RS_MAX_TIME_NS && s->info.fd_sockets->pid == 100 && s->info.fd_sockets->fd == 3);
	ck_assert_str_eq(s->info.fd_sockets->name, "TCP:[[::1]:80]");
	ck_assert_uint_eq(s->info.nr_pressure, 1); /* the other group has no counts */
	ck_assert_ptr_eq(s->info.pressure->path, s->info.cgroup_rows->path);
	ck_assert_uint_eq(s->info.pressure->ts_ns, 5);
	ck_assert(s->info.pressure->ns[0].u == 1 && !s->info.pressure->ns[1].known);
	ck_assert_uint_eq(s->info.pressure->ns[5].u, 9007199254740993u);
	ck_assert_uint_eq(s->info.nr_cgroup_rows, 1);
	ck_assert_str_eq(s->info.cgroup_rows->path, "/a.slice");
	ck_assert_uint_eq(s->info.cgroup_rows->begin.value[RS_CGROUP_USAGE_NS].u, 9007199254740993u);
	ck_assert_uint_eq(s->info.cgroup_rows->end.value[RS_CGROUP_PERIODS].u, 7);
	ck_assert(!s->info.cgroup_rows->end.value[RS_CGROUP_USAGE_NS].known);
	ck_assert_uint_eq(s->info.cgroup_rows->end.value[RS_CGROUP_QUOTA_NS].u, 9007199254740993u);
	ck_assert_uint_eq(s->info.cgroup_rows->end.value[RS_CGROUP_MEMORY_MAX].u, 67108864);
	ck_assert_str_eq(s->info.host, "a host");
	s->ops->close(s);
}
END_TEST

/* The option has a place for the name in any case. */
START_TEST(host_that_is_not_known)
{
	struct rs_trace_info nameless = info;
	struct rs_tracedat_head of = head;
	struct rs_error err = { 0 };
	struct rs_tracedat_writer *w;
	struct rs_source *s;

	nameless.host = NULL;
	of.info = &nameless;
	w = begin_with(&of, &err);
	ck_assert_int_eq(rs_tracedat_writer_finish(w, &no_tail, &err), 0);
	rs_tracedat_writer_free(w);
	s = rs_tracedat_open(path, NULL, &err);
	ck_assert_msg(s, "%s", err.text);
	ck_assert_ptr_null(s->info.host);
	ck_assert_str_eq(s->info.kernel, "6.1.0");
	s->ops->close(s);
}
END_TEST

/* On a disk of 24 MiB: each page that was taken is in the file, and the error says why it ended. */
static void fill_a_small_disk(void)
{
	struct rs_error err = { 0 };
	struct rs_tracedat_writer *w;
	unsigned int nr = 0;
	uint64_t table[4];
	struct page p;
	size_t len;
	char *file;

	ck_assert_int_eq(mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL), 0);
	ck_assert_int_eq(mount("none", folder, "tmpfs", 0, "size=24m"), 0);
	w = begin(&err);
	while (nr < 100000 && rs_tracedat_writer_page(w, 0, &p, tick_page(&p, nr, 1, nr), &err) == 0)
		nr++;
	ck_assert_uint_gt(nr, 2000);
	ck_assert_uint_lt(nr, 6144);
	ck_assert_ptr_nonnull(strstr(err.text, "No space left on device"));
	ck_assert_int_eq(err.status, RS_FAILED);
	err = (struct rs_error){ 0 };
	ck_assert_msg(rs_tracedat_writer_finish(w, &no_tail, &err) == 0, "%s", err.text);
	rs_tracedat_writer_free(w);
	file = read_all(&len);
	table_of(file, len, table);
	ck_assert_uint_eq(table[1], (uint64_t)nr * PAGE);
	tick_page(&p, nr - 1, 1, nr - 1);
	ck_assert_mem_eq(file + table[0] + table[1] - PAGE, &p, 36);
	ck_assert_mem_eq(file + len - 8, "RNGSIDE1", 8);
	free(file);
}

START_TEST(full_disk_keeps_what_was_taken)
{
	int status;
	pid_t pid;

	if (geteuid())
		SKIP("only root may mount");
	pid = fork();
	if (!pid) {
		ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
		fill_a_small_disk();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* What cannot be written is refused before anything is traced, and what was there stays as it was. */
START_TEST(refuses_what_it_cannot_write)
{
	struct rs_error err = { 0 };
	struct rs_tracedat_writer *w;
	size_t len;
	char *file;
	FILE *f;

	ck_assert_ptr_null(rs_tracedat_writer_open("/nowhere/at/all.dat", 2, PAGE, -1, -1, &err));
	ck_assert_str_eq(
		err.text,
		"cannot write '/nowhere/at/all.dat': No such file or directory (name another file with -o)");
	err = (struct rs_error){ 0 };
	ck_assert_ptr_null(rs_tracedat_writer_open("/dev/null", 2, PAGE, -1, -1, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "no regular file"));
	err = (struct rs_error){ 0 };
	ck_assert_ptr_null(rs_tracedat_writer_open(folder, 2, PAGE, -1, -1, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "Is a directory"));

	f = fopen(path, "w");
	fputs("older", f);
	fclose(f);
	err = (struct rs_error){ 0 };
	w = rs_tracedat_writer_open(path, 2, PAGE, -1, -1, &err);
	ck_assert_ptr_nonnull(w);
	rs_tracedat_writer_free(w);
	file = read_all(&len);
	ck_assert_str_eq(file, "older");
	free(file);
	unlink(path);

	w = rs_tracedat_writer_open(path, 2, PAGE, -1, -1, &err);
	ck_assert_ptr_nonnull(w);
	rs_tracedat_writer_free(w);
	ck_assert_int_ne(access(path, F_OK), 0); /* made, not begun: gone again */
}
END_TEST

static bool stop_at_once(void *arg, uint64_t done_bytes, uint64_t all_bytes)
{
	return done_bytes < 2 * (256u << 10);
}

/* Interrupted while it moves: what was moved can be read. */
START_TEST(interrupted_end_is_readable)
{
	const struct rs_tracedat_tail tail = { .go_on = stop_at_once };
	struct rs_error err = { 0 };
	struct rs_tracedat_writer *w = begin(&err);
	uint64_t table[4];
	struct page p;
	size_t len;
	char *file;

	for (unsigned int i = 0; i < 1000; i++)
		rs_tracedat_writer_page(w, 0, &p, tick_page(&p, i, 1, i), &err);
	ck_assert_int_eq(rs_tracedat_writer_finish(w, &tail, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "interrupted"));
	rs_tracedat_writer_free(w);
	file = read_all(&len);
	table_of(file, len, table);
	ck_assert_uint_eq(table[1], 2 * (256u << 10));
	ck_assert_uint_eq(table[3], 0);
	free(file);
}
END_TEST

Suite *rs_suite_tracedat_write(void)
{
	Suite *s = suite_create("tracedat-write");
	TCase *t = tcase_create("tracedat-write");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, pages_come_back_in_order);
	tcase_add_test(t, trace_cmd_reads_it);
	tcase_add_test(t, names_cannot_forge_lines);
	tcase_add_test(t, trailer_is_the_last);
	tcase_add_test(t, host_that_is_not_known);
	tcase_add_test(t, full_disk_keeps_what_was_taken);
	tcase_add_test(t, refuses_what_it_cannot_write);
	tcase_add_test(t, interrupted_end_is_readable);
	suite_add_tcase(s, t);
	return s;
}
