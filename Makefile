# make demo · make test · make soak · make bench · make lint · make fuzz · make install · make deb
SHELL = /bin/sh
PORT ?= 8080
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
CAMPAIGN ?= 10000
RELEASE = scripts/swift build -c release --static-swift-stdlib
PROGRAMS = carrel carrel-book carrel-gateway carrel-mock

.PHONY: demo test soak bench lint fuzz release install deb clean

# Not built for release: it is there sooner, and quick enough to be looked at.
demo:
	@scripts/setup build
	@for program in $(PROGRAMS); do scripts/swift build --product $$program || exit 1; done
	@exec .build/debug/carrel demo --port $(PORT)

test:
	@scripts/setup build test
	@scripts/test

soak:
	@scripts/setup build test
	@CAMPAIGN=$(CAMPAIGN) scripts/soak

bench:
	@scripts/setup build bench
	@$(RELEASE)
	@scripts/bench

lint:
	@scripts/setup build
	@scripts/lint

fuzz:
	@scripts/setup build
	@scripts/fuzz $(FUZZ_SECONDS)

release:
	@scripts/setup build
	@for program in $(PROGRAMS); do $(RELEASE) --product $$program || exit 1; done

install: release
	@scripts/install "$(DESTDIR)$(PREFIX)"

deb: release
	@scripts/setup deb
	@scripts/deb

clean:
	rm -rf .build
