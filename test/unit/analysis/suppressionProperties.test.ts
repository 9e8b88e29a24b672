// Suppressions put anywhere into real sources: the analysis stands, the figures stay, and nothing is hidden by what is
// no comment.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RULE_IDS } from '../../../server/src/core/analysis/rules.ts';
import { runs } from '../../helpers/properties.ts';
import { analyseWithTree } from './analyseCase.ts';

const sources: readonly (readonly [string, string])[] = [
  'server/src/core/analysis/suppressionComments.ts',
  'server/src/core/charter/charter.ts',
  'webview/src/main.ts',
].map((path) => [path, readFileSync(join(import.meta.dirname, '..', '..', '..', path), 'utf8')]);
const PYTHON =
  'import os\n\n\ndef many(a, b, c, d, e, f, g):\n    """Adds."""\n    text = f"{a} # {b}"\n    for x in [a, b]:\n        if x:\n            return x\n    return text\n';
const RUST =
  '#[derive(Debug)]\nstruct A;\n\n/// Says.\nfn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8) -> &\'static str {\n    // why\n    r#"// raw "text" here"#\n}\n';
const all = [...sources, ['src/a.py', PYTHON], ['src/a.rs', RUST]] as const;

const marker = fc.record({
  kind: fc.constantFrom('', '-next-line', '-file'),
  rules: fc.array(fc.constantFrom(...RULE_IDS, 'no-such-rule'), { maxLength: 3 }),
  reason: fc.constantFrom('', ':', ': because', ': …', ' because', ': a */ b', ': <!-- x -->'),
  around: fc.constantFrom(
    ['// ', '\n'],
    ['/* ', ' */'],
    ['\n/**\n * ', '\n */\n'],
    ['# ', '\n'],
    ['"', '"'],
    ['`', '`'],
    ['', ''],
    ['{/* ', ' */}'],
    ['<!-- ', ' -->'],
    ['\r\n// ', '\r\n'],
  ),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
});

test.each(all)('%s', async (path, source) => {
  const lines = (text: string) => text.split(/\r\n|\r|\n/).length;
  await fc.assert(
    fc.asyncProperty(fc.array(marker, { minLength: 1, maxLength: 4 }), async (markers) => {
      const text = markers.reduce((made, { kind, rules, reason, around: [open, close], at }) => {
        const place = Math.floor(at * made.length);
        return `${made.slice(0, place)}${open}selfware-ignore${kind} ${rules.join(', ')}${reason}${close}${made.slice(place)}`;
      }, source);
      const { trouble, suppressions, suppressed, opportunities } = await analyseWithTree(path, text);
      expect(trouble).toBeNull();
      expect(suppressions.length).toBeLessThanOrEqual(markers.length);
      for (const { range, target, rules, reason } of suppressions) {
        expect(range.endLine).toBe(range.startLine);
        if (target)
          expect([target.from <= target.to, target.from >= range.startLine, target.to <= lines(text)]).toEqual([
            true,
            true,
            true,
          ]);
        // Either it works, or somebody is told why not; what works and hides nothing is told, too, for rules of one
        // file.
        if (reason === null)
          expect(
            opportunities.some(
              (one) => one.rule === 'suppression-without-reason' && one.range.startLine === range.startLine,
            ),
          ).toBe(true);
        if (rules.length === 0 || rules.includes('no-such-rule'))
          expect(
            opportunities.some((one) => one.rule === 'unused-suppression' && one.range.startLine === range.startLine),
          ).toBe(true);
      }
      for (const { opportunity, reason } of suppressed) {
        expect(reason).not.toBe('');
        expect(suppressions.some(({ rules }) => rules.includes(opportunity.rule))).toBe(true);
      }
      expect(new Set(opportunities.map(({ id }) => id)).size).toBe(opportunities.length);
    }),
    runs(60),
  );
});
