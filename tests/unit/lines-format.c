// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lines-format - the events of the lines, laid out as several kernels do
 *
 * Field lists are those of the kernels' own format files (5.10, 6.1 and 6.18 on
 * x86-64, 6.1 on i386 and s390x); offsets follow from C's alignment rules, as in
 * the kernel. A PREEMPT_RT kernel has a fifth common field, so all else moves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

#define SYSCALLS_OF_ALL "io_uring_setup=425 close_range=436 "
#define SYSCALLS_X86_64 "recvmsg=47 sendmmsg=307 splice=275 newfstatat=262 poll=7 connect=42 listen=50 shutdown=48 accept4=288 fdatasync=75 read=0 write=1 close=3 chdir=80 fchdir=81 sendto=44 recvfrom=45 kill=62 pselect6=270 semop=65 rt_sigreturn=15 nanosleep=35 clone=56 fork=57 vfork=58 execve=59 execveat=322 " \
	"exit=60 wait4=61 futex=202 io_getevents=208 exit_group=231 epoll_wait=232 openat=257 dup2=33 dup3=292 unshare=272 getppid=110 kill=62 fcntl=72 dup=32 ioctl=16 fsync=74 rename=82 munmap=11 " SYSCALLS_OF_ALL
#define SYSCALLS_I386 "recvmsg=372 sendmmsg=345 splice=313 newfstatat=300 poll=168 connect=362 listen=363 shutdown=373 accept4=364 fdatasync=148 read=3 write=4 close=6 chdir=12 fchdir=133 sendto=369 recvfrom=371 kill=37 pselect6=308 rt_sigreturn=173 nanosleep=162 clone=120 fork=2 vfork=190 execve=11 execveat=358 " \
	"exit=1 wait4=114 futex=240 io_getevents=247 exit_group=252 epoll_wait=256 openat=295 dup2=63 dup3=330 unshare=310 getppid=64 kill=37 fcntl=55 dup=41 ioctl=54 fsync=118 rename=38 munmap=91 " SYSCALLS_OF_ALL
#define SYSCALLS_S390 "recvmsg=372 sendmmsg=358 splice=306 newfstatat=293 poll=168 connect=362 listen=363 shutdown=373 accept4=364 fdatasync=148 read=3 write=4 close=6 chdir=12 fchdir=133 sendto=369 recvfrom=371 kill=37 pselect6=301 rt_sigreturn=173 nanosleep=162 clone=120 fork=2 vfork=190 execve=11 execveat=354 " \
	"exit=1 wait4=114 futex=238 io_getevents=245 exit_group=248 epoll_wait=251 openat=288 dup2=63 dup3=326 unshare=303 getppid=64 kill=37 fcntl=55 dup=41 ioctl=54 fsync=118 rename=38 munmap=91 " SYSCALLS_OF_ALL

const struct layout rs_layouts[] = {
	{ "6.1 x86-64", "x86_64", "6.1.0-50-amd64", 8, 8, 8, 8, 8, .letters = "SDTtXZPI", .syscalls = SYSCALLS_X86_64 },
	{ "6.18 x86-64", "x86_64", "6.18.44", 8, 8, 8, 10, 8, .comm_is_data_loc = true, .has_ioprio = true,
	  .has_group_dead = true, .flags_is_u64 = true, .letters = "SDTtXZPI", .syscalls = SYSCALLS_X86_64 },
	{ "6.1 i386", "i686", "6.1.0-50-686", 4, 4, 8, 8, 8, .letters = "SDTtXZPI", .syscalls = SYSCALLS_I386 },
	{ "6.1 s390x", "s390x", "6.1.0-50-s390x", 8, 8, 8, 8, 8, .big_endian = true, .letters = "SDTtXZPI",
	  .syscalls = SYSCALLS_S390 },
	{ "6.1-rt x86-64", "x86_64", "6.1.0-50-rt-amd64", 8, 8, 12, 8, 8, .letters = "SDTtXZPI",
	  .syscalls = SYSCALLS_X86_64 },
	/* Other letters on the same bits: who has a table of his own in the source reads Z for X and misses P. */
	{ "4.4 x86-64", "x86_64", "4.4.0", 8, 8, 8, 8, 11, .has_success = true, .letters = "SDTtZXxKWPN",
	  .syscalls = SYSCALLS_X86_64 },
};
const unsigned int rs_nr_layouts = sizeof rs_layouts / sizeof *rs_layouts;

