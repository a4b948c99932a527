// SPDX-License-Identifier: GPL-2.0-or-later
/* netdev - each network device: packets, how long they were queued, and what held them up */
#include <errno.h>
#include <net/if.h>
#include <string.h>

#include "ringside/plugin.h"

#define NETDEV_NR_QUEUED 8192u /* packets in queues: the next one of the same hash takes the place */
#define NETDEV_NET_TX 2        /* linux/interrupt.h: the formats of old kernels have no numbers */
#define NETDEV_NET_RX 3
#define NETDEV_NAME_BYTES IFNAMSIZ
_Static_assert(NETDEV_NAME_BYTES == 2 * sizeof(uint64_t), "a name is the two keys of a row");

struct netdev_row {
	uint64_t tx_packets, tx_bytes, rx_packets, rx_bytes, requeues, drops, timeouts;
	uint64_t polls, full_polls, net_rx_ns, net_tx_ns;
	struct rs_hist queue;
};

/* The keys are the bytes of the name. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct netdev_row), .max_rows = 1024,
	  .measures = RS_LIST(rs_measure, RS_MEASURE_SUMS(struct netdev_row, tx_packets, net_tx_ns),
			      { RS_MEASURE_LATENCY, offsetof(struct netdev_row, queue) }) },
	{ 0 },
};

struct netdev_name {
	uint64_t keys[2];
};

/* A packet between net_dev_queue and net_dev_start_xmit. */
struct netdev_queued {
	uint64_t skb, since_ns; /* skb 0: none */
	struct netdev_name dev;
};

/* What a CPU does in softirq NET_RX or NET_TX; .from_ns 0: it is in none. */
struct netdev_softirq {
	uint64_t from_ns, vec;
	struct netdev_name dev; /* the last one that an event names in it */
	unsigned int nr_devs;   /* 0, 1; 2: several */
};

struct netdev {
	struct netdev_softirq *cpus;
	struct netdev_queued queued[NETDEV_NR_QUEUED];
};

static struct netdev_name netdev_read_name(const struct rs_event *ev, const struct rs_field *f)
{
	char text[NETDEV_NAME_BYTES] = "";
	struct netdev_name name;

	rs_str(ev, f, text, sizeof text);
	memset(text + strlen(text), 0, sizeof text - strlen(text));
	memcpy(name.keys, text, sizeof text);
	return name;
}

static struct netdev_row *netdev_row_of(struct rs_ctx *c, struct netdev_name dev)
{
	return rs_store_row(c, 0, NULL, dev.keys[0], dev.keys[1]);
}

/* The place of a packet, which another one may have. */
static struct netdev_queued *netdev_place(struct rs_ctx *c, uint64_t skb)
{
	return &((struct netdev *)c->state)->queued[rs_hash_u64(skb) % NETDEV_NR_QUEUED];
}

enum { PACKET_SKB, PACKET_LEN, PACKET_NAME, PACKET_RESULT };

static void netdev_on_queue(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t skb = rs_u64(ev, &f[PACKET_SKB]);

	*netdev_place(c, skb) = (struct netdev_queued){ skb, ev->ts_ns,
							netdev_read_name(ev, &f[PACKET_NAME]) };
}

/* ---- time in softirqs ---- */

static struct netdev_softirq *netdev_softirq_of(struct rs_ctx *c, const struct rs_event *ev)
{
	return &((struct netdev *)c->state)->cpus[ev->cpu < rs_nr_cpus(c) ? ev->cpu : rs_nr_cpus(c)];
}

static void netdev_on_softirq(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t vec = rs_u64(ev, f);

	*netdev_softirq_of(c, ev) = (struct netdev_softirq){
		.from_ns = vec == NETDEV_NET_RX || vec == NETDEV_NET_TX ? ev->ts_ns : 0, .vec = vec
	};
}

static void netdev_add_softirq(struct rs_ctx *c, struct netdev_softirq *in, struct netdev_name dev,
			       uint64_t to_ns)
{
	bool receives = in->vec == NETDEV_NET_RX;
	struct netdev_row *row = netdev_row_of(c, dev);

	if (row)
		*(receives ? &row->net_rx_ns : &row->net_tx_ns) +=
			rs_part_ns(rs_since_ns(c), in->from_ns, to_ns);
	in->from_ns = to_ns;
}

/* The end belongs to the last device that was polled, and all of NET_TX to the one that sends in it. */
static void netdev_on_softirq_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	static const struct netdev_name unknown = { { 0 } };
	struct netdev_softirq *in = netdev_softirq_of(c, ev);
	bool is_told = in->nr_devs == 1 || (in->nr_devs && in->vec == NETDEV_NET_RX);

	if (in->from_ns && rs_u64(ev, f) == in->vec)
		netdev_add_softirq(c, in, is_told ? in->dev : unknown, ev->ts_ns);
	in->from_ns = 0;
}

static void netdev_note_device(struct netdev_softirq *in, struct netdev_name dev)
{
	in->nr_devs += !in->nr_devs || (in->nr_devs == 1 && memcmp(&in->dev, &dev, sizeof dev));
	in->dev = dev;
}

