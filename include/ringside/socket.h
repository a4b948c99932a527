/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * socket.h - the sockets that the engine follows, TCP and Unix, and what happens to them
 *
 *	.callbacks = RS_LIST(rs_callback, { RS_ON_SOCKET, .socket = on_socket }),
 *	...
 *	static void on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
 *	{
 *		if (ev->kind == RS_SOCKET_ESTABLISHED && ev->socket->side == RS_SIDE_CLIENT)
 *			... ev->ts_ns - ev->socket->begin_ns ...
 *	}
 *
 * A socket is known from its first event on: what came before the capture (its begin, its addresses until an
 * event has them) stays unknown.
 */
#ifndef RINGSIDE_SOCKET_H
#define RINGSIDE_SOCKET_H

#include "table.h"
#include "task.h"

#define RS_MAX_SOCKETS 65536u      /* beyond, the one that closed first is forgotten, or an open one */
#define RS_SOCKET_ADDR_BYTES 46    /* INET6_ADDRSTRLEN: "ffff:...:255.255.255.255" */

/* The kernel's, of include/net/tcp_states.h, which BPF programs and ss see as well. */
enum rs_tcp_state {
	RS_TCP_UNKNOWN, RS_TCP_ESTABLISHED, RS_TCP_SYN_SENT, RS_TCP_SYN_RECV, RS_TCP_FIN_WAIT1,
	RS_TCP_FIN_WAIT2, RS_TCP_TIME_WAIT, RS_TCP_CLOSE, RS_TCP_CLOSE_WAIT, RS_TCP_LAST_ACK, RS_TCP_LISTEN,
	RS_TCP_CLOSING, RS_TCP_NEW_SYN_RECV, RS_NR_TCP_STATES
};

/* As ss has it: "ESTAB", "SYN-SENT"; NULL unknown */
const char *rs_tcp_state_name(enum rs_tcp_state state);

enum rs_socket_side { RS_SIDE_UNKNOWN, RS_SIDE_CLIENT, RS_SIDE_SERVER, RS_SIDE_LISTENS };

/*
 * An address, as IPv6 (IPv4 is ::ffff:a.b.c.d), and a port; both 0: not bound yet. Of a Unix socket: inode.
 */
struct rs_socket_end {
	uint8_t addr[16];
	uint16_t port;
};

/* "10.0.0.1", "::1", "[4711]" of a Unix socket, in buf: RS_SOCKET_ADDR_BYTES. */
const char *rs_socket_addr_text(const struct rs_socket_end *end, char *buf);

/* What rs_socket_text needs: two addresses of IPv6, their ports, and what is around them. */
#define RS_SOCKET_TEXT_BYTES 160

/* Has an accept returned it? Only where the queue of its listener is known. */
enum rs_accepted { RS_ACCEPTED_UNKNOWN, RS_ACCEPTED_NOT_YET, RS_ACCEPTED };

enum rs_socket_reset { RS_NOT_RESET, RS_RESET_BY_PEER, RS_RESET_BY_US };

/* The kernel's TCP_CA_*, and one more than these: include/uapi/linux/tcp.h */
enum rs_tcp_congestion {
	RS_CONGESTION_UNKNOWN, RS_CONGESTION_OPEN, RS_CONGESTION_DISORDER, RS_CONGESTION_CWR,
	RS_CONGESTION_RECOVERY,    /* losses are known from what the peer acknowledges: fast retransmit */
	RS_CONGESTION_LOSS,        /* the timer has expired */
	RS_NR_CONGESTIONS
};

