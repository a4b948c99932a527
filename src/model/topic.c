// SPDX-License-Identifier: GPL-2.0-or-later
/* topic - what users ask: the groups of views in help, on the screens and in the README */
#include "ringside/table.h"

#define TOPIC_ROW(name, word, question) [RS_TOPIC_##name] = { word, question },
static const struct rs_topic_row rows[RS_NR_TOPICS] = {
	[RS_TOPIC_OTHER] = { "other", "What else is there?" },
	RS_TOPICS(TOPIC_ROW)
};

const struct rs_topic_row *rs_topic_row(enum rs_topic topic)
{
	return &rows[(unsigned int)topic < RS_NR_TOPICS ? topic : RS_TOPIC_OTHER];
}
