// What the rules find in real code of packages that ship their sources, realised: it parses, and a second run neither
// repeats nor undoes it.

import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';
import { applyRecipe } from '../../../server/src/core/propose/applyRecipe.ts';
import { determineSafety } from '../../../server/src/core/propose/safety.ts';
import { parseSource, listSyntaxErrors } from '../../../server/src/core/propose/syntax/parse.ts';
import { memoryTree } from './recipeCase.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const sources = globSync(
  [
    'node_modules/zod/src/**/*.ts',
    'node_modules/@azure/msal-*/src/**/*.ts',
    'node_modules/vscode-languageclient/src/**/*.ts',
  ],
  { cwd: root },
)
  .filter((path) => !path.endsWith('.d.ts') && !/\btests?\b/.test(path))
  .sort()
  .filter((path) => statSync(join(root, path)).size < 60_000);
const rules = new Set([
  'needless-copy',
  'work-in-loop',
  'nested-search',
  'await-in-loop',
  'unused-parameter',
  'unused-import',
  'unused-local',
]);

test('real findings', () => {
  let changed = 0;
  for (const path of sources) {
    const text = readFileSync(join(root, path), 'utf8');
    const opportunities = analyseSource({
      path,
      text,
      language: 'typescript',
      tree: null,
      symbols: null,
      generated: false,
    }).opportunities.filter(({ rule, recipe }) => rules.has(rule) && recipe !== null);
    for (const opportunity of opportunities) {
      const outcome = applyRecipe(opportunity, memoryTree({ [path]: text }));
      if ('refused' in outcome) continue;
      changed++;
      const after = outcome.edits[0]!.after!;
      expect(listSyntaxErrors(parseSource(path, after)!), path).toEqual([]);
      expect(determineSafety(outcome.edits), path).not.toBe('additive');
      expect(applyRecipe(opportunity, memoryTree({ [path]: text }))).toEqual(outcome);
      const again = applyRecipe(opportunity, memoryTree({ [path]: after }));
      if (!('refused' in again)) expect(again.edits[0]!.after).not.toBe(text);
    }
  }
  expect(changed).toBeGreaterThan(3);
});
