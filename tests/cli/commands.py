#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# commands.py - runs what `why` and `findings` of recordings suggest: PROGRAM RECORDING... Exits 1 if one fails or shows no row
import json, shlex, subprocess, sys

program, *recordings = sys.argv[1:]
failed, tried = 0, set()

def rows(words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

def check(words, where, has_rows=True):
    global failed
    if tuple(words) in tried:
        return
    tried.add(tuple(words))
    status, got, said = rows([*words, "--json", "-n", "1"])
    if status or (has_rows and not [row for row in got if "_meta" not in row]):
        failed += 1
        print(f"FAIL: {where}: ringside {shlex.join(words)}: exit status {status}, no rows: {said.strip()}")

def evidence(e, recording):
    words = [e["view"], "-i", recording]
    for option, key in (("--by", "by"), ("-s", "sort"), ("--where", "where")):
        if e.get(key):
            words += [option, e[key]]
    return words

for recording in recordings:
    for row in rows(["findings", "-i", recording, "--json"])[1]:
        for i, e in enumerate(row.get("evidence", [])): # the first is printed; the others need not apply
            check(evidence(e, recording), f"findings, rule {row['rule']}", has_rows=i == 0)
    for by in ("part,dev,type,culprit", "pid,part", "tid,part"):
        for row in rows(["why", "-i", recording, "--by", by, "--json", "-n", "40"])[1]:
            if row.get("more"):
                check(shlex.split(row["more"])[1:], f"why, part {row['part']}")
print(f"{len(tried)} commands of {len(recordings)} recordings")
sys.exit(failed > 0)
