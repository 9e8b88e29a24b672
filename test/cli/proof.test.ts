// What proves a change, from outside: receipts, their export, the gates run again; commits; all on a real repository.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../server/src/app/createApp.ts';
import { defaultSettings } from '../../server/src/settings/schema.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

/** A flaw in another file: what was changed and is not committed yet is left alone. */
const half =
  "import { clamp } from './clamp.ts';\nimport { grade } from './grade.ts';\n\n/** Grades one half. */\nexport function half(score: number): string {\n  return grade(score / 2);\n}\n";

let repository: Awaited<ReturnType<typeof createTemporaryRepository>>;
let selfware: CommandLine;
/** Two kept changes: the second was made on a tree with the first one uncommitted. */
let kept: readonly {
  readonly id: string;
  readonly checkpoint: string;
  readonly receipt: string;
  readonly edits: readonly { readonly path: string; readonly before: string; readonly after: string }[];
}[];

beforeAll(async () => {
  repository = await createTemporaryRepository({ ...sampleProject, 'src/half.ts': half });
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
  for (let change = 0; change < 2; change += 1) {
    await selfware.run(['improve']);
    const [proposal] = (await selfware.json(['proposals', 'list'])).value;
    const applied = await selfware.run(['proposals', 'approve', proposal.id]);
    expect(applied.code, applied.stderr).toBe(0);
  }
  kept = (await selfware.json(['proposals', 'list', '--all'])).value.filter(
    ({ status }: { status: string }) => status === 'kept',
  );
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

test('each kept change has a receipt, and its gates hold when they are run again', async () => {
  expect(kept).toHaveLength(2);
  for (const { id, receipt } of kept) {
    const proof = await selfware.json(['ledger', 'verify', '--change', id]);
    expect(proof.value, JSON.stringify(proof.value)).toMatchObject({ change: id, receipt, holds: true, problems: [] });
    expect(proof.value.verdicts).toContainEqual(
      expect.objectContaining({ gate: 'tests', then: 'passed', now: 'passed' }),
    );
    expect(proof.code).toBe(0);
  }
});

thoroughTest('it holds by the tree from then, whatever became of the tree since', async () => {
  const { id, edits } = kept[0]!;
  const now = await repository.read(edits[0]!.path);
  await repository.write(edits[0]!.path, 'export const grade = (): string => "broken";\n');
  await repository.write(
    'test/more.test.js',
    "import { test } from 'node:test';\ntest('never passes', () => { throw new Error('no'); });\n",
  );
  expect((await selfware.json(['ledger', 'verify', '--change', id])).value).toMatchObject({ holds: true });
  await repository.write(edits[0]!.path, now ?? '');
  await repository.git('clean', '--quiet', '--force', 'test/more.test.js');
});

thoroughTest('what a model answers instead is judged by the gates, on the tree from then', async () => {
  const env = { SELFWARE_HOME: selfware.home, PATH: process.env.PATH, HOME: selfware.home };
  const log = { write: () => undefined };
  const app = { rootDir: repository.dir, settings: defaultSettings, trusted: true, env, log, searches: false };
  const { session } = await createApp(app);
  const operation = { signal: new AbortController().signal };
  try {
    await session.open(operation);
    const { dataset } = await session.training.dataset();
    const { id, edits } = kept[0]!;
    const [{ path, before, after }] = edits as [(typeof edits)[number]];
    const example = [...dataset.train, ...dataset.heldOut].find(({ proposal }) => proposal === id)!;
    const answer = (replace: string) => ({
      id: example.id,
      reply: JSON.stringify({ description: '', edits: [{ file: path, search: before, replace }] }),
      logProbability: null,
      tokens: null,
    });
    const answers = [answer(`${after}// Another remark.\n`), answer(after.replace(/return .*;/, "return 'wrong';"))];
    const judged = await session.training.judge([example], answers, operation);
    expect(judged.map(({ success }) => success)).toEqual([true, false]);
  } finally {
    await session.close();
  }
});

thoroughTest('every byte of an exported receipt counts', async () => {
  const file = join(selfware.home, 'receipt.json');
  expect((await selfware.run(['ledger', 'receipt', kept[1]!.id, '--out', file])).code).toBe(0);
  const twice = await selfware.run(['ledger', 'receipt', kept[1]!.id, '--out', file]);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('is there already')]);
  const bytes = await readFile(file);
  expect((await selfware.json(['ledger', 'verify', '--change', kept[1]!.id, '--receipt', file])).value.holds).toBe(
    true,
  );
  for (const at of [
    0,
    40,
    Math.floor(bytes.length / 3),
    Math.floor(bytes.length / 2),
    bytes.length - 2,
    bytes.length - 1,
  ]) {
    const altered = Buffer.from(bytes);
    altered[at] = altered[at] === 0x61 ? 0x62 : 0x61;
    await writeFile(file, altered);
    const proof = await selfware.json(['ledger', 'verify', '--change', kept[1]!.id, '--receipt', file]);
    expect([at, proof.code, proof.value.holds, proof.value.problems.length > 0]).toEqual([at, 1, false, true]);
  }
  await writeFile(file, bytes);
  expect((await selfware.json(['ledger', 'verify', '--change', kept[0]!.id, '--receipt', file])).value).toMatchObject({
    holds: false,
  });
});

