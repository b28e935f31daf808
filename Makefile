# SPDX-License-Identifier: MIT
# The front door. All the work is in meson.build and tools/.
BUILD = build
PREFIX = /usr/local
RUNS = 200000

.PHONY: all weft demo check check-quick bench bench-peers fuzz soak install uninstall dist deb clean help

all: weft
	@echo "$(BUILD)/weft is built: '$(BUILD)/weft help' and 'make help' say what there is"
weft: $(BUILD)/build.ninja
	@[ -e $(BUILD)/weft ] || echo "compiling in $(BUILD)"
	@out=$$(ninja --quiet -C $(BUILD) installed 2>&1) || { echo "$$out"; exit 1; }; \
		case "$$out" in *warning:*) echo "$$out" ;; esac

$(BUILD)/build.ninja:
	@tools/deps build
	@echo "configuring $(BUILD)"; out=$$(meson setup $(BUILD) 2>&1) || { echo "$$out"; exit 1; }

demo:
	@tools/deps demo && $(MAKE) --no-print-directory weft
	@tools/demo $(BUILD)

check check-quick fuzz soak:
	@tools/deps check && tools/$(@:check-quick=check) $(if $(findstring quick,$@),--quick) $(if $(findstring fuzz,$@),$(RUNS))

bench bench-peers: weft
	@tools/deps $@ && ninja --quiet -C $(BUILD)
	@bench/$(if $(findstring peers,$@),peers,all) $(BUILD)

install uninstall: $(BUILD)/build.ninja
	@DESTDIR="$(DESTDIR)" tools/$@ "$(BUILD)" "$(PREFIX)"
dist deb:
	@tools/deps $@ && tools/$@ $(BUILD)

clean:
	rm -rf $(BUILD) build-check

help:
	@cat tools/help.txt
