// SPDX-License-Identifier: GPL-2.0-or-later
/* test-symbolizer - from an address of a process to a name: mappings, files that are replaced or removed, code made at run time */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "elf-file.h"
#include "skip.h"
#include "symbols/debug-server.h"
#include "symbols/maps.h"
#include "symbols/perf-map.h"
#include "symbols/symbolizer.h"

#define NOBODY 65534

/* ---- mappings ---- */

/* "module+offset" of an address, "-" for none */
static const char *mapped(struct rs_maps *m, int32_t pid, uint64_t address)
{
	static char text[64];
	const struct rs_mapping *found = rs_maps_find(m, pid, address);

	if (!found)
		return "-";
	snprintf(text, sizeof text, "%u+%llx", found->module, (unsigned long long)(address - found->start + found->offset));
	return text;
}

START_TEST(a_mapping_replaces_what_it_overlaps)
{
	struct rs_maps *m = rs_maps_new();

	rs_maps_add(m, 7, &(struct rs_mapping){ 0x1000, 0x9000, 0x100, 2 });
	rs_maps_add(m, 7, &(struct rs_mapping){ 0x3000, 0x5000, 0, 3 });  /* in the middle */
	rs_maps_add(m, 7, &(struct rs_mapping){ 0x8000, 0xa000, 0, 4 });  /* over the end */
	rs_maps_add(m, 7, &(struct rs_mapping){ 0x6000, 0x6000, 0, 5 });  /* empty */
	rs_maps_add(m, 7, &(struct rs_mapping){ 0x6000, 0x5000, 0, 5 });  /* backwards */
	ck_assert_str_eq(mapped(m, 7, 0xfff), "-");
	ck_assert_str_eq(mapped(m, 7, 0x1000), "2+100");
	ck_assert_str_eq(mapped(m, 7, 0x2fff), "2+20ff");
	ck_assert_str_eq(mapped(m, 7, 0x3000), "3+0");
	ck_assert_str_eq(mapped(m, 7, 0x5000), "2+4100");
	ck_assert_str_eq(mapped(m, 7, 0x6000), "2+5100");
	ck_assert_str_eq(mapped(m, 7, 0x8000), "4+0");
	ck_assert_str_eq(mapped(m, 7, 0x9fff), "4+1fff");
	ck_assert_str_eq(mapped(m, 7, 0xa000), "-");
	ck_assert_str_eq(mapped(m, 8, 0x1000), "-");
	rs_maps_free(m);
}
END_TEST

START_TEST(fork_copies_and_exec_clears)
{
	struct rs_maps *m = rs_maps_new();

	rs_maps_add(m, 7, &(struct rs_mapping){ 0x1000, 0x2000, 0, 2 });
	rs_maps_fork(m, 7, 7); /* a thread */
	rs_maps_fork(m, 7, 8);
	rs_maps_exec(m, 7);
	ck_assert_str_eq(mapped(m, 7, 0x1000), "-");
	ck_assert_str_eq(mapped(m, 8, 0x1000), "2+0");
	rs_maps_fork(m, 9, 8); /* the pid is used again; of 9 nothing is known */
	ck_assert_str_eq(mapped(m, 8, 0x1000), "-");
	rs_maps_free(m);
}
END_TEST

START_TEST(more_processes_than_are_kept)
{
	struct rs_maps *m = rs_maps_new();

	for (int pid = 1; pid <= 20000; pid++) {
		rs_maps_add(m, pid, &(struct rs_mapping){ 0x1000, 0x2000, 0, 2 });
		rs_maps_find(m, 1, 0x1000); /* in use */
	}
	ck_assert_str_eq(mapped(m, 1, 0x1000), "2+0");
	ck_assert_str_eq(mapped(m, 20000, 0x1000), "2+0");
	ck_assert_str_eq(mapped(m, 2, 0x1000), "-");
	rs_maps_free(m);
}
END_TEST

/* ---- files ---- */

static char dir[] = "/tmp/ringside-symbolize-XXXXXX";
static char path[64];

