// What holds of every context pack: never over, nothing worse with more room, the same again, small edits change
// little.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocations } from '../../../server/src/core/memory/allocations.ts';
import { runs } from '../../helpers/properties.ts';
import { chooseDetailLevels } from '../../../server/src/core/memory/chooseDetails.ts';
import { createDetailOrderer, type DetailOrder } from '../../../server/src/core/memory/order.ts';
import { computeStepFactor } from '../../../server/src/core/memory/weights.ts';
import { arbitraryRecords, pack, record, symbol } from './records.ts';
import type { ContextPack, TaskType } from '../../../server/src/core/memory/contextPack.ts';

const taskTypes = Object.keys(allocations) as TaskType[];
const fineness = { name: 1, signature: 2, body: 3 } as const;

/** Resolution by unit; 0 = not shown. */
function resolutions({ items }: ContextPack): Map<string, number> {
  return new Map(
    items
      .filter(({ path }) => !path.endsWith('/'))
      .map(({ path, symbol, resolution }) => [`${path}#${symbol ?? ''}`, fineness[resolution]]),
  );
}

test('no layer is over what it may take, the whole leaves the reserve free, and the same input gives the same pack', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryRecords,
      fc.oneof(fc.nat(2000), fc.nat(2_000_000)),
      fc.constantFrom(...taskTypes),
      fc.constantFrom('', 'name3 in folder2', 'file'),
      fc.boolean(),
      async (records, budget, taskType, task, lend) => {
        const request = { budget, taskType, task, activeFiles: records.slice(0, 12).map(({ path }) => path) };
        const result = await pack({ records, canLend: lend }, request);
        for (const { tokens, budget: share, borrowed = 0, lent = 0 } of Object.values(result.layers)) {
          expect(tokens).toBeLessThanOrEqual(share + borrowed - lent);
          expect(tokens).toBeGreaterThanOrEqual(0);
        }
        const { working, episodic, semantic, reserve } = result.layers;
        expect(working.lent! + episodic.lent!).toBe(semantic.borrowed);
        expect(semantic.borrowedFrom ?? { working: 0, episodic: 0 }).toEqual({
          working: working.lent,
          episodic: episodic.lent,
        });
        expect(result.tokens).toBe(working.tokens + episodic.tokens + semantic.tokens);
        expect(result.tokens + reserve.budget).toBeLessThanOrEqual(budget);
        const parts = [...result.items, ...result.notes!].reduce((sum, { tokens }) => sum + tokens, 0);
        expect(parts).toBeLessThanOrEqual(result.tokens);
        expect(await pack({ records: [...records].reverse(), canLend: lend }, request)).toEqual(result);
      },
    ),
    runs(200),
  );
});

test('a larger window never shows a unit more coarsely', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryRecords,
      fc.oneof(fc.nat(3000), fc.nat(300_000)),
      fc.nat(20_000),
      fc.constantFrom('', 'name3 in folder2'),
      async (records, budget, more, task) => {
        const request = { task, activeFiles: [] };
        const small = resolutions(await pack({ records }, { ...request, budget }));
        const large = resolutions(await pack({ records }, { ...request, budget: budget + more }));
        for (const [unit, shown] of small) expect(large.get(unit) ?? 0, unit).toBeGreaterThanOrEqual(shown);
      },
    ),
    runs(300),
  );
});

test('when the names fit, every definition of every file is there; when all fits, all is there in full', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryRecords, async (records) => {
      const parts = records.reduce((sum, { symbols }) => sum + 1 + symbols.length, 0);
      const { items } = await pack({ records }, { budget: 200 + parts * 60 });
      expect(items.length).toBe(parts);
      const roomy = await pack({ records }, { budget: 10_000_000 });
      expect(roomy.items.every(({ resolution }) => resolution === 'body')).toBe(true);
      expect(roomy.quality!.value).toBe(roomy.quality!.bound);
    }),
    runs(60),
  );
});

test('no choice is worth more than the bound, and the best is worth less than one step more than what is shown', async () => {
  await fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 400 })), {
        minLength: 1,
        maxLength: 7,
      }),
      fc.nat(1500),
      (definitions, spare) => {
        const records = definitions.map(([signature, body], index) =>
          record(`f${index}.ts`, body, [[symbol(`main${index}`, 1, 9), body, signature]]),
        );
        const order = createDetailOrderer().order(records, { inDegree: new Map() });
        const names = order.files.reduce((sum, { coarsestTokens }) => sum + coarsestTokens, 0);
        const budget = names * 2 + spare;
        const { value, bound, tokens } = chooseDetailLevels(order, budget);
        const best = bestValue(order, budget);
        const largestStep = Math.max(0, ...order.steps.map(({ gain }) => gain));
        expect(tokens).toBeLessThanOrEqual(budget);
        expect(best).toBeLessThanOrEqual(bound + 1e-9);
        expect(best).toBeLessThanOrEqual(value + largestStep + 1e-9);
        expect(best).toBeGreaterThanOrEqual(value - 1e-9);
      },
    ),
    runs(100),
  );
});

/** By trying every combination of levels. */
function bestValue({ files }: DetailOrder, budget: number): number {
  let reached = new Map([[0, 0]]);
  for (const { units, weights } of files) {
    units.forEach(({ levels }, unit) => {
      const next = new Map<number, number>();
      for (const [tokens, value] of reached) {
        for (const level of levels) {
          const at = tokens + level.tokens;
          if (at <= budget)
            next.set(at, Math.max(next.get(at) ?? 0, value + computeStepFactor(weights[unit]!) * level.worth));
        }
      }
      reached = next;
    });
  }
  return Math.max(...reached.values());
}

test('a kept packer gives after any edits what a fresh one gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryRecords,
      fc.array(fc.tuple(fc.nat(30), fc.nat(20_000)), { maxLength: 6 }),
      fc.nat(100_000),
      async (records, edits, budget) => {
        const packer = createDetailOrderer();
        const inDegree = new Map(records.map(({ path }, index) => [path, index % 7]));
        let current = records;
        await pack({ records, inDegree, packer }, { budget });
        for (const [at, tokens] of edits) {
          current =
            at % 5 === 0
              ? current.filter((_, index) => index !== at)
              : current.map((record, index) =>
                  index === at ? { ...record, tokens, hash: `${record.path} ${tokens}` } : record,
                );
          expect(await pack({ records: current, inDegree, packer }, { budget })).toEqual(
            await pack({ records: current, inDegree }, { budget }),
          );
        }
      },
    ),
    runs(60),
  );
});

test('a weight that flutters around a boundary changes nothing', async () => {
  const records = Array.from({ length: 60 }, (_, index) =>
    record(`f${index}.ts`, 400, [[symbol(`main${index}`, 1, 30), 380, 20]]),
  );
  const packer = createDetailOrderer();
  const rankOf = (shake: number) =>
    new Map(records.map(({ path }, index) => [path, ((1 + (index % 9)) / 300) * (1 + shake * Math.sin(index))]));
  const before = await pack({ records, packer, rank: rankOf(0) }, { budget: 12_000 });
  for (const shake of [0.02, -0.02, 0.03])
    expect(await pack({ records, packer, rank: rankOf(shake) }, { budget: 12_000 })).toEqual(before);
});
