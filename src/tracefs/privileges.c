// SPDX-License-Identifier: GPL-2.0-or-later
#include <cap-ng.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tracefs/tracefs.h"

/* glibc carries each of these to every thread; the kernel's own calls change one thread only. */
int rs_privileges_become(uid_t uid, gid_t gid, struct rs_error *err)
{
	if (setgroups(0, NULL) < 0 || setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return rs_fail(err, "cannot become user %u: %s", (unsigned int)uid, strerror(errno));
	return 0;
}

int rs_privileges_drop_caps(struct rs_error *err)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return rs_fail(err, "cannot give up privileges: %s", strerror(errno));
	capng_clear(CAPNG_SELECT_CAPS);
	return capng_apply(CAPNG_SELECT_CAPS) < 0 ? rs_fail(err, "cannot give up capabilities: %s", strerror(errno)) : 0;
}

static bool privileges_is_found(const struct passwd *pw, const char *name, struct rs_nobody *nobody)
{
	if (!pw || strcmp(pw->pw_name, name) || pw->pw_uid == 0)
		return false;
	*nobody = (struct rs_nobody){ pw->pw_uid, pw->pw_gid };
	return true;
}

/*
 * In the file alone: the C library's own look-up loads modules, which takes milliseconds, and ends the process with
 * status 127 and no word where memory runs out in that.
 */
static bool privileges_find_local(const char *name, struct rs_nobody *nobody)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd entry, *pw = NULL;
	bool found = false;
	char text[4096];

	while (file && !found && fgetpwent_r(file, &entry, text, sizeof text, &pw) == 0)
		found = privileges_is_found(pw, name, nobody);
	if (file)
		fclose(file);
	return found;
}

int rs_privileges_find(struct rs_nobody *nobody, struct rs_error *err)
{
	if (privileges_find_local("ringside", nobody) || privileges_find_local("nobody", nobody))
		return 0;
	errno = 0; /* an absent user leaves no ENOMEM */
	if (privileges_is_found(getpwnam("ringside"), "ringside", nobody) ||
	    (errno != ENOMEM && privileges_is_found(getpwnam("nobody"), "nobody", nobody)))
		return 0;
	return errno == ENOMEM ? rs_fail(err, "cannot give up root: out of memory") :
				 rs_fail(err, "cannot give up root: there is no user 'ringside' nor 'nobody' "
					      "(useradd -r ringside)");
}

int rs_privileges_drop(const struct rs_nobody *nobody, bool keep_dumpable, struct rs_error *err)
{
	struct rs_nobody found = { 0 };

	if (!keep_dumpable)
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	if (geteuid() == 0) {
		if (!nobody && rs_privileges_find(&found, err) < 0)
			return -1;
		nobody = nobody ? nobody : &found;
		if (rs_privileges_become(nobody->uid, nobody->gid, err) < 0)
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
