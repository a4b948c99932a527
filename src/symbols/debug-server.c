// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * debug-server - elfutils' client of debuginfod
 *
 * The library is loaded when it is needed: it brings curl and some forty other libraries, which would more
 * than double the time that every command takes to start. libdw itself loads it like this.
 */
#include "symbols/debug-server.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/mount.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/close.h"
#include "base/error.h"
#include "base/log.h"

#define DEBUG_SERVER_LIBRARY "libdebuginfod.so.1"

typedef void *debug_server_begin(void);
typedef int debug_server_find(void *client, const unsigned char *build_id, int len, char **path);
typedef void debug_server_end(void *client);

static struct {
	pthread_once_t once;
	debug_server_begin *begin;
	debug_server_find *find[2]; /* by file */
	debug_server_end *end;
} debug_server = { .once = PTHREAD_ONCE_INIT };

static void debug_server_load(void)
{
	void *library = dlopen(DEBUG_SERVER_LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return;
	debug_server.find[RS_DEBUG_SERVER_SYMBOLS] = (debug_server_find *)dlsym(library,
										"debuginfod_find_debuginfo");
	debug_server.find[RS_DEBUG_SERVER_PROGRAM] = (debug_server_find *)dlsym(library,
										"debuginfod_find_executable");
	debug_server.end = (debug_server_end *)dlsym(library, "debuginfod_end");
	debug_server.begin = (debug_server_begin *)dlsym(library, "debuginfod_begin");
}

static bool debug_server_is_there(void)
{
	pthread_once(&debug_server.once, debug_server_load);
	return debug_server.begin && debug_server.end && debug_server.find[0] && debug_server.find[1];
}

int rs_debug_server_check(struct rs_error *err)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!urls || !*urls)
		return rs_fail_usage(
			err, "--debuginfod: there is no server to ask (set DEBUGINFOD_URLS to its address)");
	if (!debug_server_is_there())
		return rs_fail(err, "--debuginfod: cannot load " DEBUG_SERVER_LIBRARY
				    ": it is not installed (install the package libdebuginfod1)");
	return 0;
}

/*
 * Returns a tmpfs that is mounted nowhere, so nothing of it is left behind: files are reached through its
 * descriptor.
 */
static int debug_server_mount(void)
{
	int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC), mount = -1;

	if (fs < 0)
		return -1;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "size", "25%", 0) == 0 &&
	    syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "mode", "0777", 0) == 0 &&
	    syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		mount = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC,
				     MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	rs_close(&fs);
	return mount;
}

int rs_debug_server_cache_in_memory(struct rs_error *err)
{
	int mount = debug_server_mount(); /* open until the process ends */
	char path[48];

	if (mount < 0)
		return rs_fail(err,
			       "--debuginfod: cannot keep files of servers, because root is given up: no "
			       "tmpfs: %s (run ringside as a user)",
			       strerror(errno));
	snprintf(path, sizeof path, "/proc/self/fd/%d/cache", mount);
	if (setenv("DEBUGINFOD_CACHE_PATH", path, 1) == 0)
		return 0;
	rs_close(&mount);
	return rs_fail(err, "--debuginfod: out of memory");
}

int rs_debug_server_open(const uint8_t *build_id, size_t len, enum rs_debug_server_file file)
{
	void *client = debug_server_is_there() ? debug_server.begin() : NULL;
	int fd = -1;

	if (!client)
		return -1;
	fd = debug_server.find[file](client, build_id, (int)len, NULL);
	debug_server.end(client);
	RS_LOG(RS_LOG_SOURCE, "debuginfod: %s of %02x%02x...: %s",
	       file == RS_DEBUG_SERVER_SYMBOLS ? "symbols" : "program", build_id[0],
	       len > 1 ? build_id[1] : 0, fd < 0 ? "no server has it" : "found");
	return fd < 0 ? -1 : fd;
}
