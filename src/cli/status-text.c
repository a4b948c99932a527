// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/status-text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "rpc/wire.h"

#define MAX_EXPENSIVE 5

static uint64_t status_text_put_number(const cJSON *object, const char *name)
{
	uint64_t v = 0;

	rs_wire_u64_of(object, name, 0, &v);
	return v;
}

static bool status_text_is_known(const cJSON *object, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);

	return v && !cJSON_IsNull(v);
}

static void status_text_put_line(struct rs_buf *out, size_t (*write)(char *to, uint64_t v), uint64_t v)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, write(text, v));
}

static void put_duration(struct rs_buf *out, uint64_t ns)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, rs_units_put_duration(text, ns, RS_UNIT_S, 1));
	rs_buf_puts(out, " s");
}

/* Thousandths of a CPU, in percent of one. */
static void put_cpu(struct rs_buf *out, uint64_t milli)
{
	rs_buf_printf(out, "%" PRIu64 ".%" PRIu64 " %%", milli / 10, milli % 10);
}

static void status_text_put_escaped(struct rs_buf *out, const char *text)
{
	rs_escape_text(out, text ? text : "?");
}

static void status_text_put_task_name(const cJSON *s, struct rs_buf *out)
{
	const cJSON *tracing = cJSON_GetObjectItemCaseSensitive(s, "tracing");
	uint64_t begin_ns = status_text_put_number(s, "begin_ns"),
	now_ns = status_text_put_number(s, "now_ns");

	rs_buf_puts(out, "daemon    ringside ");
	status_text_put_escaped(out, rs_wire_text_of(s, "version"));
	rs_buf_printf(out, ", pid %" PRIu64 ", tracing is %s, begun ", status_text_put_number(s, "pid"), cJSON_IsTrue(tracing) ? "on" : "off");
	put_duration(out, now_ns > begin_ns ? now_ns - begin_ns : 0);
	rs_buf_printf(out, " ago, %" PRIu64 " client%s\n", status_text_put_number(s, "clients"), status_text_put_number(s, "clients") == 1 ? "" : "s");
}

static void status_text_put_window(const cJSON *s, struct rs_buf *out)
{
	uint64_t oldest_ns = status_text_put_number(s, "oldest_ns"),
	now_ns = status_text_put_number(s, "now_ns");

	rs_buf_puts(out, "window    the last ");
	put_duration(out, now_ns > oldest_ns ? now_ns - oldest_ns : 0);
	rs_buf_puts(out, ", room for ");
	status_text_put_line(out, rs_units_put_bytes, status_text_put_number(s, "window_bytes"));
	if (status_text_is_known(s, "window_ns")) {
		rs_buf_puts(out, " or ");
		put_duration(out, status_text_put_number(s, "window_ns"));
	}
	rs_buf_puts(out, "\nevents    ");
	status_text_put_line(out, rs_units_put_grouped, status_text_put_number(s, "events_per_s"));
	rs_buf_puts(out, " a second, ");
	status_text_put_line(out, rs_units_put_grouped, status_text_put_number(s, "events"));
	rs_buf_puts(out, " in all, ");
	if (status_text_is_known(s, "lost"))
		status_text_put_line(out, rs_units_put_grouped, status_text_put_number(s, "lost"));
	else /* where tracing was off nobody counted */
		rs_buf_puts(out, "?");
	rs_buf_puts(out, " lost\n");
}

/* How large the kernel's buffers have become, and what helps where that does not. */
static void put_buffers(const cJSON *s, struct rs_buf *out)
{
	const cJSON *b = cJSON_GetObjectItemCaseSensitive(s, "buffer");
	uint64_t kib = status_text_put_number(b, "kib"), begun_kib = status_text_put_number(b, "begun_kib");

	if (!b || !status_text_is_known(b, "kib"))
		return;
	rs_buf_puts(out, "buffers   ");
	status_text_put_line(out, rs_units_put_bytes, kib * 1024);
	rs_buf_puts(out, " a CPU");
	if (kib > begun_kib)
		rs_buf_printf(out, ", grown because events were lost (ringside daemon -b %" PRIu64 " begins with it)", kib);
	if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(b, "behind")))
		rs_buf_puts(out, "; the analysis did not keep up: turn events off (ringside trace set), or name analyses with -a");
	else if (status_text_put_number(s, "lost") && kib >= status_text_put_number(b, "most_kib"))
		rs_buf_puts(out, ", as large as --mem lets them");
	rs_buf_puts(out, "\n");
}

