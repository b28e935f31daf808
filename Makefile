# SPDX-License-Identifier: MIT
# The front door. All the work is in meson.build and tools/.
BUILD = build
PREFIX = /usr/local
DESTDIR ?=
RUNS = 200000

.PHONY: all demo check check-quick bench bench-peers fuzz soak install clean help

all: $(BUILD)/build.ninja
	@ninja --quiet -C $(BUILD) weft

$(BUILD)/build.ninja:
	@tools/deps build
	@echo "configuring $(BUILD)"; out=$$(meson setup $(BUILD) 2>&1) || \
		{ echo "$$out"; exit 1; }

demo:
	@tools/deps demo && $(MAKE) --no-print-directory all
	@tools/demo $(BUILD)

check check-quick:
	@tools/deps check && tools/check $(if $(findstring quick,$@),--quick)

bench bench-peers: all
	@tools/deps $@ && ninja --quiet -C $(BUILD)
	@bench/$(if $(findstring peers,$@),peers,all) $(BUILD)

fuzz soak:
	@tools/deps check && tools/$@ $(if $(findstring fuzz,$@),$(RUNS))

install: all
	@DESTDIR="$(DESTDIR)" tools/install "$(BUILD)" "$(PREFIX)"

clean:
	rm -rf $(BUILD) build-check

help:
	@cat tools/help.txt
