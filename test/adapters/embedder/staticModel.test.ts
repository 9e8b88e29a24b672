// The file of the shipped term table: what was written is read, what is damaged is said.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serialiseModel, loadTermTable, parseTermTable } from '../../../server/src/adapters/embeddings/staticModel.ts';

let dir: string;
const model = {
  dimensions: 8,
  terms: ['read', 'config', 'größe'],
  scales: Float32Array.of(0.5, 0.25, 1),
  rows: Int8Array.from({ length: 24 }, (_, at) => ((at * 37) % 255) - 127),
};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-model-'));
});
afterAll(() => rm(dir, { recursive: true }));

async function fileOf(bytes: Uint8Array): Promise<string> {
  const file = join(dir, 'model.bin');
  await writeFile(file, bytes);
  return file;
}

test('terms, rows and scales come back', async () => {
  const table = await loadTermTable(await fileOf(serialiseModel(model)));
  expect(table.dimensions).toBe(8);
  expect(model.terms.map((term) => table.row(term))).toEqual([0, 1, 2]);
  expect(table.row('unknown')).toBe(-1);
  for (const row of [0, 1, 2]) {
    expect([...table.sum([row], [2], 1)]).toEqual(
      Array.from({ length: 8 }, (_, at) => 2 * model.scales[row]! * model.rows[row * 8 + at]!),
    );
  }
});

test.each([8, 16, 20, 256])('a sum at once is what one row after the other gives: %i dimensions', (dimensions) => {
  const terms = Array.from({ length: 50 }, (_, row) => `term${row}`);
  const rows = Int8Array.from({ length: 50 * dimensions }, (_, at) => ((at * 89) % 255) - 127);
  const table = parseTermTable(
    serialiseModel({ dimensions, terms, scales: Float32Array.from(terms, (_, row) => 1 / (row + 1)), rows }),
    'test',
  );
  const chosen = [0, 49, 7, 8, 9];
  const weights = [1, 0.5, -2, 3, 0.25];
  const expected = new Float32Array(dimensions);
  chosen.forEach((row, index) =>
    expected.forEach((_, at) => (expected[at]! += (weights[index]! / (row + 1)) * rows[row * dimensions + at]!)),
  );
  const sum = table.sum(chosen, weights, chosen.length);
  expect(sum).toHaveLength(dimensions);
  sum.forEach((value, index) => expect(value).toBeCloseTo(expected[index]!, 3));
  const given = new Float32Array(dimensions).fill(7);
  expect(table.sum(chosen, weights, chosen.length, given)).toBe(given);
  expect(given).toEqual(sum);
  const many = Array.from({ length: 600 }, () => 7);
  table
    .sum(
      many,
      many.map(() => 1),
      many.length,
    )
    .forEach((value, index) => expect(value).toBeCloseTo((600 / 8) * rows[7 * dimensions + index]!, 1));
  expect([...table.sum(chosen, weights, 0)]).toEqual(Array.from({ length: dimensions }, () => 0));
});

test('the profile changes with the content', async () => {
  const one = await loadTermTable(await fileOf(serialiseModel(model)));
  const other = await loadTermTable(await fileOf(serialiseModel({ ...model, scales: Float32Array.of(0.5, 0.25, 2) })));
  expect(one.profile).toMatch(/^static-8-[\da-f]{16}$/);
  expect(other.profile).not.toBe(one.profile);
});

const whole = serialiseModel(model);
test.each([
  ['nothing', new Uint8Array(0)],
  ['another file', new TextEncoder().encode('%PDF-1.7 '.repeat(20))],
  ['the end missing', whole.slice(0, -1)],
  ['something added', Uint8Array.of(...whole, 0)],
  ['a newer format', with32(8, 2)],
  ['no dimensions', with32(12, 0)],
  ['more rows than there are', with32(16, 0xffffffff)],
  ['a term of two lines', serialiseModel({ ...model, terms: ['read', 'con\nfig', 'größe'] })],
  ['one bit flipped in the rows', flipped(80)],
  ['one bit flipped in the checksum', flipped(30)],
])('damaged: %s', async (_what, bytes) => {
  await expect(loadTermTable(await fileOf(bytes))).rejects.toMatchObject({ reason: 'damaged' });
});

test('a file that is not there is unavailable', async () => {
  await expect(loadTermTable(join(dir, 'none.bin'))).rejects.toMatchObject({
    reason: 'unavailable',
    action: expect.any(String),
  });
});

function with32(at: number, value: number): Uint8Array {
  const bytes = whole.slice();
  new DataView(bytes.buffer).setUint32(at, value, true);
  return bytes;
}

function flipped(at: number): Uint8Array {
  const bytes = whole.slice();
  bytes[at]! ^= 4;
  return bytes;
}
