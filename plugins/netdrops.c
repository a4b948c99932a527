// SPDX-License-Identifier: GPL-2.0-or-later
/* netdrops - packets that the kernel drops, by reason and place */
#include <stdio.h>

#include "ringside/plugin.h"

struct netdrops_row {
	uint64_t drops;
	uint64_t last_ns;
};

/* The keys: where in the kernel; the reason, and the protocol above 32 bits. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct netdrops_row), .of_tasks = true, .max_rows = 4096,
	  .measures = RS_LIST(rs_measure, { RS_MEASURE_SUM, offsetof(struct netdrops_row, drops) },
			      { RS_MEASURE_MAX, offsetof(struct netdrops_row, last_ns) }) },
	{ 0 },
};

enum { DROP_PLACE, DROP_PROTOCOL, DROP_REASON, DROP_SOCKET };

#define NO_REASON UINT32_MAX /* before 5.17 */

static uint64_t netdrops_reason(const struct rs_event *ev, const struct rs_field *f)
{
	uint32_t reason = rs_has(&f[DROP_REASON]) ? (uint32_t)rs_u64(ev, &f[DROP_REASON]) : NO_REASON;

	return reason | (rs_u64(ev, &f[DROP_PROTOCOL]) & 0xffff) << 32;
}

/*
 * Most fire while a packet is received, in whatever task that interrupts: whose it was tells its socket
 * alone.
 */
static void netdrops_on_free(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t addr = rs_has(&f[DROP_SOCKET]) ? rs_u64(ev, &f[DROP_SOCKET]) : 0;
	const struct rs_socket *k = rs_socket_at(c, addr);
	struct rs_task *t = k && k->tid ? rs_task_find(c, k->tid) : NULL;
	struct netdrops_row *row;

	if (!rs_shown(c, t))
		return;
	row = rs_store_row(c, 0, t, rs_u64(ev, &f[DROP_PLACE]), netdrops_reason(ev, f));
	if (!row)
		return;
	row->drops++;
	row->last_ns = ev->ts_ns;
}

static struct rs_value netdrops_show_reason(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint32_t reason = (uint32_t)g->keys[1];

	if (reason == NO_REASON || g->keys[1] == RS_KEY_FORGOTTEN)
		return rs_null();
	if (!rs_event_symbol_name(c, "skb", "kfree_skb", reason, buf))
		snprintf(buf, RS_CELL_TEXT_BYTES, "%u", reason);
	return rs_s(buf);
}

static struct rs_value netdrops_show_protocol(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	static const struct { unsigned int number; const char *name; } names[] = { /* linux/if_ether.h */
		{ 0x0800, "IPv4" }, { 0x0806, "ARP" }, { 0x86dd, "IPv6" }, { 0x8100, "VLAN" },
		{ 0x88cc, "LLDP" },
	};
	unsigned int number = g->keys[1] >> 32 & 0xffff;

	if (!number || g->keys[1] == RS_KEY_FORGOTTEN)
		return rs_null();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].number == number)
			return rs_s(names[i].name);
	snprintf(buf, RS_CELL_TEXT_BYTES, "0x%04x", number);
	return rs_s(buf);
}

/* Where addresses have no names the address tells one place from another. */
static struct rs_value netdrops_show_place(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const char *name = rs_function(c, g->keys[0]);

	return name ? rs_s(name) : g->keys[0] == RS_KEY_FORGOTTEN ? rs_null() : rs_show_address(c, g, buf);
}

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "reason", "REASON", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 20,
	  "why, as the kernel calls it (linux/net/dropreason-core.h); null: it does not tell (before 5.17)",
	  .key = RS_KEY_1, .by_cell = true, .cell = netdrops_show_reason },
	{ "place", "PLACE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 24,
	  "the kernel's function that drops it; an address where it is not known", .key = RS_KEY_0,
	  .by_cell = true, .cell = netdrops_show_place },
	{ "protocol", "PROTOCOL", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, "IPv4, IPv6, ARP ...; null: it has none",
	  .key = RS_KEY_1, .by_cell = true, .cell = netdrops_show_protocol },
	{ "drops", "DROPS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "packets",
	  .measure_bytes = offsetof(struct netdrops_row, drops), .aspect = RS_VALUE },
	{ "last_ns", "LAST(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 12, "when the last one was dropped",
	  .measure_bytes = offsetof(struct netdrops_row, last_ns), .aspect = RS_VALUE },
	{ 0 },
};

const struct rs_analysis rs_analysis_netdrops = {
	.abi = RS_ABI,
	.name = "netdrops",
	.summary = "packets that the kernel drops, and why",
	.requirements = RS_LIST(rs_requirement,
		{ "skb", "kfree_skb", RS_REQUIRED, RS_BY_ANYONE, netdrops_on_free,
		  { "location", "protocol", "?reason", "?rx_sk" } }),
	.views = RS_LIST(rs_view,
		{ .name = "netdrops", .topic = RS_TOPIC_NETWORK,
		  .summary = "packets that are dropped, by reason and place in the kernel",
		  .kind = RS_VIEW_TABLE, .columns = columns, .options = "by", .store = stores,
		  .sort = "-drops", .by = "comm,pid,reason,place,protocol",
		  .text_columns = "reason,place,protocol,comm,pid,drops,last_ns" }),
	.stores = stores,
};
