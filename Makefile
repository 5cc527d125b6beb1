# GNU make; no generated configure. `make` builds, `make check` tests, `make help` lists the rest.
#
#   DEBUG=1   -O0 -g, the IR verifier after every pass          (build/debug)
#   SAN=1     AddressSanitizer and UndefinedBehaviorSanitizer   (build/san)
#   TSAN=1    ThreadSanitizer, for the loader's tests           (build/tsan)
#   CORPUS=D  `make check` also runs the recorded programs unpacked under D
#   V=1       show the commands
#   FAST=1    `make check` leaves out the slow parts; LONG=1 adds the very slow ones

PREFIX ?= /usr/local
DESTDIR ?=
CC ?= cc
HOSTCC ?= $(CC)
CLANG ?= clang
VERSION := 0.1.0

comma := ,
variant := $(if $(SAN),san,$(if $(TSAN),tsan,$(if $(DEBUG),debug,)))
B := build$(if $(variant),/$(variant))

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
OPT := $(if $(DEBUG),-O0 -g -DXL_DEBUG=1,-O2 -g)
san_flags := $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined,$(if $(TSAN),-fsanitize=thread)) \
	-fno-omit-frame-pointer
CFLAGS ?=
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L $(WARN) $(OPT) -fPIC -fvisibility=hidden -fno-strict-aliasing \
	-ffunction-sections -fdata-sections \
	-I$(B)/gen -DXL_VERSION='"$(VERSION)"' $(if $(SAN)$(TSAN),$(san_flags)) $(PKG_CFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(if $(SAN)$(TSAN),$(san_flags)) $(LDFLAGS)

pkg = $(shell pkg-config $(1) 2>/dev/null)
PKG_CFLAGS := $(call pkg,--cflags libzstd libcjson libxxhash SPIRV-Tools)
# Only the core of SPIRV-Tools (a static C++ library) is used: validator, disassembler, assembler.
LIBS := $(or $(call pkg,--libs libzstd libcjson libxxhash),-lzstd -lcjson -lxxhash) \
	$(call pkg,--libs-only-L SPIRV-Tools) -lSPIRV-Tools -lstdc++ -lm
VULKAN := $(or $(call pkg,--libs vulkan),-lvulkan)

Q := $(if $(V),,@)
say = @$(if $(V),:,printf '  %-3s %s\n' $(1) $(2))

# ---- what there is: one program or library per folder, found by name
lib_src := $(sort $(wildcard ir/*.c passes/*.c libxlate/*.c) \
	$(filter-out libxlate/load/%,$(wildcard libxlate/*/*.c libxlate/*/*/*.c)))
