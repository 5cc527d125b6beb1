#!/usr/bin/env python3
"""Compare our disassembly with recorded listings of an independent compiler, line by line.

usage: nv_parity.py TEST_BINARY DIR...

TEST_BINARY is isa_nv_test. Each DIR holds NAME.txt listings (and NAME.bin code) in a folder named after the ISA (sm86, sm53).
Listings in NAK's syntax are compared as text after normalising what listings leave out or what the words do not hold (see
libxlate/isa/nv/ERRATA.md); of all others (nv50_ir) every word must decode.
"""
import os, re, struct, subprocess, sys
from collections import Counter

WORD86 = re.compile(r'^\s*([0-9a-f]{4,}): ([0-9a-f]{16}) ([0-9a-f]{16})\s+(.*?)(\s*//.*)?$')
WORD53 = re.compile(r'^\s*([0-9a-f]{4,}): ([0-9a-f]{16})\s(?:ctl=[0-9a-f]{6})?\s*(.*?)(\s*//.*)?$')


def ours(text):
    """Take out of our text what the listings do not show."""
    text = re.sub(r'-0x[0-9a-f]+\]', ']', text) if re.search(r'\b(ld|st|atom)\b', text) else text
    text = re.sub(r'( (mask|comp|lanes)=\w+)+$', '', text)
    text = re.sub(r'^((@!?p\d )?(.* = )?(bra|ssy|pbk|pcnt|bssy \S+ \S+)) -?0x[0-9a-f]+$', r'\1', text)
    text = re.sub(r'\b(flo|imad|imad64)\.i32', r'\1', text)
    text = re.sub(r'^(.*tld4\.g\S*)\.dc\b', r'\1', text)
    text = re.sub(r'^(.*f2f.*)\.h1$', r'\1', text)
    return re.sub(r'^cctl\.global.*', 'cctl.global.a64', text)


def theirs(text, isa):
    text = re.sub(r'^((@!?p\d )?(.* = )?(bra|ssy|pbk|pcnt|bssy \S+ \S+|sync|brk|cont|nop)) L\d+$', r'\1', text)
    if isa == 'sm53':  # memory order and physical attributes are not in the words
        text = re.sub(r'^((.* = )?(ld|st)\.global\.a64|sust\.p\.\w+)\.(constant|weak|strong\.sys)', r'\1', text)
        text = re.sub(r'\b(suatom\.\S*)\.strong\.sys', r'\1', text)
        text = re.sub(r'\bald\.phys', 'ald', text)
        text = re.sub(r'^(.*bfe\S* \S+ 0x)([0-9a-f]+)$', lambda m: '%s%x' % (m[1], int(m[2], 16) & 0xffff), text)
    return text


def disassemble(binary, isa, lines):
    text = ''.join('%x %s\n' % l for l in lines)
    out = subprocess.run([binary, '--dis', isa], input=text, capture_output=True, text=True, check=True).stdout
    return out.split('\n')[:-1]


def main():
    binary, total, bad, undecoded, words = sys.argv[1], 0, Counter(), Counter(), 0
    for folder in sys.argv[2:]:
        isa = os.path.basename(os.path.normpath(folder))
        rx = WORD86 if isa == 'sm86' else WORD53
        todo = []
        for name in sorted(os.listdir(folder)):
            if not name.endswith('.txt'):
                continue
            nak = not name.startswith('nv50ir')
            for line in open(os.path.join(folder, name)):
                m = rx.match(line.rstrip('\n'))
                if not m:
                    continue
                g = m.groups()
                w = bytes.fromhex(g[1])[::-1] + (bytes.fromhex(g[2])[::-1] if isa == 'sm86' else b'')
                want = g[3] if isa == 'sm86' else g[2]
                todo.append((int(g[0], 16), w.hex(), want if nak and not want.startswith(';') else None, name))
        for (offset, w, want, name), got in zip(todo, disassemble(binary, isa, [t[:2] for t in todo])):
            words += 1
            if got.startswith('!'):
                undecoded[(isa, w, want or name)] += 1
            elif want is not None:
                total += 1
                if ours(got) != theirs(want, isa):
                    bad[(isa, w, got, want)] += 1
    for (isa, w, text), n in undecoded.most_common():
        print('FAIL %s %s: not decoded: %s (%d)' % (isa, w, text, n))
    for (isa, w, got, want), n in bad.most_common():
        print('FAIL %s %s: got "%s", want "%s" (%d)' % (isa, w, got, want, n))
    print('%d lines compared, %d words decoded' % (total, words - sum(undecoded.values())))
    failed = sum(bad.values()) + sum(undecoded.values())
    print('%d passed, %d failed, 0 skipped' % (words - failed, failed))
    return failed != 0


sys.exit(main())
