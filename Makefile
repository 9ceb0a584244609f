# make demo · make test · make soak · make bench · make lint · make fuzz · make sanitize · make coverage ·
# make install · make deb
SHELL = /bin/sh
PORT ?= 8080
PREFIX ?= /usr/local
# The most for each parser, and for all of them.
FUZZ_SECONDS ?= 1200
FUZZ_TOTAL ?= 3600
CAMPAIGN ?= 10000

.PHONY: demo test soak bench lint fuzz sanitize coverage release install deb clean

demo:
	@scripts/setup build
	@scripts/programs
	@exec .build/installed/bin/carrel demo --port $(PORT)

test:
	@scripts/setup build test
	@scripts/test

soak:
	@scripts/setup build test
	@CAMPAIGN=$(CAMPAIGN) scripts/soak

bench:
	@scripts/setup build bench
	@scripts/swift build -c release --static-swift-stdlib
	@scripts/bench

lint:
	@scripts/setup build
	@scripts/lint

fuzz:
	@scripts/setup build
	@scripts/fuzz $(FUZZ_SECONDS) $(FUZZ_TOTAL) $(FUZZ_NAMES)

sanitize:
	@scripts/setup build test
	@scripts/sanitize

coverage:
	@scripts/setup build test
	@scripts/coverage

release:
	@scripts/setup build
	@scripts/programs

install: release
	@scripts/install "$(DESTDIR)$(PREFIX)"

deb: release
	@scripts/setup deb
	@scripts/deb

clean:
	rm -rf .build
