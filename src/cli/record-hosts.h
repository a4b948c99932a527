/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record-hosts.h - record --host: recordings that are made on other machines, and written here */
#ifndef RS_CLI_RECORD_HOSTS_H
#define RS_CLI_RECORD_HOSTS_H

#include "cli/options/options.h"

/*
 * One file for each host, whole or not at all: -o of one, else its name with the host's before its ending,
 * trace.web1.dat. A host that fails is said at once, and keeps no other from being recorded.
 */
enum rs_exit rs_record_hosts(const struct rs_options *opt, struct rs_error *err);

#endif