static void netdev_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct netdev *s = c->state;

	for (unsigned int i = 0; i < rs_nr_cpus(c); i++)
		s->cpus[i].from_ns = 0;
}

/* ---- packets ---- */

/* A packet that is cut into several (GSO) goes on at other addresses: how long it was queued is not known. */
static void netdev_on_start(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netdev_name dev = netdev_read_name(ev, &f[PACKET_NAME]);
	struct netdev_row *row = netdev_row_of(c, dev);
	struct netdev_queued *q = netdev_place(c, rs_u64(ev, &f[PACKET_SKB]));
	struct netdev_softirq *in = netdev_softirq_of(c, ev);

	if (in->from_ns && in->vec == NETDEV_NET_TX)
		netdev_note_device(in, dev);
	if (!row)
		return;
	row->tx_packets++;
	row->tx_bytes += rs_u64(ev, &f[PACKET_LEN]);
	if (q->skb != rs_u64(ev, &f[PACKET_SKB]) || memcmp(&q->dev, &dev, sizeof dev))
		return;
	if (!rs_discarded(c, q->since_ns, ev->ts_ns))
		rs_latency_add(c, &row->queue, q->since_ns, ev->ts_ns, false);
	q->skb = 0;
}

/* The device does not take it now (NETDEV_TX_BUSY): it goes back to the queue, and comes again. */
static void netdev_on_xmit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netdev_row *row = rs_i64(ev, &f[PACKET_RESULT]) ?
					 netdev_row_of(c, netdev_read_name(ev, &f[PACKET_NAME])) :
					 NULL;
	uint64_t nr_bytes = rs_u64(ev, &f[PACKET_LEN]);

	if (!row)
		return;
	row->requeues++;
	row->tx_packets -= row->tx_packets > 0;
	row->tx_bytes -= nr_bytes < row->tx_bytes ? nr_bytes : row->tx_bytes;
}

static void netdev_on_receive(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netdev_row *row = netdev_row_of(c, netdev_read_name(ev, &f[PACKET_NAME]));

	if (!row)
		return;
	row->rx_packets++;
	row->rx_bytes += rs_u64(ev, &f[PACKET_LEN]);
}

/* One that is queued has a device; where others are dropped tells the view netdrops. */
static void netdev_on_drop(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netdev_queued *q = netdev_place(c, rs_u64(ev, f));
	struct netdev_row *row;

	if (q->skb != rs_u64(ev, f) || !q->skb)
		return;
	row = rs_discarded(c, q->since_ns, ev->ts_ns) ? NULL : netdev_row_of(c, q->dev);
	if (row)
		row->drops++;
	q->skb = 0;
}

static void netdev_on_timeout(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netdev_row *row = netdev_row_of(c, netdev_read_name(ev, f));

	if (row)
		row->timeouts++;
}

enum { POLL_NAME, POLL_WORK, POLL_BUDGET };

/* Fires at the poll's end: what it took began with the softirq, or with the end of the one before. */
static void netdev_on_poll(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netdev_name dev = netdev_read_name(ev, &f[POLL_NAME]);
	struct netdev_row *row = netdev_row_of(c, dev);
	struct netdev_softirq *in = netdev_softirq_of(c, ev);

	if (in->from_ns && in->vec == NETDEV_NET_RX) {
		netdev_note_device(in, dev);
		netdev_add_softirq(c, in, dev, ev->ts_ns);
	}
	if (!row)
		return;
	row->polls++;
	row->full_polls += rs_u64(ev, &f[POLL_WORK]) >= rs_u64(ev, &f[POLL_BUDGET]);
}

/* ---- rows ---- */

static struct rs_value netdev_show_name(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	if (g->keys[0] == RS_KEY_FORGOTTEN)
		return rs_null();
	memcpy(buf, g->keys, NETDEV_NAME_BYTES);
	buf[NETDEV_NAME_BYTES - 1] = '\0';
	return rs_s(buf);
}

static struct rs_value netdev_show_tx_rate(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_per_second(c, ((const struct netdev_row *)g->row)->tx_bytes);
}

static struct rs_value netdev_show_rx_rate(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_per_second(c, ((const struct netdev_row *)g->row)->rx_bytes);
}

#define NETDEV_SUM(member) .measure_bytes = offsetof(struct netdev_row, member), .aspect = RS_VALUE
#define NETDEV_QUEUE .measure_bytes = offsetof(struct netdev_row, queue), .aspect

#define NETDEV_SOFTIRQS "irq:softirq_entry"

