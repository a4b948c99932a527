# SPDX-License-Identifier: GPL-2.0-or-later
# clickhouse.sh - servers of a cluster of two shards; to be sourced after live.sh
# shellcheck shell=bash disable=SC2154
clickhouse_port=$((21000 + $$ % 20000))
http_port() { echo $((clickhouse_port + $1 * 3)); }
tcp_port() { echo $((clickhouse_port + $1 * 3 + 1)); }

# clickhouse_config N: the files of server N in the folder clickhouseN
clickhouse_config() {
	mkdir -p "clickhouse$1/data" "clickhouse$1/tmp"
	cat >"clickhouse$1/config.xml" <<-END
		<yandex>
		<logger><level>warning</level><log>$tmp/clickhouse$1/log</log><errorlog>$tmp/clickhouse$1/errors</errorlog></logger>
		<http_port>$(http_port "$1")</http_port><tcp_port>$(tcp_port "$1")</tcp_port>
		<interserver_http_port>$((clickhouse_port + $1 * 3 + 2))</interserver_http_port><listen_host>127.0.0.1</listen_host>
		<path>$tmp/clickhouse$1/data/</path><tmp_path>$tmp/clickhouse$1/tmp/</tmp_path><users_config>$tmp/clickhouse$1/users.xml</users_config>
		<default_profile>default</default_profile><default_database>default</default_database><mark_cache_size>5368709</mark_cache_size>
		<remote_servers><two>
		<shard><replica><host>127.0.0.1</host><port>$(tcp_port 0)</port></replica></shard>
		<shard><replica><host>127.0.0.1</host><port>$(tcp_port 1)</port></replica></shard>
		</two></remote_servers>
		</yandex>
	END
	cat >"clickhouse$1/users.xml" <<-END
		<yandex><profiles><default/></profiles><quotas><default/></quotas><users>
		<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
		<shipper><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></shipper>
		</users></yandex>
	END
}
# start_clickhouse N: its pid is in ${clickhouse_pid[N]}
start_clickhouse() {
	clickhouse-server --config-file="$tmp/clickhouse$1/config.xml" >"clickhouse$1/out" 2>&1 &
	clickhouse_pid[$1]=$!
	until_soon 30 clickhouse_answers "$1" || fail "clickhouse $1: $(tail -3 "clickhouse$1/errors")"
}
clickhouse_answers() { [ "$(clickhouse_ask "$1" 'SELECT 1' 2>/dev/null)" = 1 ]; }
# clickhouse_ask N QUERY
clickhouse_ask() { curl -s -m 20 "http://127.0.0.1:$(http_port "$1")/" --data-binary "$2"; }
