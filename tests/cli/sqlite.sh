#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sqlite.sh - the databases that export writes: whole, with the rows of every view, and states that sum to what views say
#
# Usage: tests/cli/sqlite.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"

for trace in "$traces"/*.dat; do
	name=$(basename "$trace" .dat)
	"$ringside" export "$trace" -q -o "$name.db" 2>err || fail "$name: $(cat err)"
	"$ringside" report "$trace" -q --view all --json >"$name.rows" 2>err || fail "$name: $(cat err)"
done
python3 - ./*.db <<'PY' || fail "a database differs from the views"
import json, sqlite3, sys
def number(v):  # JSON has 12 for what is REAL
    return float(v) if isinstance(v, (int, float)) else v
for path in sys.argv[1:]:
    db = sqlite3.connect(path)
    one = lambda sql: db.execute(sql).fetchone()[0]
    assert one("PRAGMA integrity_check") == "ok" and one("PRAGMA user_version") >= 1, path
    assert one("PRAGMA application_id") == int.from_bytes(b"RSDB", "big"), path
    rows, compared = {}, 0
    for line in open(path[:-3] + ".rows", encoding="utf-8"):
        row = json.loads(line)
        if "_meta" in row:
            meta = row["_meta"]
        else:
            rows.setdefault(row.pop("_view").replace("-", "_"), []).append(row)
    tables = [t for t, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table, wanted in rows.items():
        assert table in tables, (path, table)
        db.row_factory = sqlite3.Row
        key = lambda row: json.dumps({k: number(v) for k, v in row.items()}, sort_keys=True)
        # columns that views leave out by default are here
        got = sorted(key({k: r[k] for k in r.keys() if k in wanted[0]}) for r in db.execute(f'SELECT * FROM "{table}"'))
        assert got == sorted(map(key, wanted)), (path, table, len(got), len(wanted))
        db.row_factory = None
        compared += len(wanted)
    assert compared > 200, (path, compared)
    for key, value in meta.items():
        if not isinstance(value, list) and key != "view" and key != "rows_dropped":
            assert db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone() == (value,), (path, key)
    assert [v for v, in db.execute("SELECT lost FROM cpu ORDER BY cpu")] == meta["lost_by_cpu"], path
    # the parts of a wait sum to it; each CPU's slices are what sched has; who is named is there
    assert one("SELECT count(*) FROM (SELECT 1 FROM state s LEFT JOIN culprit c ON c.state = s.id WHERE s.state <> 'run' AND NOT in_flight "
               "GROUP BY s.id HAVING coalesce(sum(c.ns), 0) <> end_ns - start_ns)") == 0, path
    assert one("SELECT sum(end_ns - start_ns) FROM state WHERE state = 'run' AND NOT in_flight") == one("SELECT sum(run_ns) FROM sched"), path
    for column in ("state.thread", "state.waker", "culprit.thread", "sample.thread", "span_syscall.thread"):
        table, field = column.split(".")
        assert one(f"SELECT count(*) FROM {table} WHERE {field} > 0 AND {field} NOT IN (SELECT id FROM thread)") == 0, (path, column)
    assert one("SELECT count(*) FROM span_syscall WHERE NOT in_flight") == len(rows.get("syscalls", [])), path
    for name, sql in db.execute("SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view')").fetchall():
        assert " -- " in sql.split("\n")[0], (path, name)
        db.execute(f'SELECT * FROM "{name}" LIMIT 1').fetchall()
assert len(sys.argv) > 7
PY

# A selection, and a time range.
t=$traces/debian-6.1-amd64-v6.dat
"$ringside" export "$t" -q -a syscalls -o some.db || fail "-a syscalls"
python3 - <<'PY' || fail "-a syscalls: more, or less"
import sqlite3
db = sqlite3.connect("some.db")
names = [n for n, in db.execute("SELECT name FROM sqlite_master")]
assert "syscalls" in names and "slow_calls" in names and "iosnoop" not in names and "slow_requests" not in names, names
assert db.execute("SELECT count(*) FROM slow_calls").fetchone()[0] > 100
PY
"$ringside" export "$t" -q --from 0.05 --to 0.1 -o range.db || fail "--from --to"
python3 - <<'PY' || fail "--from --to: what is outside of the range is there"
import sqlite3
db = sqlite3.connect("range.db")
begin = db.execute("SELECT value FROM meta WHERE key = 'begin_ns'").fetchone()[0]
first, last, n = db.execute("SELECT min(end_ns) - ?, max(start_ns) - ?, count(*) FROM state", (begin, begin)).fetchone()
assert first >= 50000000 and last <= 100000000 and n > 50, (first, last, n)
PY

# What cannot be written is said, and leaves no file.
for blocks in 20 600; do
	(trap '' XFSZ; ulimit -f $blocks; "$ringside" export "$t" -q -o full.db 2>err)
	[ $? = 1 ] && grep -q "^ringside: cannot write" err && [ "$(wc -l <err)" = 1 ] || fail "no room, at $blocks blocks: $(cat err)"
	[ -z "$(ls | grep full)" ] || fail "no room: $(ls | grep full) is left"
done
"$ringside" export "$t" -f sqlite 2>err >out
[ $? = 2 ] && [ ! -s out ] || fail "a database on standard output: $(cat err)"

finish "every table as its view"