load_src := $(sort $(wildcard libxlate/load/*.c))
cmd_src := $(sort $(wildcard cmd/*.c))
test_src := $(sort $(wildcard tests/*_test.c))
fuzz_src := $(sort $(wildcard tests/fuzz_*.c))
bench_src := $(sort $(wildcard tests/bench/*.c))
exec_src := $(sort $(wildcard tests/exec/*.c))
record_src := $(sort $(wildcard tests/record/*.c))

obj = $(patsubst %.c,$(B)/obj/%.o,$(1))
tests := $(patsubst tests/%.c,$(B)/tests/%,$(test_src))
fuzzers := $(patsubst tests/%.c,$(B)/tests/%,$(fuzz_src))
benches := $(patsubst tests/bench/%.c,$(B)/tests/bench/%,$(bench_src))
tools := $(B)/tests/xlate_planted $(B)/tests/frames $(B)/tests/shim/libvulkan.so.1 $(if $(exec_src),$(B)/tests/vkexec) $(if $(record_src),$(B)/tests/radvdump)
all_src := $(lib_src) $(load_src) $(cmd_src) $(test_src) $(fuzz_src) $(bench_src) $(exec_src) $(record_src)
pages := $(wildcard man/*.[1357])
made_pages := $(B)/man/xlate-diag.7 $(B)/man/xlate-record.5

.PHONY: all libs programs ready demo archive check check-run check-long lint bench bench-batch bench-size bench-load fuzz record update deps \
	install uninstall clean dist deb help man dictionary always
.DELETE_ON_ERROR:
.SECONDARY:

all: libs programs $(made_pages)
libs: $(B)/libxlate.a $(B)/libxlate.so $(B)/libxlate.pc
libs: $(B)/libxlate_load.a $(B)/libxlate_load.so $(B)/libxlate_load.pc
programs: $(if $(cmd_src),$(B)/xlate)

help:
	@echo "targets: all demo check check-long archive lint bench bench-batch bench-size bench-load fuzz record update dictionary" \
		"deps install uninstall dist deb clean"
	@sed -n 's/^#   //p' Makefile

# ---- what the preprocessor cannot compute from a table, a program of the building machine writes
HOSTCC ?= $(CC)
nv_tables := $(wildcard libxlate/isa/nv/*.def libxlate/isa/nv/nv*.h) libxlate/isa/isa.h
$(B)/gen/nv_gen: libxlate/isa/nv/gen/nv_gen.c $(nv_tables)
	@mkdir -p $(@D)
	$(call say,gen,$<)
	$(Q)$(HOSTCC) -std=c11 $(WARN) -o $@ $<
$(B)/gen/nv_%.inc: $(B)/gen/nv_gen
	$(Q)$< $* >$@
$(B)/gen/amd_executed.inc: $(wildcard fixtures/isa/gfx*/executed.txt)
	@mkdir -p $(@D)
	$(Q)for i in gfx7 gfx10; do sed -n "s/^[a-z].*/EXECUTED($$i, &)/p" fixtures/isa/$$i/executed.txt; done >$@
$(B)/obj/libxlate/isa/amd/amd_isa.o: $(B)/gen/amd_executed.inc
$(B)/obj/libxlate/isa/nv/nv_dec.o: $(B)/gen/nv_index.inc
$(B)/obj/libxlate/isa/nv/nv_print.o: $(B)/gen/nv_text.inc

# The dictionary of packages, as numbers.
$(B)/gen/xlp_dict.inc: libxlate/package/xlp_dict.bin
	@mkdir -p $(@D)
	$(call say,gen,$@)
	$(Q)od -An -v -tu1 $< | sed 's/  */,/g; s/^,//; s/$$/,/' >$@
$(B)/obj/libxlate/package/xlp_frame.o: $(B)/gen/xlp_dict.inc

# Text files that the command line has in itself, as C strings.
$(B)/gen/cmd_%.inc: cmd/%
	@mkdir -p $(@D)
	$(call say,gen,$@)
	$(Q)sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $< >$@
$(B)/obj/cmd/graph_svg.o: $(B)/gen/cmd_graph.css.inc
$(B)/obj/cmd/report_write.o: $(patsubst cmd/%,$(B)/gen/cmd_%.inc,$(wildcard cmd/*.css cmd/*.html cmd/*.js))

# A package is stamped with the sources that made it: a translator that changed does not trust what an older one did.
id_src := $(sort $(wildcard $(foreach d,ir passes passes/gen libxlate libxlate/isa libxlate/isa/* libxlate/guest \
	libxlate/target libxlate/spirv libxlate/package,$d/*.[ch] $d/*.def $d/*.bin)))
$(B)/gen/build_id.h: $(id_src)
	@mkdir -p $(@D)
	$(call say,gen,$@)
	$(Q)printf '#define XL_BUILD_ID "%s"\n' $$(cat $(id_src) | sha256sum | cut -c 1-12) >$@
$(B)/obj/libxlate/xlate_pack.o: $(B)/gen/build_id.h

# Other flags make other objects: the file is touched when they differ.
flags := $(CC) $(ALL_CFLAGS)
$(B)/gen/flags: always
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(flags))' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(B)/obj/%.o: %.c $(B)/gen/flags
	@mkdir -p $(@D)
	$(call say,cc,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The matchers of the folding rules are made from their table, on the building machine.
$(B)/gen/fold_gen: passes/gen/fold_gen.c passes/gen/fold_parse.h passes/fold_rules.def passes/fold_specials.def passes/fold.h \
	passes/pass.h ir/ops.c ir/ops.def ir/ir.h
	@mkdir -p $(@D)
	$(call say,cc,$<)
	$(Q)$(HOSTCC) -std=c11 $(WARN) -O1 -o $@ passes/gen/fold_gen.c ir/ops.c

$(B)/gen/fold_table.h: $(B)/gen/fold_gen
	$(call say,gen,$@)
	$(Q)$< >$@

$(B)/obj/passes/fold_match.o $(B)/obj/tests/fold_filter_test.o: $(B)/gen/fold_table.h
$(B)/obj/passes/fold_match.o: PKG_CFLAGS += -I$(B)/gen

$(B)/libxlate.a: $(call obj,$(lib_src))
	@rm -f $@
	$(call say,ar,$@)
	$(Q)$(AR) rcs $@ $^

$(B)/libxlate.so: $(call obj,$(lib_src)) libxlate/libxlate.map
	$(call say,ld,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -shared -Wl,-soname,libxlate.so.0 -Wl,--version-script=libxlate/libxlate.map \
		-Wl,--exclude-libs,ALL $(if $(SAN)$(TSAN),,-Wl,-z,defs) -o $@ $(filter %.o,$^) $(LIBS)

# $(call pc,NAME,DESCRIPTION,REQUIRED PACKAGES,PRIVATE LIBRARIES): the rule's pkg-config file
define pc
	@mkdir -p $(@D)
	@printf 'prefix=%s\nincludedir=$${prefix}/include\nlibdir=$${prefix}/lib\n\nName: $1\n' '$(PREFIX)' >$@
	@printf 'Description: $2\nVersion: %s\nRequires.private: $3\n' '$(VERSION)' >>$@
	@printf 'Libs: -L$${libdir} -l$(1:lib%=%)\nLibs.private: $4\nCflags: -I$${includedir}\n' >>$@
endef

$(B)/libxlate.pc: Makefile
	$(call pc,libxlate,offline translation of guest GPU programs to SPIR-V,libzstd libcjson libxxhash,-lSPIRV-Tools -lstdc++ -lm)

# ---- the loader is a library of its own: of the rest it has the package reader only, and Vulkan is found at run time
load_api := $(shell grep -o '^XL_LOAD_API [^;]*' libxlate/xlate_load.h | grep -oE 'xl_load_[a-z_]+.' | sed -n 's/\x28$$//p' | sort -u)
LOAD_LIBS := $(or $(call pkg,--libs libzstd libxxhash),-lzstd -lxxhash) -ldl -lpthread
$(call obj,$(load_src)): PKG_CFLAGS += $(call pkg,--cflags vulkan)

# One object of all that is reached from the public functions, which alone stay visible.
OBJCOPY ?= objcopy
$(B)/obj/xlate_load.o: $(call obj,$(load_src)) $(B)/libxlate.a
	$(call say,ld,$@)
	$(Q)$(LD) -r -o $@.all $^
	$(Q)$(OBJCOPY) -w --keep-global-symbol='xl_load_*' $@.all
	$(Q)$(LD) -r $(if $(SAN)$(TSAN),,--gc-sections) $(foreach f,$(load_api),-u $(f)) -o $@ $@.all
	@rm -f $@.all

$(B)/libxlate_load.a: $(B)/obj/xlate_load.o
	@rm -f $@
	$(call say,ar,$@)
	$(Q)$(AR) rcs $@ $^

$(B)/libxlate_load.so: $(B)/obj/xlate_load.o libxlate/xlate_load.map
	$(call say,ld,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -shared -Wl,-soname,libxlate_load.so.0 -Wl,--version-script=libxlate/xlate_load.map \
		$(if $(SAN)$(TSAN),,-Wl,-z,defs) -o $@ $< $(LOAD_LIBS)

$(B)/libxlate_load.pc: Makefile
	$(call pc,libxlate_load,pipelines of translated GPU programs made in the background,libzstd libxxhash,-ldl -lpthread)

$(B)/xlate: $(call obj,$(cmd_src)) $(call obj,$(load_src)) $(B)/libxlate.a
	$(call say,ld,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) -ldl -lpthread

# xlate with workers that misbehave on programs of certain names (tests/batch_test.sh).
$(B)/obj/tests/child_planted.o: cmd/build_child.c
	@mkdir -p $(@D)
	$(call say,cc,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -DXL_PLANT -MMD -MP -c -o $@ $<
$(B)/tests/xlate_planted: $(filter-out %/build_child.o,$(call obj,$(cmd_src))) $(B)/obj/tests/child_planted.o \
		$(call obj,$(load_src)) $(B)/libxlate.a
	@mkdir -p $(@D)
	$(call say,ld,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) -ldl -lpthread

# These have the loader in them.
$(patsubst %,$(B)/tests/%,load_test load_capture_test load_geometry_test load_store_test load_fixed_test fuzz_load): $(call obj,$(load_src))

$(B)/tests/%: $(B)/obj/tests/%.o $(B)/libxlate.a
	@mkdir -p $(@D)
	$(call say,ld,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -lpthread

# The example, as a user builds it.
$(B)/tests/frames: examples/frames.c libxlate/xlate_load.h $(B)/libxlate_load.a
	@mkdir -p $(@D)
	$(call say,ld,$@)
	$(Q)$(CC) $(ALL_CFLAGS) -Ilibxlate $(ALL_LDFLAGS) -o $@ $< $(B)/libxlate_load.a $(LOAD_LIBS) $(if $(SAN)$(TSAN),-lm)

# Stands before the real libvulkan.so.1 (tests/load_vulkan_test.sh).
$(B)/tests/shim/libvulkan.so.1: tests/shim/shim.c
	@mkdir -p $(@D)
	$(call say,ld,$@)
	$(Q)$(CC) -std=c11 -D_POSIX_C_SOURCE=200809L $(WARN) -O1 -g -fPIC -shared -Wl,-soname,libvulkan.so.1 -o $@ $< -ldl

$(B)/tests/vkexec: $(call obj,$(exec_src))
	@mkdir -p $(@D)
	$(call say,ld,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(VULKAN) -lm

$(B)/tests/radvdump: $(call obj,$(record_src))
	@mkdir -p $(@D)
	$(call say,ld,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(VULKAN) -lm

# ---- dependencies of the build: asked for only when something is missing
ready:
	@tests/deps.sh --check || $(MAKE) --no-print-directory deps

deps:
	tests/deps.sh

demo: ready
	+$(MAKE) --no-print-directory all $(B)/tests/vkexec
	tests/demo.sh $(B)

check: ready
	+$(MAKE) --no-print-directory check-run

check-run: all $(tests) $(fuzzers) $(tools)
	FAST='$(FAST)' LONG='$(LONG)' CORPUS='$(CORPUS)' tests/run.sh $(B)

check-long:
	+$(MAKE) --no-print-directory check LONG=1

update: all $(tests) $(tools)
	UPDATE=1 FAST='$(FAST)' CORPUS='$(CORPUS)' tests/run.sh $(B)

lint:
	tests/lint.sh

# Unoptimized and sanitized builds are not measured.
bench: all $(benches) $(tools)
	CORPUS='$(CORPUS)' tests/bench/bench.sh $(B)

# `xlate build` over 11,000 programs made of corpus/.
bench-batch: all $(B)/tests/bench/batch_make $(B)/tests/bench/spirv_val
	tests/bench/batch.sh $(B)

# How large packages are: of 11,000 programs made of corpus/, and of those of CORPUS, over which no dictionary was trained.
bench-size: all $(B)/tests/bench/batch_make
	@tests/bench/sizes.sh $(B)

# What the loader costs besides the driver, and how fast it answers.
bench-load: all $(B)/tests/bench/batch_make
	@tests/bench/load.sh $(B)

# Every vertex and fragment program recorded under CORPUS, and how many are equal.
archive: all $(B)/tests/vkexec
	@test -d '$(CORPUS)' || { echo "archive: no folder CORPUS=DIR" >&2; exit 2; }
	python3 tests/archive.py $(B)/xlate $(B)/tests/vkexec '$(CORPUS)'

# N mutated inputs per fuzzer from SEED, in process, under the sanitizers; T=SECONDS: as many as that time has room for.
N ?= 50000
T ?=
SEED ?= 1
fuzz_run = $(if $(T),-t $(T),-n $(N)) -s $(SEED)
fuzz:
	+$(MAKE) --no-print-directory SAN=1 all fuzz-run N=$(N) T=$(T) SEED=$(SEED)
fuzz-run: $(fuzzers)
	@set -e; for f in $(fuzzers); do echo "$$f $(fuzz_run)"; CORPUS='$(CORPUS)' $$f $(fuzz_run); done

# Trains the dictionary of packages anew: raise XLP_DICTIONARY with it. Another zstd may make another one.
dictionary: $(B)/tests/bench/dict_make
	$< libxlate/package/xlp_dict.bin corpus/*/*.json

record: all $(tools)
	tests/record.sh $(B)

# ---- manual: the list of diagnostics is made from the table
man: $(made_pages)
$(B)/man/xlate-diag.7: man/diag7.sh ir/diag.def
$(B)/man/xlate-record.5: man/record5.sh libxlate/record.def
$(made_pages):
	@mkdir -p $(@D)
	sh $^ >$@

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	for s in 1 3 5 7; do install -d $(DESTDIR)$(PREFIX)/share/man/man$$s; done
	install -m 755 $(B)/xlate $(DESTDIR)$(PREFIX)/bin/xlate
	install -m 644 $(B)/libxlate.a $(DESTDIR)$(PREFIX)/lib/libxlate.a
	install -m 755 $(B)/libxlate.so $(DESTDIR)$(PREFIX)/lib/libxlate.so.$(VERSION)
	ln -sf libxlate.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libxlate.so.0
	ln -sf libxlate.so.0 $(DESTDIR)$(PREFIX)/lib/libxlate.so
	sed 's|^prefix=.*|prefix=$(PREFIX)|' $(B)/libxlate.pc >$(DESTDIR)$(PREFIX)/lib/pkgconfig/libxlate.pc
	install -m 644 libxlate/xlate.h libxlate/xlate_dump.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(B)/libxlate_load.a $(DESTDIR)$(PREFIX)/lib/libxlate_load.a
	install -m 755 $(B)/libxlate_load.so $(DESTDIR)$(PREFIX)/lib/libxlate_load.so.$(VERSION)
	ln -sf libxlate_load.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libxlate_load.so.0
	ln -sf libxlate_load.so.0 $(DESTDIR)$(PREFIX)/lib/libxlate_load.so
	sed 's|^prefix=.*|prefix=$(PREFIX)|' $(B)/libxlate_load.pc >$(DESTDIR)$(PREFIX)/lib/pkgconfig/libxlate_load.pc
	install -m 644 libxlate/xlate_load.h $(DESTDIR)$(PREFIX)/include/xlate_load.h
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -m 644 cmd/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/xlate
	install -m 644 cmd/completion.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_xlate
	for p in $(pages) $(made_pages); do install -m 644 $$p $(DESTDIR)$(PREFIX)/share/man/man$${p##*.}/; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/xlate $(DESTDIR)$(PREFIX)/include/xlate.h $(DESTDIR)$(PREFIX)/include/xlate_dump.h \
		$(DESTDIR)$(PREFIX)/lib/pkgconfig/libxlate.pc
	rm -f $(DESTDIR)$(PREFIX)/lib/libxlate.a $(DESTDIR)$(PREFIX)/lib/libxlate.so*
	rm -f $(DESTDIR)$(PREFIX)/include/xlate_load.h $(DESTDIR)$(PREFIX)/lib/libxlate_load.* \
		$(DESTDIR)$(PREFIX)/lib/pkgconfig/libxlate_load.pc
	for p in $(notdir $(pages) $(made_pages)); do rm -f $(DESTDIR)$(PREFIX)/share/man/man$${p##*.}/$$p; done
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/xlate $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_xlate

# The sources of the last commit, and Debian packages of what is built.
dist:
	@mkdir -p $(B)
	@git rev-parse HEAD >/dev/null || { echo "dist: only from a git checkout" >&2; exit 1; }
	git archive --format=tar --prefix=xlate-$(VERSION)/ HEAD | gzip -9n >$(B)/xlate-$(VERSION).tar.gz
	@echo $(B)/xlate-$(VERSION).tar.gz

deb: all
	tests/deb.sh $(B) $(VERSION)

clean:
	rm -rf build

-include $(patsubst %.o,%.d,$(call obj,$(all_src))) $(B)/obj/tests/child_planted.d
