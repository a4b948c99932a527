// SPDX-License-Identifier: GPL-2.0-or-later
/* privileges - gives up root's rights for those of the user that the engine runs as */
#include <cap-ng.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tracefs/tracefs.h"

/*
 * glibc carries each of these to every thread; the kernel's own calls change one thread only. The kernel
 * forgets by what signal the end of the parent is told: see "serve".
 */
int rs_privileges_become(uid_t uid, gid_t gid, struct rs_error *err)
{
	pid_t parent = getppid();
	int parent_signal = 0;

	prctl(PR_GET_PDEATHSIG, &parent_signal, 0, 0, 0);
	if (setgroups(0, NULL) < 0 || setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return rs_fail(err, "cannot become user %u: %s", (unsigned int)uid, strerror(errno));
	if (parent_signal)
		prctl(PR_SET_PDEATHSIG, parent_signal, 0, 0, 0);
	if (parent_signal && getppid() != parent)
		raise(parent_signal);
	return 0;
}

int rs_privileges_drop_caps(struct rs_error *err)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return rs_fail(err, "cannot give up privileges: %s", strerror(errno));
	capng_clear(CAPNG_SELECT_CAPS);
	return capng_apply(CAPNG_SELECT_CAPS) < 0 ?
		       rs_fail(err, "cannot give up capabilities: %s", strerror(errno)) :
		       0;
}

/* ---- who ---- */

/*
 * Ids that systemd gives to services for as long as they run (DynamicUser=), and no packager or administrator
 * to a user: https://systemd.io/UIDS-GIDS. The ones in use are in its folder. A process of one's own pid
 * takes one's own id.
 */
#define PRIVILEGES_FIRST_ID 61184u
#define PRIVILEGES_LAST_ID 65519u
#define PRIVILEGES_NR_IDS (PRIVILEGES_LAST_ID - PRIVILEGES_FIRST_ID + 1)
#define PRIVILEGES_TRIES 64u
#define PRIVILEGES_DYNAMIC "/run/systemd/dynamic-uid"

/* In this user namespace; where there are none, all are. A line: first id inside, first outside, how many. */
static bool privileges_is_mapped(const char *map)
{
	FILE *file = fopen(map, "re");
	bool is_mapped = !file && errno == ENOENT;
	unsigned long inside, outside, nr;

	while (file && !is_mapped && fscanf(file, "%lu %lu %lu", &inside, &outside, &nr) == 3)
		is_mapped = inside <= PRIVILEGES_FIRST_ID && nr > PRIVILEGES_LAST_ID - inside;
	if (file)
		fclose(file);
	return is_mapped;
}

/* The number in field n, from 0, of "name:x:1:2:..." is id. */
static bool privileges_is_field(const char *line, unsigned int n, unsigned int id)
{
	while (n-- && line)
		line = strchr(line, ':') ? strchr(line, ':') + 1 : NULL;
	return line && *line != ':' && strtoul(line, NULL, 10) == id;
}

/*
 * A file that cannot be read to its end has it. Not by the C library's own look-up: see
 * privileges_find_local.
 */
static bool privileges_is_in_file(const char *path, unsigned int id)
{
	FILE *file = fopen(path, "re");
	bool is_in = !file && errno != ENOENT;
	char *line = NULL;
	size_t size = 0;

	while (file && !is_in && getline(&line, &size, file) > 0)
		is_in = privileges_is_field(line, 2, id) || privileges_is_field(line, 3, id);
	is_in = is_in || (file && !feof(file));
	free(line);
	if (file)
		fclose(file);
	return is_in;
}

/* The kernel says which user has no process: also of one whose folder in /proc is root's. */
static bool privileges_is_free(unsigned int id)
{
	char dynamic[sizeof PRIVILEGES_DYNAMIC + 16];

	snprintf(dynamic, sizeof dynamic, PRIVILEGES_DYNAMIC "/%u", id);
	errno = 0;
	return getpriority(PRIO_USER, id) == -1 && errno == ESRCH && access(dynamic, F_OK) < 0 &&
	       !privileges_is_in_file("/etc/passwd", id) && !privileges_is_in_file("/etc/group", id);
}

