// The limits of another charter over the changes of a night.

import { expect, test } from 'vitest';
import {
  adjustAllowances,
  DEFAULT_ALLOWANCES,
  tightenAllowances,
} from '../../../server/src/core/model/capabilities.ts';
import { createChangeLimits, findOrder, listUnjudged } from '../../../server/src/core/run/replayLimits.ts';

const HOUR = 3_600_000;
const recipe = (at: number) => ({ author: 'recipe', at }) as const;

test('changes beyond the limit of an order would not have been made; those of other orders do not count', () => {
  const ordered = (at: number, order: number) => ({ ...recipe(at), order });
  const fold = createChangeLimits({ maxChanges: 2, allowances: null }, [ordered(0, 0), ordered(1, 1)]);
  expect(fold.explain(ordered(2, 1))).toBeNull();
  fold.add(ordered(2, 1));
  expect(fold.explain(ordered(3, 1))).toBe('The limit of 2 changes would have ended the run before it.');
  expect(fold.explain(ordered(3, 3))).toBeNull();
});

test('a run that continues an order belongs to it', () => {
  const runs = [
    { id: 'a', since: 1 },
    { id: 'b', since: 1 },
    { id: 'c', since: 9 },
  ];
  expect(['a', 'b', 'c', 'd'].map((run) => findOrder(runs, run))).toEqual([1, 1, 9, undefined]);
});

test('a used-up rate lets a change wait; changes of other nights and only those of its author count', () => {
  const allowances = tightenAllowances({ recipe: { changesAnHour: 1, changesADay: 2 } }, adjustAllowances({}));
  const fold = createChangeLimits({ maxChanges: null, allowances }, [recipe(0), { author: 'model', at: 2 * HOUR }]);
  expect(fold.explain(recipe(HOUR - 1))).toBe('It would have waited: 1 change an hour by a recipe were used up.');
  expect(fold.explain(recipe(2 * HOUR))).toBeNull();
  fold.add(recipe(2 * HOUR));
  expect(fold.explain(recipe(4 * HOUR))).toBe('It would have waited: 2 changes a day by a recipe were used up.');
  expect(fold.explain(recipe(24 * HOUR))).toBeNull();
  expect(fold.explain({ author: 'model', at: 2 * HOUR })).toBeNull();
});

test('what an author may not do is told', () => {
  const allowances = (may: readonly 'propose'[]) => ({
    ...DEFAULT_ALLOWANCES,
    model: { ...DEFAULT_ALLOWANCES.model, may },
  });
  const explain = (may: readonly 'propose'[]) =>
    createChangeLimits({ maxChanges: null, allowances: allowances(may) }).explain({ author: 'model', at: 1 });
  expect(explain(['propose'])).toBe('A change by a language model would wait for you.');
  expect(explain([])).toBe('A change by a language model may not be proposed.');
});

test('what only a real run shows is named', () => {
  expect(listUnjudged({ model: { changesAnHour: 1 } })).toEqual([]);
  expect(listUnjudged({ model: { requestsAMinute: 1 }, agent: { may: [] } })).toEqual([
    'authors.model.requestsAMinute',
    'authors.agent.may, except for `propose` and `apply`',
  ]);
});
