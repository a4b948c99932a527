// SPDX-License-Identifier: GPL-2.0-or-later
/* learner - what a daemon learns of its intervals */
#include "service/learner.h"

#include <stdlib.h>
#include <time.h>

#include "usual/usual-reader.h"
#include "usual/usual-state.h"

struct rs_learner {
	struct rs_learner_config config;
	struct rs_usual *usual;
	struct rs_usual_reader *reader;
	uint64_t generation;         /* of the state that was kept last */
	struct rs_buf sentence;      /* "": nothing is unusual */
};

struct rs_learner *rs_learner_new(const struct rs_learner_config *config, struct rs_error *err)
{
	struct rs_learner *l = calloc(1, sizeof *l);

	if (!l) {
		rs_fail(err, "cannot learn what is usual: out of memory");
		return NULL;
	}
	l->config = *config;
	l->sentence = (struct rs_buf)RS_BUF_INIT;
	l->usual = rs_usual_new(err);
	l->reader = rs_usual_reader_new(config->session, err);
	if (l->usual && l->reader)
		return l;
	rs_learner_free(l);
	return NULL;
}

void rs_learner_free(struct rs_learner *l)
{
	if (!l)
		return;
	rs_usual_reader_free(l->reader);
	rs_usual_free(l->usual);
	rs_buf_done(&l->sentence);
	free(l);
}

int rs_learner_restore(struct rs_learner *l, const void *state, size_t len, struct rs_error *err)
{
	uint64_t generation;
	size_t nr_bytes;

	/* of a damaged one, too: the next state is later than all that there are */
	if (rs_usual_state_header(state, len, &nr_bytes, &generation) && generation > l->generation)
		l->generation = generation;
	return rs_usual_state_get(l->usual, state, len, err);
}

static void learner_keep(struct rs_learner *l)
{
	struct rs_buf state = RS_BUF_INIT;

	if (!l->config.keep)
		return;
	rs_usual_state_put(l->usual, ++l->generation, &state);
	if (state.failed)
		rs_buf_done(&state);
	else
		l->config.keep(l->config.arg, &state);
}

static void learner_say(struct rs_learner *l)
{
	struct rs_usual_item items[RS_USUAL_MOST];
	size_t nr = rs_usual_list(l->usual, items, RS_USUAL_MOST);

	rs_buf_clear(&l->sentence);
	if (nr)
		rs_usual_put_sentence(&l->sentence, &items[0]);
	if (nr > 1)
		rs_buf_printf(&l->sentence, "; and %zu more", nr - 1);
}

void rs_learner_end_interval(struct rs_learner *l, struct rs_session *s, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_usual_interval interval = { from_ns, to_ns, time(NULL),
					      rs_session_lost_in(s, from_ns, to_ns) };

	rs_usual_begin_interval(l->usual);
	if (!interval.has_lost)
		rs_usual_reader_add(l->reader, s, l->usual);
	if (rs_usual_end_interval(l->usual, &interval))
		learner_keep(l);
	learner_say(l);
}

void rs_learner_forget(struct rs_learner *l)
{
	rs_usual_forget(l->usual);
	rs_buf_clear(&l->sentence);
	if (l->config.forget)
		l->config.forget(l->config.arg);
}

const struct rs_usual *rs_learner_usual(const struct rs_learner *l)
{
	return l->usual;
}

const char *rs_learner_sentence(const struct rs_learner *l)
{
	return l->sentence.len ? l->sentence.data : NULL;
}

const char *rs_learner_file(const struct rs_learner *l)
{
	return l->config.file;
}