#define RQ "d:dev s:sector u:nr_sector u:bytes o:ioprio W:rwbs C:comm S:cmd"
#define BIO "d:dev s:sector u:nr_sector W:rwbs C:comm"
#define ENDS "H:sport H:dport H:family H:protocol I:saddr_v6 I:daddr_v6"
#define WAKE "C:comm p:pid i:prio x:success i:target_cpu"

/* fields: see add_slot. pattern: what a line says after the event's name, see lines.c. */
static const struct {
	const char *system, *name, *fields, *pattern;
} events[] = {
	{ "sched", "sched_switch", "C:prev_comm p:prev_pid i:prev_prio L:prev_state C:next_comm p:next_pid i:next_prio",
	  "prev_comm/prev_pid @prev_state -> next_comm/next_pid" },
	{ "sched", "sched_waking", WAKE, "comm/pid" },
	{ "sched", "sched_wakeup", WAKE, "comm/pid" },
	{ "sched", "sched_wakeup_new", WAKE, "comm/pid" },
	{ "sched", "sched_migrate_task", "c:comm p:pid i:prio i:orig_cpu i:dest_cpu",
	  "comm/pid #orig_cpu -> #dest_cpu" },
	{ "sched", "sched_process_fork", "c:parent_comm p:parent_pid c:child_comm p:child_pid",
	  "parent_comm/parent_pid -> child_comm/child_pid" },
	{ "sched", "sched_process_exec", "S:filename p:pid p:old_pid", "$filename" },
	{ "sched", "sched_process_exit", "C:comm p:pid i:prio g:group_dead", "comm/pid" },
	{ "sched", "sched_process_free", "c:comm p:pid i:prio", "comm/pid" },
	{ "task", "task_newtask", "p:pid C:comm F:clone_flags h:oom_score_adj", "comm/pid" },
	{ "task", "task_rename", "p:pid C:oldcomm C:newcomm h:oom_score_adj", "oldcomm/pid -> $newcomm" },
	{ "raw_syscalls", "sys_enter", "L:id A:args", "" },
	{ "raw_syscalls", "sys_exit", "L:id L:ret", "" },
	{ "syscalls", "sys_exit_execve", "i:__syscall_nr L:ret", "" },
	{ "block", "block_rq_insert", RQ, "%dev $rwbs #bytes" },
	{ "block", "block_rq_issue", RQ, "%dev $rwbs #bytes" },
	{ "block", "block_rq_merge", RQ, "%dev $rwbs #bytes" },
	{ "block", "block_io_start", RQ, "%dev $rwbs #bytes" },
	{ "block", "block_io_done", RQ, "%dev $rwbs #bytes" },
	{ "block", "block_rq_complete", "d:dev s:sector u:nr_sector i:error o:ioprio W:rwbs S:cmd", "%dev $rwbs" },
	{ "block", "block_rq_requeue", "d:dev s:sector u:nr_sector o:ioprio W:rwbs S:cmd", "%dev $rwbs" },
	{ "block", "block_getrq", BIO, "%dev $rwbs" },
	{ "block", "block_bio_queue", BIO, "%dev $rwbs" },
	{ "block", "block_bio_backmerge", BIO, "%dev $rwbs" },
	{ "block", "block_bio_frontmerge", BIO, "%dev $rwbs" },
	{ "lock", "contention_begin", "P:lock_addr u:flags", "#lock_addr #flags" },
	{ "lock", "contention_end", "P:lock_addr i:ret", "#lock_addr" },
	{ "mmap_lock", "mmap_lock_start_locking", "P:mm S:memcg_path b:write", "#mm #write" },
	{ "mmap_lock", "mmap_lock_acquire_returned", "P:mm S:memcg_path b:write b:success", "#mm #write #success" },
	{ "mmap_lock", "mmap_lock_released", "P:mm S:memcg_path b:write", "#mm #write" },
	{ "vmscan", "mm_vmscan_direct_reclaim_begin", "i:order", "#order" },
	{ "vmscan", "mm_vmscan_direct_reclaim_end", "L:nr_reclaimed", "" },
	{ "vmscan", "mm_vmscan_memcg_reclaim_begin", "i:order", "#order" },
	{ "vmscan", "mm_vmscan_memcg_reclaim_end", "L:nr_reclaimed", "" },
	{ "vmscan", "mm_vmscan_writepage", "i:reclaim_flags", "#reclaim_flags" },
	{ "vmscan", "mm_vmscan_throttled", "i:nid i:usec_timeout i:usec_delayed i:reason", "#usec_delayed" },
	{ "compaction", "mm_compaction_try_to_compact_pages", "i:order i:prio", "#order" },
	{ "compaction", "mm_compaction_begin", "L:zone_start", "" },
	{ "compaction", "mm_compaction_end", "L:zone_start i:status", "" },
	{ "writeback", "balance_dirty_pages", "L:pause", "#pause" },
	{ "block", "block_bio_complete", "d:dev s:sector u:nr_sector i:error W:rwbs", "%dev $rwbs" },
	{ "irq", "irq_handler_entry", "i:irq S:name", "#irq $name" },
	{ "irq", "irq_handler_exit", "i:irq i:ret", "#irq" },
	{ "irq", "softirq_entry", "u:vec", "#vec" },
	{ "irq", "softirq_exit", "u:vec", "#vec" },
	{ "irq", "softirq_raise", "u:vec", "#vec" },
	{ "exceptions", "page_fault_user", "N:address N:ip N:error_code", "" },
	{ "exceptions", "page_fault_kernel", "N:address N:ip N:error_code", "" },
	{ "kmem", "mm_page_alloc", "N:pfn u:order N:gfp_flags i:migratetype", "#order" },
	{ "kmem", "mm_page_free", "N:pfn u:order", "#order" },
	{ "kmem", "rss_stat", "u:mm_id u:curr i:member L:size", "#mm_id #size" },
	{ "ftrace", "kernel_stack", "i:size K:caller", "" },
	{ "ftrace", "print", "N:ip S:buf", "$buf" },
	{ "tlb", "tlb_flush", "i:reason N:pages", "" },
	{ "msr", "write_msr", "u:msr L:val i:failed", "" },
	{ "x86_fpu", "x86_fpu_regs_deactivated", "P:fpu b:load_fpu", "" },
	{ "syscalls", "sys_enter_read", "i:__syscall_nr N:fd P:buf N:count", "" },
	{ "syscalls", "sys_exit_read", "i:__syscall_nr L:ret", "" },
	{ "syscalls", "sys_enter_openat", "i:__syscall_nr N:dfd P:filename N:how N:mode S:text", "" },
	{ "syscalls", "sys_exit_openat", "i:__syscall_nr L:ret", "" },
	{ "syscalls", "sys_enter_epoll_wait", "i:__syscall_nr N:epfd P:events N:maxevents N:timeout", "" },
	{ "syscalls", "sys_exit_epoll_wait", "i:__syscall_nr L:ret", "" },
	{ "syscalls", "sys_enter_rt_sigreturn", "i:__syscall_nr", "" },
	{ "syscalls", "sys_exit_rt_sigreturn", "i:__syscall_nr L:ret", "" },
	{ "ext4", "ext4_da_write_begin", "d:dev N:ino s:pos u:len", "%dev #ino" },
	{ "ext4", "ext4_sync_file_enter", "d:dev N:ino N:parent i:datasync", "%dev #ino" },
	{ "ext4", "ext4_evict_inode", "d:dev N:ino i:nlink", "%dev #ino" },
	{ "ext4", "ext4_writepages", "d:dev N:ino", "%dev #ino" },
	{ "ext4", "ext4_writepages_result", "d:dev N:ino i:ret", "%dev #ino" },
	{ "writeback", "writeback_single_inode_start", "N:ino", "#ino" },
	{ "writeback", "writeback_single_inode", "N:ino", "#ino" },
	{ "filemap", "mm_filemap_add_to_page_cache", "N:pfn N:i_ino N:index d:s_dev b:order", "%s_dev #i_ino #index #order" },
	{ "filemap", "mm_filemap_get_pages", "N:i_ino d:s_dev N:index N:last_index", "%s_dev #i_ino #index #last_index" },
	{ "filemap", "mm_filemap_fault", "N:i_ino d:s_dev N:index", "%s_dev #i_ino #index" },
	{ "ringside_7_1", "openat", "S:filename", "$filename" },
	{ "power", "cpu_frequency", "u:state u:cpu_id", "#state #cpu_id" },
	{ "power", "cpu_idle", "u:state u:cpu_id", "#state #cpu_id" },
	{ "sched", "sched_stat_runtime", "c:comm p:pid s:runtime s:vruntime", "comm/pid" },
	{ "kvm", "kvm_entry", "u:vcpu_id N:rip", "#vcpu_id" },
	{ "kvm", "kvm_exit", "u:exit_reason N:guest_rip u:vcpu_id", "#exit_reason #vcpu_id" },
	{ "workqueue", "workqueue_queue_work", "P:work P:function S:workqueue i:req_cpu i:cpu", "#work" },
	{ "workqueue", "workqueue_execute_start", "P:work P:function", "#work" },
	{ "workqueue", "workqueue_execute_end", "P:work P:function", "#work" },
	{ "irq_vectors", "local_timer_entry", "i:vector", "#vector" },
	{ "irq_vectors", "local_timer_exit", "i:vector", "#vector" },
	{ "cgroup", "cgroup_attach_task", "i:dst_root i:dst_id i:dst_level p:pid S:dst_path S:comm", "comm/pid $dst_path" },
	{ "ftrace", "user_stack", "u:tgid K:caller", "" },
	{ "signal", "signal_generate", "i:sig i:errno i:code C:comm p:pid i:group i:result", "#sig comm/pid" },
	{ "signal", "signal_deliver", "i:sig i:errno i:code N:sa_handler N:sa_flags", "#sig" },
	{ "printk", "console", "S:msg", "~msg" },
	{ "oom", "mark_victim", "p:pid", "#pid" },
	{ "sock", "inet_sock_set_state", "P:skaddr i:oldstate i:newstate " ENDS,
	  "#skaddr #oldstate -> #newstate &saddr_v6:sport &daddr_v6:dport" },
	{ "sock", "inet_sk_error_report", "i:error " ENDS, "#error &saddr_v6:sport &daddr_v6:dport" },
	{ "sock", "sock_send_length", "P:sk H:family H:protocol i:ret i:flags", "#sk #ret" },
	{ "sock", "sock_recv_length", "P:sk H:family H:protocol i:ret i:flags", "#sk #ret" },
	{ "tcp", "tcp_retransmit_skb", "P:skbaddr P:skaddr i:state " ENDS, "#skaddr &saddr_v6:sport &daddr_v6:dport" },
	{ "tcp", "tcp_cong_state_set", "P:skaddr b:cong_state", "#skaddr #cong_state" },
	{ "tcp", "tcp_probe", "P:skaddr u:snd_cwnd u:snd_wnd u:srtt", "#skaddr #srtt #snd_cwnd #snd_wnd" },
	{ "tcp", "tcp_receive_reset", "P:skaddr", "#skaddr" },
	{ "skb", "kfree_skb", "P:skbaddr P:location P:rx_sk H:protocol i:reason", "#location #reason" },
	{ "net", "net_dev_queue", "P:skbaddr u:len S:name", "$name #skbaddr #len" },
	{ "net", "net_dev_start_xmit", "S:name P:skbaddr u:len", "$name #skbaddr #len" },
	{ "net", "net_dev_xmit", "P:skbaddr u:len i:rc S:name", "$name #skbaddr #len" },
	{ "net", "netif_receive_skb", "P:skbaddr u:len S:name", "$name #skbaddr #len" },
	{ "net", "net_dev_xmit_timeout", "S:name S:driver i:queue_index", "$name" },
	{ "net", "napi_gro_receive_entry", "P:skbaddr u:len S:dev_name", "$dev_name #skbaddr #len" },
	{ "sock", "sk_data_ready", "P:skaddr H:family H:protocol", "#skaddr" },
	{ "napi", "napi_poll", "P:napi S:dev_name i:work i:budget", "$dev_name #work #budget" },
	{ "tcp", "tcp_send_reset", "P:skbaddr P:skaddr", "#skaddr" },
	{ "timer", "timer_start", "P:timer P:function N:expires N:now u:flags", "#timer #function" },
	{ "timer", "timer_cancel", "P:timer", "#timer" },
	{ "timer", "timer_expire_entry", "P:timer N:now P:function", "#timer #function" },
	{ "timer", "hrtimer_start", "P:hrtimer P:function s:expires s:softexpires i:mode",
	  "#hrtimer #function #softexpires" },
	{ "timer", "hrtimer_cancel", "P:hrtimer", "#hrtimer" },
	{ "timer", "hrtimer_expire_entry", "P:hrtimer s:now P:function", "#hrtimer #function #now" },
	{ "timer", "itimer_state", "i:which s:expires L:value_sec L:value_nsec", "#which #value_sec #value_nsec" },
	{ "timer", "itimer_expire", "i:which p:pid s:now", "#which #pid" },
};

