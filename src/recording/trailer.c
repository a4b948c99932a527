// SPDX-License-Identifier: GPL-2.0-or-later
/* trailer - the members of a recording's trailer, and what is refused of it */
#include "recording/trailer.h"

#include <limits.h>
#include <string.h>

#include "base/time-limit.h"
#include "source/live/cgroup-counts.h"
#include "source/live/pressure-series.h"

#define MAX_CALLS 4096
#define TRAILER_MAX_CPUS 8192
#define TRAILER_MAX_IDLE_STATES (10 * TRAILER_MAX_CPUS)
#define MAX_FDS (1u << 16)
#define TRAILER_MAX_SECTIONS 64
#define MAX_CGROUPS (1u << 16)
#define TRAILER_MAX_READINGS (RS_PRESSURE_READINGS * RS_CGROUP_COUNTS_MAX)

RS_MESSAGE(rs_trailer_name)
	{ "number", RS_NUMBER, RS_AT(number), .required = true },
	{ "name", RS_STRING, RS_AT(name), .required = true },
RS_MESSAGE_END(rs_trailer_name, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_trailer_task)
	{ "ts_ns", RS_NUMBER, RS_AT(ts_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "tid", RS_NUMBER, RS_AT(tid), .most = INT32_MAX, .required = true },
	{ "pid", RS_NUMBER, RS_AT(pid), .most = INT32_MAX, .required = true },
	{ "comm", RS_STRING, RS_AT(comm), .required = true },
	{ "kernel_thread", RS_NUMBER, RS_AT(kernel_thread), .most = 1, .required = true },
	{ "ppid", RS_NUMBER, RS_AT(ppid), .most = INT32_MAX },
	{ "start_ns", RS_NUMBER, RS_AT(start_ns), .most = RS_MAX_TIME_NS },
RS_MESSAGE_END(rs_trailer_task, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_call_params)
	{ "name", RS_STRING, RS_AT(name), .required = true },
	{ "params", RS_STRING, RS_AT(params), .required = true },
RS_MESSAGE_END(rs_call_params, RS_TUPLE_OF, NULL)

/* The kernel gives no longer one. */
static bool trailer_path_is_valid(const void *message)
{
	return strnlen(((const struct rs_fd_path *)message)->path, PATH_MAX) < PATH_MAX;
}

RS_MESSAGE(rs_fd_path)
	{ "read_ns", RS_NUMBER, RS_AT(read_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "tid", RS_NUMBER, RS_AT(tid), .most = INT32_MAX, .required = true },
	{ "fd", RS_NUMBER, RS_AT(fd), .most = INT32_MAX, .required = true },
	{ "path", RS_STRING, RS_AT(path), .required = true },
	{ "state", RS_NUMBER, RS_AT(state), .most = 12 },
	{ "state_ns", RS_NUMBER, RS_AT(state_ns), .most = RS_MAX_TIME_NS },
RS_MESSAGE_END(rs_fd_path, RS_TUPLE_OF, trailer_path_is_valid)

static bool trailer_socket_is_valid(const void *message)
{
	const struct rs_fd_socket *known = message;

	return known->since_ns <= known->until_ns && strnlen(known->name, PATH_MAX) < PATH_MAX;
}

RS_MESSAGE(rs_fd_socket)
	{ "since_ns", RS_NUMBER, RS_AT(since_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "until_ns", RS_NUMBER, RS_AT(until_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "pid", RS_NUMBER, RS_AT(pid), .most = INT32_MAX, .required = true },
	{ "fd", RS_NUMBER, RS_AT(fd), .most = INT32_MAX, .required = true },
	{ "name", RS_STRING, RS_AT(name), .required = true },
RS_MESSAGE_END(rs_fd_socket, RS_TUPLE_OF, trailer_socket_is_valid)

RS_MESSAGE(rs_trailer_args)
	{ "pid", RS_NUMBER, RS_AT(pid), .most = INT32_MAX, .required = true },
	{ "comm", RS_STRING, RS_AT(comm), .required = true },
	{ "text", RS_STRING, RS_AT(text), .required = true },
	{ "read_ns", RS_NUMBER, RS_AT(read_ns), .most = RS_MAX_TIME_NS },
RS_MESSAGE_END(rs_trailer_args, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_trailer_stacked)
	{ "above", RS_NUMBER, RS_AT(above), .required = true },
	{ "below", RS_NUMBER, RS_AT(below), .required = true },
	{ "label", RS_STRING, RS_AT(label), .required = true },
RS_MESSAGE_END(rs_trailer_stacked, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_trailer_idle_state)
	{ "cpu", RS_NUMBER, RS_AT(cpu), .required = true },
	{ "state", RS_NUMBER, RS_AT(state), .required = true },
	{ "exit_us", RS_NUMBER, RS_AT(exit_us), .required = true },
	{ "residency_us", RS_NUMBER, RS_AT(residency_us), .required = true },
	{ "name", RS_STRING, RS_AT(name), .required = true },
RS_MESSAGE_END(rs_trailer_idle_state, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_cpu_speed)
	{ "cpu", RS_NUMBER, RS_AT(cpu), .required = true },
	{ "max_khz", RS_NUMBER, RS_AT(max_khz), .required = true },
	{ "base_khz", RS_NUMBER, RS_AT(base_khz), .required = true },
RS_MESSAGE_END(rs_cpu_speed, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_trailer_cgroup)
	{ "path", RS_STRING, RS_AT(path), .required = true },
	{ "pids", RS_LIST, RS_AT(pids), .of = &rs_message_i32, .required = true },
	{ "cpu", RS_STRING, RS_AT(of[RS_CGROUP_CPU]) },
	{ "memory", RS_STRING, RS_AT(of[RS_CGROUP_MEMORY]) },
	{ "io", RS_STRING, RS_AT(of[RS_CGROUP_IO]) },
RS_MESSAGE_END(rs_trailer_cgroup, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_tracedat_section)
	{ "name", RS_STRING, RS_AT(name), .required = true },
	{ "offset", RS_NUMBER, RS_AT(offset), .required = true },
	{ "bytes", RS_NUMBER, RS_AT(bytes), .required = true },
	{ "crc", RS_NUMBER, RS_AT(crc), .required = true },
RS_MESSAGE_END(rs_tracedat_section, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_tracedat_sampled)
	{ "event", RS_STRING, RS_AT(event), .required = true },
	{ "hz", RS_NUMBER, RS_AT(hz), .required = true },
	{ "sample_type", RS_NUMBER, RS_AT(sample_type), .required = true },
	{ "read_format", RS_NUMBER, RS_AT(read_format) },
	{ "counters", RS_STRING, RS_AT(counters) },
	{ "samples", RS_NUMBER, RS_AT(samples), .required = true },
	{ "lost", RS_NUMBER, RS_AT(lost), .required = true },
	{ "by_build_id", RS_BOOL, RS_AT(by_build_id) },
	{ "jitted_from_ns", RS_NUMBER, RS_AT(jitted_from_ns), .most = RS_MAX_TIME_NS },
	{ "jitted_to_ns", RS_NUMBER, RS_AT(jitted_to_ns), .most = RS_MAX_TIME_NS },
	{ "jitted_owner", RS_NUMBER, RS_AT(jitted_owner), .most = UINT32_MAX },
RS_MESSAGE_END(rs_tracedat_sampled, RS_OBJECT_OF, NULL)

static bool trailer_pause_is_valid(const void *message)
{
	const struct rs_trailer_pause *pause = message;

	return pause->on_ns >= pause->off_ns;
}

RS_MESSAGE(rs_trailer_pause)
	{ "off_ns", RS_NUMBER, RS_AT(off_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "on_ns", RS_NUMBER, RS_AT(on_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "what", RS_STRING, RS_AT(what) },
RS_MESSAGE_END(rs_trailer_pause, RS_TUPLE_OF, trailer_pause_is_valid)

RS_MESSAGE(rs_trailer)
	{ "version", RS_NUMBER, RS_AT(version), .required = true },
	{ "realtime_offset_ns", RS_MAYBE_SIGNED, RS_AT(realtime_offset_ns) },
	{ "command", RS_OBJECT, RS_AT(command), .of = &rs_trailer_name_message },
	{ "self", RS_LIST, RS_AT(self), .of = &rs_message_i32 },
	{ "tasks", RS_LIST, RS_AT(tasks), .of = &rs_trailer_task_message },
	{ "compat", RS_LIST, RS_AT(compat), .of = &rs_message_i32 },
	{ "compat_unknown", RS_LIST, RS_AT(compat_unknown), .of = &rs_message_i32 },
	{ "calls", RS_LIST, RS_AT(calls), .of = &rs_call_params_message, .most = MAX_CALLS },
	{ "disks", RS_LIST, RS_AT(disks), .of = &rs_trailer_name_message },
	{ "mounts", RS_LIST, RS_AT(mounts), .of = &rs_trailer_name_message },
	{ "stacked", RS_LIST, RS_AT(stacked), .of = &rs_trailer_stacked_message },
	{ "idle_states", RS_LIST, RS_AT(idle_states), .of = &rs_trailer_idle_state_message,
	  .most = TRAILER_MAX_IDLE_STATES },
	{ "cpu_speeds", RS_LIST, RS_AT(cpu_speeds), .of = &rs_cpu_speed_message, .most = TRAILER_MAX_CPUS },
	{ "fds", RS_LIST, RS_AT(fds), .of = &rs_fd_path_message, .most = MAX_FDS },
	{ "fd_sockets", RS_LIST, RS_AT(fd_sockets), .of = &rs_fd_socket_message, .most = MAX_FDS },
	{ "args", RS_LIST, RS_AT(args), .of = &rs_trailer_args_message, .most = MAX_FDS },
	{ "cgroups", RS_LIST, RS_AT(cgroups), .of = &rs_trailer_cgroup_message, .most = MAX_CGROUPS },
	{ "cgroup_counts", RS_LIST, RS_AT(cgroup_counts), .of = &rs_cgroup_row_message, .most = MAX_CGROUPS },
	{ "pressure", RS_LIST, RS_AT(pressure), .of = &rs_pressure_reading_message,
	  .most = TRAILER_MAX_READINGS },
	{ "containers", RS_STRING, RS_AT(containers) },
	{ "lost_by_cpu", RS_LIST, RS_AT(lost_by_cpu), .of = &rs_message_maybe, .lenient = true },
	{ "pauses", RS_LIST, RS_AT(pauses), .of = &rs_trailer_pause_message },
	{ "warnings", RS_STRING, RS_AT(warnings) },
	{ "sampled", RS_OBJECT, RS_AT(sampled), .of = &rs_tracedat_sampled_message },
	{ "sections", RS_LIST, RS_AT(sections), .of = &rs_tracedat_section_message,
	  .most = TRAILER_MAX_SECTIONS },
RS_MESSAGE_END(rs_trailer, RS_REQUEST_OF, NULL)