static void setup(void)
{
	strcpy(dir + sizeof dir - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/prog", dir);
}

static void teardown(void)
{
	unlink(path);
	rmdir(dir);
}

static void write_file(const struct elf_file *file)
{
	struct rs_buf b = RS_BUF_INIT;
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);

	elf_file_put(&b, file);
	ck_assert_int_eq(write(fd, b.data, b.len), (ssize_t)b.len);
	close(fd);
	rs_buf_done(&b);
}

static const struct elf_file prog = { .functions = FUNCTIONS({ "work", 0x10, 0x10 }), .build_id = "aaaaaaaaaaaaaaaaaaaa" };
static const struct elf_file other = { .functions = FUNCTIONS({ "different", 0x10, 0x10 }), .build_id = "bbbbbbbbbbbbbbbbbbbb" };
#define KERNEL "ffffffff81000000 T vfs_read\nffffffffc0001000 t f\t[ext4]\n"
static const struct rs_symbolizer_config here = { .local = true, .kallsyms = KERNEL, .kallsyms_len = sizeof KERNEL - 1 };

/* "function module" */
static const char *found(struct rs_symbolizer *s, uint32_t module, uint64_t offset)
{
	static char text[256];
	struct rs_symbol symbol;

	rs_symbolizer_find(s, module, offset, &symbol);
	snprintf(text, sizeof text, "%s %s", symbol.function ? symbol.function : "-", symbol.module);
	return text;
}

static struct rs_mapped_file prog_file(const char *build_id)
{
	return (struct rs_mapped_file){ .pid = 7, .path = path, .build_id = (const uint8_t *)build_id, .build_id_len = build_id ? 20 : 0 };
}

START_TEST(names_of_a_file)
{
	struct rs_symbolizer *s = rs_symbolizer_new(&here);
	struct rs_mapped_file file = prog_file(prog.build_id);
	uint32_t module;

	write_file(&prog);
	module = rs_symbolizer_module(s, &file);
	ck_assert_uint_eq(rs_symbolizer_module(s, &file), module);
	ck_assert_str_eq(found(s, module, ELF_CODE_OFFSET + 0x18), "work prog");
	ck_assert_str_eq(found(s, module, ELF_CODE_OFFSET + 0x28), "- prog");
	ck_assert_str_eq(found(s, RS_MODULE_KERNEL, 0xffffffff81000010), "vfs_read [kernel]");
	ck_assert_str_eq(found(s, RS_MODULE_KERNEL, 0xffffffffc0001010), "f [ext4]");
	ck_assert_str_eq(found(s, RS_MODULE_KERNEL, 0x10), "- [kernel]");
	ck_assert_str_eq(found(s, RS_MODULE_UNKNOWN, 0x10), "- [unknown]");
	ck_assert_str_eq(found(s, 12345, 0x10), "- [unknown]");
	rs_symbolizer_free(s);
}
END_TEST

START_TEST(a_file_that_is_removed_or_replaced)
{
	struct rs_symbolizer *s = rs_symbolizer_new(&here);
	struct rs_mapped_file file = prog_file(prog.build_id), newer = prog_file(other.build_id), unmarked = prog_file(NULL);
	struct stat st;
	uint32_t module, new_module;

	write_file(&prog);
	module = rs_symbolizer_module(s, &file);
	unlink(path); /* it is open since it was mapped */
	ck_assert_str_eq(found(s, module, ELF_CODE_OFFSET + 0x18), "work prog");
	write_file(&other);
	new_module = rs_symbolizer_module(s, &newer);
	ck_assert_uint_ne(module, new_module);
	ck_assert_str_eq(found(s, new_module, ELF_CODE_OFFSET + 0x18), "different prog");
	ck_assert_str_eq(found(s, module, ELF_CODE_OFFSET + 0x18), "work prog");
	/* by its inode, where it has no build-id */
	ck_assert_int_eq(stat(path, &st), 0);
	unmarked.inode = st.st_ino;
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &unmarked), ELF_CODE_OFFSET + 0x18), "different prog");
	unmarked.inode = st.st_ino + 1;
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &unmarked), ELF_CODE_OFFSET + 0x18), "- prog");
	rs_symbolizer_free(s);
}
END_TEST

