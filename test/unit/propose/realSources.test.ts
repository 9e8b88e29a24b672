// The structural recipes on real code of packages that ship their sources: it parses, says the same, and is done after
// once.

import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import type { Opportunity, Range } from '../../../server/src/core/model.ts';
import { applyRecipe } from '../../../server/src/core/propose/applyRecipe.ts';
import { determineSafety } from '../../../server/src/core/propose/safety.ts';
import { collectDescendants } from '../../../server/src/core/propose/syntax/locate.ts';
import { parseSource } from '../../../server/src/core/propose/syntax/parse.ts';
import { listTokenTexts } from '../../../server/src/core/propose/syntax/tokens.ts';
import { memoryTree, opportunityAt } from './recipeCase.ts';
import { sample } from '../../helpers/thorough.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Every third of those that are not huge, so that it takes seconds. */
const sources = globSync(['node_modules/zod/src/v4/core/*.ts', 'node_modules/@azure/msal-*/src/**/*.ts'], { cwd: root })
  .filter((path) => !path.endsWith('.d.ts'))
  .sort()
  .filter((path) => statSync(join(root, path)).size < 25_000)
  .filter((_, index) => index % 3 === 0);

/** Tokens that each recipe may take away or put in; everything else must come out as often as it went in. */
const expected: Readonly<Record<string, ReadonlySet<string>>> = {
  'remove-else': new Set(['{', '}', 'else']),
  'guard-clauses': new Set([
    '{',
    '}',
    '!',
    '(',
    ')',
    ';',
    'return',
    'continue',
    'undefined',
    '===',
    '!==',
    '==',
    '!=',
    '&&',
    '||',
  ]),
};

test.each(sample(Object.keys(expected), 1))('%s', (recipe) => {
  let changed = 0;
  for (const path of sources) {
    const text = readFileSync(join(root, path), 'utf8');
    const sourceFile = parseSource(path, text)!;
    for (const node of collectDescendants(sourceFile)) {
      if (!ts.isIfStatement(node) || (recipe === 'remove-else') === (node.elseStatement === undefined)) continue;
      const opportunity: Opportunity = {
        ...opportunityAt(recipe, path, text, { line: 1, symbol: '' }),
        range: rangeOf(sourceFile, node.getStart(sourceFile), node.end),
        nameRange: rangeOf(sourceFile, node.getStart(sourceFile), node.getStart(sourceFile) + 2),
      };
      const outcome = applyRecipe(opportunity, memoryTree({ [path]: text }));
      if ('refused' in outcome) continue;
      changed++;
      const after = outcome.edits[0]!.after!;
      expect(
        difference(listTokenTexts(sourceFile), listTokenTexts(parseSource(path, after)!)).filter(
          (token) => !expected[recipe]!.has(token),
        ),
        `${path} ${sourceFile.getLineAndCharacterOfPosition(node.pos).line}`,
      ).toEqual([]);
      // Test-like paths are critical by their names alone.
      expect(determineSafety([{ path: 'src/a.ts', before: text, after }])).toBe('behaviorPreserving');
      expect(applyRecipe(opportunity, memoryTree({ [path]: text }))).toEqual(outcome);
      const again = applyRecipe(opportunity, memoryTree({ [path]: after }));
      if (!('refused' in again)) expect(again.edits[0]!.after).not.toBe(text);
    }
  }
  expect(changed).toBeGreaterThan(2);
});

function rangeOf(sourceFile: ts.SourceFile, start: number, end: number): Range {
  const [from, to] = [sourceFile.getLineAndCharacterOfPosition(start), sourceFile.getLineAndCharacterOfPosition(end)];
  return {
    startLine: from.line + 1,
    startColumn: from.character + 1,
    endLine: to.line + 1,
    endColumn: to.character + 1,
  };
}

/** Tokens that one side has more often than the other. */
function difference(one: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const token of one) counts.set(token, (counts.get(token) ?? 0) + 1);
  for (const token of other) counts.set(token, (counts.get(token) ?? 0) - 1);
  return [...counts].filter(([, count]) => count !== 0).map(([token]) => token);
}
