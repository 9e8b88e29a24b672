// What must hold of points whatever the tree: order, layout, names and comments have no influence, and a comparison
// never gives more than the points.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CATEGORIES, type Measures } from '../../../server/src/core/model.ts';
import { runs } from '../../helpers/properties.ts';
import { comparePoints } from '../../../server/src/core/score/comparePoints.ts';
import { ruler } from '../../../server/src/core/score/ruler.ts';
import { scoreTree } from '../../../server/src/core/score/score.ts';
import { base, type Tree } from '../../fixtures/gaming/base.ts';
import { analyse } from '../analysis/analyseCase.ts';
import { measureTree } from './measureTree.ts';

/** Points are sums of floating-point shares. */
const EXACT = 1e-9;
const NAMES = [
  ...new Set(
    ruler.definition.inputs.flatMap((input) => [
      input.per,
      ...(typeof input.of === 'string' ? [input.of] : Object.keys(input.of)),
    ]),
  ),
];

/** Measures as files have them: shares never above their whole. `all`: nothing is unknown. */
const measured = (all: boolean): fc.Arbitrary<Measures> =>
  fc
    .record(Object.fromEntries(NAMES.map((name) => [name, fc.nat(60)])), all ? {} : { requiredKeys: [] })
    .map((given) => {
      const file = { ...given } as Record<string, number>;
      for (const input of ruler.definition.inputs) {
        if (input.kind !== 'share') continue;
        const whole = file[input.per];
        if (whole === undefined) delete file[input.of];
        else file[input.of] = Math.min(whole, file[input.of] ?? 0);
      }
      return file;
    });
const whole = fc.array(measured(true), { maxLength: 12 });
const files = fc.array(measured(false), { maxLength: 12 });

test('the order of the files means nothing', () => {
  fc.assert(
    fc.property(files, fc.infiniteStream(fc.nat()), (all, picks) => {
      const shuffled = [...all]
        .map((file) => [picks.next().value!, file] as const)
        .sort(([a], [b]) => a - b)
        .map(([, file]) => file);
      expect(scoreTree(shuffled)).toEqual(scoreTree(all));
    }),
    runs(100),
  );
});

test('a tree twice is worth what it is worth once, so that only proportions count', () => {
  fc.assert(
    fc.property(files, fc.integer({ min: 2, max: 4 }), (all, times) => {
      // Smaller trees are counted as if they had so many.
      const sized = all.map((file) => ({
        ...file,
        ...Object.fromEntries(
          NAMES.filter((name) => /statements$/.test(name) && name in file).map((name) => [
            name,
            file[name]! + ruler.definition.leastSize,
          ]),
        ),
      }));
      const many = Array.from({ length: times }, () => sized).flat();
      expect(scoreTree(many).total).toBeCloseTo(scoreTree(sized).total, 6);
    }),
    runs(100),
  );
});

test('the scale is the same whatever is known, and what becomes known takes nothing from the rest', () => {
  fc.assert(
    fc.property(files, fc.constantFrom(...ruler.definition.inputs), (all, input) => {
      const own = typeof input.of === 'string' ? [input.per] : Object.keys(input.of);
      const without = all.map((file) =>
        Object.fromEntries(Object.entries(file).filter(([name]) => !own.includes(name))),
      );
      const [less, more] = [scoreTree(without), scoreTree(all)];
      expect([less.max, more.max]).toEqual([1000, 1000]);
      expect(more.total).toBeGreaterThanOrEqual(less.total - EXACT);
      const pointsOf = (points: typeof more) =>
        new Map(
          CATEGORIES.flatMap((category) => points.categories[category].inputs!.map((one) => [one.name, one.points])),
        );
      for (const [name, points] of pointsOf(less)) if (points !== null) expect(pointsOf(more).get(name)).toBe(points);
      expect([...pointsOf(more).values()].reduce<number>((sum, points) => sum + (points ?? 0), 0)).toBeCloseTo(
        more.total,
        9,
      );
    }),
    runs(100),
  );
});

test('files without measures change nothing', () => {
  fc.assert(
    fc.property(files, files, (all, others) => {
      const apart = others.map((file) =>
        Object.fromEntries(Object.entries(file).map(([name, value]) => [`test.${name}`, value])),
      );
      expect(scoreTree([...all, ...apart, {}])).toEqual(scoreTree(all));
    }),
    runs(100),
  );
});

