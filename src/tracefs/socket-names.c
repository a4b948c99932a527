// SPDX-License-Identifier: GPL-2.0-or-later
/* socket-names - what a socket is, by its inode, from the tables of its network namespace */
#include "tracefs/socket-names.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/close.h"
#include "base/ends.h"
#include "base/unix-ends.h"
#include "tracefs/unix-diag.h"

#define SOCKET_NAMES_SETS 8192u     /* of sockets, by inode */
#define SOCKET_NAMES_WAYS 4u        /* the one that was read longest ago is replaced */
#define SOCKET_NAMES_SPACES 16u     /* network namespaces; the one that was used longest ago is replaced */
#define SOCKET_NAMES_LEAST_NS 10000000u  /* between two readings of a table */
#define SOCKET_NAMES_COST 50u       /* and so many times as long as a reading takes */
#define SOCKET_NAMES_MOST_NS 200000000u  /* between two questions to the kernel, which may be interrupted */

/* Places in the list of tables. */
enum { SOCKET_NAMES_UNIX, SOCKET_NAMES_TCP = 3, SOCKET_NAMES_TCP6, SOCKET_NAMES_NR_TABLES };

/* A socket of a table. */
struct socket_name {
	uint32_t inode;            /* 0: none */
	uint32_t reading;          /* the number of the reading that had it last */
	uint8_t protocol;          /* the index of its table */
	uint8_t type;              /* of a Unix socket: SOCK_STREAM ... */
	uint8_t state;             /* of a TCP socket, the kernel's number */
	bool stays;                /* it is connected, by TCP, or to a peer that is known */
	uint64_t read_ns;          /* when its line was read: it had that state then */
	union {
		struct rs_ends ends;
		struct rs_unix_ends of_unix;
	};
};

struct socket_names_space {
	uint64_t inode;            /* 0: none */
	uint64_t used_ns;          /* in CLOCK_MONOTONIC, as all times here */
	struct {
		uint64_t read_ns, cost_ns; /* when it was read, 0: never, and how long that took */
	} tables[SOCKET_NAMES_NR_TABLES];
};

/* Four megabytes: only of a process that looks up. NULL: none yet, or no memory */
static struct socket_names {
	struct socket_name sets[SOCKET_NAMES_SETS][SOCKET_NAMES_WAYS];
	struct socket_names_space spaces[SOCKET_NAMES_SPACES];
	uint32_t nr_readings;
	uint64_t begun_ns;         /* when the last reading of a table began */
	int diag_fd;               /* see unix-diag.h */
	uint64_t asked_ns, ask_cost_ns; /* when it was asked last, and how long that took */
	char text[16384];          /* a piece of a table */
} *names;

static uint64_t socket_names_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static struct socket_name *socket_names_set(uint32_t inode)
{
	return names->sets[inode % SOCKET_NAMES_SETS];
}

static const struct socket_name *socket_names_get(uint32_t inode)
{
	struct socket_name *set = socket_names_set(inode);

	for (unsigned int i = 0; i < SOCKET_NAMES_WAYS; i++)
		if (set[i].inode == inode)
			return &set[i];
	return NULL;
}

/* A table of Unix sockets has no peers: what is known of one stays. */
static void socket_names_add(const struct socket_name *name)
{
	struct socket_name *set = socket_names_set(name->inode), *at = set;

	for (unsigned int i = 0; i < SOCKET_NAMES_WAYS && at->inode != name->inode; i++)
		if (set[i].inode == name->inode || set[i].reading < at->reading)
			at = &set[i];
	if (at->inode == name->inode && at->protocol == SOCKET_NAMES_UNIX && at->stays)
		at->reading = name->reading;
	else
		*at = *name;
}

/* ---- lines of the tables ---- */

/* Sets the text to behind the n-th word from here, and returns that word's begin; NULL: there are fewer. */
static const char *socket_names_word(const char **text, unsigned int n)
{
	const char *at = *text, *word = NULL;

	for (unsigned int i = 0; i <= n; i++) {
		at += strspn(at, " ");
		if (!*at)
			return NULL;
		word = at;
		at += strcspn(at, " ");
	}
	*text = at;
	return word;
}

/* "0100007F:0050": words of 32 bits as this machine has them */
static bool socket_names_take_end(const char **text, uint8_t addr[16], uint16_t *port)
{
	const char *word = socket_names_word(text, 0);
	size_t len = word ? strcspn(word, ":") : 0;
	char digits[9] = "";

	if (!word || (len != 8 && len != 32) || word[len] != ':')
		return false;
	memcpy(addr, (const uint8_t[16]){ [10] = 0xff, [11] = 0xff }, 16);
	for (size_t at = 0; at < len; at += 8) {
		uint32_t part;

		memcpy(digits, word + at, 8);
		part = (uint32_t)strtoul(digits, NULL, 16);
		memcpy(addr + (len == 8 ? 12 : at / 2), &part, sizeof part);
	}
	*port = (uint16_t)strtoul(word + len + 1, NULL, 16);
	return true;
}

