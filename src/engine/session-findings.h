/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session-findings.h - which rules of an analysis are evaluated */
#ifndef RS_ENGINE_SESSION_FINDINGS_H
#define RS_ENGINE_SESSION_FINDINGS_H

#include <stdbool.h>

struct rs_analysis;
struct rs_session_config;

/* Are all rules of the analysis silenced, if it has rules at all? Then there is nothing to ask it. */
bool rs_session_silences(const struct rs_session_config *config, const struct rs_analysis *a);

#endif
