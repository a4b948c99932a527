// SPDX-License-Identifier: GPL-2.0-or-later
/* show-hosts - views of a time that has passed on several hosts: their windows are read here */
#include "cli/show/show-hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "cli/attach.h"
#include "cli/host-output.h"
#include "cli/out.h"
#include "cli/save-window.h"

static void show_hosts_fail(struct rs_show_hosts *hosts, struct rs_show_host *host,
			    const struct rs_error *why)
{
	const char *name = host->opt.hosts[0];
	struct rs_buf text = RS_BUF_INIT;

	hosts->nr_failed++;
	if (strncmp(why->text, name, strlen(name))) /* what the connection says names it already */
		rs_buf_printf(&text, "%s: ", name);
	rs_escape_text(&text, why->text);
	fprintf(stderr, "ringside: %s\n", text.data);
	rs_buf_done(&text);
}

/* Its clock against ours counts only where its times are of that clock. */
static void show_hosts_attach(struct rs_show_hosts *hosts, struct rs_show_host *host)
{
	struct rs_error err = { 0 };
	const char *clock;

	host->client = rs_attach_host(&host->opt, &host->opt.host_clock, &err);
	if (!host->client) {
		show_hosts_fail(hosts, host, &err);
		return;
	}
	clock = rs_client_hello_reply(host->client)->clock;
	host->opt.host_clock.known &= clock && !strcmp(clock, "boot");
}

/* One end for all, and when all are there: connecting takes time. */
static void show_hosts_settle_end(struct rs_show_hosts *hosts)
{
	struct timespec now;
	uint64_t now_ns;

	clock_gettime(CLOCK_BOOTTIME, &now);
	now_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	for (size_t i = 0; i < hosts->nr; i++) {
		struct rs_options *opt = &hosts->at[i].opt;

		if (opt->host_clock.known && opt->to.kind == RS_MOMENT_NONE)
			opt->to = (struct rs_moment){ RS_MOMENT_CLOCK,
						      now_ns + (uint64_t)opt->host_clock.boot_offset_ns };
	}
}

/* Their windows, and where these begin. */
static void show_hosts_fetch(struct rs_show_hosts *hosts)
{
	struct rs_window_save saves[RS_HOSTS_MAX];
	struct rs_show_host *of[RS_HOSTS_MAX];
	size_t nr = 0;

	for (size_t i = 0; i < hosts->nr; i++)
		if (hosts->at[i].client) {
			of[nr] = &hosts->at[i];
			saves[nr++] = (struct rs_window_save){ .client = hosts->at[i].client,
							       .opt = &hosts->at[i].opt };
		}
	rs_save_windows_as_input(saves, nr);
	for (size_t i = 0; i < nr; i++) {
		struct rs_source *source = NULL;

		rs_client_free(of[i]->client);
		if (saves[i].err.status == RS_OK)
			source = rs_show_file_open(&of[i]->opt, &of[i]->clock, &saves[i].err);
		if (source) {
			source->ops->close(source);
			continue;
		}
		rs_show_file_close(&of[i]->opt);
		show_hosts_fail(hosts, of[i], &saves[i].err);
	}
}

/* Times count from the first event of all. What has another clock counts from its own. */
static void show_hosts_relate(struct rs_show_hosts *hosts)
{
	uint64_t begin_ns = UINT64_MAX;

	for (size_t i = 0; i < hosts->nr; i++) {
		const struct rs_show_host *host = &hosts->at[i];
		uint64_t ns = host->clock.begin_ns - (uint64_t)host->opt.host_clock.boot_offset_ns;

		if (host->opt.host_clock.known && host->clock.begin_ns && ns < begin_ns)
			begin_ns = ns;
	}
	for (size_t i = 0; i < hosts->nr; i++) {
		struct rs_options *opt = &hosts->at[i].opt;

		opt->machine = opt->hosts[0];
		opt->base_known = opt->host_clock.known;
		opt->base = hosts->at[i].clock;
		if (begin_ns != UINT64_MAX)
			opt->base.begin_ns = begin_ns + (uint64_t)opt->host_clock.boot_offset_ns;
	}
}

static void show_hosts_put_heading(const struct rs_show_host *host, bool first, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;

	if (host->opt.json || host->opt.csv)
		return;
	rs_host_output_put_heading(&out, first, host->opt.machine, &host->opt.host_clock);
	rs_out(&out, err);
	rs_buf_done(&out);
}

static enum rs_exit show_hosts_show(struct rs_show_hosts *hosts, enum rs_show_kind kind,
				    const struct rs_view_ref *views, size_t nr_views, struct rs_error *err)
{
	enum rs_exit highest = RS_OK;
	bool first = true;

	for (size_t i = 0; i < hosts->nr; i++) {
		struct rs_show_host *host = &hosts->at[i];
		struct rs_error own = { 0 };

		if (host->opt.input_fd <= 0)
			continue;
		show_hosts_put_heading(host, first, &own);
		first = false;
		if (own.status == RS_OK)
			rs_show_file(kind, views, nr_views, &host->opt, &own);
		highest = own.status > highest ? own.status : highest;
		if (own.status != RS_OK)
			show_hosts_fail(hosts, host, &own);
	}
	if (!hosts->nr_failed)
		return RS_OK;
	rs_fail(err, "%zu of %zu hosts failed", hosts->nr_failed, hosts->nr);
	err->status = highest != RS_OK ? highest : RS_FAILED;
	return err->status;
}

struct rs_show_hosts *rs_show_hosts_open(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_show_hosts *hosts = calloc(1, sizeof *hosts);

	if (!hosts)
		return rs_fail(err, "cannot show anything: out of memory"), NULL;
	hosts->nr = opt->nr_hosts;
	for (size_t i = 0; i < hosts->nr; i++) {
		hosts->at[i].opt = *opt;
		hosts->at[i].opt.hosts[0] = opt->hosts[i];
		hosts->at[i].opt.nr_hosts = 1;
		show_hosts_attach(hosts, &hosts->at[i]);
	}
	show_hosts_settle_end(hosts);
	show_hosts_fetch(hosts);
	show_hosts_relate(hosts);
	return hosts;
}

void rs_show_hosts_close(struct rs_show_hosts *hosts)
{
	for (size_t i = 0; hosts && i < hosts->nr; i++)
		rs_show_file_close(&hosts->at[i].opt);
	free(hosts);
}

enum rs_exit rs_show_hosts(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			   const struct rs_options *opt, struct rs_error *err)
{
	struct rs_show_hosts *hosts = rs_show_hosts_open(opt, err);

	if (hosts)
		show_hosts_show(hosts, kind, views, nr_views, err);
	rs_show_hosts_close(hosts);
	return err->status;
}
