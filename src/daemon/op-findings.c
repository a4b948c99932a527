// SPDX-License-Identifier: GPL-2.0-or-later
#include "daemon/now.h"
#include "daemon/service.h"
#include "engine/finding-list.h"

static int run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_finding_list *list = rs_now_findings(rs_service_now(job->service));

	if (!list)
		return rs_fail(err, "findings: out of memory");
	rs_json_key(&job->reply, "findings");
	rs_json_open(&job->reply, '[');
	for (size_t i = 0; i < list->nr; i++) {
		const struct rs_finding_item *f = &list->items[i];

		rs_json_open(&job->reply, '{');
		rs_json_put_u64(&job->reply, "weight", f->weight);
		rs_json_put_str(&job->reply, "text", f->text);
		rs_json_put_str(&job->reply, "view", f->view);
		rs_json_put_str(&job->reply, "where", f->where[0] ? f->where : NULL);
		rs_json_close(&job->reply, '}');
	}
	rs_json_close(&job->reply, ']');
	return 0;
}

const struct rs_op rs_op_findings = { .name = "findings", .place = RS_OP_ENGINE, .run = run };
