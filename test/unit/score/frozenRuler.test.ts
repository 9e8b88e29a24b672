// The ruler as it is defined: its scale, its measures, and the hash that changes only together with its version.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CATEGORIES } from '../../../server/src/core/model.ts';
import { ruler } from '../../../server/src/core/score/ruler.ts';
import { scoreTree } from '../../../server/src/core/score/score.ts';
import { sumFindings } from '../../../server/src/core/session/analyse/projectMeasures.ts';
import { canonicalJson } from '../../../server/src/util/canonicalJson.ts';
import { analyse } from '../analysis/analyseCase.ts';
import { ordinary, target } from './ordinaryRepository.ts';

test('points are within the scale, whatever the sums', () => {
  for (const count of [0, 1, 7, 1e3, 1e9]) {
    const points = scoreTree([
      Object.fromEntries(
        ruler.definition.inputs.flatMap((input) => [
          [input.per, 1],
          ...(typeof input.of === 'string'
            ? [[input.of, Math.min(1, count)]]
            : Object.keys(input.of).map((name) => [name, count])),
        ]),
      ),
    ]);
    expect(points.max).toBe(1000);
    for (const category of CATEGORIES) {
      expect(points.categories[category].points).toBeGreaterThanOrEqual(0);
      expect(points.categories[category].points).toBeLessThanOrEqual(points.categories[category].max);
    }
  }
});

test('every measure of the ruler is one that the analysis gives', () => {
  const given = new Set([
    ...Object.keys(analyse('src/target.ts', target).measures),
    'coverage.covered',
    'coverage.coverable',
    ...Object.keys(sumFindings([]).measures),
  ]);
  for (const input of ruler.definition.inputs)
    for (const name of [input.per, ...(typeof input.of === 'string' ? [input.of] : Object.keys(input.of))])
      expect(given).toContain(name);
});

test('the ruler is frozen: another definition needs another version, and then this hash', () => {
  expect({ version: ruler.version, hash: ruler.hash }).toEqual({
    version: '9',
    hash: '0ab767251ecf149cd2fceebad6a9aa018bbda9a7edb21eb8b7112dd119845e0c',
  });
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
});

test('what is counted is frozen with the ruler: other counts need another version, too', () => {
  const everything = `import { idle } from './idle';
// @ts-ignore
export const loose: any = (JSON.parse('1') as unknown as number)!;
export function nested(rows: string[], deep = false) {
  for (const row of rows) {
    if (deep && row) {
      try {
        eval(row);
      } catch {}
    } else if (row.length > 3) rows.forEach((other) => { if (other) row.at(0), row.at(1); });
  }
  return [...rows.map((row) => row)];
}
/** Asks for all of them, one behind the other, in the order of the list. */
export async function all(rows: string[], ask: (row: string) => Promise<string>) {
  const answers: string[] = [];
  for (const row of rows) {
    answers.push(await ask(row));
  }
  ask('last').then(String);
  return answers;
}
function forgotten() { return 1; }
`;
  const counted = canonicalJson(
    [everything, target, ...ordinary].map((text) => analyse('src/target.ts', text).measures),
  );
  expect([ruler.version, createHash('sha256').update(counted).digest('hex')]).toEqual([
    '9',
    'd1a763b6dd8f94dd122d8ca1ed2d4c571585e090bb02c5d2e1abd3c766c1dad0',
  ]);
});
