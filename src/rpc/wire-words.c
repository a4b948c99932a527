// SPDX-License-Identifier: GPL-2.0-or-later
#include "rpc/wire-words.h"

#include <string.h>

#include "rpc/catalogue.h"

const struct rs_word rs_words_types[] = {
	{ "text", RS_TYPE_TEXT }, { "count", RS_TYPE_COUNT }, { "id", RS_TYPE_ID }, { "time", RS_TYPE_TIME },
	{ "duration", RS_TYPE_DURATION }, { "bytes", RS_TYPE_BYTES }, { "milli", RS_TYPE_MILLI }, { 0 },
};
const struct rs_word rs_words_units[] = {
	{ "auto", RS_UNIT_AUTO }, { "s", RS_UNIT_S }, { "ms", RS_UNIT_MS }, { "us", RS_UNIT_US }, { 0 },
};
const struct rs_word rs_words_flags[] = {
	{ "latency", RS_COLUMN_LATENCY }, { "left", RS_COLUMN_LEFT }, { "signed", RS_COLUMN_SIGNED },
	{ "key", RS_COLUMN_KEY }, { "sum", RS_COLUMN_SUM }, { "part", RS_COLUMN_PART },
	{ "if_known", RS_COLUMN_IF_KNOWN }, { 0 },
};
const struct rs_word rs_words_view_kinds[] = {
	{ "table", RS_VIEW_TABLE }, { "stream", RS_VIEW_STREAM }, { "histogram", RS_VIEW_HIST }, { 0 },
};
const struct rs_word rs_words_tracks[] = {
	{ "task", RS_TRACK_TASK }, { "cpu", RS_TRACK_CPU }, { "disk", RS_TRACK_DISK }, { 0 },
};
const struct rs_word rs_words_shapes[] = {
	{ "slice", RS_SPAN_SLICE }, { "state", RS_SPAN_STATE }, { "async", RS_SPAN_ASYNC },
	{ "instant", RS_SPAN_INSTANT }, { "counter", RS_SPAN_COUNTER }, { 0 },
};

const struct rs_word rs_words_panels[] = {
	{ "split", RS_PANEL_SPLIT }, { "table", RS_PANEL_TABLE }, { 0 },
};

const char *rs_wire_word_find(const struct rs_word *words, unsigned int number)
{
	for (; words->word; words++)
		if (words->number == number)
			return words->word;
	return NULL;
}

bool rs_wire_word_number(const struct rs_word *words, const char *word, unsigned int *number)
{
	for (; word && words->word; words++) {
		if (!strcmp(words->word, word)) {
			*number = words->number;
			return true;
		}
	}
	return false;
}

const char *rs_wire_track(enum rs_track_type track) { return rs_wire_word_find(rs_words_tracks, track); }
const char *rs_wire_shape(enum rs_span_shape shape) { return rs_wire_word_find(rs_words_shapes, shape); }
