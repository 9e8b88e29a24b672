// The recipe that extracts functions counts cognitive complexity as the finding that it answers does.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ts } from 'ts-morph';
import { walkScript } from '../../../server/src/core/analysis/metrics/scriptMetrics.ts';
import { computeFunctionComplexity } from '../../../server/src/core/propose/extraction/cognitive.ts';
import { collectDescendants } from '../../../server/src/core/propose/syntax/locate.ts';
import { parseSource } from '../../../server/src/core/propose/syntax/parse.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const sources = globSync(['server/src/core/propose/**/*.ts', 'node_modules/zod/src/v4/core/*.ts'], {
  cwd: root,
}).sort();

test.each([
  ['runs of || and ?? are free', 'function f(a, b) { if (a || b) return a ?? b; return a && b; }', 2],
  ['a function inside counts for itself', 'function f(a) { a.map((b) => { if (b) return 1; }); if (a) g(); }', 1],
  ['a static block runs with what is around', 'function f(a) { if (a) { class C { static { if (a) g(); } } } }', 3],
])('%s', (_, text, cognitive) => {
  expect(complexities('a.js', text).find(([place]) => place === 0)).toEqual([0, cognitive, cognitive]);
});

test('every function of real sources has the complexity that its finding says', () => {
  expect(sources.length).toBeGreaterThan(50);
  const all = sources.flatMap((path) =>
    complexities(path, readFileSync(join(root, path), 'utf8')).map((figures) => [path, ...figures] as const),
  );
  expect(all.filter(([, , found]) => found > 15).length).toBeGreaterThan(5);
  expect(all.filter(([, , found, counted]) => found !== counted)).toEqual([]);
});

/** Of each function: where it begins, what the finding says, what the recipe counts. */
function complexities(path: string, text: string): (readonly [place: number, found: number, counted: number])[] {
  const sourceFile = parseSource(path, text)!;
  const units = walkScript(sourceFile, new Map(), () => undefined).units;
  const nodes = new Map(
    collectDescendants(sourceFile).map((node) => [`${node.getStart(sourceFile)} ${node.end}`, node]),
  );
  return units
    .filter(({ kind }) => /^(function|functionExpression|arrow|method|getter|setter|constructor)$/.test(kind))
    .map(
      ({ start, end, cognitive }) =>
        [
          start,
          cognitive,
          computeFunctionComplexity(nodes.get(`${start} ${end}`) as ts.FunctionLikeDeclaration),
        ] as const,
    );
}