/* Which letter is which C type; where a layout differs it is decided in add_slot. */
static const struct kind {
	char letter;
	const char *type;
	unsigned int size, nr;
	bool is_text, is_data_loc, is_signed;
} kinds[] = {
	{ 'C', "char", 1, 16, .is_text = true },
	{ 'c', "char", 1, 16, .is_text = true },
	{ 'W', "char", 1, 8, .is_text = true },
	{ 'S', "__data_loc char[]", 4, 1, .is_text = true, .is_data_loc = true },
	{ 'p', "pid_t", 4, 1, .is_signed = true },
	{ 'i', "int", 4, 1, .is_signed = true },
	{ 'x', "int", 4, 1, .is_signed = true },
	{ 'u', "unsigned int", 4, 1, .is_signed = false },
	{ 'd', "dev_t", 4, 1, .is_signed = false },
	{ 's', "sector_t", 8, 1, .is_signed = false },
	{ 'L', "long", 0, 1, .is_signed = true },
	{ 'A', "unsigned long", 0, 6, .is_signed = false },
	{ 'K', "unsigned long", 0, 8, .is_signed = false },
	{ 'F', "unsigned long", 0, 1, .is_signed = false },
	{ 'N', "unsigned long", 0, 1, .is_signed = false },
	{ 'h', "short", 2, 1, .is_signed = true },
	{ 'o', "unsigned short", 2, 1, .is_signed = false },
	{ 'H', "__u16", 2, 1, .is_signed = false },
	{ 'I', "__u8", 1, 16, .is_signed = false },
	{ 'P', "void *", 0, 1, .is_signed = false },
	{ 'g', "bool", 1, 1, .is_signed = false },
	{ 'b', "bool", 1, 1, .is_signed = false },
};

