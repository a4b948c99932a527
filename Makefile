# SPDX-License-Identifier: GPL-2.0-or-later
# make help lists the targets.

PREFIX  ?= /usr/local
DESTDIR ?=
SAN     ?=
V       ?=
WERROR  ?=
VERSION := 0.1.0

B := build$(if $(SAN),-$(SAN))
Q := $(if $(V),,@)

# Library, package and what it is for: scripts/setup reads the same lines.
DEPS := libtracefs libtraceevent ncursesw libcjson libseccomp libcap-ng libdw libelf zlib libzstd liblzma libdeflate
# Loaded when a command needs them (base/library.h): only their headers are used here.
LOADED_DEPS := libmicrohttpd libcurl sqlite3
# It has no .pc file.
HEADER_DEPS := header:libiberty/demangle.h
TEST_DEPS := check
PKG_CONFIG ?= pkg-config

GOALS := $(or $(MAKECMDGOALS),all)
NO_LIBS := clean run test setup setup-run help uninstall
ifneq ($(filter-out $(NO_LIBS),$(GOALS)),)
  MISSING := $(shell scripts/setup --check $(DEPS) $(LOADED_DEPS) $(HEADER_DEPS))
  ifneq ($(MISSING),)
    $(error $(MISSING) is missing: run "make setup", or apt-get install $(MISSING))
  endif
endif

# A report of a sanitizer needs lines, not types: a quarter of the time to compile. Most of what the suites cost there is
# the sanitizer's allocator: they lose less by -O0 than the build gains, but for the folders of hot_cflags.
DEBUG   ?= -g
CFLAGS  ?= $(if $(SAN),$(if $(filter fuzz,$(SAN)),-O1,-O0) -g1,-O2 $(DEBUG))
comma   := ,
SANKINDS := $(if $(filter fuzz,$(SAN)),fuzzer-no-link$(comma))address$(comma)undefined
SANFLAGS := $(if $(filter thread,$(SAN)),-fsanitize=thread,$(if $(SAN),-fsanitize=$(SANKINDS) -fno-sanitize-recover=undefined))
# What an event's handler stores in pairs of words is read back word by word, or the other way round, a moment
# later: put together into vectors, the second waits for the first.
SCALAR := -fno-tree-slp-vectorize
rs_cflags = -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers $(if $(WERROR),-Werror) \
	-Iinclude -Isrc -I. -DRS_VERSION='"$(VERSION)"' -MMD -MP -pthread $(if $(SAN),-fno-omit-frame-pointer) $(SCALAR) $(SANFLAGS)
rs_libs = $(shell $(PKG_CONFIG) --libs $(DEPS)) -liberty -pthread -ldl -lm
# Allocations of our objects go through src/base/memory-watch.c, which counts those that fail.
WRAPPED := $(sort $(shell grep -oE '(^WRAP.|__wrap_)[a-z_]+' src/base/memory-watch.c | sed 's/__wrap_//; s/WRAP.//'))
WRAP := $(WRAPPED:%=-Wl,--wrap=%)
rs_pkg_cflags = $(shell $(PKG_CONFIG) --cflags $(DEPS) $(LOADED_DEPS))
ifneq ($(filter-out $(NO_LIBS),$(GOALS)),)
  rs_cflags := $(rs_cflags) $(rs_pkg_cflags)
  rs_libs := $(rs_libs)
endif