struct rs_socket {
	uint64_t number;           /* identifies it in this session; never 0 */
	uint64_t addr;             /* of the kernel's struct sock, which a later socket may have as well */
	struct rs_socket_end local, remote;
	bool has_ends;             /* both are known */
	/*
	 * A connection of Unix sockets has no events: it is known from the look-up of a descriptor on, until
	 * the calls that are seen have closed all that are known of it.
	 */
	bool is_unix;
	bool path_is_peers;        /* it is a client of what is bound there */
	const char *path;          /* of a Unix socket; NULL: no end is bound. Lives as long as the session */
	enum rs_tcp_state state;
	enum rs_socket_side side;
	enum rs_socket_reset reset;
	uint64_t begin_ns;         /* of connect, listen, the end of a peer's handshake; 0: not seen */
	uint64_t established_ns;   /* 0: not seen */
	uint64_t accepted_ns;      /* RS_ACCEPTED: when accept returned it */
	uint64_t closed_ns;        /* 0: it is open, or .is_over, and its close was not seen */
	bool is_over;              /* it has closed, or another one has its address by now */
	uint64_t state_ns;         /* since when it is in .state; 0: not seen */
	uint64_t last_ns;          /* of its last event */
	uint64_t retransmit_ns;    /* of its last segment that was sent again; 0: none was seen */
	/* the task that connected it, listens on it, or was the first to send or receive; 0: none did yet */
	int32_t pid, tid;
	char comm[RS_COMM_LEN];
	bool shown;                /* that task passes -p, -t, -c; without one: nothing narrows */
	uint8_t accepted;          /* enum rs_accepted */
	uint8_t congestion;        /* enum rs_tcp_congestion; RS_CONGESTION_UNKNOWN where no event tells */
	uint16_t error;            /* errno that ended it (ECONNREFUSED); 0: none, or not told */
};

enum rs_socket_event_kind {
	RS_SOCKET_CONNECTS,        /* it sends its SYN */
	RS_SOCKET_LISTENS,
	RS_SOCKET_ESTABLISHED,
	RS_SOCKET_STATE,           /* another state */
	RS_SOCKET_CLOSED,          /* its last state */
	RS_SOCKET_ERROR,           /* its task is told .error: just before it is closed, or just after */
	RS_SOCKET_RETRANSMITS,     /* a segment is sent again */
};

struct rs_socket_event {
	enum rs_socket_event_kind kind;
	const struct rs_socket *socket; /* as it is after the event */
	enum rs_tcp_state was;     /* its state before */
	uint64_t was_ns;           /* since when it was in that; 0: not seen, or events were lost since */
	struct rs_task *task;      /* that does it by a call; NULL: a packet does, or a timer */
	uint64_t ts_ns;
	bool discarded;            /* events were lost since its last one: it may be another socket */
};

/* What a task sends or receives: of RS_ON_MESSAGE. */
struct rs_socket_message {
	const struct rs_socket *socket;
	struct rs_task *task;
	bool sent;
	int64_t bytes;             /* received: 0: the peer has ended; both: < 0 an error */
	uint64_t ts_ns;
};

/*
 * ---- accept queues ----
 *
 * A connection is in its listener's queue from the end of the handshake until an accept returns it. No event
 * tells which one that is. Where all of the listener's queue is known, it is the first in it; else it is told
 * by the first call that uses the new descriptor and has an event: a message, or the close.
 */
struct rs_accept_queue {
	uint64_t number;           /* of the socket that listens */
	uint64_t backlog;          /* of listen; 0: not known */
	uint64_t full_ns;          /* since when its queue is full; 0: it is not */
	uint32_t nr;               /* connections in its queue */
	bool is_known;             /* the queue has no others */
};

enum rs_accept_kind {
	RS_ACCEPT_QUEUED,          /* .socket is in the queue from now on */
	RS_ACCEPT_RETURNED,        /* a call; .socket NULL: which one it returned is not told, or not yet */
	RS_ACCEPT_TOLD,            /* which one a call has returned; .socket NULL: nothing will tell */
	RS_ACCEPT_HAS_ROOM,        /* the queue is not full any more */
};

