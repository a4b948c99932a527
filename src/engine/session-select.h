/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session-select.h - which tasks are shown: -p, -t, -c, --cgroup; sets rs_task.selected */
#ifndef RS_ENGINE_SESSION_SELECT_H
#define RS_ENGINE_SESSION_SELECT_H

#include <stdbool.h>

struct rs_selection;
struct rs_session;
struct rs_task_instance;

void rs_session_select(struct rs_session *s, struct rs_task_instance *inst);
bool rs_session_select_narrows(const struct rs_selection *sel);
/* Returns true if a child is selected with its parent, as under -p and -t; -c matches each task alone. */
bool rs_session_select_follows(const struct rs_session *s, const struct rs_task_instance *parent);

#endif
