// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * widget-panel.c - a view on the overview, as its panel declares it: what it asks for, what its rows open
 */
#include "tui/app/app.h"
#include "tui/overview/panel.h"

#define PANEL_WIDGET_MOST_ROWS 40      /* unless the panel asks for all rows */
#define LEAST_ROWS 5                   /* on a terminal of 24 lines the processes that matter are visible */

static void panel_widget_answered(struct rs_widget *widget, const void *message)
{
	struct rs_panel_widget *p = (struct rs_panel_widget *)widget;
	const struct rs_rows_reply *rows = message;

	rs_widget_note_time(widget, rows->from_ns, rows->to_ns);
	if (rs_grid_read(&p->grid, rows))
		rs_app_note_rows(widget->app, rows);
	widget->nr_rows = p->grid.nr;
	if (rs_panel_rows_are_tasks(p))
		rs_panel_rows_sort(p);
	if (!widget->app->live || !widget->app->time.now) {
		rs_panel_strips_ask(p);
		return;
	}
	if (p->strip_to_ns)
		rs_strip_clear(&p->strip);
	p->strip_from_ns = p->strip_to_ns = 0;
	rs_panel_strips_add(p, rows->interval);
}

/* Other findings make another order, and other threads whose history is shown. */
static void panel_widget_choose(struct rs_widget *widget)
{
	struct rs_panel_widget *p = (struct rs_panel_widget *)widget;

	if (!rs_panel_rows_are_tasks(p) || p->nr_read == widget->machine->pains.nr_read)
		return;
	rs_panel_rows_sort(p);
	if (p->strip_to_ns) {
		p->strip_to_ns = p->strip_from_ns = 1;
		rs_panel_strips_ask(p);
	}
}

static void panel_widget_ask(struct rs_widget *widget)
{
	struct rs_panel_widget *p = (struct rs_panel_widget *)widget;
	const struct rs_panel *panel = p->of->view.panel;
	static const char *const by_unit[] = { "unit" };
	struct rs_buf where = RS_BUF_INIT;

	rs_app_filter_where(widget->app, &p->of->view, NULL, NULL, &where);
	rs_question_ask(&widget->question, "rows", &(struct rs_rows_request){
		.view = p->of->view.name, .where = where.len ? where.data : NULL,
		.sort = panel->sort, .limit = RS_PANEL_ROWS,
		.fold = p->grid.fold_by >= 0 ? panel->fold_by : NULL,
		.by = p->by_unit ? by_unit : NULL, .nr_by = p->by_unit,
		.time = rs_app_asked_time(widget->app),
	});
	rs_buf_done(&where);
}

static bool has_data(struct rs_widget *widget)
{
	const struct rs_panel_widget *p = (const struct rs_panel_widget *)widget;

	if (p->of->view.panel->kind != RS_PANEL_SPLIT)
		return widget->nr_rows > 0;
	for (size_t row = 0; row < p->grid.nr; row++) {
		struct rs_split split = rs_panel_rows_split(p, row);

		for (unsigned int i = 0; i < split.nr; i++)
			if (split.parts[i].ns && split.parts[i].cause != RS_CAUSE_NOT_SEEN)
				return true;
	}
	return false;
}

static uint64_t nr_all(struct rs_widget *widget)
{
	const struct rs_grid *g = &((struct rs_panel_widget *)widget)->grid;
	uint64_t nr = g->nr_total;

	if (rs_panel_rows_are_tasks((struct rs_panel_widget *)widget))
		return widget->nr_rows;

	for (size_t i = 0; i < g->nr; i++)
		nr -= rs_grid_folded_nr(g, i) - 1;
	return nr;
}

static const char pain_help[] =
	"  PAIN       the share of its time that it lost, of what, and whose that was; - where it lost\n"
	"             nothing. What it waited for by its own choice, or for new work, is not in it\n"
	"  x24        four or more processes of one name: the pain is that of all together, then how many\n"
	"             of them are victims, if not all, and the thread with the slowest wait; Enter lists\n"
	"             them\n"
	"  HISTORY    what most of each piece of that time was, live of the last minute: of the thread with\n"
	"             the slowest wait if a finding is about the process, else of its first thread; of many\n"
	"             of one name, of all of them\n"
	"  12 quiet   those that lost nothing, in one line; Enter lists them\n";

