// Which further changes of the same function join a proposal, and which do not.

import { expect, test } from 'vitest';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { composeAround } from '../../../server/src/core/propose/composition.ts';
import { memoryTree } from './recipeCase.ts';

const path = 'src/file.ts';
const analyse = (text: string): Opportunity[] =>
  analyseSource({ path, text, language: 'typescript', tree: null, symbols: null, generated: false }).opportunities;

function compose(text: string, rule: string, symbol?: string) {
  const opportunity = analyse(text).find(
    (found) => found.rule === rule && (symbol === undefined || found.symbol === symbol),
  );
  if (!opportunity)
    throw new Error(
      `No ${rule} among ${analyse(text)
        .map((found) => `${found.rule} ${found.symbol}`)
        .join(', ')}`,
    );
  return composeAround(opportunity, memoryTree({ [path]: text }), analyse);
}

const twoFlaws = `import { hint } from './hint.ts';

export function grade(points: number, strict: boolean): string {
  const unused = hint;
  if (points > 90) {
    return 'best';
  } else {
    console.log(points);
    if (strict) {
      if (points > 50) {
        console.log('strict');
      }
    }
  }
  return 'done';
}

export function other(points: number, strict: boolean): string {
  if (points > 90) {
    return 'best';
  } else {
    console.log(points);
    console.log('rest');
    if (strict) {
      console.log('strict');
      console.log('that is all');
    }
  }
  return 'rest';
}
`;

test('all of one function, what the change leaves over, and nothing of another function', () => {
  const composed = compose(twoFlaws, 'unused-local', 'grade');
  if ('refused' in composed) throw new Error(composed.refused);
  expect(composed.edits).toHaveLength(1);
  expect(composed.edits[0]).toMatchObject({ path, before: twoFlaws });
  expect(composed.edits[0]!.after).toBe(`export function grade(points: number, strict: boolean): string {
  if (points > 90) {
    return 'best';
  }
  console.log(points);
  if (strict && points > 50) {
    console.log('strict');
  }
  return 'done';
}

export function other(points: number, strict: boolean): string {
  if (points > 90) {
    return 'best';
  } else {
    console.log(points);
    console.log('rest');
    if (strict) {
      console.log('strict');
      console.log('that is all');
    }
  }
  return 'rest';
}
`);
  expect(composed.title).toMatch(
    /^Remove unused unused and hint; remove an unneeded else; merge two nested ifs in grade$/,
  );
  expect(composed.rationale).toMatch(/^They gain only together\. /);
});

test('the same input gives the same change', () => {
  expect(compose(twoFlaws, 'unused-local', 'grade')).toEqual(compose(twoFlaws, 'unused-local', 'grade'));
});

test('nothing goes along with what stands alone', () => {
  expect(compose(twoFlaws, 'else-after-return', 'other')).toEqual({ refused: 'Nothing else changes with it.' });
});

test('a recipe that refuses refuses here, too', () => {
  const opportunity = { ...analyse(twoFlaws).find(({ rule }) => rule === 'else-after-return')!, recipe: 'none' };
  expect(composeAround(opportunity, memoryTree({ [path]: twoFlaws }), analyse)).toEqual({
    refused: 'There is no recipe none.',
  });
});
