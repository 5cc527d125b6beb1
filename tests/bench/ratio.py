#!/usr/bin/env python3
"""ratio.py NAME ORIGINALS TRANSLATED RECORDS: words of translated modules against the originals', debug information stripped.

ORIGINALS holds the modules that a record's `inputs` name. Prints the median and the 95th percentile.
"""
import glob, json, os, struct, sys

DEBUG = {2, 3, 4, 5, 6, 7, 8, 317, 330}  # Source*, Name, MemberName, String, Line, NoLine, ModuleProcessed


def words(path):
    data = open(path, 'rb').read()
    w = struct.unpack('<%dI' % (len(data) // 4), data[:len(data) // 4 * 4])
    n = at = 5
    while at < len(w) and w[at] >> 16:
        if w[at] & 0xffff not in DEBUG:
            n += w[at] >> 16
        at += w[at] >> 16
    return n


def main():
    name, originals, translated, records = sys.argv[1:5]
    ratios = []
    for record in sorted(glob.glob(os.path.join(records, '*.json'))):
        d = json.load(open(record))
        for i in d.get('inputs', []):
            a = os.path.join(originals, i['file'])
            b = os.path.join(translated, '%s.%s.spv' % (d['name'], i['stage']))
            if os.path.exists(a) and os.path.exists(b):
                ratios.append(words(b) / words(a))
    ratios.sort()
    if ratios:
        print('figure %s_ratio_median %.2f words/original_word' % (name, ratios[len(ratios) // 2]))
        p95 = ratios[min(len(ratios) - 1, len(ratios) * 95 // 100)]
        print('figure %s_ratio_p95 %.2f words/original_word' % (name, p95))


if __name__ == "__main__":
    main()
