// The dataset: the same bytes for the same examples, sides that stay, and nothing held out in what a trainer reads.

import { expect, test } from 'vitest';
import { createDataset, isHeldOut, type TrainingExample } from '../../../../server/src/core/learn/training/dataset.ts';

const example = (n: number, more: Partial<TrainingExample> = {}): TrainingExample => ({
  kind: 'kept',
  groups: [`src/part${n}.ts`],
  prompt: [{ role: 'user', content: `Improve src/part${n}.ts` }],
  answer: `answer ${n}`,
  reason: null,
  proposal: `p-${n}`,
  ...more,
});
const many = Array.from({ length: 100 }, (_, n) => example(n));

test('the same examples give the same bytes, in whatever order they come', () => {
  const [one, other] = [createDataset(many), createDataset(many.toReversed())];
  expect(other).toEqual(one);
  expect(one.id).not.toBe(createDataset(many.slice(1)).id);
});

test('nothing learned gives empty files', () => {
  expect(createDataset([])).toMatchObject({ files: { 'train.jsonl': '', 'refused.jsonl': '' }, heldOutFile: '' });
});

test('about a fifth is held out, by the file that it is about, and never on the other side', () => {
  const both = many.flatMap((one) => [one, { ...one, answer: `another ${one.answer}` }]);
  const { train, heldOut, files, heldOutFile } = createDataset(both);
  expect(heldOut.length).toBeGreaterThan(20);
  expect(heldOut.length).toBeLessThan(60);
  expect(train.length + heldOut.length).toBe(200);
  const trained = new Set(train.flatMap(({ groups }) => groups));
  expect(heldOut.filter(({ groups }) => groups.some((group) => trained.has(group)))).toEqual([]);
  for (const { id } of heldOut) expect(files['train.jsonl']).not.toContain(id);
  for (const { id } of train) expect(heldOutFile).not.toContain(id);
  // More examples move nobody to the other side.
  const later = createDataset([...both, ...Array.from({ length: 50 }, (_, n) => example(1000 + n))]);
  expect(new Set(later.heldOut.map(({ id }) => id))).toEqual(
    new Set([
      ...heldOut.map(({ id }) => id),
      ...later.heldOut.filter(({ proposal }) => /p-1\d\d\d/.test(proposal!)).map(({ id }) => id),
    ]),
  );
});

test('each line is a chat, and a refused answer stands beside the good one to the same question', () => {
  const n = many.findIndex(({ groups }) => !isHeldOut(groups[0]!));
  const refused = { kind: 'refused', answer: 'a wrong one', reason: 'tests: 1 failed', proposal: 'p-x' } as const;
  const { files } = createDataset([example(n), example(n, refused)]);
  expect(JSON.parse(files['train.jsonl'])).toMatchObject({
    kind: 'kept',
    messages: [{ role: 'user' }, { role: 'assistant', content: `answer ${n}` }],
  });
  expect(JSON.parse(files['refused.jsonl'])).toMatchObject({
    prompt: [{ role: 'user' }],
    rejected: [{ role: 'assistant', content: 'a wrong one' }],
    chosen: [{ role: 'assistant', content: `answer ${n}` }],
    reason: 'tests: 1 failed',
  });
});

test('what was refused about a held-out file is in no file; the same example twice counts once', () => {
  const n = many.findIndex(({ groups }) => isHeldOut(groups[0]!));
  const { files, heldOut } = createDataset([example(n), example(n), example(n, { kind: 'refused', answer: 'wrong' })]);
  expect(files).toEqual({ 'train.jsonl': '', 'refused.jsonl': '' });
  expect(heldOut).toHaveLength(1);
});

test('answers to the same question are found without comparing each with each', () => {
  const words = 'Improve this file, please. '.repeat(40);
  const asked = Array.from({ length: 2000 }, (_, n) =>
    example(n, { prompt: [{ role: 'user', content: `${words}${n}` }] }),
  );
  const refused = asked.map((one) => ({ ...one, kind: 'refused' as const, answer: `wrong ${one.answer}` }));
  const before = process.threadCpuUsage();
  const dataset = createDataset([...asked, ...refused]);
  const { user, system } = process.threadCpuUsage(before);
  expect(dataset.files['refused.jsonl']).not.toContain('"chosen":null');
  expect((user + system) / 1e6).toBeLessThan(3);
});

test('a change of held-out files and others is on neither side', () => {
  const sides = [true, false].map((side) => many.find(({ groups }) => isHeldOut(groups[0]!) === side)!.groups[0]!);
  const both = example(1, { groups: sides });
  const { train, heldOut, refused } = createDataset([both, { ...both, kind: 'refused', answer: 'wrong' }]);
  expect([train, heldOut, refused]).toEqual([[], [], []]);
});
