// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay-svg - a replay as an animated SVG: by SMIL, without a script, so that it also plays in an <img>
 *
 * Who does not animate, as a printer, shows the end: the whole picture and the last sentence. Times are
 * fractions of the whole in millionths: no decimal point of the locale.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/units.h"
#include "export/html/html-style.h"
#include "export/replay/replay.h"

enum {
	LEFT = 320,
	WIDTH = 420,
	RIGHT = LEFT + WIDTH + 14,
	WHOLE = 1130,
	NAME_COLUMNS = 39,
	ROW = 26,
	BAR = 18,
	LINE = 19,
	TEXT_COLUMNS = 140,      /* bytes of a line of text */
	HEAD_LINES = 3,
	LAST_LINES = 3,
	TICKS = 6,
	STAY_MS = 4000           /* how long the end is shown */
};

static const char svg_style[] =
	"svg{background:#fff;color:#222;font:13px ui-monospace,monospace}text{fill:currentColor}"
	".dim{opacity:.65}.head{font-weight:bold}.caption{font-size:15px;font-weight:bold}"
	".veil{fill:#fff;opacity:.8}.now{stroke:currentColor;stroke-width:2}"
	".ground{fill:currentColor;opacity:.06}"
	"\n@media(prefers-color-scheme:dark){svg{background:#16181c;color:#ddd}.veil{fill:#16181c}}\n";

struct svg_writer {
	const struct rs_replay *r;
	struct rs_buf *out;
	unsigned int play_ms;
	int y;                           /* of the next line or track */
	int bars_y;
};

/* ---- time ---- */

/* In millionths of the wait. */
static uint64_t svg_part(const struct svg_writer *w, uint64_t ns)
{
	uint64_t all = w->r->to_ns - w->r->from_ns, at = ns - w->r->from_ns;

	if (at >= all)
		return 1000000;
	return all > UINT64_MAX / 1000000 ? at / (all / 1000000) : at * 1000000 / all;
}

static void svg_put_fraction(struct rs_buf *out, uint64_t millionths)
{
	rs_buf_printf(out, "%" PRIu64 ".%06" PRIu64, millionths / 1000000, millionths % 1000000);
}

/* Of the time that the picture plays, with the time that its end is shown. */
static void svg_put_key_time(const struct svg_writer *w, uint64_t ns)
{
	svg_put_fraction(w->out, svg_part(w, ns) * w->play_ms / (w->play_ms + STAY_MS));
}

static void svg_put_duration(const struct svg_writer *w)
{
	rs_buf_printf(w->out, " dur=\"%ums\" repeatCount=\"indefinite\"/>", w->play_ms + STAY_MS);
}

/* What is shown from one time to the other, or to the end: inside of an element. */
static void svg_put_visible(const struct svg_writer *w, uint64_t from_ns, uint64_t to_ns)
{
	bool is_first = svg_part(w, from_ns) == 0, is_last = to_ns >= w->r->to_ns;

	if (is_first && is_last)
		return;
	rs_buf_printf(w->out,
		      "<animate attributeName=\"visibility\" calcMode=\"discrete\" "
		      "values=\"%svisible%s\" keyTimes=\"0",
		      is_first ? "" : "hidden;", is_last ? "" : ";hidden");
	if (!is_first) {
		rs_buf_putc(w->out, ';');
		svg_put_key_time(w, from_ns);
	}
	if (!is_last) {
		rs_buf_putc(w->out, ';');
		svg_put_key_time(w, to_ns);
	}
	rs_buf_putc(w->out, '"');
	svg_put_duration(w);
}

/* ---- texts ---- */

static void svg_put_text(const struct svg_writer *w, int x, int y, const char *class_name, const char *text)
{
	rs_buf_printf(w->out, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class_name);
	rs_escape_xml(w->out, text);
	rs_buf_puts(w->out, "</text>\n");
}

static void svg_put_head_line(void *arg, unsigned int nr, const char *line)
{
	struct svg_writer *w = arg;

	(void)nr;
	svg_put_text(w, 10, w->y, "head", line);
	w->y += LINE;
}