START_TEST(another_build_of_a_file)
{
	struct rs_symbolizer *s = rs_symbolizer_new(&here);
	struct rs_mapped_file file = prog_file(prog.build_id);

	write_file(&other);
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &file), ELF_CODE_OFFSET + 0x18), "- prog");
	rs_symbolizer_free(s);
}
END_TEST

/* Addresses of another machine, or of another time: its files are not those of here. */
START_TEST(not_of_this_machine)
{
	struct rs_symbolizer *s = rs_symbolizer_new(&(struct rs_symbolizer_config){ .local = false });
	struct rs_mapped_file file = prog_file(prog.build_id);

	write_file(&prog);
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &file), ELF_CODE_OFFSET + 0x18), "- prog");
	ck_assert_str_eq(found(s, RS_MODULE_KERNEL, 0xffffffff81000010), "- [kernel]");
	rs_symbolizer_free(s);
}
END_TEST

/* ---- debuginfod ---- */

/* A folder is a server, too. */
static void serve_file(const char *name, const struct elf_file *file)
{
	char served[160];

	snprintf(served, sizeof served, "%s/buildid", dir);
	mkdir(served, 0700);
	snprintf(served, sizeof served, "%s/buildid/6161616161616161616161616161616161616161", dir); /* a... */
	mkdir(served, 0700);
	snprintf(served + strlen(served), sizeof served - strlen(served), "/%s", name);
	write_file(file);
	ck_assert_int_eq(rename(path, served), 0);
}

START_TEST(servers_are_asked_for_what_is_missing)
{
	const struct elf_file stripped = { .functions = FUNCTIONS({ "work", 0x10, 0x10 }), .build_id = "aaaaaaaaaaaaaaaaaaaa", .stripped = true };
	struct rs_symbolizer_config config = { .debuginfod = true };
	struct rs_mapped_file file = prog_file(prog.build_id), unmarked = prog_file(NULL);
	struct rs_symbolizer *s;
	struct rs_error err = { 0 };
	char url[96], cache[96], command[160];

	snprintf(url, sizeof url, "file://%s", dir);
	snprintf(cache, sizeof cache, "%s/cache", dir);
	unsetenv("DEBUGINFOD_URLS");
	ck_assert_int_eq(rs_debug_server_check(&err), -1);
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	if (rs_debug_server_check(&err) < 0)
		SKIP("%s", err.text);
	serve_file("debuginfo", &prog);
	/* the file is here, without its symbols; neither the file nor its build-id are known; the file is on the server */
	write_file(&stripped);
	s = rs_symbolizer_new(&config);
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &file), ELF_CODE_OFFSET + 0x18), "work prog");
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &unmarked), ELF_CODE_OFFSET + 0x18), "- prog");
	rs_symbolizer_free(s);
	unlink(path);
	snprintf(command, sizeof command, "rm -rf %s", cache);
	ck_assert_int_eq(system(command), 0);
	s = rs_symbolizer_new(&config);
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &file), ELF_CODE_OFFSET + 0x18), "- prog");
	rs_symbolizer_free(s);
	serve_file("executable", &stripped);
	ck_assert_int_eq(system(command), 0); /* that there is none was remembered */
	s = rs_symbolizer_new(&config);
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &file), ELF_CODE_OFFSET + 0x18), "work prog");
	rs_symbolizer_free(s);
	snprintf(command, sizeof command, "rm -rf %s/*", dir);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

/* As the screens of root do it: the cache is of who it was, and the symbols come all the same. */
static void ask_as_nobody(void)
{
	struct rs_mapped_file file = prog_file(prog.build_id);
	struct rs_error err = { 0 };
	struct rs_symbolizer *s;
	bool is_found;

	if (rs_debug_server_cache_in_memory(&err) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0)
		_exit(2);
	prctl(PR_SET_DUMPABLE, 0);
	s = rs_symbolizer_new(&(struct rs_symbolizer_config){ .debuginfod = true });
	is_found = !strcmp(found(s, rs_symbolizer_module(s, &file), ELF_CODE_OFFSET + 0x18), "work prog");
	_exit(!is_found);
}