static bool absent(char letter, const struct layout *l)
{
	return (letter == 'x' && !l->has_success) || (letter == 'o' && !l->has_ioprio) ||
	       (letter == 'g' && !l->has_group_dead);
}

static void add_slot(struct event_layout *ev, char letter, const char *name, const struct layout *l)
{
	struct slot *slot = &ev->slots[ev->nr_slots];
	const struct kind *k = kinds;
	unsigned int align;

	if (absent(letter, l))
		return;
	if (letter == 'c' && l->comm_is_data_loc)
		letter = 'S';
	while (k->letter != letter)
		k++;
	if (ev->nr_slots == MAX_SLOTS) /* no assertion: a fuzzer uses this too */
		abort();
	ev->nr_slots++;
	snprintf(slot->name, sizeof slot->name, "%s", name);
	snprintf(slot->type, sizeof slot->type, "%s", letter == 'F' && l->flags_is_u64 ? "u64" : k->type);
	slot->size = k->size ? k->size : letter == 'F' && l->flags_is_u64 ? 8 : l->long_bytes;
	slot->nr = letter == 'W' ? l->rwbs_bytes : k->nr;
	slot->is_text = k->is_text;
	slot->is_data_loc = k->is_data_loc;
	slot->is_signed = k->is_signed;
	align = slot->size == 8 ? l->u64_align : slot->size;
	slot->offset = (ev->size + align - 1) / align * align;
	ev->size = slot->offset + slot->size * slot->nr;
}

