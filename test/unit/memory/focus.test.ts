// How a pack shows the files that search relates to the task.

import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderPack } from '../../../server/src/core/memory/render.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';
import { runs } from '../../helpers/properties.ts';
import { never, pack, recordOf, recordsOf } from './records.ts';
import type { ContextPack } from '../../../server/src/core/memory/contextPack.ts';
import type { TaskRelatedPlace } from '../../../server/src/core/memory/related.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

const shop = `// Copyright Ada

import { till } from './till.ts';

const open = true;

/** Everything for sale. */
export class Shop {
  private stock = 0;

  /** Takes one off the shelf. */
  sell(count: number): number {
    return till.take(count * this.stock);
  }

  restock(count: number): void {
${'    this.stock += count;\n'.repeat(60)}  }
}
`;
const SELL = 13;
const RESTOCK = 17;

async function packed(
  texts: Readonly<Record<string, string>>,
  related: readonly TaskRelatedPlace[],
  tokens: number,
  now: Readonly<Record<string, string>> = texts,
): Promise<{ readonly pack: ContextPack; readonly text: string }> {
  const records: FileRecord[] = [];
  for (const [path, text] of Object.entries(texts)) records.push(await recordOf(path, text));
  const read = async (path: string) => now[path] ?? null;
  const made = await pack({ records, read, relatedPlaces: related }, { budget: Math.ceil(tokens / 0.9) });
  const text = await renderPack(made, { records: new Map(records.map((one) => [one.path, one])), read }, never);
  expect(estimateTokens(text)).toBeLessThanOrEqual(made.tokens);
  return { pack: made, text: text.slice(text.indexOf('## ')) };
}

const place = (path: string, line: number, relation = 1): TaskRelatedPlace => ({
  path,
  startLine: line,
  endLine: line,
  relation,
});

test.each([120, 300, 900])('in %s tokens, Chinese text takes no more than the pack claims', async (tokens) => {
  const texts = {
    'chinese.ts': shop
      .replaceAll('Everything for sale', '商店里出售的所有商品都列在这里')
      .replaceAll(
        '    this.stock += count;',
        '    this.stock += count; // 补充库存的数量，然后更新商店的状态，如果失败就报告错误',
      ),
    '文档.md': `${'如果测试失败，请修复代码并保持所有导出的名称不变。'.repeat(20)}\n`.repeat(4),
  };
  // `packed` asserts that the text takes no more.
  const { text } = await packed(texts, [place('文档.md', 2), place('chinese.ts', SELL)], tokens);
  expect(text).toContain('文档.md');
});

test('the definition that search found comes first, with the beginning of what is around it', async () => {
  const { pack: made, text } = await packed({ 'shop.ts': shop }, [place('shop.ts', SELL)], 97);
  expect(text).toBe(`## shop.ts
…
export class Shop {
…
  /** Takes one off the shelf. */
  sell(count: number): number {
    return till.take(count * this.stock);
  }
…

`);
  expect(made.items.map(({ symbol, resolution }) => [symbol, resolution])).toEqual([['Shop.sell', 'body']]);
  expect(made.items[0]!.lines).toEqual([
    [8, 8],
    [11, 14],
  ]);
});

test('with room for all, all but the licence is there', async () => {
  const { text, pack: made } = await packed({ 'shop.ts': shop }, [place('shop.ts', SELL)], 2_000);
  expect(text).toBe(`## shop.ts\n…\n${shop.slice(shop.indexOf('import'))}\n`);
  expect(made.items.map(({ symbol, resolution }) => [symbol, resolution])).toEqual([
    [null, 'body'],
    ['open', 'body'],
    ['Shop', 'body'],
    ['Shop.sell', 'body'],
    ['Shop.restock', 'body'],
  ]);
});

