// The result of a repository's own benchmark orders opportunities: what misses the most points comes first, and what
// was not measured orders nothing.

import { expect, test } from 'vitest';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { explainPriority } from '../../../server/src/core/prioritise/explainPriority.ts';
import { selectCandidates } from '../../../server/src/core/prioritise/prioritise.ts';
import type { PriorityContext } from '../../../server/src/core/prioritise/priorityContext.ts';
import { readRubric, RUBRIC_PATH, findWeakestDimension } from '../../../server/src/core/prioritise/rubric.ts';
import { summariseDimensions, type Item } from '../../bench/rubric/dimensions.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, never } from '../session/flawed.ts';

const dimension = (name: string, measured: number | null, score: number | null, ...places: string[]) => ({
  ...{ name, max: 24, measured, score, places },
  items: [],
});
const textOf = (...dimensions: object[]) => JSON.stringify({ version: 1, commit: 'a', dimensions });
const place = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 9 };
const at = (path: string): Opportunity => ({
  ...{ id: path, rule: 'rule', path, range: place, nameRange: place, symbol: null, severity: 'hint', impact: 40 },
  ...{ confidence: 0.7, message: '', evidence: {}, recipe: 'remove-else' },
});
const bare: PriorityContext = { inDegree: new Map(), refused: new Set() };

test('what lacks the most points is tried first; a dimension that was not measured orders nothing', () => {
  const rubric = readRubric(
    textOf(
      dimension('speed', 10, 9, 'src/fast/'),
      dimension('edit success', 24, 8, 'src/edit', 'src/both'),
      dimension('file discovery', null, null, 'src/find'),
      dimension('self-healing', 10, 10, 'src/heal'),
    ),
  );
  const paths = ['src/find/a.ts', 'src/fast/a.ts', 'src/edit/a.ts', 'src/editor.ts', 'src/heal/a.ts'];
  const tried = selectCandidates(paths.map(at), { ...bare, rubric }).map(({ path }) => path);
  expect(tried).toEqual(['src/edit/a.ts', 'src/fast/a.ts', 'src/editor.ts', 'src/find/a.ts', 'src/heal/a.ts']);
  expect(findWeakestDimension('src/edit/a.ts', rubric)).toMatchObject({ name: 'edit success', gap: 16 });
});

test('the explanation names the dimension with the largest gap, and is still the product', () => {
  const rubric = readRubric(textOf(dimension('speed', 10, 9, 'src'), dimension('edit success', 24, 20, 'src')));
  const { priority, factors, sentence } = explainPriority(at('src/a.ts'), { ...bare, rubric });
  expect(sentence).toContain('× gap 5 (points that the rubric misses in edit success)');
  const product = factors.reduce((all, { name, value }) => (name === 'cost' ? all / value : all * value), 1);
  expect(product).toBeCloseTo(priority, 10);
  expect(explainPriority(at('src/a.ts'), bare).sentence).not.toContain('gap');
});

test('a file that is no rubric orders nothing', () => {
  for (const text of ['', '{', 'null', '[]', '{"version": 2, "dimensions": []}', textOf({ name: 1 }), '{"version":1}'])
    expect(readRubric(text)).toEqual([]);
  const [odd] = readRubric(textOf({ ...dimension('speed', 5, 9, 'src'), places: ['src', 7] }));
  expect(odd).toEqual({ name: 'speed', gap: 0, places: ['src'] });
});

test('a hostile rubric costs little and keeps priorities finite', () => {
  expect(readRubric(textOf(dimension('x'.repeat(300_000), 1, 0, 'src')))).toEqual([]);
  const places = Array.from({ length: 900 }, (_, index) => `p${index}`);
  const rubric = readRubric(
    textOf(...Array.from({ length: 30 }, () => dimension('n'.repeat(99), 1e308, 0, 'src', ...places.slice(0, 40)))),
  );
  expect(rubric).toHaveLength(20);
  expect(rubric[0]!.places.length).toBeLessThanOrEqual(30);
  expect(rubric[0]!.name.length).toBeLessThan(99);
  const { priority } = explainPriority({ ...at('src/a.ts'), impact: 100 }, { ...bare, rubric });
  expect(priority).toBeLessThan(1e6);
  const odd = '{"version":1,"dimensions":[{"name":"a","measured":1e999,"score":1,"places":["src"]}]}';
  expect(readRubric(odd)).toMatchObject([{ gap: 0 }]);
});

test('a repository that holds one is ordered by it', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session();
  await session.analysis.analyse({ signal: never });
  const shown = async () => (await session.opportunities.shown()).map(({ path }) => path);
  const last = (await shown()).at(-1)!;
  world.tree.set(RUBRIC_PATH, textOf(dimension('edit success', 24, 0, last)));
  expect((await shown())[0]).toBe(last);
});

test('the benchmark counts what was measured, and guesses nothing', () => {
  const item = (dimension: Item['dimension'], max: number, score: number | null): Item => ({
    ...{ dimension, name: 'a task', max, score, seen: '' },
  });
  const results = summariseDimensions([item('speed', 5, 4.5), item('speed', 5, null), item('edit success', 24, null)]);
  const of = (name: string) => results.find((one) => one.name === name);
  expect(of('speed')).toMatchObject({ max: 10, measured: 5, score: 4.5 });
  expect(of('edit success')).toMatchObject({ max: 24, measured: null, score: null });
  expect(of('self-healing')).toMatchObject({ measured: null, score: null, items: [] });
  const rubric = readRubric(JSON.stringify({ version: 1, dimensions: results }));
  expect(rubric.map(({ name, gap }) => [name, gap]).filter(([, gap]) => gap !== 0)).toEqual([['speed', 0.5]]);
});