bool rs_event_layout(struct event_layout *ev, const struct layout *l, unsigned int index)
{
	char fields[160], *at, *field;

	if (index >= sizeof events / sizeof *events)
		return false;
	memset(ev, 0, sizeof *ev);
	ev->system = events[index].system;
	ev->name = events[index].name;
	ev->pattern = events[index].pattern;
	ev->rare = strstr("syscalls signal printk oom sock tcp skb net napi timer", ev->system) && strcmp(ev->name, "sys_exit_execve") != 0;
	ev->id = 300 + index;
	ev->size = l->entry_bytes;
	snprintf(fields, sizeof fields, "%s", events[index].fields);
	for (at = fields; (field = strsep(&at, " ")); )
		add_slot(ev, field[0], field + 2, l);
	return true;
}

/* As the kernel writes it: the letters and the mask are only to be had from here. */
static void switch_print(struct rs_buf *out, const struct layout *l)
{
	unsigned int top = 1u << l->letters_bits;

	rs_buf_printf(out, "\"prev_comm=%%s prev_pid=%%d prev_prio=%%d prev_state=%%s%%s ==> "
		      "next_comm=%%s next_pid=%%d next_prio=%%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, ");
	if (l->letters_bits == 8)
		rs_buf_puts(out, "(REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | "
			    "0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) - 1)) ? __print_flags(REC->prev_state & "
			    "((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | "
			    "0x00000040) + 1) << 1) - 1), \"|\", ");
	else
		rs_buf_printf(out, "REC->prev_state & (%u-1) ? __print_flags(REC->prev_state & (%u-1), \"|\", ",
			      top, top);
	for (unsigned int bit = 0; bit < l->letters_bits; bit++)
		rs_buf_printf(out, l->letters_bits == 8 ? "%s{ 0x%08x, \"%c\" }" : "%s{ %u, \"%c\" }", bit ? ", " : "",
			      1u << bit, l->letters[bit]);
	if (l->letters_bits == 8)
		rs_buf_puts(out, ") : \"R\", REC->prev_state & (((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | "
			    "0x00000008 | 0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) ? \"+\" : \"\"");
	else
		rs_buf_printf(out, ") : \"R\", REC->prev_state & %u ? \"+\" : \"\"", top);
	rs_buf_puts(out, ", REC->next_comm, REC->next_pid, REC->next_prio\n");
}

