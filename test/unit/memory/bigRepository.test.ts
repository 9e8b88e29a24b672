// A repository of more than two million tokens, made of the sources of installed packages, in a window of one million.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createDetailOrderer } from '../../../server/src/core/memory/order.ts';
import { renderPack } from '../../../server/src/core/memory/render.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';
import { never, pack, recordOf, recordsOf } from './records.ts';
import type { ContextPack } from '../../../server/src/core/memory/contextPack.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

const root = join(import.meta.dirname, '../../../node_modules');
const window = { budget: 1_000_000, taskType: 'SelfImprovement' } as const;
let records: FileRecord[];

beforeAll(async () => {
  records = await recordsOf(root, { tokens: 2_050_000 });
});

const read = async (path: string) => readFileSync(join(root, path), 'utf8');

function resolutions({ items }: ContextPack, without: string): Map<string, string> {
  return new Map(
    items
      .filter(({ path }) => path !== without)
      .map(({ path, symbol, resolution }, index) => [
        `${path}#${symbol}#${items[index - 1]?.path === path && items[index - 1]?.symbol === symbol}`,
        resolution,
      ]),
  );
}

test('the pack holds 900,000 tokens and not one more, every definition of every file is in it, and its text takes no more than that', async () => {
  expect(records.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThan(2_000_000);
  const packed = await pack({ records }, window);
  expect(packed.tokens).toBe(900_000);
  expect(packed.utilisation).toBe(0.9);
  expect(packed.layers.semantic).toMatchObject({ tokens: 900_000, budget: 700_000, borrowed: 200_000 });
  expect(packed.items.length).toBe(records.reduce((sum, { symbols }) => sum + 1 + symbols.length, 0));
  const text = await renderPack(
    packed,
    { records: new Map(records.map((record) => [record.path, record])), read },
    never,
  );
  expect(estimateTokens(text)).toBeLessThanOrEqual(900_000);
  expect(estimateTokens(text)).toBeGreaterThan(860_000);
});

test('the choice is within a thousandth of the bound', async () => {
  for (const budget of [100_000, 1_000_000]) {
    const { quality } = await pack({ records }, { ...window, budget });
    expect(quality!.value).toBeGreaterThan(quality!.bound * 0.999);
    expect(quality!.value).toBeLessThanOrEqual(quality!.bound);
  }
});

test('after an edit of one file, all but a few of the other units are shown as before', async () => {
  const packer = createDetailOrderer();
  const before = await pack({ records, packer }, window);
  for (const at of [10, 100, 200]) {
    const { path } = records[at]!;
    const edited = await recordOf(
      path,
      `${await read(path)}\nexport function added(one, two) {\n${'  one += two;\n'.repeat(200)}}\n`,
    );
    const after = await pack(
      { records: records.map((record, index) => (index === at ? edited : record)), packer },
      window,
    );
    expect(after.tokens).toBe(900_000);
    const [was, is] = [resolutions(before, path), resolutions(after, path)];
    // The new definition takes its thousand tokens from the units that matter least.
    const changed = [...was].filter(([unit, resolution]) => is.get(unit) !== resolution).length;
    expect(changed / was.size).toBeLessThan(0.005);
  }
});