static void svg_put_last_line(void *arg, unsigned int nr, const char *line)
{
	struct svg_writer *w = arg;

	(void)nr;
	svg_put_text(w, 10, w->y, "last", line);
	w->y += LINE;
}

/* ---- tracks ---- */

/* In hundredths of a pixel. */
static void svg_put_length(struct rs_buf *out, uint64_t millionths)
{
	uint64_t length = millionths * WIDTH / 10000;

	rs_buf_printf(out, "%" PRIu64 ".%02" PRIu64, length / 100, length % 100);
}

static void svg_put_step(const struct svg_writer *w, const struct rs_replay_step *step)
{
	uint64_t from = svg_part(w, step->from_ns), to = svg_part(w, step->to_ns);

	rs_buf_puts(w->out, "<rect class=\"c-");
	rs_html_style_put_cause(w->out, step->cause);
	rs_buf_puts(w->out, "\" x=\"");
	svg_put_length(w->out, LEFT * 1000000ull / WIDTH + from);
	rs_buf_printf(w->out, "\" y=\"%d\" height=\"%d\" width=\"", w->y, BAR);
	svg_put_length(w->out, to - from);
	rs_buf_puts(w->out, "\"/>");
}

static void svg_put_step_text(const struct svg_writer *w, const struct rs_replay_step *step)
{
	bool is_last = step->to_ns >= w->r->to_ns;

	rs_buf_printf(w->out, "<text x=\"%d\" y=\"%d\" class=\"does\"%s>", RIGHT, w->y + BAR - 4,
		      is_last ? "" : " visibility=\"hidden\"");
	rs_escape_xml(w->out, step->text);
	svg_put_visible(w, step->from_ns, step->to_ns);
	rs_buf_puts(w->out, "</text>\n");
}

/* Cut: an escaped name may be long. */
static void svg_put_name(const struct svg_writer *w, const struct rs_replay_track *track)
{
	struct rs_buf cut = RS_BUF_INIT;
	char name[80];
	size_t width;

	snprintf(name, sizeof name, "%s%s%s", track->name, *track->role ? ", " : "", track->role);
	width = rs_escape_width(name);
	rs_escape_padded(&cut, name, width < NAME_COLUMNS ? (int)width : NAME_COLUMNS);
	svg_put_text(w, 10, w->y + BAR - 4, "track", cut.failed ? "" : cut.data);
	rs_buf_done(&cut);
}

static void svg_put_track(struct svg_writer *w, const struct rs_replay_track *track)
{
	svg_put_name(w, track);
	rs_buf_printf(w->out, "<rect class=\"ground\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT,
		      w->y, WIDTH, BAR);
	for (unsigned int i = track->first; i < track->first + track->nr; i++)
		svg_put_step(w, &w->r->steps[i]);
	rs_buf_putc(w->out, '\n');
	for (unsigned int i = track->first; i < track->first + track->nr; i++)
		svg_put_step_text(w, &w->r->steps[i]);
	w->y += ROW;
}

/* What is not yet is under a veil, which goes to the right with the line of now. */
static void svg_put_now(const struct svg_writer *w)
{
	int height = w->y - w->bars_y;

	rs_buf_printf(w->out,
		      "<clipPath id=\"bars\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
		      "</clipPath>\n"
		      "<g clip-path=\"url(#bars)\"><g id=\"now\" transform=\"translate(%d)\">"
		      "<animateTransform attributeName=\"transform\" type=\"translate\" values=\"0;%d;%d\" "
		      "keyTimes=\"0;",
		      LEFT - 1, w->bars_y, WIDTH + 2, height, WIDTH, WIDTH, WIDTH);
	svg_put_key_time(w, w->r->to_ns);
	rs_buf_puts(w->out, ";1\"");
	svg_put_duration(w);
	rs_buf_printf(w->out,
		      "<rect class=\"veil\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
		      "<path class=\"now\" d=\"M%d,%dv%d\"/></g></g>\n",
		      LEFT, w->bars_y, WIDTH, height, LEFT, w->bars_y, height);
}