/* Likewise: which bit is which flag is to be had from here alone. */
static void contention_print(struct rs_buf *out)
{
	rs_buf_puts(out, "\"%p (flags=%s)\", REC->lock_addr, __print_flags(REC->flags, \"|\", { (1U << 0), \"SPIN\" }, "
		    "{ (1U << 1), \"READ\" }, { (1U << 2), \"WRITE\" }, { (1U << 3), \"RT\" }, "
		    "{ (1U << 4), \"PERCPU\" }, { (1U << 5), \"MUTEX\" } )\n");
}

/* The oldest one prints names of constants, which only its source resolves. */
static void softirq_print(struct rs_buf *out, const struct layout *l)
{
	static const char *const names[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET",
					     "SCHED", "HRTIMER", "RCU" };

	rs_buf_puts(out, "\"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec");
	for (unsigned int vec = 0; vec < sizeof names / sizeof *names; vec++)
		if (l->letters_bits == 8)
			rs_buf_printf(out, ", { %u, \"%s\" }", vec, names[vec]);
		else
			rs_buf_printf(out, ", { %s_SOFTIRQ, \"%s\" }", names[vec], names[vec]);
	rs_buf_puts(out, ")\n");
}

/* 5.10 and before print the member's number, and nowhere what it means. */
static void rss_print(struct rs_buf *out, const struct layout *l)
{
	if (l->letters_bits == 8)
		rs_buf_puts(out, "\"mm_id=%u curr=%d type=%s size=%ldB\", REC->mm_id, REC->curr, "
			    "__print_symbolic(REC->member, { 0, \"MM_FILEPAGES\" }, { 1, \"MM_ANONPAGES\" }, "
			    "{ 2, \"MM_SWAPENTS\" }, { 3, \"MM_SHMEMPAGES\" }), REC->size\n");
	else
		rs_buf_puts(out, "\"mm_id=%u curr=%d member=%d size=%ldB\", REC->mm_id, REC->curr, REC->member, "
			    "REC->size\n");
}

