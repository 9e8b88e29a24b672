// The text of a pack: what it shows, and that it never takes more than the pack claims.

import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { renderPack } from '../../../server/src/core/memory/render.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';
import { never, pack, recordOf, recordsOf } from './records.ts';
import type { ContextPack } from '../../../server/src/core/memory/contextPack.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

const root = join(import.meta.dirname, '../../..');
const texts = new Map<string, string>();
let records: FileRecord[];

beforeAll(async () => {
  const sources = await recordsOf(join(root, 'server/src/core'), { texts });
  records = [
    ...sources,
    ...(await recordsOf(join(root, 'test/fixtures'), { tokens: 60_000, file: /\.(py|rs|go|java|c|cpp|json)$/, texts })),
  ];
});

const readReal = async (path: string) => texts.get(path) ?? null;

function render(packed: ContextPack, of: readonly FileRecord[], read: (path: string) => Promise<string | null>) {
  return renderPack(packed, { records: new Map(of.map((record) => [record.path, record])), read }, never);
}

test.each([600, 2_000, 8_000, 20_000, 50_000, 100_000, 200_000, 1_000_000])(
  'in a window of %i tokens the text takes no more than the pack claims',
  async (budget) => {
    for (const task of ['', 'render the pack within the budget']) {
      const packed = await pack({ records, read: readReal }, { budget, task, activeFiles: ['memory/render.ts'] });
      const text = await render(packed, records, readReal);
      expect(estimateTokens(text)).toBeLessThanOrEqual(packed.tokens);
      // What it claims is also used, but for rounding, or the claim would be worth nothing.
      expect(estimateTokens(text)).toBeGreaterThan(packed.tokens * 0.85);
    }
  },
);

test('with room for everything each file is there to the letter', async () => {
  const text = await render(await pack({ records }, { budget: 3_000_000 }), records, readReal);
  for (const { path } of records) expect(text).toContain(`## ${path}\n${await readReal(path)}`);
});

const shop = `// Sells things.
import { till } from './till.ts';

const open = true;

/** Everything for sale. */
export class Shop {
  private stock = 0;

  /** Takes one off the shelf. */
  sell(count: number): number {
    if (!open) throw new Error('The shop is closed, come back tomorrow when we open again.');
    this.stock -= count;
    return till.take(count * this.stock + count * 3 + this.stock * 5 + count * 7);
  }

  restock(count: number): void {
    for (let crate = 0; crate < count; crate++) this.stock += crate * 12;
    if (this.stock > 1000) throw new Error('There is no room for more of it on the shelves.');
  }
}
`;

async function shown(items: ContextPack['items'], now: string | null = shop): Promise<string> {
  const record = await recordOf('shop.ts', shop);
  const layer = { tokens: 0, budget: 0 };
  const packed: ContextPack = {
    tokens: 0,
    budgetTokens: 0,
    utilisation: 0,
    layers: { working: layer, episodic: layer, semantic: layer, reserve: layer },
    items,
  };
  const text = await render(packed, [record], async () => now);
  return text.slice(text.indexOf('## '));
}

const item = (symbol: string | null, resolution: 'body' | 'signature' | 'name', tokens: number) => ({
  path: 'shop.ts',
  symbol,
  resolution,
  tokens,
});

test('names stand in a list, those inside another in brackets', async () => {
  expect(
    await shown([
      item(null, 'name', 4),
      item('open', 'name', 4),
      item('Shop', 'name', 4),
      item('Shop.sell', 'name', 4),
      item('Shop.restock', 'name', 5),
    ]),
  ).toBe('## shop.ts\nopen Shop{sell restock}\n\n');
});

test('a definition is shown by its beginning, the rest in the order of the text', async () => {
  expect(
    await shown([
      item(null, 'name', 4),
      item('open', 'name', 4),
      item('Shop', 'signature', 16),
      item('Shop.sell', 'signature', 21),
      item('Shop.restock', 'body', 61),
    ]),
  ).toBe(
    `## shop.ts
open
/** Everything for sale. */
export class Shop {…
  /** Takes one off the shelf. */
  sell(count: number): number {…
  restock(count: number): void {
    for (let crate = 0; crate < count; crate++) this.stock += crate * 12;
    if (this.stock > 1000) throw new Error('There is no room for more of it on the shelves.');
  }

`,
  );
});

test('a file that has changed since is shown from its beginning, as far as it was to be shown', async () => {
  const text = await shown(
    [item(null, 'body', 30), item('Shop', 'signature', 20)],
    `// Rewritten.\n${'const line = 1;\n'.repeat(100)}`,
  );
  expect(text.startsWith('## shop.ts\n// Rewritten.\nconst line = 1;\n')).toBe(true);
  expect(estimateTokens(text)).toBeLessThanOrEqual(50);
});

test('a file that is gone is named', async () => {
  expect(await shown([item(null, 'body', 30)], null)).toBe('## shop.ts\n\n');
});

test('the task, what was said and what is remembered come first', async () => {
  const packed = await pack(
    {
      records: [],
      working: [
        {
          kind: 'message',
          role: 'person',
          text: 'The shop is closed.',
          tokens: 9,
          reference: false,
          importance: 1,
          usedAt: 0,
        },
      ],
      episodes: {
        all: [{ id: '1', at: 0, tier: 'critical', importance: 1, text: 'Never sell the shop.', accesses: 0 }],
        now: 0,
      },
    },
    { budget: 10_000, task: 'open the shop' },
  );
  const text = await render(packed, [], async () => null);
  expect(text).toBe(
    '# Working memory\n\ntask: open the shop\nperson: The shop is closed.\n# Episodic memory\n\n1970-01-01 00:00 critical: Never sell the shop.\n',
  );
  expect(estimateTokens(text)).toBeLessThanOrEqual(packed.tokens);
});

test('folders are counted', async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({
    ...records[0]!,
    path: `packages/part${index % 2}/src/module${index}.ts`,
  }));
  const packed = await pack({ records: many }, { budget: 1500 });
  const text = await render(packed, many, async () => '');
  expect(text).toContain('packages/part0/src/ 150 files\npackages/part1/src/ 150 files\n');
  expect(estimateTokens(text)).toBeLessThanOrEqual(packed.tokens);
});