/* Of RS_ON_ACCEPT. */
struct rs_accept {
	enum rs_accept_kind kind;
	const struct rs_accept_queue *queue; /* NULL: not known; TOLD: NULL */
	const struct rs_socket *socket;
	struct rs_task *task;      /* RETURNED, TOLD: that called accept */
	int32_t fd;                /* likewise: the new descriptor */
	/* RETURNED, TOLD: when it came to the queue; HAS_ROOM: when that was full; 0: not known */
	uint64_t since_ns;
	uint64_t ts_ns;            /* TOLD: when the call returned */
};

/* Of an analysis with RS_ON_ACCEPT. NULL: that socket does not listen, or its queue cannot be followed. */
const struct rs_accept_queue *rs_accepts_queue(const struct rs_ctx *c, uint64_t number);
/* Who listens there. NULL: it is not known, or several do (SO_REUSEPORT, network namespaces). */
const struct rs_accept_queue *rs_accepts_queue_at(const struct rs_ctx *c, const struct rs_socket_end *local);

/*
 * ---- round trips: one call or more that send to a descriptor, and then a wait for the answer ----
 *
 * The wait is in a call that receives from that descriptor, of a socket, a pipe or a terminal, or in a poll.
 */
struct rs_round_trip {
	const struct rs_interval *wait;
	int64_t call;              /* that it is in */
	uint64_t nr_sends, nr_bytes; /* calls that sent, since the wait before; what they sent */
	bool is_split;             /* two small pieces or more */
	/* and the wait is as long as TCP delays an ACK: for that its last piece waited, most likely */
	bool is_delayed;
};

/*
 * ---- polls: a wait in poll, select or epoll_wait ----
 *
 * Its socket is that of the connection whose other end ended the wait by a call that sends on it, where the
 * process has the one and a task of this machine the other; likewise of a connect, the socket that listens.
 * rs_task_socket and rs_call_socket tell it from the end of the wait on. Else, where the poll returned one
 * descriptor, and the next call of the task reads from a socket, or accepts, that one: RS_ON_POLLED, after
 * RS_ON_WAIT. Where neither tells it is unknown.
 */
struct rs_polled {
	const struct rs_socket *socket;
	struct rs_task *task;
	int64_t call;              /* the poll */
	uint64_t from_ns, to_ns;   /* the wait in it, up to the waking: the last one */
	unsigned int part;         /* as rs_socket_wait_part */
};

/*
 * ---- the socket of a descriptor ----
 *
 * Events have the address of a socket, and calls the number of a descriptor. They meet where an event fires
 * in a task's own call on a descriptor: connect, listen, and each that sends or receives where messages are
 * recorded; and where accept returns one from a queue that is known. The descriptor keeps its socket until a
 * call may close it, as it keeps its file (task.h). The sockets of others are looked up in /proc with their
 * files.
 *
 * An analysis that calls these sets .requires_sockets, or .uses_files for rows alone.
 */
/*
 * Returns the TCP socket, or the end of a Unix connection, that the call's first argument is a descriptor of,
 * also of one that closes it; of a poll, see above. NULL: it is none, or unknown.
 */
const struct rs_socket *rs_call_socket(struct rs_ctx *c, const struct rs_call *call);
/* Likewise of the call that the task is in. */
const struct rs_socket *rs_task_socket(struct rs_ctx *c, struct rs_task *t);

/*
 * "TCP:[10.0.0.1:5000->10.0.0.2:80]", of a listener "TCP:[0.0.0.0:80]", "TCPv6:[[::1]:80]", as strace -yy has
 * it; in buf: RS_SOCKET_TEXT_BYTES. NULL: its addresses are not known.
 */
const char *rs_socket_text(const struct rs_socket *socket, char *buf);
/*
 * Likewise of the socket that the call's first argument is, or that a poll was for, of any family, as far as
 * it is known by now:
 * "UDP:[0.0.0.0:53]", "UNIX-STREAM:[4711]", "socket:[4711]". NULL: it is none, or unknown. Lives until the
 * next event.
 */