/* "CPUs: each CPU ..." and its columns; then the letters of its bars. */
static void panel_widget_put_help(struct rs_widget *widget, struct rs_buf *out)
{
	struct rs_panel_widget *p = (struct rs_panel_widget *)widget;

	rs_buf_printf(out, "%s: %s\n", widget->title, p->of->view.summary ? p->of->view.summary : "");
	for (unsigned int i = 0; i < p->grid.shown.nr; i++) {
		const struct rs_column *c = &p->of->view.columns[p->grid.shown.at[i]];

		rs_buf_printf(out, "  %-10s %s\n", rs_column_heading(c), c->help ? c->help : "");
	}
	if (rs_panel_rows_are_tasks(p))
		rs_buf_puts(out, pain_help);
	for (unsigned int i = 0; i < p->nr_parts; i++)
		rs_buf_printf(out, "  %c %-10s  %s\n", rs_cause_row(p->parts[i].cause)->letter,
			      rs_cause_row(p->parts[i].cause)->word,
			      p->of->view.columns[p->parts[i].column].help);
	rs_buf_putc(out, '\n');
}

static bool panel_widget_get_selection(struct rs_widget *widget, size_t row, struct rs_screen_selection *out)
{
	struct rs_panel_widget *p = (struct rs_panel_widget *)widget;

	*out = (struct rs_screen_selection){ .view = p->of, .values = rs_grid_row(&p->grid, row),
					     .column = -1 };
	if (rs_panel_rows_is_quiet(p, row)) {
		out->values = NULL;
		return false;
	}
	if (!out->values) /* the rows of the next interval may be fewer */
		return false;
	if (rs_grid_folded_nr(&p->grid, row) > 1)
		rs_selection_add_task(&out->keys,
				      rs_grid_cell(&p->grid, row, (unsigned int)p->grid.fold_by)->s, 0, 0);
	else
		rs_selection_add(&out->keys, &p->of->view, out->values);
	return true;
}

/* Returns the view that a row opens; NULL: its panel names none, or the engine has it not, or it is off. */
static const struct rs_catalogue_view *panel_widget_find_opened(const struct rs_panel_widget *p)
{
	const char *name = p->of->view.panel->opens;
	const struct rs_catalogue_view *view =
		name ? rs_catalogue_view(rs_client_catalogue(p->widget.machine->client), name) : NULL;

	return view && !view->why_off ? view : NULL;
}

/*
 * A row that sums up many rows opens them as a table; a process, its slowest call or wait; others the view
 * that their panel names.
 */
static struct rs_screen *panel_widget_open(struct rs_widget *widget, size_t row)
{
	struct rs_panel_widget *p = (struct rs_panel_widget *)widget;
	const struct rs_catalogue_view *opened = panel_widget_find_opened(p);
	struct rs_screen_selection of;

	if (!panel_widget_get_selection(widget, row, &of)) /* the quiet: all rows as a table */
		return rs_table_new(widget->app, p->of, NULL, NULL);
	if (rs_grid_folded_nr(&p->grid, row) > 1 || p->by_unit)
		return rs_table_new(widget->app, p->of, &of.keys, NULL);
	if (rs_selection_number(&of.keys, "pid") > 0 && rs_why_is_known(widget->app))
		return rs_why_open_selection(widget->app, &of);
	if (opened)
		return rs_table_new(widget->app, opened, &of.keys, NULL);
	return rs_details_new(widget->app, &of);
}

