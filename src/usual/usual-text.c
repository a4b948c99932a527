// SPDX-License-Identifier: GPL-2.0-or-later
/* usual-text - what is unusual, as a sentence */
#include <inttypes.h>

#include "base/units.h"
#include "usual/usual-sources.h"
#include "usual/usual.h"

const char *rs_usual_kind_word(enum rs_series_kind kind)
{
	static const char *const words[RS_SERIES_NR_KINDS] = {
		[RS_SERIES_SLOW] = "slow", [RS_SERIES_MEDIAN] = "median", [RS_SERIES_LESS] = "less",
		[RS_SERIES_MORE] = "more",
	};

	return words[kind];
}

static void text_put_duration(struct rs_buf *to, uint64_t ns)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(to, text, rs_units_put_duration(text, ns, RS_UNIT_AUTO, -1));
}

/* "9.1", "120": two digits tell enough. */
static void text_put_times(struct rs_buf *to, uint64_t milli)
{
	if (milli < 10000)
		rs_buf_printf(to, "%" PRIu64 ".%" PRIu64, milli / 1000, milli % 1000 / 100);
	else
		rs_buf_printf(to, "%" PRIu64, milli / 1000);
}

static void text_put_rate(struct rs_buf *to, uint64_t milli)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(to, text, rs_units_put_grouped(text, (milli + 500) / 1000));
}

/* Millionths of a second, for each second. */
static void text_put_cpus(struct rs_buf *to, uint64_t ppm)
{
	rs_buf_printf(to, "%" PRIu64 ".%02" PRIu64, ppm / 1000000, ppm % 1000000 / 10000);
}

static void text_put_range(struct rs_buf *to, const struct rs_usual_item *item,
			   void (*put)(struct rs_buf *to, uint64_t value))
{
	rs_buf_puts(to, ", usually ");
	put(to, item->low);
	if (item->high != item->low) {
		rs_buf_puts(to, " to ");
		put(to, item->high);
	}
	if (item->by_day)
		rs_buf_puts(to, " at this hour");
}

static void text_put_slow(struct rs_buf *to, const struct rs_usual_item *item, const char *what)
{
	rs_buf_printf(to, "%s of %s is ", item->kind == RS_SERIES_SLOW ? "p99" : "median", what);
	text_put_times(to, item->times_milli);
	rs_buf_puts(to, " times its usual: ");
	text_put_duration(to, item->value);
	text_put_range(to, item, text_put_duration);
	if (!item->load_milli)
		return;
	rs_buf_puts(to, "; it has ");
	text_put_times(to, item->load_milli);
	rs_buf_puts(to, " times its usual load");
}

static void text_put_less(struct rs_buf *to, const struct rs_usual_item *item, const char *what)
{
	rs_buf_printf(to, "%s: ", what);
	text_put_rate(to, item->value);
	rs_buf_puts(to, " a second");
	text_put_range(to, item, text_put_rate);
}

static void text_put_more(struct rs_buf *to, const struct rs_usual_item *item, const char *what)
{
	rs_buf_printf(to, "%s: ", what);
	text_put_cpus(to, item->value);
	rs_buf_puts(to, " CPUs");
	text_put_range(to, item, text_put_cpus);
}

void rs_usual_put_sentence(struct rs_buf *to, const struct rs_usual_item *item)
{
	static void (*const puts[RS_SERIES_NR_KINDS])(struct rs_buf *, const struct rs_usual_item *,
						      const char *) = {
		[RS_SERIES_SLOW] = text_put_slow, [RS_SERIES_MEDIAN] = text_put_slow,
		[RS_SERIES_LESS] = text_put_less, [RS_SERIES_MORE] = text_put_more,
	};
	struct rs_buf what = RS_BUF_INIT;

	rs_usual_sources_put_what(&what, item->source, item->key, item->key_bytes);
	puts[item->kind](to, item, what.data);
	rs_buf_done(&what);
}