test('less trouble is never worse, and points stay on the scale', () => {
  fc.assert(
    fc.property(files, fc.constantFrom(...NAMES), (all, name) => {
      const points = scoreTree(all);
      expect(points.total).toBeGreaterThanOrEqual(0);
      expect(points.total).toBeLessThanOrEqual(points.max + EXACT);
      const troubles = ruler.definition.inputs.filter((input) => input.kind === 'density' && name in input.of);
      // Trouble in code of no size is not found in any file: without it nothing would be known of such a tree.
      if (troubles.length === 0 || troubles.some(({ per }) => !all.some((file) => (file[per] ?? 0) > 0))) return;
      const less = all.map((file) => (name in file ? { ...file, [name]: 0 } : file));
      expect(scoreTree(less).total).toBeGreaterThanOrEqual(points.total - EXACT);
    }),
    runs(100),
  );
});

const treeOf = (all: readonly Measures[]) => ({
  files: new Map(all.map((file, index) => [`${index}.ts`, file])),
  inventories: new Map(),
});

test('a comparison is never kinder than the points, where as much was known before', () => {
  const shares = ruler.definition.inputs.filter((input) => input.kind === 'share');
  const sizes = ruler.definition.inputs.filter((input) => input.kind === 'density');
  const known = (all: readonly Measures[], name: string) => all.some((file) => (file[name] ?? 0) > 0);
  fc.assert(
    fc.property(whole, whole, (one, other) => {
      // A share of nothing is unknown; what became known counts for neither side.
      fc.pre(shares.every(({ per }) => known(one, per) || !known(other, per)));
      // A tree without a statement is compared as if both had one.
      fc.pre(sizes.every(({ per }) => known(one, per)));
      const { after, before } = comparePoints(treeOf(one), treeOf(other));
      const alone = scoreTree(other);
      expect(before).toEqual(scoreTree(one));
      for (const category of CATEGORIES) {
        const { points, unknown } = alone.categories[category];
        if (unknown.length > 0) continue;
        // Coverage stays as it was.
        if (category !== 'testCoverage' && points !== null)
          expect(after.categories[category].points ?? 0).toBeLessThanOrEqual(points + EXACT);
      }
    }),
    runs(500),
  );
});

test('a tree against itself gains nothing, and every comparison has an answer', () => {
  fc.assert(
    fc.property(files, files, (one, other) => {
      expect(comparePoints(treeOf(one), treeOf(one))).toMatchObject({ gain: 0, withheld: [] });
      expect(Number.isFinite(comparePoints(treeOf(one), treeOf(other)).gain)).toBe(true);
    }),
    runs(100),
  );
});

test('a null change is never a gain: 1,000 times', async () => {
  const before = await measureTree(base);
  const paths = Object.keys(base).filter((path) => path.endsWith('.ts'));
  const edits: readonly ((text: string) => string)[] = [
    (text) => text.replaceAll(';\n', '; // as said\n'),
    (text) => text.replaceAll('  ', '    '),
    (text) => text.replaceAll('\n', '\r\n'),
    (text) => `${text}\n\n\n`,
    (text) => `/* One of the files of the shop. */\n${text}`,
    (text) => text.replaceAll(/\b(weight|total|days|result|price|prices|stamped|used|labels)\b(?!:)/g, '$1Value'),
    (text) => text.replace(/\{\n/g, '{\n\n'),
    (text) => text.replaceAll("'", '"').replaceAll('"T"', '"T"'),
  ];
  let gains = 0;
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ path: fc.constantFrom(...paths), edit: fc.constantFrom(...edits) }), {
        minLength: 1,
        maxLength: 3,
      }),
      async (changes) => {
        let tree: Tree = base;
        for (const { path, edit } of changes) tree = { ...tree, [path]: edit(tree[path]!) };
        tried++;
        if (comparePoints(before, await measureTree(tree)).gain > EXACT) gains++;
      },
    ),
    runs(1000),
  );
  expect([tried, gains]).toEqual([runs(1000).numRuns, 0]);
});

/** Edits of one text that must leave every measure as it is. */
test.each<[string, (text: string) => string]>([
  ['comments', (text) => text.replaceAll(';\n', '; /* so be it */\n')],
  ['layout', (text) => text.replaceAll('  ', '\t').replaceAll('\n', '\n\n')],
  [
    'names of locals',
    (text) =>
      text
        .replace(/\bweight\b/g, 'grams')
        .replace(/\bline\b/g, 'row')
        .replace(/\bday\b/g, 'date'),
  ],
  ['quotes', (text) => text.replaceAll("'", '"')],
  ['semicolons', (text) => text.replaceAll(';\n', '\n')],
])('%s are not measured', (_, edit) => {
  for (const path of ['src/orders.ts', 'src/prices.ts', 'src/events.ts']) {
    const text = base[path]!;
    expect(analyse(path, edit(text)).measures).toEqual(analyse(path, text).measures);
  }
});