START_TEST(servers_are_asked_without_rights)
{
	char url[96], cache[96];
	struct rs_error err = { 0 };
	int status;
	pid_t pid;

	snprintf(url, sizeof url, "file://%s", dir);
	snprintf(cache, sizeof cache, "%s/cache", dir);
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	if (geteuid() != 0 || rs_debug_server_check(&err) < 0)
		SKIP("%s", err.status ? err.text : "needs root");
	mkdir(cache, 0700);
	serve_file("executable", &prog);
	ck_assert_int_eq(chmod(dir, 0755), 0);
	snprintf(cache, sizeof cache, "chmod -R a+rX %s/buildid", dir);
	ck_assert_int_eq(system(cache), 0);
	pid = fork();
	if (!pid)
		ask_as_nobody();
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	snprintf(cache, sizeof cache, "rm -rf %s/*", dir);
	ck_assert_int_eq(system(cache), 0);
}
END_TEST

/* ---- perf's cache ---- */

/* perf record copies what it sampled to ~/.debug: later the path may have another build, or the file is on another machine. */
START_TEST(what_perf_has_copied)
{
	const struct rs_symbolizer_config of_recording = { .by_build_id = true };
	struct rs_mapped_file file = prog_file(prog.build_id), unmarked = prog_file(NULL);
	struct rs_symbolizer *s;
	char command[256], copy[160], *home = getenv("HOME");

	home = home ? strdup(home) : NULL;
	setenv("HOME", dir, 1);
	snprintf(copy, sizeof copy, "%s/.debug/.build-id/61/61616161616161616161616161616161616161", dir); /* a... */
	snprintf(command, sizeof command, "mkdir -p %s", copy);
	ck_assert_int_eq(system(command), 0);
	strcat(copy, "/elf");
	write_file(&prog);
	ck_assert_int_eq(rename(path, copy), 0);
	write_file(&other);
	s = rs_symbolizer_new(&of_recording);
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &file), ELF_CODE_OFFSET + 0x18), "work prog");
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &unmarked), ELF_CODE_OFFSET + 0x18), "- prog");
	rs_symbolizer_free(s);
	/* what the cache has is checked, too */
	write_file(&other);
	ck_assert_int_eq(rename(path, copy), 0);
	s = rs_symbolizer_new(&of_recording);
	ck_assert_str_eq(found(s, rs_symbolizer_module(s, &file), ELF_CODE_OFFSET + 0x18), "- prog");
	rs_symbolizer_free(s);
	snprintf(command, sizeof command, "rm -rf %s/.debug", dir);
	ck_assert_int_eq(system(command), 0);
	if (home)
		setenv("HOME", home, 1);
	free(home);
}
END_TEST

/* ---- code that a program has made ---- */

static const char *jit_at(struct rs_perf_map *m, uint64_t address)
{
	const char *name = rs_perf_map_function(m, address);

	return name ? name : "-";
}

static void write_lines(const char *lines, const char *mode)
{
	FILE *f = fopen(path, mode);

	fputs(lines, f);
	fclose(f);
}

START_TEST(perf_map)
{
	struct rs_perf_map m = { 0 };
	const char *first;

	write_lines("1000 20 LazyCompile:~add foo.js:1\n2000 10 b\n2000 8 newer\n300", "w");
	rs_perf_map_read(&m, path, getuid());
	first = jit_at(&m, 0x101f);
	ck_assert_str_eq(first, "LazyCompile:~add foo.js:1");
	ck_assert_str_eq(jit_at(&m, 0x1020), "-");
	ck_assert_str_eq(jit_at(&m, 0x2000), "newer"); /* the later line */
	ck_assert_str_eq(jit_at(&m, 0x3000), "-");     /* its line has no end yet */
	write_lines("0 10 c\n", "a");
	rs_perf_map_read(&m, path, getuid());
	ck_assert_str_eq(jit_at(&m, 0x3008), "c");
	ck_assert_str_eq(jit_at(&m, 0x1000), "LazyCompile:~add foo.js:1");
	ck_assert_str_eq(first, "LazyCompile:~add foo.js:1");
	write_lines("1000 8 d\n", "w"); /* another file by now */
	rs_perf_map_read(&m, path, getuid());
	ck_assert_str_eq(jit_at(&m, 0x1000), "d");
	ck_assert_str_eq(jit_at(&m, 0x3008), "-");
	rs_perf_map_done(&m);
}
END_TEST