PLUGINS  := $(sort $(wildcard plugins/*.c) $(wildcard src/why/rules/*.c))
COMMANDS := $(sort $(wildcard src/cli/cmd-*.c))
OPS      := $(sort $(wildcard src/service/op-*.c))
SOURCES  := $(sort $(shell find src tui -name '*.c'))
EMBEDDED := $(sort $(shell find src -name '*.css' -o -name '*.js')) docs/guide.md
# Parts of a plugin whose file would hold two ideas.
PARTS    := $(sort $(wildcard plugins/parts/*.c))
LIBSRC   := $(sort $(filter-out src/cli/%,$(SOURCES)) $(PLUGINS) $(PARTS))
CLISRC   := $(filter-out src/cli/main.c,$(filter src/cli/%,$(SOURCES)))
DEMOS    := $(sort $(wildcard tests/traces/faults/*.dat.xz))
UNITS    := $(sort $(shell find tests/unit -name 'test-*.c'))
UNITLIB  := $(filter-out $(UNITS),$(sort $(shell find tests/unit -name '*.c')))
SAMPLES  := $(patsubst %.c,$(B)/%,$(sort $(wildcard samples/*.c)))
LOADS    := $(patsubst %.c,$(B)/%,$(wildcard samples/loads/*.c)) $(B)/samples/loads/pl
LABS     := $(patsubst %.c,$(B)/%,$(wildcard samples/labs/*.c)) $(patsubst %.sh,$(B)/%,$(wildcard samples/labs/*.sh))
BENCHES  := $(patsubst %.c,$(B)/%,$(sort $(wildcard bench/*.c)))
TOOLS    := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/tools/*.c)))
FUZZERS  := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz-*.c)))
FUZZ_SECONDS ?= 60
# Under the sanitizers the files of a folder are compiled as one: to read the headers for each takes longer than its code does at
# -O0. Apart are the program's main file and folders whose files name things of their own alike, as rules do their rows.
APART    := src/cli/main.c $(wildcard $(addsuffix /*.c,src/decode src/export/replay src/model src/why/rules tui/app tui/latency tui/overview))
JOINED   := $(if $(SAN),$(filter-out $(APART),$(SOURCES)))
objects   = $(sort $(patsubst %.c,$(B)/%.o,$(filter-out $(JOINED),$(1))) $(patsubst %/,$(B)/%/joined.o,$(dir $(filter $(JOINED),$(1)))))

# An event's way goes through files of these folders: gcc puts them together for the program, 8 % of its instructions.
# The objects are fat, so that tests link them as they are, which is quick.
LTO := $(if $(SAN),,$(if $(findstring gcc version,$(shell $(CC) -v 2>&1)),-flto=auto -ffat-lto-objects))
NO_LTO := $(if $(LTO),-fno-lto)
$(call objects,$(filter $(addprefix src/,decode/% engine/% stacks/% why/% model/% export/chrome/% export/scene/%),$(SOURCES)) $(PLUGINS) $(PARTS)): lto := $(LTO)

# Loops over all events of a recording, and over all bytes of an export.
$(call objects,$(filter $(addprefix src/,base/% decode/% engine/% export/% source/%),$(SOURCES))): hot_cflags := $(if $(filter 1,$(SAN)),-O1)

# What the tests of all rooms share.
$(call objects,$(UNITS) $(UNITLIB)): unit_cflags := -Itests/unit

all: $(B)/ringside

# A plugin may call what the public headers declare, and nothing else; also what no built-in analysis happens to call.
$(B)/ringside: $(call objects,src/cli/main.c $(CLISRC)) $(B)/commands.o $(B)/demo-recordings.o $(B)/libringside.a $(B)/exports.list
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LTO) $(SANFLAGS) $(LDFLAGS) $(WRAP) -Wl,--dynamic-list=$(B)/exports.list -o $@ $(filter %.o,$^) \
		-Wl,--whole-archive $(B)/libringside.a -Wl,--no-whole-archive $(rs_libs)

$(B)/exports.list: $(wildcard include/ringside/*.h) scripts/list-exports
	@mkdir -p $(@D)
	$(Q)scripts/list-exports $(filter %.h,$^) >$@

$(B)/libringside.a: $(call objects,$(LIBSRC)) $(B)/analyses.o $(B)/ops.o $(B)/embedded.o
	@echo "  AR      $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(rs_cflags) $(lto) $(hot_cflags) $(unit_cflags) -c -o $@ $<

$(B)/%.o: $(B)/%.c
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(rs_cflags) -c -o $@ $<

$(B)/%/joined.c: $(SOURCES) Makefile
	@mkdir -p $(@D)
	$(Q)printf '#include "%s"\n' $(filter-out $(APART),$(wildcard $*/*.c)) >$@

