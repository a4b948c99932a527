// SPDX-License-Identifier: GPL-2.0-or-later
/* op-unusual - what is not usual, of what the daemon has learned; and how that is forgotten */
#include "service/learner.h"
#include "service/service.h"
#include "usual/usual-sources.h"
#include "usual/usual.h"

/* A list of the answer, with the texts of its items. */
struct op_unusual_list {
	size_t nr;
	struct rs_usual_item items[RS_USUAL_MOST];
	struct rs_wire_unusual wire[RS_USUAL_MOST];
	struct rs_buf sentences[RS_USUAL_MOST], whats[RS_USUAL_MOST];
};

static void op_unusual_add(struct op_unusual_list *list, const struct rs_usual_item *item)
{
	struct rs_buf *sentence = &list->sentences[list->nr], *what = &list->whats[list->nr];

	*sentence = *what = (struct rs_buf)RS_BUF_INIT;
	rs_usual_put_sentence(sentence, item);
	rs_usual_sources_put_what(what, item->source, item->key, item->key_bytes);
	list->wire[list->nr++] = (struct rs_wire_unusual){
		.sentence = sentence->data, .kind = rs_usual_kind_word(item->kind),
		.view = rs_usual_sources[item->source].view, .what = what->data, .of = item->key,
		.value = item->value, .low = item->low, .high = item->high,
		.times_milli = rs_u_if(item->times_milli, item->times_milli),
		.cost_ppm = rs_u_if(item->kind != RS_SERIES_LESS, item->cost_ppm),
		.load_milli = rs_u_if(item->load_milli, item->load_milli), .by_day = item->by_day,
		.nr_blocks = item->nr_blocks, .since_ns = item->since_ns, .last_ns = item->last_ns };
}

static void op_unusual_fill(struct op_unusual_list *list, const struct rs_usual *u,
			    size_t (*get)(const struct rs_usual *u, struct rs_usual_item *items, size_t most))
{
	size_t nr = get(u, list->items, RS_USUAL_MOST);

	list->nr = 0;
	for (size_t i = 0; i < nr; i++)
		op_unusual_add(list, &list->items[i]);
}

static void op_unusual_done(struct op_unusual_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		rs_buf_done(&list->sentences[i]);
		rs_buf_done(&list->whats[i]);
	}
}

static void op_unusual_put(struct rs_job *job, const struct rs_learner *learner)
{
	const struct rs_usual *u = rs_learner_usual(learner);
	struct op_unusual_list unusual, ended;
	struct rs_usual_stats stats;
	struct rs_quality quality;

	rs_session_quality(job->service->session, &quality);
	rs_usual_stats(u, &stats);
	op_unusual_fill(&unusual, u, rs_usual_list);
	op_unusual_fill(&ended, u, rs_usual_list_ended);
	rs_message_put_members(&job->reply, &rs_unusual_reply_message, &(struct rs_unusual_reply){
		.learns = true, .now_ns = rs_session_now_ns(job->service->session),
		.realtime_offset_ns = { .i = quality.realtime_offset_ns,
					.known = quality.realtime_offset_known },
		.file = rs_learner_file(learner), .learned_s = stats.learned_s, .by_day = stats.by_day,
		.nr_series = stats.nr_series, .most = RS_USUAL_SERIES, .nr_turned_away = stats.nr_turned_away,
		.nr_lost = stats.nr_lost, .unusual = unusual.wire, .nr_unusual = unusual.nr,
		.ended = ended.wire, .nr_ended = ended.nr });
	op_unusual_done(&unusual);
	op_unusual_done(&ended);
}

static int op_unusual_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_learner *learner = job->service->config.learner;

	(void)err;
	if (learner)
		op_unusual_put(job, learner);
	else
		rs_message_put_members(&job->reply, &rs_unusual_reply_message,
				       &(struct rs_unusual_reply){ 0 });
	return 0;
}

const struct rs_op rs_op_unusual = { .name = "unusual", .run = op_unusual_run };

static int op_forget_run(struct rs_job *job, struct rs_error *err)
{
	if (!job->service->config.learner)
		return rs_fail(err, "forget: nothing is learned here (--learn off)");
	rs_learner_forget(job->service->config.learner);
	return 0;
}

const struct rs_op rs_op_forget = { .name = "forget", .changes = true, .run = op_forget_run };
