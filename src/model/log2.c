// SPDX-License-Identifier: GPL-2.0-or-later
#include "ringside/hist.h"
#include "ringside/table.h"

struct log2_rows {
	struct rs_sink *out;
	struct rs_value *values;
	unsigned int at;
};

static void log2_on_row(void *arg, uint64_t from, uint64_t to, uint64_t nr)
{
	struct log2_rows *r = arg;

	r->values[r->at] = rs_u(from);
	r->values[r->at + 1] = rs_u(to);
	r->values[r->at + 2] = rs_u(nr);
	r->out->row(r->out, r->values);
}

void rs_log2_rows(struct rs_sink *out, struct rs_value *values, unsigned int at, const struct rs_hist *hist, const char *label)
{
	struct log2_rows r = { out, values, at };

	rs_hist_log2(hist, log2_on_row, &r);
	if (out->hist)
		out->hist(out, label, hist);
}
