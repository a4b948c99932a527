// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * terminal.c - opens, leaves and resumes the terminal with ncurses
 */
#include "tui/toolkit/terminal-parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/escape.h"

/*
 * How long an Escape may be the start of a longer key. Even over ssh, such a key nearly always arrives in one
 * piece.
 */
#define ESCAPE_MS 25
#define TERMINAL_MOST_ROWS 1000
#define TERMINAL_MOST_COLUMNS 2000
#define BATCH_HINT "--batch prints the screen as text"

/* ---- check the terminal ---- */

static FILE *open_own(int fd, const char *mode)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	FILE *f = own < 0 ? NULL : fdopen(own, mode);

	if (!f && own >= 0)
		close(own);
	return f;
}

/*
 * Opens the terminal a second time, because O_NONBLOCK must not affect the shell. Without it, ncurses would
 * wait for the rest of a truncated mouse report and block the screens, despite nodelay().
 */
static FILE *open_keys(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (!f && fd >= 0)
		close(fd);
	return f;
}

/* Keys come from the terminal even if standard input is a pipe. */
static int open_files(struct rs_terminal *t, struct rs_error *err)
{
	bool is_keys = isatty(STDIN_FILENO);

	if (!isatty(STDOUT_FILENO))
		return rs_fail(err, "standard output is no terminal (" BATCH_HINT ")");
	t->out = open_own(STDOUT_FILENO, "w");
	t->in = open_keys(is_keys ? "/proc/self/fd/0" : "/dev/tty");
	if (!t->in && is_keys) /* after su, the terminal belongs to another user */
		t->in = open_own(STDIN_FILENO, "r");
	if (!t->out || !t->in)
		return rs_fail(err, "cannot open the terminal: %s (" BATCH_HINT ")", strerror(errno));
	return 0;
}

static bool terminal_has_capability(const char *capability)
{
	const char *s = tigetstr(capability);

	return s && s != (char *)-1;
}

static int check_terminfo(struct rs_terminal *t, struct rs_error *err)
{
	const char *term = getenv("TERM");
	int found = 0;

	if (!term || !*term)
		return rs_fail(err, "TERM is not set: what the terminal can do is not known (try TERM=xterm; "
				    BATCH_HINT ")");
	if (setupterm(NULL, fileno(t->out), &found) != OK)
		return rs_fail(err,
			       "TERM is '%.60s', which is unknown here (try TERM=xterm, or install "
			       "ncurses-term; " BATCH_HINT ")",
			       term);
	if (!terminal_has_capability("cup"))
		return rs_fail(err,
			       "TERM is '%.60s', on which nothing can be drawn (try TERM=xterm; " BATCH_HINT
			       ")",
			       term);
	return 0;
}

/* ---- the mouse ---- */

/* buttons, motion while one is down, numbers in decimal */
#define MOUSE_ON "\033[?1000h\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l"

static void terminal_put_mouse(struct rs_terminal *t, bool on)
{
	fputs(on ? MOUSE_ON : MOUSE_OFF, t->out);
	fflush(t->out);
}

void rs_terminal_mouse(struct rs_terminal *t, bool on)
{
	if (t->has_mouse && on == t->options.no_mouse)
		terminal_put_mouse(t, on);
	t->options.no_mouse = !on;
}

/* ---- the bytes that restore the terminal ---- */

static struct {
	char bytes[512];
	size_t len;
} leave;

static int leave_putc(int ch)
{
	if (leave.len < sizeof leave.bytes)
		leave.bytes[leave.len++] = (char)ch;
	return ch;
}

/* Adds a sequence completely or not at all: half of an escape sequence would swallow the output after it. */
static void leave_add(const char *s)
{
	size_t before = leave.len;

	if (!s || s == (char *)-1)
		return;
	tputs(s, 1, leave_putc);
	if (leave.len == sizeof leave.bytes)
		leave.len = before;
}

static void leave_prepare(const struct rs_terminal *t)
{
	leave.len = 0;
	if (t->has_mouse)
		leave_add(MOUSE_OFF);
	leave_add(tigetstr("rmkx"));
	leave_add(tigetstr("sgr0"));
	leave_add(tigetstr("op"));
	leave_add(tigetstr("cnorm"));
	if (terminal_has_capability("rmcup")) {
		leave_add(tigetstr("rmcup"));
	} else { /* no alternate screen to leave: go below the last line */
		leave_add(tiparm(tigetstr("cup"), t->area.height - 1, 0));
		leave_add("\r\n");
	}
}

/* ---- size ---- */

static int from_environment(const char *name, int otherwise)
{
	const char *s = getenv(name);
	int n = s ? atoi(s) : 0;

	return n > 0 ? n : otherwise;
}

/* A serial line does not report its size. */
static struct rs_area ask_area(const struct rs_terminal *t)
{
	struct winsize size = { 0 };
	struct rs_area area = { 0 };

	ioctl(fileno(t->out), TIOCGWINSZ, &size);
	area.height = size.ws_row ? size.ws_row : from_environment("LINES", 24);
	area.width = size.ws_col ? size.ws_col : from_environment("COLUMNS", 80);
	if (area.height > TERMINAL_MOST_ROWS)
		area.height = TERMINAL_MOST_ROWS;
	if (area.width > TERMINAL_MOST_COLUMNS)
		area.width = TERMINAL_MOST_COLUMNS;
	return area;
}

/* Without memory it keeps the former size, and frames are cut. */
void rs_terminal_fit(struct rs_terminal *t)
{
	struct rs_area area = ask_area(t);
	cchar_t *run = realloc(t->run, (size_t)area.width * sizeof *run);

	t->repaint = true;
	if (!run)
		return;
	t->run = run;
	if (!rs_canvas_resize(t->shown, area.height, area.width) ||
	    resize_term(area.height, area.width) != OK)
		return;
	t->area = area;
}