/* "   0: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000  0 4711 ..." */
static bool socket_names_parse_ends(const char *line, struct socket_name *name)
{
	struct rs_ends *ends = &name->ends;
	const char *at = line, *state, *inode;

	if (!socket_names_word(&at, 0) ||
	    !socket_names_take_end(&at, ends->addr[RS_ENDS_LOCAL], &ends->port[RS_ENDS_LOCAL]) ||
	    !socket_names_take_end(&at, ends->addr[RS_ENDS_REMOTE], &ends->port[RS_ENDS_REMOTE]))
		return false;
	state = socket_names_word(&at, 0);
	inode = socket_names_word(&at, 5);
	if (name->protocol >= SOCKET_NAMES_TCP && state)
		name->state = (uint8_t)strtoul(state, NULL, 16);
	name->inode = inode ? (uint32_t)strtoul(inode, NULL, 10) : 0;
	name->stays = ends->port[RS_ENDS_REMOTE] && name->protocol >= SOCKET_NAMES_TCP;
	return true;
}

/* "ffff8881049c0000: 00000003 00000000 00000000 0001 03 4711 /run/x.sock" */
static bool socket_names_parse_unix(const char *line, struct socket_name *name)
{
	const char *at = line, *type = socket_names_word(&at, 4);
	const char *inode = type ? socket_names_word(&at, 1) : NULL;
	size_t len;

	if (!inode)
		return false;
	name->type = (uint8_t)strtoul(type, NULL, 16);
	name->inode = name->of_unix.inode = (uint32_t)strtoul(inode, NULL, 10);
	len = *at == ' ' ? strlen(++at) : 0;
	if (len && len < sizeof name->of_unix.path)
		memcpy(name->of_unix.path, at, len + 1);
	return true;
}

static const struct socket_names_table {
	const char *file, *protocol;
	bool (*parse)(const char *line, struct socket_name *name);
} tables[] = {
	/* the cheapest first: those of TCP are walked whole, 20 ms where there is room for many sockets */
	[SOCKET_NAMES_UNIX] = { "unix", "UNIX", socket_names_parse_unix },
	{ "udp", "UDP", socket_names_parse_ends },
	{ "udp6", "UDP", socket_names_parse_ends },
	[SOCKET_NAMES_TCP] = { "tcp", "TCP", socket_names_parse_ends },
	[SOCKET_NAMES_TCP6] = { "tcp6", "TCP", socket_names_parse_ends },
};

static void socket_names_add_line(unsigned int table, const char *line)
{
	struct socket_name name = { .protocol = (uint8_t)table, .reading = names->nr_readings,
				    .read_ns = names->begun_ns };

	if (tables[table].parse(line, &name) && name.inode)
		socket_names_add(&name);
}

/* ---- readings ---- */

/* Takes the whole lines off the text, and moves the rest to its begin. Returns its length. */
static size_t socket_names_take_lines(unsigned int table, size_t len, bool *is_first)
{
	char *line = names->text, *end;

	while ((end = memchr(line, '\n', len - (size_t)(line - names->text)))) {
		*end = '\0';
		if (!*is_first) /* the headings */
			socket_names_add_line(table, line);
		*is_first = false;
		line = end + 1;
	}
	len -= (size_t)(line - names->text);
	memmove(names->text, line, len);
	return len;
}

static void socket_names_read_table(int32_t pid, unsigned int table)
{
	char path[48];
	size_t len = 0;
	bool is_first = true;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/net/%s", (int)pid, tables[table].file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && len < sizeof names->text) { /* no line is as long */
		struct iovec at = { names->text + len, sizeof names->text - len };
		ssize_t n = preadv2(fd, &at, 1, -1, 0); /* read(2) is not among a guardian's calls */

		if (n <= 0)
			break;
		len = socket_names_take_lines(table, len + (size_t)n, &is_first);
	}
	rs_close(&fd);
}

/* "net:[4026531840]"; NULL: it is not to be seen, or the process has ended */
static struct socket_names_space *socket_names_space_of(int32_t pid)
{
	struct socket_names_space *at = names->spaces;
	char path[48], link[48];
	uint64_t inode;
	ssize_t len;

	snprintf(path, sizeof path, "/proc/%d/ns/net", (int)pid);
	len = readlink(path, link, sizeof link - 1);
	if (len <= 5)
		return NULL;
	link[len] = '\0';
	inode = strtoull(link + 5, NULL, 10);
	for (unsigned int i = 0; i < SOCKET_NAMES_SPACES; i++) {
		if (names->spaces[i].inode == inode)
			return &names->spaces[i];
		if (names->spaces[i].used_ns < at->used_ns)
			at = &names->spaces[i];
	}
	*at = (struct socket_names_space){ .inode = inode };
	return at;
}

static bool socket_names_may_read(const struct socket_names_space *space, unsigned int table,
				  uint64_t now_ns)
{
	uint64_t read_ns = space->tables[table].read_ns,
		 wait_ns = space->tables[table].cost_ns * SOCKET_NAMES_COST;

	return !read_ns ||
	       now_ns - read_ns >= (wait_ns > SOCKET_NAMES_LEAST_NS ? wait_ns : SOCKET_NAMES_LEAST_NS);
}

