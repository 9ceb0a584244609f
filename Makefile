# make demo · make test · make bench · make lint · make fuzz · make install · make deb
SHELL = /bin/sh
PORT ?= 8080
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
RELEASE = scripts/swift build -c release --static-swift-stdlib

.PHONY: demo test bench lint fuzz release install deb clean

demo:
	@scripts/setup build
	@$(RELEASE) --product carrel
	@exec .build/release/carrel demo --port $(PORT)

test:
	@scripts/setup build test
	@scripts/test

bench:
	@scripts/setup build bench
	@$(RELEASE)
	@scripts/bench

lint:
	@scripts/setup build test
	@scripts/lint

fuzz:
	@scripts/setup build
	@scripts/fuzz $(FUZZ_SECONDS)

release:
	@scripts/setup build
	@$(RELEASE) --product carrel

install: release
	@scripts/install "$(DESTDIR)$(PREFIX)"

deb: release
	@scripts/setup deb
	@scripts/deb

clean:
	rm -rf .build