/* Which columns stand before the bar, and what rows are folded by. */
static void panel_widget_set_columns(struct rs_panel_widget *p)
{
	const struct rs_view *view = &p->of->view;
	const struct rs_panel *panel = view->panel;
	bool has_threads = rs_column_named(view, "threads") >= 0;
	const char *of_unit = has_threads ? "unit,threads" : "unit";
	struct rs_error ignored = { 0 };

	rs_columns_parse(view, p->by_unit ? of_unit : panel->columns, &p->grid.shown, &ignored);
	p->grid.fold_by = panel->fold_by && !p->by_unit ? rs_column_named(view, panel->fold_by) : -1;
	if (p->grid.fold_by >= 0 && view->columns[p->grid.fold_by].type != RS_TYPE_TEXT)
		p->grid.fold_by = -1;
}

static bool panel_widget_fold(struct rs_widget *widget, bool into_units)
{
	struct rs_panel_widget *p = (struct rs_panel_widget *)widget;

	if (!p->of->view.panel->fold_by || rs_column_named(&p->of->view, "unit") < 0)
		return false;
	p->by_unit = into_units;
	widget->title = into_units ? "Control groups" : p->of->view.panel->title;
	panel_widget_set_columns(p);
	p->grid.nr = widget->nr_rows = 0; /* until the answer */
	p->nr_loud = 0;
	rs_strip_clear(&p->strip);
	p->strip_from_ns = p->strip_to_ns = 0;
	panel_widget_ask(widget);
	return true;
}

static uint64_t identity(struct rs_widget *widget, size_t row)
{
	const struct rs_panel_widget *p = (const struct rs_panel_widget *)widget;

	return rs_panel_rows_is_quiet(p, row) ? 1 : rs_grid_identity(&p->grid, row);
}

static void panel_widget_free(struct rs_widget *widget)
{
	rs_question_done(&((struct rs_panel_widget *)widget)->spans);
	rs_grid_done(&((struct rs_panel_widget *)widget)->grid);
}

static const struct rs_widget_ops ops = {
	.ask = panel_widget_ask, .choose = panel_widget_choose, .answered = panel_widget_answered,
	.nr_all = nr_all,
	.help = panel_widget_put_help, .draw = rs_panel_draw,
	.aside = rs_panel_draw_aside, .headings_width = rs_panel_draw_headings_width,
	.selection = panel_widget_get_selection, .open = panel_widget_open,
	.identity = identity, .fold = panel_widget_fold, .has_data = has_data, .free = panel_widget_free,
};

/* Sorts the parts for drawing: by rank, then in the order of the view. */
static void find_parts(struct rs_panel_widget *p)
{
	for (enum rs_cause_rank rank = 0; rank <= RS_RANK_UNKNOWN; rank++)
		for (const struct rs_part *part = p->of->view.panel->parts; part && part->column; part++) {
			int column = rs_column_named(&p->of->view, part->column);

			if (column < 0 || rs_cause_row(part->cause)->rank != rank ||
			    p->nr_parts == RS_MAX_PARTS)
				continue;
			p->parts[p->nr_parts].column = (unsigned int)column;
			p->parts[p->nr_parts++].cause = part->cause;
		}
}

struct rs_widget *rs_widget_panel_new(struct rs_tui_machine *machine, const struct rs_catalogue_view *view)
{
	const struct rs_panel *panel = view->view.panel;
	struct rs_panel_widget *p = rs_widget_new(machine, sizeof *p, &(struct rs_widget){
		.ops = &ops, .title = panel->title, .place = panel->place, .left = true,
		.otherwise = panel->otherwise, .least = panel->otherwise ? 1 : LEAST_ROWS,
		.most = panel->every ? 0 : PANEL_WIDGET_MOST_ROWS,
	});

	if (!p)
		return NULL;
	p->of = view;
	rs_panel_strips_init(p);
	rs_grid_init(&p->grid, &view->view);
	panel_widget_set_columns(p);
	p->grid.shows_default = false;
	/* a recording may not tell processes, but it has threads */
	p->grid.absent = rs_column_named(&view->view, "pid");
	p->grid.stand_in = rs_column_named(&view->view, "tid");
	find_parts(p);
	return &p->widget;
}