/* Reads the tables that may be read now, until one has the socket. */
static void socket_names_read(int32_t pid, struct socket_names_space *space, uint32_t inode)
{
	uint32_t first = ++names->nr_readings;
	uint64_t now_ns = socket_names_now();
	const struct socket_name *name = socket_names_get(inode);

	for (unsigned int table = 0; table < SOCKET_NAMES_NR_TABLES; table++) {
		if ((name && name->protocol != table) || !socket_names_may_read(space, table, now_ns))
			continue;
		names->begun_ns = now_ns;
		socket_names_read_table(pid, table);
		space->tables[table].cost_ns = socket_names_now() - now_ns;
		now_ns = space->tables[table].read_ns = now_ns + space->tables[table].cost_ns;
		name = socket_names_get(inode);
		if (name && name->reading == first)
			return;
	}
}

static size_t socket_names_put(const struct socket_name *name, char *buf, size_t size_bytes)
{
	char ends[RS_ENDS_TEXT_BYTES];
	int len;

	if (name->protocol == SOCKET_NAMES_UNIX)
		return rs_unix_ends_text(name->type, &name->of_unix, buf, size_bytes);
	len = snprintf(buf, size_bytes, "%s",
		       rs_ends_text(tables[name->protocol].protocol, &name->ends, ends));
	return len > 0 && (size_t)len < size_bytes ? (size_t)len : 0;
}

void rs_socket_names_begin(void)
{
	static bool is_begun;

	if (!is_begun)
		names = calloc(1, sizeof *names);
	if (!is_begun && names)
		names->diag_fd = rs_unix_diag_open();
	is_begun = true;
}

/* The kernel walks all Unix sockets to find one: where there are many, it is not asked for each. */
static bool socket_names_may_ask(uint64_t now_ns)
{
	uint64_t wait_ns = names->ask_cost_ns * SOCKET_NAMES_COST;

	return now_ns - names->asked_ns >= (wait_ns < SOCKET_NAMES_MOST_NS ? wait_ns : SOCKET_NAMES_MOST_NS);
}

/* The kernel tells of a Unix socket of its own namespace, and of its peer, whose path stands for none. */
static const struct socket_name *socket_names_ask(uint32_t inode)
{
	struct socket_name name = { .inode = inode, .reading = ++names->nr_readings,
				    .protocol = SOCKET_NAMES_UNIX };
	struct rs_unix_ends peer;
	int type, peer_type;

	if (!rs_unix_diag_ask(names->diag_fd, inode, &type, &name.of_unix))
		return NULL;
	name.type = (uint8_t)type;
	name.stays = name.of_unix.peer;
	if (name.stays && !*name.of_unix.path &&
	    rs_unix_diag_ask(names->diag_fd, name.of_unix.peer, &peer_type, &peer) && *peer.path) {
		memcpy(name.of_unix.path, peer.path, sizeof peer.path);
		name.of_unix.is_peers = true;
	}
	socket_names_add(&name);
	return socket_names_get(inode);
}

static const struct socket_name *socket_names_find_link(int32_t pid, const char *link)
{
	static const char prefix[] = "socket:[";
	const struct socket_name *name;
	struct socket_names_space *space;
	bool is_late = false;      /* the kernel was not asked, and could tell */
	uint32_t inode;

	if (strncmp(link, prefix, sizeof prefix - 1) != 0 || !names)
		return NULL;
	inode = (uint32_t)strtoul(link + sizeof prefix - 1, NULL, 10);
	name = socket_names_get(inode);
	if (name && name->stays)
		return name;
	if (!name || name->protocol == SOCKET_NAMES_UNIX) {
		uint64_t now_ns = socket_names_now();
		const struct socket_name *told = NULL;

		is_late = names->diag_fd >= 0 && !socket_names_may_ask(now_ns);
		if (!is_late) {
			told = socket_names_ask(inode);
			names->asked_ns = socket_names_now();
			names->ask_cost_ns = names->asked_ns - now_ns;
		}
		if (told)
			return told;
	}
	space = socket_names_space_of(pid);
	if (space) {
		space->used_ns = socket_names_now();
		socket_names_read(pid, space, inode);
		name = socket_names_get(inode);
	}
	if (name && is_late && name->protocol == SOCKET_NAMES_UNIX) /* it may have a peer: ask again */
		return NULL;
	return name;
}

size_t rs_socket_names_find(int32_t pid, const char *link, char *buf, size_t size_bytes, uint8_t *state,
			    uint64_t *age_ns)
{
	const struct socket_name *name;

	rs_socket_names_begin();
	name = socket_names_find_link(pid, link);
	*state = name ? name->state : 0;
	*age_ns = *state ? socket_names_now() - name->read_ns : 0;
	return name ? socket_names_put(name, buf, size_bytes) : 0;
}