static void svg_put_axis(struct svg_writer *w)
{
	uint64_t all_ns = w->r->to_ns - w->r->from_ns, step_ns, at_ns;
	char number[RS_UNIT_TEXT + 1];

	step_ns = all_ns / TICKS > UINT64_MAX / 10 ? all_ns : rs_units_round_step(all_ns / TICKS, 1);
	w->y += 10;
	for (at_ns = 0; step_ns && at_ns < all_ns; at_ns += step_ns) {
		number[rs_units_put_duration(number, at_ns, RS_UNIT_AUTO, -1)] = '\0';
		svg_put_text(w, LEFT + (int)(svg_part(w, w->r->from_ns + at_ns) * WIDTH / 1000000), w->y + 4,
			     "dim", at_ns ? number : "0");
		if (all_ns - at_ns < step_ns)
			break;
	}
	w->y += LINE + 16;
}

/* ---- the picture ---- */

static void svg_put_captions(struct svg_writer *w)
{
	const struct rs_replay *r = w->r;

	for (unsigned int i = 0; i < r->nr_captions; i++) {
		uint64_t to_ns = i + 1 < r->nr_captions ? r->captions[i + 1].from_ns : r->to_ns;

		rs_buf_printf(w->out, "<text x=\"10\" y=\"%d\" class=\"caption\"%s>", w->y,
			      to_ns == r->to_ns ? "" : " visibility=\"hidden\"");
		rs_escape_xml(w->out, r->captions[i].text);
		svg_put_visible(w, r->captions[i].from_ns, to_ns);
		rs_buf_puts(w->out, "</text>\n");
	}
	w->y += LINE + 10;
}

static void svg_put_last(struct svg_writer *w)
{
	rs_buf_puts(w->out, "<g>");
	rs_buf_puts(w->out, "<animate attributeName=\"visibility\" calcMode=\"discrete\" "
			    "values=\"hidden;visible\" keyTimes=\"0;");
	svg_put_key_time(w, w->r->to_ns);
	rs_buf_putc(w->out, '"');
	svg_put_duration(w);
	rs_replay_words_wrap(w->r->last, TEXT_COLUMNS, LAST_LINES, svg_put_last_line, w);
	rs_buf_puts(w->out, "</g>\n");
}

static void svg_put_wait(struct svg_writer *w)
{
	const struct rs_replay *r = w->r;
	char speed[RS_REPLAY_TEXT];

	rs_replay_words_wrap(r->headline, TEXT_COLUMNS - 10, HEAD_LINES, svg_put_head_line, w);
	rs_replay_words_speed(r, speed, sizeof speed);
	svg_put_text(w, 10, w->y, "dim", speed);
	w->y += 14;
	w->bars_y = w->y - 2;
	for (unsigned int i = 0; i < r->nr_tracks; i++)
		svg_put_track(w, &r->tracks[i]);
	svg_put_now(w);
	svg_put_axis(w);
	svg_put_captions(w);
	svg_put_last(w);
}

static void svg_put_head(struct rs_buf *out, int height)
{
	rs_buf_printf(out,
		      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
		      "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"><title>ringside: one wait, moment by "
		      "moment</title>\n<style>%s",
		      WHOLE, height, WHOLE, height, svg_style);
	rs_html_style_put_causes(out);
	rs_buf_puts(out, "</style>\n");
}

/* How high it is, is known only when it is drawn. */
void rs_replay_svg_put(const struct rs_replay *r, struct rs_buf *out)
{
	struct rs_buf picture = RS_BUF_INIT;
	struct svg_writer w = { .r = r, .out = &picture, .play_ms = rs_replay_words_play_ms(r), .y = 24 };

	if (r->nr_tracks)
		svg_put_wait(&w);
	else
		svg_put_text(&w, 10, w.y, "head", "No wait was found that cost time.");
	svg_put_head(out, w.y + LINE);
	rs_buf_add(out, picture.data, picture.len);
	rs_buf_puts(out, "</svg>\n");
	out->failed |= picture.failed;
	rs_buf_done(&picture);
}