START_TEST(hostile_perf_map)
{
	struct rs_perf_map m = { 0 };

	write_lines("\n \nzz 10 a\n1000\n1000 \n1000 10\n1000 10 \n1000 0 empty\n-1 10 minus\n +1 10 plus\n0x1000 10 prefix\n"
		    "ffffffffffffffff ffffffffffffffff end\nfffffffffffffffffffffffff 10 huge\n1000 10 \x01\xff ok\n", "w");
	rs_perf_map_read(&m, path, getuid());
	ck_assert_str_eq(jit_at(&m, 0x1000), "\x01\xff ok");
	ck_assert_str_eq(jit_at(&m, 0), "-");
	rs_perf_map_done(&m);
}
END_TEST

/* "work" of a process' map that was written at this time, in s from now; of a recording from 100 s ago until 50 s ago. */
static const char *jitted(int32_t pid, int written_s)
{
	struct rs_symbolizer_config config = { .by_build_id = true, .jitted_owner = getuid() };
	const struct rs_mapped_file code = { .pid = pid, .path = "//anon" };
	int64_t now_ns = (int64_t)time(NULL) * 1000000000;
	struct timespec times[2] = { { .tv_sec = time(NULL) + written_s }, { .tv_sec = time(NULL) + written_s } };
	struct rs_symbolizer *s;
	const char *name;
	char map[64];
	FILE *f;

	config.jitted_from_ns = now_ns - 100000000000;
	config.jitted_to_ns = pid == getpid() ? now_ns + 1000000000 : now_ns - 50000000000;
	snprintf(map, sizeof map, "/tmp/perf-%d.map", (int)pid);
	f = fopen(map, "w");
	ck_assert_ptr_nonnull(f);
	fputs("1000 20 work\n", f);
	fclose(f);
	ck_assert_int_eq(utimensat(AT_FDCWD, map, times, 0), 0);
	s = rs_symbolizer_new(&config);
	name = found(s, rs_symbolizer_module(s, &code), 0x1010);
	rs_symbolizer_free(s);
	unlink(map);
	return strncmp(name, "work ", 5) ? "-" : "work";
}

/*
 * A recording of this machine: the map of a process that has ended counts if it was last written in the recording's time: an older one
 * may be of an earlier process with its number, a younger one of a later one. Of one that runs it counts from its start on.
 */
START_TEST(perf_map_of_a_recording)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_str_eq(jitted(pid, -75), "work");
	ck_assert_str_eq(jitted(pid, -101), "-");
	ck_assert_str_eq(jitted(pid, -40), "-");
	ck_assert_str_eq(jitted(getpid(), 1), "work");
	ck_assert_str_eq(jitted(getpid(), -75), "-");
}
END_TEST

/* /tmp is everybody's: what another user wrote there, or links to, is not read. */
START_TEST(perf_map_of_another_owner)
{
	struct rs_perf_map m = { 0 };
	char link[80];

	write_lines("1000 10 a\n", "w");
	if (getuid() == 0)
		ck_assert_int_eq(chown(path, 12345, 12345), 0);
	rs_perf_map_read(&m, path, 54321);
	ck_assert_uint_eq(m.nr, 0);
	rs_perf_map_read(&m, path, (uid_t)-1);
	ck_assert_uint_eq(m.nr, 0);
	snprintf(link, sizeof link, "%s/link", dir);
	ck_assert_int_eq(symlink(path, link), 0);
	rs_perf_map_read(&m, link, getuid() ? getuid() : 12345);
	ck_assert_uint_eq(m.nr, 0);
	rs_perf_map_read(&m, path, getuid() ? getuid() : 12345);
	ck_assert_uint_eq(m.nr, 1);
	rs_perf_map_done(&m);
	unlink(link);
}
END_TEST

