#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# retransmits.sh - segments that are sent again in a network of our own that drops some: as many as the kernel counts
. "$(dirname "$0")/../lib/live.sh"
need_tracing
need_commands ip nft nstat
[ -d $tracefs/events/tcp/tcp_retransmit_skb ] || skip "this kernel has no tcp:tcp_retransmit_skb"
ns=ringside-test-$$
ip netns add $ns 2>/dev/null || skip "no network namespace can be had"
trap 'ip netns del $ns; clean_up' EXIT
inside() { ip netns exec $ns "$@"; }
counted() { inside nstat -asz "$1" 2>/dev/null | awk -v name="$1" '$1 == name { print $2 }'; }
inside ip link set lo up
inside nft -f - <<'RULES' || skip "nftables cannot drop packets here"
table inet t {
	chain in {
		type filter hook input priority 0
		meta l4proto tcp meta length > 300 numgen inc mod 40 == 7 counter drop
	}
}
RULES

# each answer is one segment, and each is waited for: what is lost is sent again, once
begin "one in forty is dropped"
before=$(counted TcpRetransSegs)
run tcpretrans --json --system -- ip netns exec $ns "$samples/tcp" -n 2 -m 100 -s 400
fine
sent_again=$(($(counted TcpRetransSegs) - before))
mine="[r for r in rows if $(said port) in (r['local_port'], r['remote_port'])]"
[ "$sent_again" -gt 5 ] || fail "only $sent_again segments were sent again: $(inside nft list ruleset)"
expect "segments" "$sent_again" "$(ask "len($mine)")"
# whose a server's connection is tells what it receives, which is not recorded here
expect "whose" "['-', 'tcp-client']" "$(ask "sorted({r['comm'] or '-' for r in $mine} | {'-'})")"
[ ! -d $tracefs/events/tcp/tcp_cong_state_set ] ||
	expect "why" True "$(ask "{r['type'] for r in $mine} <= {'timer', 'fast', 'probe'}")"

begin "by connection"
before=$(counted TcpRetransSegs)
run connections --json --system -- ip netns exec $ns "$samples/tcp" -n 2 -m 100 -s 400
fine
expect "segments of all rows" $(($(counted TcpRetransSegs) - before)) \
	"$(ask "sum(r['retransmits'] for r in rows if $(said port) in (r['local_port'], r['remote_port']))")"

begin "what is dropped, and why"
dropped() { inside nft list ruleset | sed -n 's/.*counter packets \([0-9]*\).*/\1/p'; }
before=$(dropped)
run netdrops --json --system -- ip netns exec $ns "$samples/tcp" -n 1 -m 100 -s 400
fine
grep -q 'NETFILTER_DROP' $tracefs/events/skb/kfree_skb/format &&
	expect "packets" $(($(dropped) - before)) "$(ask "sum(r['drops'] for r in of(reason='NETFILTER_DROP'))")"

# sent and received are the same on this device, and equal to its own counters: of small packets each is one
begin "packets of a device"
device() { inside cat /sys/class/net/lo/statistics/"$1"; }
inside nft flush ruleset
run netdev --json -- ip netns exec $ns bash -c \
	"cd /sys/class/net/lo/statistics; cat tx_packets >$tmp/before; $samples/tcp -n 2 -m 50 -s 400; cat tx_packets >$tmp/after"
fine
packets=$(($(cat after) - $(cat before)))
within "packets of lo" $packets $((packets + 200)) "$(ask "sum(r['tx_packets'] for r in of(device='lo'))")"
expect "softirqs that poll, and take no time" "[]" "$(ask "[r for r in rows if r['polls'] and not r['net_rx_ns']]")"
expect "received" "$(ask "[r['tx_packets'] for r in of(device='lo')]")" "$(ask "[r['rx_packets'] for r in of(device='lo')]")"

# more than are open at once anywhere: the table does not grow, and nothing of it is forgotten
begin "10,000 connections, as the kernel and a packet capture count them"
captured=
if command -v tcpdump >/dev/null; then
	ip netns exec $ns tcpdump -i lo -n -U -B 65536 -w syn.pcap 'tcp[tcpflags] & tcp-syn != 0' 2>capture &
	captured=$!
	until_soon 10 grep -q listening capture || fail "no capture: $(cat capture)"
fi
opens=$(counted TcpActiveOpens) accepts=$(counted TcpPassiveOpens)
run connections --json --by side,reset -b 16384 -- ip netns exec $ns "$samples/tcp" -n 10000 -m 1 -s 100 -r 70
fine
expect "clients" $(($(counted TcpActiveOpens) - opens)) "$(ask "sum(r['connections'] for r in of(side='client'))")"
expect "servers" $(($(counted TcpPassiveOpens) - accepts)) "$(ask "sum(r['connections'] for r in of(side='server'))")"
expect "resets" "[('client', 'local', 70), ('server', 'peer', 70)]" \
	"$(ask "sorted((r['side'], r['reset'], r['connections']) for r in rows if r['reset'])")"
expect "none is forgotten" 0 "$(ask "meta['evicted']")"
if [ "$captured" ]; then
	syns() { tcpdump -n -r syn.pcap 2>/dev/null | wc -l; }
	until_soon 5 eval '[ "$(syns)" -ge 20000 ]' || true # it may be behind
	kill $captured
	wait $captured
	grep -q '^0 packets dropped by kernel' capture && expect "SYNs of both sides" 20000 "$(syns)"
fi

begin "an attempt without an answer"
inside nft add table inet t
inside nft add chain inet t out '{ type filter hook output priority 0; }'
inside nft add rule inet t out tcp dport 9 drop
run tcpconnect --json --system -- ip netns exec $ns timeout 0.5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/9'
expect "it is aborted" "['aborted']" "$(ask "[r['result'] for r in rows if r['remote_port'] == 9]")"
finish