# The lists of analyses and of commands are made from the files that are there, in sorted order; that of the protocol's
# requests from the definitions in its files.
$(B)/analyses.c: $(PLUGINS) Makefile scripts/list-descriptors
	@mkdir -p $(@D)
	$(Q)scripts/list-descriptors rs_analysis ringside/plugin.h rs_builtin_analyses $(basename $(notdir $(PLUGINS))) >$@

$(B)/commands.c: $(COMMANDS) Makefile scripts/list-descriptors
	@mkdir -p $(@D)
	$(Q)scripts/list-descriptors rs_command cli/command.h rs_commands $(patsubst src/cli/cmd-%.c,%,$(COMMANDS)) >$@

$(B)/ops.c: $(OPS) Makefile scripts/list-descriptors
	@mkdir -p $(@D)
	$(Q)scripts/list-descriptors rs_op service/jobs.h rs_ops $$(sed -n 's/^const struct rs_op rs_op_\([a-z]*\) = .*/\1/p' $(OPS)) >$@

# Parts of pages, and the guide: page.css is the string rs_page_css. A line of a file is a line of a string; no ?? is a trigraph.
$(B)/embedded.c: $(EMBEDDED) Makefile
	@mkdir -p $(@D)
	$(Q)for f in $(EMBEDDED); do \
		echo "const char rs_$$(basename $$f | tr .- __)[] ="; \
		sed 's/[\\"?]/\\&/g; s/^/	"/; s/$$/\\n"/' $$f; echo '	;'; \
	done >$@

# The recordings that "demo" shows, packed: inversion.dat.xz is rs_demo_recordings' row "inversion".
$(B)/demo-recordings.c: $(DEMOS) Makefile
	@mkdir -p $(@D)
	$(Q){ echo '#include "cli/demo.h"'; \
	for f in $(DEMOS); do \
		echo "static const unsigned char demo_$$(basename $$f .dat.xz)[] = {"; od -An -v -tu1 $$f | sed 's/[0-9][0-9]*/&,/g'; echo '};'; \
	done; \
	echo 'const struct rs_demo_recording rs_demo_recordings[] = {'; \
	for f in $(DEMOS); do n=$$(basename $$f .dat.xz); echo "	{ \"$$n\", demo_$$n, sizeof demo_$$n },"; done; \
	echo '	{ 0 } };'; } >$@

$(B)/unit: $(call objects,$(UNITS) $(UNITLIB) $(CLISRC)) $(B)/commands.o $(B)/demo-recordings.o $(B)/suites.o $(B)/libringside.a
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(NO_LTO) $(SANFLAGS) $(LDFLAGS) $(WRAP) -Wl,--wrap=_mark_point -o $@ $(filter %.o,$^) \
		$(B)/libringside.a $(rs_libs) $(shell $(PKG_CONFIG) --libs check sqlite3)

$(B)/suites.c: $(UNITS) Makefile
	@mkdir -p $(@D)
	$(Q){ echo '#include <check.h>'; \
	for u in $(subst -,_,$(patsubst test-%.c,%,$(notdir $(UNITS)))); do echo "Suite *rs_suite_$$u(void);"; done; \
	echo 'Suite *(*const rs_suites[])(void) = {'; \
	for u in $(subst -,_,$(patsubst test-%.c,%,$(notdir $(UNITS)))); do echo "	rs_suite_$$u,"; done; \
	echo '	0 };'; } >$@

$(B)/samples/%: samples/%.c samples/sample.h
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) -O2 -g -Wall -Wextra -D_GNU_SOURCE -pthread $(sample_flags) -o $@ $<
# Its addresses are those in the file, as addr2line takes them.
$(B)/samples/labs/5-segv: sample_flags := -no-pie

# Its stacks are known: each function has a frame pointer.
$(B)/samples/allocs $(B)/samples/shares $(B)/samples/waiters: sample_flags := -fno-omit-frame-pointer -fno-optimize-sibling-calls

# Its stacks can be told by the tables of .eh_frame alone.
$(B)/samples/frameless: sample_flags := -fomit-frame-pointer -fno-optimize-sibling-calls
$(B)/samples/frameless: samples/shares.c