/* Another session that begins at this moment has another pid, and so another id. */
static bool privileges_find_free(struct rs_engine_user *user)
{
	unsigned int begin = (unsigned int)getpid();

	if (geteuid() != 0 || !privileges_is_mapped("/proc/self/uid_map") ||
	    !privileges_is_mapped("/proc/self/gid_map"))
		return false;
	for (unsigned int i = 0; i < PRIVILEGES_TRIES; i++) {
		unsigned int id = PRIVILEGES_FIRST_ID + (begin + i * 61) % PRIVILEGES_NR_IDS;

		if (privileges_is_free(id)) {
			*user = (struct rs_engine_user){ .uid = id, .gid = id };
			return true;
		}
	}
	return false;
}

static bool privileges_is_found(const struct passwd *pw, const char *name, struct rs_engine_user *user)
{
	if (!pw || strcmp(pw->pw_name, name) || pw->pw_uid == 0)
		return false;
	*user = (struct rs_engine_user){ pw->pw_uid, pw->pw_gid, !strcmp(name, "nobody") };
	return true;
}

/*
 * In the file alone: the C library's own look-up loads modules, which takes milliseconds, and ends the
 * process with status 127 and no word where memory runs out in that.
 */
static bool privileges_find_local(const char *name, struct rs_engine_user *user)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd entry, *pw = NULL;
	bool found = false;
	char text[4096];

	while (file && !found && fgetpwent_r(file, &entry, text, sizeof text, &pw) == 0)
		found = privileges_is_found(pw, name, user);
	if (file)
		fclose(file);
	return found;
}

static bool privileges_find_by_service(const char *name, struct rs_engine_user *user)
{
	return errno != ENOMEM && privileges_is_found(getpwnam(name), name, user);
}

int rs_privileges_find(struct rs_engine_user *user, struct rs_error *err)
{
	if (privileges_find_local("ringside", user) || privileges_find_free(user) ||
	    privileges_find_local("nobody", user))
		return 0;
	errno = 0; /* an absent user leaves no ENOMEM */
	if (privileges_find_by_service("ringside", user) || privileges_find_by_service("nobody", user))
		return 0;
	return errno == ENOMEM ? rs_fail(err, "cannot give up root: out of memory") :
				 rs_fail(err, "cannot give up root: there is no user 'ringside' nor 'nobody' "
					      "(useradd -r ringside)");
}

/* ---- becoming it ---- */

int rs_privileges_drop(const struct rs_engine_user *user, bool keep_dumpable, struct rs_error *err)
{
	struct rs_engine_user found = { 0 };

	if (!keep_dumpable)
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	if (geteuid() == 0) {
		if (!user && rs_privileges_find(&found, err) < 0)
			return -1;
		user = user ? user : &found;
		if (rs_privileges_become(user->uid, user->gid, err) < 0)
			return -1;
	}
	/*
	 * Leaving uid 0 clears capabilities, unless securebits keep them; one who came
	 * with CAP_DAC_OVERRIDE and no root has not left it. This thread's only: a
	 * reader's thread gives up its own (rs_privileges_drop_thread).
	 */
	if (rs_privileges_drop_thread() < 0)
		return rs_fail(err, "cannot give up capabilities: %s", strerror(errno));
	capng_get_caps_process();
	if (capng_have_capabilities(CAPNG_SELECT_CAPS) != CAPNG_NONE || geteuid() == 0)
		return rs_fail(err, "privileges could not be given up (run as root, without securebits)");
	/* The change of user has made the process undumpable; set it explicitly in either case. */
	prctl(PR_SET_DUMPABLE, keep_dumpable, 0, 0, 0);
	return 0;
}

int rs_privileges_drop_thread(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	/* As root, setresuid is still to come in each thread, and needs CAP_SETUID there. */
	if (geteuid() == 0)
		return 0;
	capng_clear(CAPNG_SELECT_CAPS);
	return capng_apply(CAPNG_SELECT_CAPS) < 0 ? -1 : 0;
}