test('a definition that does not fit is cut', async () => {
  const { text, pack: made } = await packed({ 'shop.ts': shop }, [place('shop.ts', RESTOCK + 3)], 250);
  const restock = made.items.find(({ symbol }) => symbol === 'Shop.restock')!;
  expect(restock.resolution).toBe('signature');
  expect(text).toContain('  restock(count: number): void {\n    this.stock += count;\n');
  // No token is left that could hold one more line.
  expect(estimateTokens('    this.stock += count;\n') + made.tokens).toBeGreaterThan(250);
});

test('a long line is cut in the middle', async () => {
  const data = `${'abcdefghij'.repeat(1_000)}\n`;
  const { text } = await packed({ 'data.txt': data }, [place('data.txt', 1)], 300);
  expect(text).toMatch(/^## data\.txt\n(abcdefghij){50,}\w*…\n\n$/);
});

test('the best file comes before a better place of a worse one, and files that nothing relates come last', async () => {
  const part = (name: string) => `export function ${name}(): number {\n${'  count += 1;\n'.repeat(30)}}\n`;
  const texts = { 'a.ts': part('far'), 'b.ts': part('near'), 'c.ts': part('none') };
  const related = [place('b.ts', 2), place('a.ts', 2, 0.6)];
  const whole = async (tokens: number) =>
    (await packed(texts, related, tokens)).pack.items
      .filter(({ symbol, resolution }) => symbol !== null && resolution === 'body')
      .map(({ symbol }) => symbol);
  expect(await whole(200)).toEqual(['near']);
  expect(await whole(350)).toEqual(['near', 'far']);
  expect(await whole(1_000)).toEqual(['near', 'far', 'none']);
});

test('a file that has changed since it was indexed is shown from its beginning', async () => {
  const now = { 'shop.ts': `// New.\n${'const line = 1;\n'.repeat(100)}` };
  const { text } = await packed({ 'shop.ts': shop }, [place('shop.ts', SELL)], 150, now);
  expect(text).toMatch(/^## shop\.ts\n\/\/ New\.\n(const line = 1;\n)+/);
});

test('a file that is gone takes no room', async () => {
  const { pack: made } = await packed({ 'shop.ts': shop }, [place('shop.ts', SELL)], 500, {});
  expect(made.items).toEqual([]);
});

test('on real files no heading is without a body, and a larger window never shows less', async () => {
  const texts = new Map<string, string>();
  const records = await recordsOf(join(import.meta.dirname, '../../../server/src/core/memory'), { texts });
  const byPath = new Map(records.map((one) => [one.path, one]));
  const read = async (path: string) => texts.get(path) ?? null;
  const paths = [...texts.keys()];
  const shownLines = (made: ContextPack) =>
    made.items.flatMap(({ path, lines = [], cut }) =>
      lines.flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, index) => `${path}:${from + index}`).filter(
          (line) => line !== `${path}:${cut?.[0]}`,
        ),
      ),
    );
  const related = fc
    .array(fc.tuple(fc.nat(paths.length - 1), fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 40 })), {
      minLength: 1,
      maxLength: 12,
    })
    .map((places) =>
      places.map(([file, startLine, more], index) => ({
        path: paths[file]!,
        startLine,
        endLine: startLine + more,
        relation: 1 / (1 + index / 4),
      })),
    );
  await fc.assert(
    fc.asyncProperty(
      related,
      fc.integer({ min: 150, max: 60_000 }),
      fc.integer({ min: 1, max: 3_000 }),
      async (places, budget, more) => {
        const small = await pack({ records, read, relatedPlaces: places }, { budget });
        const text = await renderPack(small, { records: byPath, read }, never);
        expect(estimateTokens(text)).toBeLessThanOrEqual(small.tokens);
        for (const path of new Set(small.items.map((item) => item.path)))
          expect(text.split(`## ${path}\n`)[1]!.split('\n## ')[0]!.trim().length, path).toBeGreaterThan(1);
        const large = new Set(
          shownLines(await pack({ records, read, relatedPlaces: places }, { budget: budget + more })),
        );
        expect(shownLines(small).filter((line) => !large.has(line))).toEqual([]);
      },
    ),
    runs(60),
  );
});
