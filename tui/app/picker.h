/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picker.h - what the list of views and the command palette share */
#ifndef RS_TUI_APP_PICKER_H
#define RS_TUI_APP_PICKER_H

#include "tui/app/menu.h"

/* The line of a view; the catalogue must outlive it. */
struct rs_menu_line rs_picker_view_line(const struct rs_catalogue_view *view, size_t id);

#endif
