// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe-cost - says what probes cost before they begin, and refuses what would stop the program, or the
 * machine
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/pidns.h"
#include "capture/capture.h"
#include "source/perf/probe-regs.h"

#define MAX_MILLI 500u         /* of a process: then it takes twice the time */
#define MAX_MACHINE_MILLI 200u /* of all CPUs: everybody pays for the events of frees */

__attribute__((format(printf, 2, 3))) static void cost_put(struct rs_capture_plan *p, const char *format, ...)
{
	size_t len = strlen(p->probe_cost);
	va_list args;

	va_start(args, format);
	vsnprintf(p->probe_cost + len, sizeof p->probe_cost - len, format, args);
	va_end(args);
}

static void cost_put_process(struct rs_capture_plan *p, const struct rs_probe_rate *r)
{
	if (!p->probes.is_stopped)
		cost_put(p, "process %d allocates and frees %llu times a second; ", (int)p->probes.pid,
			 (unsigned long long)r->calls_per_s);
	if (r->call_ns)
		cost_put(p, "its probes take %llu.%llu us a call", (unsigned long long)r->call_ns / 1000,
			 (unsigned long long)r->call_ns / 100 % 10);
	if (r->call_ns && !p->probes.is_stopped)
		cost_put(p, ", %u.%u %% of its CPU time", r->share_milli / 10, r->share_milli % 10);
}

static void cost_put_kernel(struct rs_capture_plan *p, const struct rs_probe_rate *r)
{
	cost_put(p, *p->probe_cost ? "; the kernel" : "the kernel");
	if (!p->probes.is_stopped)
		cost_put(p, " allocates %llu times a second for process %d, and",
			 (unsigned long long)r->allocs_per_s, (int)p->probes.pid);
	cost_put(p, " frees %llu times for all", (unsigned long long)r->frees_per_s);
	if (r->alloc_ns && r->free_ns)
		cost_put(p,
			 "; these events take %llu.%02llu and %llu.%02llu us each, %u.%u %% of the machine's "
			 "CPU time",
			 (unsigned long long)r->alloc_ns / 1000, (unsigned long long)r->alloc_ns / 10 % 100,
			 (unsigned long long)r->free_ns / 1000, (unsigned long long)r->free_ns / 10 % 100,
			 r->machine_milli / 10, r->machine_milli % 10);
}

/* max_milli, max_machine_milli: what is allowed. */
static int cost_judge(const struct rs_capture_plan *p, const struct rs_probe_rate *r, unsigned int max_milli,
		      unsigned int max_machine_milli, struct rs_error *err)
{
	if (r->share_milli > max_milli)
		return rs_fail(err,
			       "alloc: the probes would slow the program down too much: %s, more than %u %% "
			       "(--max-overhead 100%% allows all; "
			       "ringside profile costs less)",
			       p->probe_cost, max_milli / 10);
	if (r->kernel_share_milli > max_milli)
		return rs_fail(err,
			       "kmem: the events would slow the program down too much: %s, and %u %% of the "
			       "program's, more than %u %% (--max-overhead "
			       "100%% allows all)",
			       p->probe_cost, r->kernel_share_milli / 10, max_milli / 10);
	if (r->machine_milli > max_machine_milli)
		return rs_fail(err,
			       "kmem: the events would slow the machine down too much: %s, more than %u %% "
			       "(--max-overhead 100%% allows all)",
			       p->probe_cost, max_machine_milli / 10);
	return 0;
}

int rs_probe_cost_open(struct rs_capture_plan *p, unsigned int max_milli, struct rs_probes **probes,
		       struct rs_error *err)
{
	unsigned int max_machine_milli = max_milli ? max_milli : MAX_MACHINE_MILLI;
	struct rs_probe_rate rate;
	int ret;

	max_milli = max_milli ? max_milli : MAX_MILLI;
	*probes = rs_probes_open(&p->probes, err);
	ret = *probes ? rs_probe_rate_measure(*probes, &rate, err) : -1;
	if (!ret && p->probes.nr)
		cost_put_process(p, &rate);
	if (!ret && p->probes.nr_kernel)
		cost_put_kernel(p, &rate);
	if (!ret)
		ret = cost_judge(p, &rate, max_milli, max_machine_milli, err);
	if (!ret)
		rs_probes_limit(*probes, &rate, max_milli < 1000 ? max_milli : 0,
				max_machine_milli < 1000 ? max_machine_milli : 0);
	else
		rs_probes_close(*probes);
	return ret;
}

const char *rs_probe_cost_missing(const char *tracefs, const char **views)
{
	bool kernel = rs_tracefs_has_event(tracefs, "kmem", "kmalloc") &&
		      rs_tracefs_has_event(tracefs, "kmem", "mm_page_alloc");

	*views = "alloc, kmem";
	if (rs_pidns() == RS_PIDNS_OTHER)
		return "this is a PID namespace of its own, and perf events bear the host's numbers (run "
		       "ringside on the host)";
	*views = kernel ? "alloc" : "alloc, kmem";
	if (!RS_PROBE_REGS_KNOWN)
		return "functions are probed on 64-bit x86, ARM and RISC-V alone";
	if (access("/sys/bus/event_source/devices/uprobe", F_OK) < 0)
		return "this kernel has no uprobe events (CONFIG_UPROBE_EVENTS)";
	*views = kernel ? NULL : "kmem";
	return kernel ? NULL : "this kernel has no events of kmem";
}