static const struct rs_column columns[] = {
	{ "device", "DEVICE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 12,
	  "its name; devices of one name in several network namespaces are one row", .key = RS_KEY_0,
	  .always = true, .by_cell = true, .cell = netdev_show_name },
	{ "tx_packets", "TX", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "packets that it was given to send",
	  NETDEV_SUM(tx_packets) },
	{ "tx_bytes", "TX BYTES", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "their bytes", NETDEV_SUM(tx_bytes) },
	{ "tx_rate", "TX/s", RS_TYPE_BYTES, 0, 0, 9, "bytes a second", .cell = netdev_show_tx_rate },
	{ "rx_packets", "RX", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "packets that it has received",
	  NETDEV_SUM(rx_packets) },
	{ "rx_bytes", "RX BYTES", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "their bytes", NETDEV_SUM(rx_bytes) },
	{ "rx_rate", "RX/s", RS_TYPE_BYTES, 0, 0, 9, "bytes a second", .cell = netdev_show_rx_rate },
	{ "queue_avg_ns", "QUEavg(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10,
	  "from the queueing discipline's begin to the device: the average", NETDEV_QUEUE = RS_AVG },
	{ "queue_p99_ns", "QUEp99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "99 % were queued at most this",
	  NETDEV_QUEUE = RS_P99 },
	{ "queue_max_ns", "QUEmax(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 10, "longest",
	  NETDEV_QUEUE = RS_MAX },
	{ "queue_total_ns", "QUEUED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "sum of all packets", NETDEV_QUEUE = RS_TOTAL },
	{ "requeues", "REQUEUES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "packets that it did not take at once (busy)", NETDEV_SUM(requeues) },
	{ "drops", "DROPS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 6, "packets that were dropped from its queue",
	  NETDEV_SUM(drops) },
	{ "timeouts", "TIMEOUTS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "times that it sent nothing for too long", NETDEV_SUM(timeouts) },
	{ "polls", "POLLS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "times that the kernel polled it for packets (NAPI)", NETDEV_SUM(polls),
	  .if_recorded = "napi:napi_poll" },
	{ "full_polls", "FULL", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 6,
	  "of these, times that more was there than the budget allows", NETDEV_SUM(full_polls),
	  .if_recorded = "napi:napi_poll" },
	{ "net_rx_ns", "NET_RX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "time in softirq NET_RX, in which the kernel polls it, interrupts included; without napi_poll all "
	  "of it is in the row without a name",
	  NETDEV_SUM(net_rx_ns), .if_recorded = NETDEV_SOFTIRQS },
	{ "net_tx_ns", "NET_TX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "time in softirq NET_TX, in which it alone is given packets; of several, or none, it is in the row "
	  "without a name",
	  NETDEV_SUM(net_tx_ns), .if_recorded = NETDEV_SOFTIRQS },
	{ 0 },
};

#define NETDEV_PACKET(name, need, handler) \
	{ "net", name, need, RS_BY_ANYONE, handler, { "skbaddr", "len", "name", "?rc" } }

static int netdev_init(struct rs_ctx *c)
{
	struct netdev *s = c->state;

	s->cpus = rs_alloc(c, rs_nr_cpus(c) + 1, sizeof *s->cpus);
	return s->cpus ? 0 : -ENOMEM;
}

const struct rs_analysis rs_analysis_netdev = {
	.abi = RS_ABI,
	.name = "netdev",
	.summary = "network devices: packets, their time in queues, and what held them up",
	.by_name = true,
	.requirements = RS_LIST(rs_requirement,
		NETDEV_PACKET("net_dev_queue", RS_REQUIRED, netdev_on_queue),
		NETDEV_PACKET("net_dev_start_xmit", RS_REQUIRED, netdev_on_start),
		NETDEV_PACKET("net_dev_xmit", RS_OPTIONAL, netdev_on_xmit),
		NETDEV_PACKET("netif_receive_skb", RS_OPTIONAL, netdev_on_receive),
		{ "net", "net_dev_xmit_timeout", RS_OPTIONAL, RS_BY_ANYONE, netdev_on_timeout, { "name" } },
		{ "skb", "kfree_skb", RS_OPTIONAL, RS_BY_ANYONE, netdev_on_drop, { "skbaddr" } },
		{ "napi", "napi_poll", RS_OPTIONAL, RS_BY_ANYONE, netdev_on_poll,
		  { "dev_name", "work", "budget" } },
		{ "irq", "softirq_entry", RS_OPTIONAL, RS_BY_ANYONE, netdev_on_softirq, { "vec" } },
		{ "irq", "softirq_exit", RS_OPTIONAL, RS_BY_ANYONE, netdev_on_softirq_end, { "vec" } }),
	.callbacks = RS_LIST(rs_callback, { RS_ON_GAP, .gap = netdev_on_gap }),
	.views = RS_LIST(rs_view,
		{ .name = "netdev", .topic = RS_TOPIC_NETWORK,
		  .summary = "each network device: packets, bytes, time in its queue, drops",
		  .kind = RS_VIEW_TABLE, .columns = columns, .store = stores, .sort = "-tx_bytes",
		  .by = "device", .machine_wide = "all of it", .tasks_view = "connections",
		  .text_columns = "device,tx_packets,tx_rate,rx_packets,rx_rate,queue_avg_ns,queue_p99_ns,"
				  "queue_max_ns,requeues,drops,timeouts,polls,full_polls,net_rx_ns,"
				  "net_tx_ns" }),
	.stores = stores,
	.begin = netdev_init,
	.state_size = sizeof(struct netdev),
};