static void common_fields(struct rs_buf *out, const struct layout *l)
{
	rs_buf_puts(out, "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n");
	if (l->entry_bytes > 8)
		rs_buf_puts(out, "\tfield:unsigned char common_preempt_lazy_count;\toffset:8;\tsize:1;\tsigned:0;\n");
	rs_buf_puts(out, "\n");
}

void rs_event_format(struct rs_buf *out, const struct event_layout *ev, const struct layout *l)
{
	rs_buf_printf(out, "name: %s\nID: %u\nformat:\n", ev->name, ev->id);
	common_fields(out, l);
	for (unsigned int i = 0; i < ev->nr_slots; i++) {
		const struct slot *s = &ev->slots[i];
		char array[16] = "";

		if (s->nr > 1)
			snprintf(array, sizeof array, "[%u]", s->nr);
		rs_buf_printf(out, "\tfield:%s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", s->type, s->name, array,
			      s->offset, s->size * s->nr, s->is_signed);
	}
	rs_buf_puts(out, "\nprint fmt: ");
	if (!strcmp(ev->name, "sched_switch"))
		switch_print(out, l);
	else if (!strcmp(ev->name, "contention_begin"))
		contention_print(out);
	else if (!strncmp(ev->name, "softirq_", 8))
		softirq_print(out, l);
	else if (!strcmp(ev->name, "kfree_skb"))
		rs_buf_puts(out, "\"reason: %s\", __print_symbolic(REC->reason, { 2, \"NOT_SPECIFIED\" }, { 3, \"NO_SOCKET\" }, { 9, \"TCP_LISTEN_OVERFLOW\" }, { 64, \"QDISC_DROP\" })\n");
	else if (!strcmp(ev->name, "rss_stat"))
		rss_print(out, l);
	else
		rs_buf_puts(out, "\"%d\", REC->common_pid\n");
}

void rs_header_page(struct rs_buf *out, const struct layout *l)
{
	rs_buf_printf(out, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		      "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
		      "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		      "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n", l->long_bytes, 8 + l->long_bytes,
		      4096 - 8 - l->long_bytes);
}