const char *rs_call_socket_text(struct rs_ctx *c, const struct rs_call *call);
/* A number for that text, for keys; 0: it is none, not known, or not known but for its inode. */
uint32_t rs_call_socket_name(struct rs_ctx *c, const struct rs_call *call);
/* The text; NULL: 0. Lives as long as the session. */
const char *rs_socket_name(const struct rs_ctx *c, uint32_t name);

/*
 * Returns the connection that had that name at that time, which may have closed since. NULL: it is none, or
 * forgotten, or connections of several network namespaces had it.
 */
const struct rs_socket *rs_socket_of_name(const struct rs_ctx *c, uint32_t name, uint64_t at_ns);

/* Likewise of the call that the task is in. */
uint32_t rs_task_socket_name(struct rs_ctx *c, struct rs_task *t);
/*
 * Returns the part that a wait in a call on a socket is of (enum rs_time_part), where more is known than
 * that; RS_PART_RUN, 0: it is not. Network: a connect, or half of the wait had passed when the socket sent a
 * segment again, for what it sent was not there yet. Accept queue: for half of it the other end was in its
 * listener's queue. Delayed ACK: see rs_round_trip. Send buffer: a call that sends; of the peer, if the task
 * that has the other end ended it, and did not wait in a call that reads for half of that time; of the link,
 * if it did.
 */
unsigned int rs_socket_wait_part(struct rs_ctx *c, const struct rs_interval *wait);
/*
 * For a sentence: "10.0.0.2:5432 over TCP", in buf: RS_SOCKET_TEXT_BYTES. NULL: it is not connected, or that
 * is not known; of a name: neither TCP nor UDP.
 */
const char *rs_socket_peer_text(const struct rs_socket *socket, char *buf);
const char *rs_socket_peer_of_name(const char *name, char *buf);

/* Returns the socket of that number; NULL: it is forgotten. */
const struct rs_socket *rs_socket_find(const struct rs_ctx *c, uint64_t number);
/* Returns the last socket that an event had at an address of the kernel's struct sock; NULL: none. */
const struct rs_socket *rs_socket_at(const struct rs_ctx *c, uint64_t addr);
/*
 * Returns the other end of the connection, where that is on this machine, too, by its addresses. NULL: it is
 * not, an end is not known or has closed, or connections of several network namespaces have these addresses.
 */
const struct rs_socket *rs_socket_peer(const struct rs_ctx *c, const struct rs_socket *socket);
/*
 * ---- several machines ----
 *
 * Where the recordings of other machines are read along, the task that has the other end of a connection
 * there: the first that used it. It is of another session: nothing but this is known of it here.
 */
struct rs_far_task {
	char comm[RS_COMM_LEN];
	int32_t pid;
	const char *machine;
};

#define RS_FAR_TASK_TEXT_BYTES 128
/* Of columns. */
#define RS_FAR_TASK_HELP \
	"the task at the other end of the socket, on another machine whose recording is read along, as " \
	"postgres (812) on guest; null: on this machine, or not known"
#define RS_FAR_MACHINE_HELP \
	"the machine that has the other end, if its recording is read along; null: this one, or not known"

/* NULL: this machine has it, no machine has it, or several have. They live as long as the session. */
const struct rs_far_task *rs_socket_far_task(const struct rs_ctx *c, const struct rs_socket *socket);
/* Likewise, of rs_task_socket_name. */
const struct rs_far_task *rs_socket_far_task_of_name(const struct rs_ctx *c, uint32_t name);
/* "postgres (812) on guest", in buf: RS_FAR_TASK_TEXT_BYTES. NULL: NULL. */
const char *rs_far_task_text(const struct rs_far_task *task, char *buf);

/* Returns the next socket that is open, in any order; NULL begins and ends. */
const struct rs_socket *rs_socket_next(const struct rs_ctx *c, const struct rs_socket *after);

