// What the rules about control flow and expressions find in real code of packages that ship their sources, realised one
// by one.

import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';
import { applyRecipe } from '../../../server/src/core/propose/applyRecipe.ts';
import { determineSafety } from '../../../server/src/core/propose/safety.ts';
import { parseSource, listSyntaxErrors } from '../../../server/src/core/propose/syntax/parse.ts';
import { memoryTree } from './recipeCase.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const sources = globSync(['node_modules/zod/src/**/*.ts', 'node_modules/@azure/msal-*/src/**/*.ts'], { cwd: root })
  .filter((path) => !path.endsWith('.d.ts') && !/\btests?\b/.test(path) && statSync(join(root, path)).size < 60_000)
  .sort();
/** A merged if may stand alone in another one, which is then found. */
const mayShowAnother = new Set(['merge-if']);
const recipes = [
  'simplify-boolean',
  'merge-if',
  'use-const',
  'optional-chain',
  'nullish-coalescing',
  'for-of',
  'template-string',
  'remove-unreachable',
  'else-if',
  'remove-branch',
  'remove-catch',
  'remove-jump',
];
/** Of each recipe, so that it takes seconds. */
const most = 3;

test('the result parses, is proved to do the same, and shows one finding less; the same again gives the same', () => {
  const changed = new Map<string, number>();
  for (const path of sources) {
    const before = readFileSync(join(root, path), 'utf8');
    for (const opportunity of found(before)) {
      const { recipe, rule } = opportunity;
      if (recipe === null || !recipes.includes(recipe) || (changed.get(recipe) ?? 0) >= most) continue;
      const tree = memoryTree({ 'src/a.ts': before });
      const outcome = applyRecipe(opportunity, tree);
      if ('refused' in outcome) continue;
      changed.set(recipe, (changed.get(recipe) ?? 0) + 1);
      const [{ after }] = outcome.edits as unknown as [{ after: string }];
      const place = `${recipe} at ${path}:${opportunity.range.startLine}`;
      expect(listSyntaxErrors(parseSource('src/a.ts', after)!), place).toEqual([]);
      expect(determineSafety(outcome.edits, tree), place).toBe('behaviorPreserving');
      expect(applyRecipe(opportunity, tree), place).toEqual(outcome);
      const [left, had] = [after, before].map((text) => found(text).filter((one) => one.rule === rule).length) as [
        number,
        number,
      ];
      if (!mayShowAnother.has(recipe)) expect(left, place).toBeLessThan(had);
      else expect(left, place).toBeLessThanOrEqual(had);
    }
  }
  expect(changed.size).toBeGreaterThan(3);
});

function found(text: string) {
  return analyseSource({ path: 'src/a.ts', text, language: 'typescript', tree: null, symbols: null, generated: false })
    .opportunities;
}