$(B)/samples/stage: $(wildcard samples/faults/*.[ch]) samples/sample.h
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) -O2 -g -Wall -Wextra -D_GNU_SOURCE -pthread -o $@ $(filter %.c,$^)

# A lab that needs no program of its own tells stage what to do.
$(B)/samples/labs/%: samples/labs/%.sh $(B)/samples/stage
	$(Q)install -D -m 755 $< $@

$(B)/samples/loads/%: samples/loads/%.c samples/loads/load.h samples/sample.h
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) -O2 -g -Wall -Wextra -D_GNU_SOURCE -pthread -o $@ $<
$(B)/samples/loads/pl: samples/loads/pl
	$(Q)install -D -m 755 $< $@

# Yardsticks stand alone: what they measure must not be what they are made of.
$(B)/bench/%: bench/%.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) -std=c11 -O2 -g -Wall -Wextra -D_GNU_SOURCE -pthread -o $@ $<

$(B)/tests/tools/%: tests/tools/%.c $(B)/libringside.a
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(NO_LTO) $(rs_cflags) $(WRAP) -Itests -o $@ $< $(B)/libringside.a $(rs_libs)

# For tests/faults/alloc.sh and live/readers.sh: loaded into the program, so no part of it.
$(B)/tests/lib/%.so: tests/lib/%.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) -std=c11 -O2 -g -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -D_GNU_SOURCE -shared -fPIC -o $@ $<

# Fuzzers: with clang and libFuzzer (SAN=fuzz, which "make fuzz-NAME" sets), or as replay-NAME with any compiler.
$(B)/fuzz-%: $(B)/tests/fuzz/fuzz-%.o $(B)/libringside.a
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer,address,undefined $(WRAP) -o $@ $(filter %.o,$^) $(B)/libringside.a $(rs_libs)

$(B)/replay-%: $(B)/tests/fuzz/fuzz-%.o $(B)/tests/fuzz/replay.o $(B)/libringside.a
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(NO_LTO) $(SANFLAGS) $(LDFLAGS) $(WRAP) -o $@ $(filter %.o,$^) $(B)/libringside.a $(rs_libs)

# fuzz-session and fuzz-frame make their recordings as the unit tests do.
$(foreach n,session frame,$(B)/fuzz-$n $(B)/replay-$n): $(call objects,$(addprefix tests/unit/,trace-bytes.c trace-bytes-check.c lines-format.c))

# What is found new goes to build-fuzz/found-NAME; what is worth keeping is copied to tests/fuzz/corpus-NAME.
$(FUZZERS): fuzz-%:
	@$(MAKE) --no-print-directory CC=clang SAN=fuzz build-fuzz/fuzz-$*
	@mkdir -p build-fuzz/found-$*
	cd build-fuzz && ./fuzz-$* -max_total_time=$(FUZZ_SECONDS) found-$* ../tests/fuzz/corpus-$*

# Where binutils make programs of x86 alone, or none of 32 bits, the tests of these say so.
$(B)/samples/compat-calls: samples/compat-calls.s
	@mkdir -p $(@D)
	@as --32 -o $@.o $< 2>$@.err && ld -m elf_i386 -o $@ $@.o 2>$@.err || \
		echo "  SKIP    $<: $$(head -n 1 $@.err)"

samples: $(SAMPLES) $(LABS) $(LOADS) $(B)/samples/stage $(B)/samples/compat-calls
tools: $(TOOLS) $(B)/tests/lib/fail-alloc.so $(B)/tests/lib/fail-wait.so
unit: $(B)/unit

# Every allocation of what does not trace (hours), each call stack that allocates of what does (12,000 runs, an hour and
# more). "make test" takes a few of each.
fuzz-alloc: all samples tools
	tests/faults/alloc.sh --all
	tests/live/alloc.sh --all

# Each command on 6,000 recordings with times of all sizes (two hours of one CPU). "make test" takes a few.
MUTANTS := 6000
fuzz-times: all samples
	MUTANTS=$(MUTANTS) tests/faults/mutants.sh

define HELP
make                   build/ringside
make run               install what running needs, build, show what this machine does now
make test              install what tests need, build, run every test that this machine can run
make test-near         the unit suites near what has changed, and the checks
make test-long         20,000 random recordings, all layouts, 30,000 random keys; also under the sanitizers
make test-kernels      the live tests under other kernels, in virtual machines
make test-cgroups      quotas, weights and limits of control groups, in a virtual machine
make test-alarms       a daemon that keeps recordings is killed, reloaded, and runs out of disk: three minutes
make test-findings     faults staged in virtual machines: does ringside name victim, cause and culprit?
make unit              the unit tests' program: CK_RUN_SUITE=page build/unit runs one suite
make bench             ratios beside trace-cmd and perf where they are installed
make freeze BASE=FILE  the output of build/ringside beside that of an earlier program, FILE: equal, but for tests/freeze/renames.tsv
make bench-pair BASE=FILE  the speed of build/ringside beside an earlier program's, in turn: at most 3 % slower
make fuzz-NAME         a fuzzer of tests/fuzz/, with clang: $(FUZZERS)
make fuzz-alloc        each allocation of each command fails once
make fuzz-times        each command on recordings with times of all sizes, under the sanitizers: MUTANTS=6000
make man               the man pages
make pictures          docs/pictures/, the screens of a recording: after the screens have changed
make install           DESTDIR= PREFIX=/usr/local; make uninstall takes the same away
make setup, make clean install what building and testing need; remove what was built

SAN=1 builds with ASan and UBSan, SAN=thread with TSan; WERROR=1, V=1, DEBUG=-g1 and CC=clang work; FUZZ_SECONDS=60.
endef
help:
	$(info $(HELP))
	@:

# What a new user types first: each sets up what is missing and goes on with the same make.
setup:
	@scripts/setup
setup-run:
	@scripts/setup run
run: setup-run
	@$(MAKE) --no-print-directory all samples
	@scripts/first-look $(B)
test: setup
	@tests/run
# The unit suites near what is not committed.
test-near:
	@tests/near
# More random recordings and keys than "make test" has time for, with the sanitizers and without: three quarters of an hour.
test-long: all samples unit
	@$(MAKE) --no-print-directory SAN=1 all samples
	@bad=0; RS_SEEDS=20000 RS_LAYOUTS=100 KEYS=30000 tests/run unit terminal/random-keys || bad=1; \
		KEYS=30000 RINGSIDE_BUILD=build-1 tests/run terminal/random-keys || bad=1; exit $$bad
# More kernels than "make test" has time for; RINGSIDE_VM_RUN names what boots them (see tests/kernels/boot).
KERNELS := debian-5.10 debian-6.1 debian-6.12 debian-6.1-rt
# Control groups of version 2, in a guest that has them and a disk.
test-cgroups: all samples
	@RINGSIDE_VM_OPTIONS="$(or $(RINGSIDE_VM_OPTIONS),-d virtio)" tests/kernels/boot debian-6.1 ../kernels/guest/cgroups
# Longer than "make test" has time for. RS_ROUNDS=20: more of each.
test-alarms: all samples
	@tests/run alarms
test-kernels: all samples
	@bad=0; tests/run kernels || bad=1; for k in $(KERNELS); do RINGSIDE_VM_SECONDS=800 tests/kernels/boot $$k || bad=1; done; exit $$bad
# Staged faults and healthy loads, half an hour; RINGSIDE_VM_RUN as above.
test-findings: all samples
	@tests/findings/run || [ $$? = 77 ]
bench: all tools $(BENCHES)
	@bench/run $(B)
freeze: all
	@tests/freeze/run compare $(or $(BASE),$(error BASE= names an earlier program, as BASE=/tmp/ringside.old)) $(B)/ringside
bench-pair: all $(BENCHES)
	@bench/pair $(or $(BASE),$(error BASE= names an earlier program, as BASE=/tmp/ringside.old)) $(B)

# From the program's own help and docs/src/; docs/json.md is kept in the tree, where people read it.
man: $(B)/man/ringside.1
$(B)/man/ringside.1: $(B)/ringside docs/make-man $(wildcard docs/src/*.md)
	@command -v python3 >/dev/null || { echo "make: the man pages need python3 (make setup)" >&2; exit 1; }
	@echo "  MAN     $(@D)"
	$(Q)docs/make-man $(B)/ringside man $(@D)
docs/json.md: $(B)/ringside docs/make-man docs/src/json.md
	$(Q)docs/make-man $(B)/ringside json >$@.new && mv $@.new $@
# Its last part is from the tables of messages.
docs/protocol.md: $(B)/tests/tools/protocol
	$(Q)sed "/^A list in \[ \] has/q" $@ >$@.new && $< >>$@.new && mv $@.new $@

# README and guide show them. Needs tmux.
pictures: all
	@docs/make-pictures $(B)

SHARE := $(DESTDIR)$(PREFIX)/share
install: all man
	install -D -m 755 $(B)/ringside $(DESTDIR)$(PREFIX)/bin/ringside
	install -d $(DESTDIR)$(PREFIX)/include/ringside $(SHARE)/ringside/scripts $(SHARE)/man/man1 \
		$(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d \
		$(SHARE)/doc/ringside/plugin-hello $(SHARE)/doc/ringside/labs \
		$(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/lib/ringside/plugins \
		$(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)$(PREFIX)/lib/sysusers.d
	install -m 644 include/ringside/*.h $(DESTDIR)$(PREFIX)/include/ringside/
	install -m 755 $(wildcard scripts/wrappers/*) $(SHARE)/ringside/scripts/
	install -m 644 $(B)/man/*.1 $(SHARE)/man/man1/
	install -m 644 scripts/completion/ringside.bash $(SHARE)/bash-completion/completions/ringside
	install -m 644 scripts/completion/ringside.zsh $(SHARE)/zsh/site-functions/_ringside
	install -m 644 scripts/completion/ringside.fish $(SHARE)/fish/vendor_completions.d/ringside.fish
	sed 's/@VERSION@/$(VERSION)/' scripts/ringside.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/ringside.pc
	chmod 644 $(DESTDIR)$(PREFIX)/lib/pkgconfig/ringside.pc
	sed 's|/usr/bin|$(PREFIX)/bin|' scripts/systemd/ringside.service >$(DESTDIR)$(PREFIX)/lib/systemd/system/ringside.service
	install -m 644 scripts/systemd/ringside.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/ringside.conf
	chmod 644 $(DESTDIR)$(PREFIX)/lib/systemd/system/ringside.service
	install -m 644 samples/plugin-hello/hello.c samples/plugin-hello/Makefile $(SHARE)/doc/ringside/plugin-hello/
	install -m 644 README.md docs/guide.md docs/alerts.md docs/coming-from.md docs/json.md docs/trace-dat.md docs/protocol.md LICENSE $(SHARE)/doc/ringside/
	install -m 644 $(wildcard docs/labs/*.md) $(SHARE)/doc/ringside/labs/

# What "make install" put there, and what it put into folders of ringside's own; plugins of others stay.
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/ringside $(DESTDIR)$(PREFIX)/lib/pkgconfig/ringside.pc \
		$(DESTDIR)$(PREFIX)/lib/systemd/system/ringside.service $(DESTDIR)$(PREFIX)/lib/sysusers.d/ringside.conf \
		$(SHARE)/man/man1/ringside.1 $(SHARE)/man/man1/ringside-*.1 $(SHARE)/bash-completion/completions/ringside \
		$(SHARE)/zsh/site-functions/_ringside $(SHARE)/fish/vendor_completions.d/ringside.fish
	rm -rf $(DESTDIR)$(PREFIX)/include/ringside $(SHARE)/ringside $(SHARE)/doc/ringside
	rmdir $(DESTDIR)$(PREFIX)/lib/ringside/plugins $(DESTDIR)$(PREFIX)/lib/ringside 2>/dev/null || :

clean:
	rm -rf build build-*

.PHONY: pictures test-near all samples tools unit $(FUZZERS) fuzz-alloc fuzz-times setup setup-run run test test-long test-kernels test-cgroups test-alarms test-findings bench bench-pair freeze man install uninstall help clean
.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