test('a receipt is judged in another clone, whose ledger knows nothing', async () => {
  const file = join(selfware.home, 'elsewhere.json');
  await selfware.run(['ledger', 'receipt', kept[1]!.id, '--out', file]);
  const clone = join(selfware.home, 'clone');
  await repository.git('clone', '--quiet', repository.dir, clone);
  const elsewhere = await createCommandLine(clone);
  try {
    const proof = await elsewhere.json(['ledger', 'verify', '--receipt', file]);
    expect(proof.value, JSON.stringify(proof.value)).toMatchObject({
      change: kept[1]!.id,
      receipt: kept[1]!.receipt,
      holds: true,
      problems: [],
      notes: [expect.stringContaining('ledger of this clone does not know the change')],
    });
    expect(proof.value.verdicts).toContainEqual(
      expect.objectContaining({ gate: 'tests', then: 'passed', now: 'passed' }),
    );
    expect(proof.code).toBe(0);
    await writeFile(file, (await readFile(file, 'utf8')).replace('grade', 'grode'));
    const altered = await elsewhere.json(['ledger', 'verify', '--receipt', file]);
    expect([altered.code, altered.value.holds]).toEqual([1, false]);
  } finally {
    await elsewhere.dispose();
  }
});

test('a change is committed with its trailers, once, and nothing of the work moves', async () => {
  const before = [
    await repository.git('status', '--porcelain'),
    await repository.git('rev-parse', 'HEAD'),
    await repository.git('diff'),
  ];
  const done = await selfware.json(['commit']);
  expect(done.value).toMatchObject({ branch: 'selfware/improvements', refused: [] });
  expect(done.value.committed.map(({ proposal }: { proposal: string }) => proposal)).toEqual(kept.map(({ id }) => id));
  expect([
    await repository.git('status', '--porcelain'),
    await repository.git('rev-parse', 'HEAD'),
    await repository.git('diff'),
  ]).toEqual(before);
  expect(await repository.git('diff', 'selfware/improvements')).toBe('');
  const trailers = await repository.git('log', '-1', '--format=%(trailers)', 'selfware/improvements');
  for (const name of [
    'Selfware-Proposal: ',
    'Selfware-Points: ',
    'tests passed',
    'Selfware-Verdicts-Hash: sha256:',
    `Selfware-Receipt: sha256:${kept[1]!.receipt}`,
  ])
    expect(trailers).toContain(name);
  expect((await selfware.json(['commit'])).value).toMatchObject({ committed: [], refused: [] });
});

test('changes are rolled back in the order of their application as well', async () => {
  for (const { checkpoint } of kept) {
    const done = await selfware.run(['checkpoints', 'rollback', checkpoint]);
    expect(done.code, done.stderr).toBe(0);
  }
  expect(await repository.git('status', '--porcelain')).toBe('');
});

test('an altered text in the store is found', async () => {
  const folder = (await readdir(selfware.home)).find((name) => name.startsWith('selfware-test-'))!;
  const database = new DatabaseSync(join(selfware.home, folder, 'contents.db'));
  database.prepare('UPDATE contents SET bytes = ? WHERE hash = ?').run(Buffer.from([3, 0]), kept[0]!.receipt);
  database.close();
  expect((await selfware.json(['ledger', 'verify', '--change', kept[0]!.id])).value).toMatchObject({
    holds: false,
    problems: [expect.stringContaining('altered')],
  });
});
