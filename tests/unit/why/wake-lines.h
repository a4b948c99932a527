/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wake-lines.h - lines of made traces, for tests of who waits for whom: runs, leaves its CPU, is woken, is back */
#ifndef RS_TEST_WAKE_LINES_H
#define RS_TEST_WAKE_LINES_H

#define RUNS(cpu, task) "900 " cpu " sched_waking " task " target=0 by idle/0", "910 " cpu " sched_switch idle/0 R -> " task
#define CALL(ns, cpu, tid, call) ns " " cpu " sys_enter t=" tid " nr=" call
#define EXIT(ns, cpu, tid, call) ns " " cpu " sys_exit t=" tid " nr=" call " ret=1"
#define LEAVES(ns, cpu, task) ns " " cpu " sched_switch " task " S -> idle/0"
#define WAKES(ns, cpu, waker, task) ns " " cpu " sched_waking " task " target=0 by " waker
#define BACK(ns, cpu, task) ns " " cpu " sched_switch idle/0 R -> " task

#endif