/* ---- open and close ---- */

static int start_curses(struct rs_terminal *t, struct rs_error *err)
{
	del_curterm(cur_term); /* newterm creates its own */
	use_env(FALSE);
	use_tioctl(TRUE);
	t->screen = newterm(NULL, t->out, t->in);
	if (!t->screen)
		return rs_fail(err, "cannot open the terminal (" BATCH_HINT ")");
	rs_terminal_guard_active(true);
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	leaveok(stdscr, TRUE);
	t->input = newpad(1, 1);
	if (!t->input)
		return rs_fail(err, "out of memory");
	keypad(t->input, TRUE);
	nodelay(t->input, TRUE);
	if (t->has_mouse) {
		define_key("\033[M", RS_CODE_X10);
		define_key("\033[<", RS_CODE_SGR);
		terminal_put_mouse(t, !t->options.no_mouse);
	}
	return 0;
}

/* Ctrl-S becomes a key. Ctrl-C and Ctrl-Z stay signals, so that a hanging program can be ended. */
static void no_flow_control(const struct rs_terminal *t)
{
	struct termios modes;

	if (tcgetattr(fileno(t->out), &modes) < 0)
		return;
	modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
	tcsetattr(fileno(t->out), TCSADRAIN, &modes);
	def_prog_mode(); /* the modes that ncurses restores after a stop */
}

static bool terminal_watch_fd(const struct rs_terminal *t, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(t->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

static int terminal_start(struct rs_terminal *t, struct rs_error *err)
{
	if (open_files(t, err) < 0 || check_terminfo(t, err) < 0)
		return -1;
	t->area = ask_area(t);
	t->has_mouse = terminal_has_capability("kmous");
	leave_prepare(t);
	if (rs_terminal_guard_open(fileno(t->out), leave.bytes, leave.len, err) < 0)
		return -1;
	t->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (t->epoll_fd < 0 || !terminal_watch_fd(t, fileno(t->in)) ||
	    !terminal_watch_fd(t, rs_terminal_guard_fd()))
		return rs_fail(err, "cannot wait for the terminal: %s", strerror(errno));
	t->shown = rs_canvas_new(t->area.height, t->area.width, t->ascii);
	if (!t->shown)
		return rs_fail(err, "out of memory");
	if (start_curses(t, err) < 0)
		return -1;
	no_flow_control(t);
	rs_terminal_styles(t);
	rs_terminal_fit(t);
	return t->run ? 0 : rs_fail(err, "out of memory");
}

struct rs_terminal *rs_terminal_open(const struct rs_terminal_options *options, struct rs_error *err)
{
	struct rs_terminal *t = calloc(1, sizeof *t);

	if (!t) {
		rs_fail(err, "out of memory");
		return NULL;
	}
	t->options = *options;
	t->ascii = options->ascii || !rs_escape_locale_is_utf8();
	t->epoll_fd = t->pressed_y = -1;
	if (terminal_start(t, err) < 0) {
		rs_terminal_close(t);
		return NULL;
	}
	return t;
}

/* Without an alternate screen the last frame stays, and the prompt comes below it, as after a crash. */
static void leave_curses(struct rs_terminal *t)
{
	if (t->has_mouse)
		terminal_put_mouse(t, false);
	curs_set(1);
	endwin();
	if (!exit_ca_mode) {
		putc('\n', t->out);
		fflush(t->out);
	}
}

void rs_terminal_close(struct rs_terminal *t)
{
	if (!t)
		return;
	if (t->screen) {
		leave_curses(t);
		/* the shell must not run keys that were typed for this program */
		tcflush(fileno(t->out), TCIFLUSH);
	}
	rs_terminal_guard_close();
	if (t->input)
		delwin(t->input);
	if (t->screen)
		delscreen(t->screen);
	if (t->epoll_fd >= 0)
		close(t->epoll_fd);
	if (t->out)
		fclose(t->out);
	if (t->in)
		fclose(t->in);
	rs_canvas_free(t->shown);
	free(t->run);
	free(t);
}

void rs_terminal_lend(struct rs_terminal *t, void (*use)(void *arg), void *arg)
{
	leave_curses(t);
	rs_terminal_guard_active(false);
	if (use)
		use(arg);
	rs_terminal_guard_active(true);
	rs_terminal_guard_take(); /* all of these are done now */
	reset_prog_mode(); /* in the background this stops the program again, as it should */
	doupdate();        /* restores the alternate screen and keys */
	if (t->has_mouse)
		terminal_put_mouse(t, !t->options.no_mouse);
	curs_set(0);
	rs_terminal_fit(t);
}

static void terminal_stop(void *unused)
{
	rs_terminal_guard_stop_now();
}

/*
 * Leaves the terminal and comes back: With stop, for Ctrl-Z; otherwise after a SIGSTOP, and the shell
 * has changed the modes meanwhile.
 */
void rs_terminal_suspend(struct rs_terminal *t, bool stop)
{
	rs_terminal_lend(t, stop ? terminal_stop : NULL, NULL);
}

/* ---- properties ---- */

struct rs_area rs_terminal_area(const struct rs_terminal *t)
{
	return t->area;
}

bool rs_terminal_ascii(const struct rs_terminal *t)
{
	return t->ascii;
}

int rs_terminal_fd(const struct rs_terminal *t)
{
	return t->epoll_fd;
}

int rs_terminal_ended(const struct rs_terminal *t)
{
	return rs_terminal_guard_ended();
}