/*
 * ---- columns: what a row of a stream, or a group of a store, shows of a socket ----
 *
 *	[LOCAL] = RS_SOCKET_COLUMNS,
 *	...
 *	struct rs_socket_texts texts;
 *
 *	rs_emit(c, 0, (const struct rs_value[NR_COLUMNS]){ ..., [LOCAL] = RS_SOCKET_VALUES(k, &texts) });
 */

struct rs_socket_texts {
	char local[RS_SOCKET_ADDR_BYTES], remote[RS_SOCKET_ADDR_BYTES];
};

/* Null: neither address nor port are known. */
struct rs_value rs_socket_addr_value(const struct rs_socket_end *end, char *buf);

/* Four columns: its two ends. The texts live as long as the values. */
#define RS_SOCKET_VALUES(k, texts) \
	rs_socket_addr_value(&(k)->local, (texts)->local), rs_u_if((k)->local.port, (k)->local.port), \
	rs_socket_addr_value(&(k)->remote, (texts)->remote), rs_u_if((k)->remote.port, (k)->remote.port)

#define RS_SOCKET_COLUMNS \
	{ "local", "LOCAL", RS_TYPE_TEXT, 0, 0, 15, "its own address" }, \
	{ "local_port", "LPORT", RS_TYPE_ID, 0, 0, 5, "its own port; null: it had none yet" }, \
	{ "remote", "REMOTE", RS_TYPE_TEXT, 0, 0, 15, "the peer's address" }, \
	{ "remote_port", "RPORT", RS_TYPE_ID, 0, 0, 5, "the peer's port" }

/* Three more: the task that has it, as RS_TASK_VALUES; null: none has used it yet. */
#define RS_SOCKET_TASK_VALUES(k) \
	rs_s((k)->comm), rs_u_if((k)->pid, (uint64_t)(k)->pid), rs_u_if((k)->tid, (uint64_t)(k)->tid)

#define RS_SOCKET_TASK_COLUMNS \
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, \
	  "the task that connected it, or was the first to send or receive; null: none did yet" }, \
	{ "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" }, \
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" }

/* Of a store whose first key is the number of a socket; null where that is forgotten. */
struct rs_value rs_socket_show_number(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_socket_show_comm(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_socket_show_pid(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_socket_show_side(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_socket_show_local(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_socket_show_local_port(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_socket_show_remote(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_socket_show_remote_port(struct rs_ctx *c, const struct rs_group *g, char *buf);

#define RS_SOCKET_KEY .key = RS_KEY_0, .by_cell = true, .cell
#define RS_SOCKET_KEY_COLUMNS \
	{ "connection", "CONNECTION", RS_TYPE_ID, 0, RS_COLUMN_KEY, 10, "its number in this trace", \
	  .key = RS_KEY_0, .cell = rs_socket_show_number }, \
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, \
	  "the task that connected it, or was the first to send or receive; null: none did yet", \
	  RS_SOCKET_KEY = rs_socket_show_comm }, \
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "its process", \
	  RS_SOCKET_KEY = rs_socket_show_pid }, \
	{ "side", "SIDE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 6, \
	  "client, server; null: it is older than the trace", RS_SOCKET_KEY = rs_socket_show_side }, \
	{ "local", "LOCAL", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 15, "its own address", \
	  RS_SOCKET_KEY = rs_socket_show_local }, \
	{ "local_port", "LPORT", RS_TYPE_ID, 0, RS_COLUMN_KEY, 5, "its own port", \
	  RS_SOCKET_KEY = rs_socket_show_local_port }, \
	{ "remote", "REMOTE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 15, "the peer's address", \
	  RS_SOCKET_KEY = rs_socket_show_remote }, \
	{ "remote_port", "RPORT", RS_TYPE_ID, 0, RS_COLUMN_KEY, 5, "the peer's port", \
	  RS_SOCKET_KEY = rs_socket_show_remote_port }

#endif