START_TEST(code_of_a_process)
{
	struct rs_symbolizer *s = rs_symbolizer_new(&here);
	struct rs_mapped_file anon = { .pid = (int32_t)getpid(), .path = "//anon" }, memfd = { .pid = (int32_t)getpid(), .path = "/memfd:jit (deleted)" },
			      of_other = { .pid = 1, .path = "//anon" };
	uint32_t module = rs_symbolizer_module(s, &anon);
	struct rs_symbol symbol;
	char map[40], expected[48];

	ck_assert(!rs_symbolizer_has_file(s, module));
	ck_assert_uint_eq(rs_symbolizer_module(s, &memfd), module); /* one map file names both */
	ck_assert_uint_ne(rs_symbolizer_module(s, &of_other), module);
	ck_assert(!rs_symbolizer_find(s, module, 0x1000, &symbol)); /* not yet */
	ck_assert_str_eq(symbol.module, "[anon]");
	snprintf(map, sizeof map, "/tmp/perf-%d.map", (int)getpid());
	snprintf(path, sizeof path, "%s", map);
	write_lines("1000 10 jitted\n", "w");
	snprintf(expected, sizeof expected, "jitted perf-%d.map", (int)getpid());
	ck_assert_str_eq(found(s, module, 0x1008), expected);
	rs_symbolizer_free(s);
}
END_TEST

/* The kernel's code in each process: which functions it has depends on the machine, the time is always among them. */
START_TEST(vdso)
{
	struct rs_symbolizer *s = rs_symbolizer_new(&here);
	uint32_t module = rs_symbolizer_module(s, &(struct rs_mapped_file){ .pid = 7, .path = "[vdso]" }),
		 other = rs_symbolizer_module(s, &(struct rs_mapped_file){ .pid = 7, .path = "[vdso32]" });
	unsigned int nr_times = 0, nr_other = 0;
	struct rs_symbol symbol;

	ck_assert_uint_ne(module, other);
	for (uint64_t offset = 0; offset < 8192; offset++) {
		rs_symbolizer_find(s, module, offset, &symbol);
		nr_times += symbol.function && strstr(symbol.function, "clock_gettime");
		rs_symbolizer_find(s, other, offset, &symbol);
		nr_other += symbol.function != NULL;
	}
	ck_assert_uint_gt(nr_times, 0);
	ck_assert_uint_eq(nr_other, 0);
	rs_symbolizer_free(s);
}
END_TEST

Suite *rs_suite_symbolizer(void)
{
	Suite *s = suite_create("symbolizer");
	TCase *t = tcase_create("maps");

	tcase_add_test(t, a_mapping_replaces_what_it_overlaps);
	tcase_add_test(t, fork_copies_and_exec_clears);
	tcase_add_test(t, more_processes_than_are_kept);
	suite_add_tcase(s, t);
	t = tcase_create("files");
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, names_of_a_file);
	tcase_add_test(t, a_file_that_is_removed_or_replaced);
	tcase_add_test(t, what_perf_has_copied);
	tcase_add_test(t, another_build_of_a_file);
	tcase_add_test(t, not_of_this_machine);
	tcase_add_test(t, servers_are_asked_for_what_is_missing);
	tcase_add_test(t, servers_are_asked_without_rights);
	tcase_add_test(t, perf_map);
	tcase_add_test(t, hostile_perf_map);
	tcase_add_test(t, perf_map_of_another_owner);
	tcase_add_test(t, perf_map_of_a_recording);
	tcase_add_test(t, code_of_a_process);
	tcase_add_test(t, vdso);
	suite_add_tcase(s, t);
	return s;
}