static void put_costs(const cJSON *s, struct rs_buf *out)
{
	const cJSON *b = cJSON_GetObjectItemCaseSensitive(s, "budget");
	uint64_t max = status_text_put_number(b, "max_milli");

	rs_buf_puts(out, "costs     ");
	put_cpu(out, status_text_put_number(s, "own_cpu_milli"));
	rs_buf_puts(out, " of a CPU and ");
	status_text_put_line(out, rs_units_put_bytes, status_text_put_number(s, "own_rss_bytes"));
	rs_buf_puts(out, " by itself");
	if (!b)
		goto out;
	rs_buf_puts(out, "; ");
	put_cpu(out, status_text_put_number(b, "events_cpu_milli"));
	rs_buf_printf(out, " of a CPU by events, at %" PRIu64 " ns each (%s)",
		      status_text_put_number(b, "event_cost_ns"),
		      cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(b, "measured")) ? "measured" : "assumed");
	if (max)
		rs_buf_printf(out, "; at most %" PRIu64 ".%" PRIu64 " %% of the machine", max / 10, max % 10);
out:
	rs_buf_puts(out, "\n");
}

static int by_rate(const void *a, const void *b)
{
	uint64_t x = status_text_put_number(*(const cJSON *const *)a, "per_s"),
	y = status_text_put_number(*(const cJSON *const *)b, "per_s");

	return (x < y) - (x > y);
}

static void put_expensive(const cJSON *kinds, struct rs_buf *out)
{
	size_t nr = (size_t)cJSON_GetArraySize(kinds), i = 0;
	const cJSON **all = calloc(nr + 1, sizeof *all), *kind;

	cJSON_ArrayForEach(kind, kinds)
		if (all)
			all[i++] = kind;
	if (i)
		qsort(all, i, sizeof *all, by_rate);
	for (size_t k = 0; k < i && k < MAX_EXPENSIVE && status_text_put_number(all[k], "per_s"); k++) {
		rs_buf_puts(out, k ? ", " : "dearest   ");
		status_text_put_escaped(out, rs_wire_text_of(all[k], "event"));
		rs_buf_puts(out, " ");
		status_text_put_line(out, rs_units_put_grouped, status_text_put_number(all[k], "per_s"));
		rs_buf_puts(out, "/s");
	}
	if (i && status_text_put_number(all[0], "per_s"))
		rs_buf_puts(out, "\n");
	free(all);
}

/* What does not run as one would think, and why. */
static void put_off(const cJSON *s, struct rs_buf *out)
{
	const cJSON *at;
	bool any = false;

	cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(s, "kinds")) {
		if (!cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(at, "on")))
			continue;
		rs_buf_puts(out, any ? ", " : "off       ");
		status_text_put_escaped(out, rs_wire_text_of(at, "event"));
		any = true;
	}
	rs_buf_puts(out, any ? "\n" : "");
	cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(s, "analyses")) {
		const char *why = rs_wire_text_of(at, "why_off");

		if (!why)
			continue;
		rs_buf_puts(out, "without   ");
		status_text_put_escaped(out, rs_wire_text_of(at, "name"));
		rs_buf_puts(out, ": ");
		status_text_put_escaped(out, why);
		rs_buf_puts(out, "\n");
	}
}

void rs_status_text(const cJSON *s, struct rs_buf *out)
{
	const char *warning = rs_wire_text_of(s, "warning");

	status_text_put_task_name(s, out);
	status_text_put_window(s, out);
	put_buffers(s, out);
	put_costs(s, out);
	put_expensive(cJSON_GetObjectItemCaseSensitive(s, "kinds"), out);
	put_off(s, out);
	if (!warning)
		return;
	rs_buf_puts(out, "warning   ");
	status_text_put_escaped(out, warning);
	rs_buf_puts(out, "\n");
}

void rs_status_text_json(const cJSON *s, struct rs_buf *out)
{
	cJSON *copy = cJSON_Duplicate(s, true);
	char *text;

	cJSON_DeleteItemFromObjectCaseSensitive(copy, "id");
	cJSON_DeleteItemFromObjectCaseSensitive(copy, "ok");
	text = cJSON_PrintUnformatted(copy);
	rs_buf_puts(out, text ? text : "{}");
	rs_buf_puts(out, "\n");
	cJSON_free(text);
	cJSON_Delete(copy);
}
