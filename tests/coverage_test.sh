#!/bin/sh
# coverage_test.sh: instructions decoded, translated and executed, per AMD family; fails below the floors of coverage.py.
exec python3 tests/coverage.py "${BUILD:-build}/xlate"
