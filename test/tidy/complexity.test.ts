// Selfware's own sources by its own measure: no function is too complex.

import { expect, test } from 'vitest';
import { detectLanguage } from '../../server/src/core/index/parse/language.ts';
import { walkScript } from '../../server/src/core/analysis/metrics/scriptMetrics.ts';
import { parseScript } from '../../server/src/core/analysis/script/parseScript.ts';
import { projectFiles, read } from './sourceFiles.ts';

/** Cognitive complexity. The rule speaks up at 15; from here on a person loses the thread. */
const MOST = 30;

test(`no function has a cognitive complexity above ${MOST}`, () => {
  const sources = projectFiles('.ts', '.mjs').filter((path) => /^((server|client|webview)\/src|scripts)\//.test(path));
  const figures = sources.flatMap((path) => figuresOf(path, read(path)));
  expect(figures.length).toBeGreaterThan(5_000);
  expect(figures.filter(({ cognitive }) => cognitive > MOST)).toEqual([]);
});

test('the measure sees a function that is too complex', () => {
  const nested = (depth: number): string => (depth === 0 ? 'act();' : `if (a${depth}) { ${nested(depth - 1)} }`);
  expect(figuresOf('nested.ts', `function nested() { ${nested(8)} }`)).toContainEqual({
    where: 'nested.ts nested',
    cognitive: 36,
  });
});

function figuresOf(path: string, text: string): { readonly where: string; readonly cognitive: number }[] {
  const sourceFile = parseScript(path, text, detectLanguage(path)!);
  if (!sourceFile) return [];
  const { units } = walkScript(sourceFile, new Map(), () => undefined, { brief: true });
  return units.map(({ name, cognitive }) => ({ where: `${path} ${name}`, cognitive }));
}
