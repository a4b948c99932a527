// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * demo - a tour of the screens, in a minute: a recorded fault, from its finding to its picture
 *
 * The recordings are in the program, so the tour needs no rights, traces nothing and leaves nothing behind: a
 * recording is unpacked into a file without a name, which is gone when the last process has closed it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/demo.h"
#include "cli/out.h"
#include "recording/unpack.h"
#include "tui/app/tui.h"

struct demo_fault {
	const char *name, *summary; /* name: of a recording */
	struct rs_tour_step steps[6];
};

#define DEMO_KEYS " e: save it for a ticket. q: back, and from the overview to the shell."
#define DEMO_SAVE \
	{ "save-range", "Enter chooses what is saved: the wait, what is shown, or all." }, \
	{ "save", "Enter chooses a format, and then the name of the file; Escape: nothing is saved." }

static const struct demo_fault demo_faults[] = {
	{ "inversion", "a task at nice 19 has a lock that others need, and gets no CPU",
	  { { "overview", "A trading program is slow. The first line under Verdict says what costs most: its "
			  "threads wait for a lock that audit-log has. Enter: why?" },
	    { "why", "One wait, as a tree: order waits for audit-log, which has the lock, but no CPU, for "
		     "encode runs there. \"try\" says what to do. t: see it over time." },
	    { "timeline", "The victim, who holds the lock, and the CPU, moment by moment: the lock is free "
			  "only when encode has left the CPU." DEMO_KEYS },
	    DEMO_SAVE } },
	{ "threads", "the threads of a program take turns at one lock",
	  { { "overview", "Six threads of app wait for most of their time, and it is no other program's "
			  "fault. Enter: why?" },
	    { "why", "A worker waits for the lock that another worker has: the others of its kind wait as "
		     "long. t: see it over time." },
	    { "timeline", "One thread works, the others wait for it: more CPUs would not help. n: the next "
			  "wait." DEMO_KEYS },
	    DEMO_SAVE } },
	{ "neighbor", "two programs that compute take the CPU of one that answers",
	  { { "overview", "checkout waits for a CPU half of its time, though another one is idle: it may not "
			  "use it. Enter: who has its CPU?" },
	    { "why", "Two backup processes had the CPU while checkout was ready to run. t: see it over "
		     "time." },
	    { "timeline", "The CPU belongs to backup until the scheduler takes it away. n: the next "
			  "wait." DEMO_KEYS },
	    DEMO_SAVE } },
	{ "peer", "a server sleeps before it answers",
	  { { "overview", "shop waits in read nearly all of the time. The finding names who should write. "
			  "Enter: why?" },
	    { "why", "shop waits for pricing, which sleeps: a timer is at the end of the tree. t: see it "
		     "over time." },
	    { "timeline", "shop asks, pricing sleeps for 20 ms, then it replies, and shop goes on at "
			  "once." DEMO_KEYS },
	    DEMO_SAVE } },
	{ "stall", "a program stands still for 300 ms, now and then",
	  { { "overview", "cart stands still again and again, with idle CPUs: see the gaps in its history. "
			  "Enter: why?" },
	    { "why", "flush sleeps while it has the lock that cart needs. t: see it over time." },
	    { "timeline", "cart waits for as long as flush sleeps, 300 ms. n: the next stall." DEMO_KEYS },
	    DEMO_SAVE } },
};

#define DEMO_NR_FAULTS (sizeof demo_faults / sizeof *demo_faults)

static const char demo_end[] =
	"That was a recording. On your own machine:\n"
	"    sudo ringside                       the same screens, live\n"
	"    sudo ringside findings -d 5         the sentences alone\n"
	"    sudo ringside why -p PID            why this process is slow\n"
	"    sudo ringside record -d 10          a recording, for \"ringside trace.dat\" on any machine\n"
	"Other tours: ringside demo --list\n";

static enum rs_exit demo_list(struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;

	for (size_t i = 0; i < DEMO_NR_FAULTS; i++)
		rs_buf_printf(&out, "%-10s %s\n", demo_faults[i].name, demo_faults[i].summary);
	return rs_out_end(&out, err);
}

static enum rs_exit demo_put_end(struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;

	rs_buf_puts(&out, demo_end);
	return rs_out_end(&out, err);
}

static const struct demo_fault *demo_find(const char *name, struct rs_error *err)
{
	for (size_t i = 0; i < DEMO_NR_FAULTS; i++)
		if (!strcmp(demo_faults[i].name, name))
			return &demo_faults[i];
	rs_fail_usage(err, "demo: there is no tour '%.40s' (\"ringside demo --list\" names them)", name);
	return NULL;
}

static const struct rs_demo_recording *demo_find_recording(const char *name)
{
	const struct rs_demo_recording *r = rs_demo_recordings;

	while (r->name && strcmp(r->name, name))
		r++;
	return r->name ? r : NULL;
}

/* Returns a descriptor of the unpacked recording, or -1 with err. */
static int demo_open(const struct rs_demo_recording *r, struct rs_error *err)
{
	static const struct rs_unpack_progress none;
	int packed = memfd_create(r->name, MFD_CLOEXEC), fd = -1;
	char path[48];

	if (packed < 0 || write(packed, r->data, r->size_bytes) != (ssize_t)r->size_bytes) {
		rs_fail(err, "demo: cannot put the recording into memory: %s", strerror(errno));
	} else {
		snprintf(path, sizeof path, "/proc/self/fd/%d", packed);
		if (rs_unpack_open(path, &none, &fd, err) == 0 && fd < 0)
			rs_fail(err, "demo: cannot read its recording by %s (mount /proc)", path);
	}
	if (packed >= 0)
		close(packed);
	return fd;
}

static enum rs_exit demo_run(const struct rs_options *opt, struct rs_error *err)
{
	const char *name = opt->nr_arguments ? opt->arguments[0] : demo_faults[0].name;
	const struct demo_fault *fault;
	struct rs_options screens = *opt;
	enum rs_exit status;
	char input[32];

	if (opt->list)
		return demo_list(err);
	fault = demo_find(name, err);
	if (!fault)
		return RS_USAGE;
	if (!isatty(STDOUT_FILENO) && !opt->batch) {
		rs_fail(err, "demo: the tour needs a terminal (--batch prints its first screen)");
		return err->status;
	}
	screens.input_fd = demo_open(demo_find_recording(name), err);
	if (screens.input_fd < 0)
		return err->status;
	snprintf(input, sizeof input, "%s.dat", name);
	screens.input = input;
	screens.nr_arguments = 0;
	screens.tour = fault->steps;
	status = rs_command_find("tui")->run(&screens, err);
	close(screens.input_fd);
	return status == RS_OK && !opt->batch ? demo_put_end(err) : status;
}

static const struct rs_option_text demo_texts[] = {
	{ "list", "list the tours" },
	{ NULL },
};

const struct rs_command rs_command_demo = {
	.name = "demo",
	.arguments = "[NAME]",
	.summary = "a tour of the screens in a minute, with a recorded fault",
	.options = "WORD,list,batch,ascii,letters,theme",
	.texts = demo_texts,
	.help = "Shows a recorded fault on the screens, and says at each step what is seen and which key "
		"goes on: from\n"
		"the finding to its cause and to the picture of it over time. The recordings are in the "
		"program: it takes\n"
		"no root, traces nothing, and writes no file but one that you save. All keys work as always; "
		"q goes\n"
		"back, from the first screen to the shell. "
		"NAME is one of --list; inversion if not given.",
	.run = demo_run,
};
