# SPDX-License-Identifier: MIT
# The front door. All the work is in meson.build and tools/.
BUILD = build
PREFIX = /usr/local
RUNS = 200000

.PHONY: all weft demo check check-quick bench bench-peers fuzz soak install uninstall \
	dist deb clean help

all: weft
	@echo "$(BUILD)/weft is built: '$(BUILD)/weft help' and 'make help' say what there is"
weft: $(BUILD)/build.ninja
	@out=$$(ninja --quiet -C $(BUILD) weft 2>&1) || { echo "$$out"; exit 1; }; \
		case "$$out" in *warning:*) echo "$$out" ;; esac

$(BUILD)/build.ninja:
	@tools/deps build
	@echo "configuring $(BUILD)"; out=$$(meson setup $(BUILD) 2>&1) || { echo "$$out"; exit 1; }

demo:
	@tools/deps demo && $(MAKE) --no-print-directory weft
	@tools/demo $(BUILD)

check check-quick:
	@tools/deps check && tools/check $(if $(findstring quick,$@),--quick)

bench bench-peers: weft
	@tools/deps $@ && ninja --quiet -C $(BUILD)
	@bench/$(if $(findstring peers,$@),peers,all) $(BUILD)

fuzz soak:
	@tools/deps check && tools/$@ $(if $(findstring fuzz,$@),$(RUNS))

install: weft
	@DESTDIR="$(DESTDIR)" tools/install "$(BUILD)" "$(PREFIX)"

uninstall:
	@DESTDIR="$(DESTDIR)" tools/uninstall "$(BUILD)" "$(PREFIX)"

dist: $(BUILD)/build.ninja
	@meson dist -C $(BUILD) --no-tests --formats xz >/dev/null && ls $(BUILD)/meson-dist/*.tar.xz

deb:
	@tools/deps deb && tools/deb $(BUILD)

clean:
	rm -rf $(BUILD) build-check

help:
	@cat tools/help.txt
