// `selfware learn export|train|status|rollback` from outside: nothing learned is no error, a person agrees once, and a
// better model is in use.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveStateFolder } from '../../server/src/adapters/files/stateFolder.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createDecidedChanges, recordDecided } from '../helpers/learnedLedger.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'training');
const node = (program: string) => `"${process.execPath}" "${join(FIXTURES, program)}"`;

let repository: TemporaryRepository;
let selfware: CommandLine;
let base: string;

beforeAll(async () => {
  repository = await createTemporaryRepository({
    'src/a.js': 'export const a = 1;\n',
    // A repository may not name commands.
    '.selfware/settings.json': `{"learn.trainCommand": "touch ${join('/tmp', 'owned')}"}`,
  });
  selfware = await createCommandLine(repository.dir);
  base = join(selfware.home, 'base.gguf');
  const { writeModel } = await import(join(FIXTURES, 'gguf.mjs'));
  writeModel(base, () => 1 / 258);
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

/** The person's own settings. */
async function settle(more: Readonly<Record<string, unknown>>): Promise<void> {
  const settings = {
    'learn.model': `gguf:${base}`,
    'learn.trainCommand': node('trainer.mjs'),
    'learn.evaluateCommand': node('evaluator.mjs'),
    ...more,
  };
  await writeFile(join(selfware.home, 'settings.json'), JSON.stringify(settings));
}

test('an example has the title as it was filed, without its speaker and notes about corrections', async () => {
  const other = await createTemporaryRepository({ 'a.js': 'export const a = 1;\n' });
  const learned = await createCommandLine(other.dir);
  try {
    const title = 'The agent says: “Write a constant”';
    const { edits } = createDecidedChanges(1)[0]!;
    await recordDecided(resolveStateFolder(other.dir, { SELFWARE_HOME: learned.home }), [
      { id: 'p-own', title: `${title} (corrected by hand)`, edits, outcome: 'kept' },
      { id: 'p-filed', title, edits, outcome: 'rejected', correctedAs: 'p-own' },
    ]);
    const { folder } = (await learned.json(['learn', 'export'])).value;
    const files = ['train.jsonl', 'heldout.jsonl'].map((name) => readFile(join(folder, name), 'utf8'));
    const lines = (await Promise.all(files)).join('').split('\n').filter(Boolean);
    const corrected = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'corrected');
    expect(corrected).toHaveLength(1);
    const [, question, answer] = corrected[0].messages;
    expect(question.content).toContain('In src/part0.ts: Write a constant (rule prefer-const)');
    expect(JSON.parse(answer.content).description).toBe('Write a constant');
  } finally {
    await learned.dispose();
    await other.dispose();
  }
});

thoroughTest('from nothing learned to a better model, and back', async () => {
  const none = await selfware.json(['learn', 'export']);
  expect(none).toMatchObject({ code: 0, value: { train: 0, heldOut: 0, refused: 0 } });
  for (const name of ['train.jsonl', 'refused.jsonl', 'heldout.jsonl'])
    expect(await readFile(join(none.value.folder, name), 'utf8')).toBe('');
  const unset = await selfware.run(['learn', 'train', '--once']);
  expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining('No model can be trained yet')]);
  expect(unset.stderr).toContain('learn.trainCommand');

  await recordDecided(resolveStateFolder(repository.dir, { SELFWARE_HOME: selfware.home }), createDecidedChanges(130));
  const [one, two] = [join(selfware.home, 'one'), join(selfware.home, 'two')];
  const exported = await selfware.json(['learn', 'export', '--to', one]);
  expect((await selfware.json(['learn', 'export', '--to', two])).value.id).toBe(exported.value.id);
  for (const name of ['train.jsonl', 'refused.jsonl', 'heldout.jsonl'])
    expect(await readFile(join(one, name), 'utf8')).toBe(await readFile(join(two, name), 'utf8'));
  const inside = await selfware.run(['learn', 'export', '--to', join(repository.dir, 'data')]);
  expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('lies in a repository')]);

  // Nobody is at a terminal, and scripts may not decide.
  await settle({});
  const alone = await selfware.run(['learn', 'train', '--once']);
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('needs a person')]);
  await settle({ 'approve.withoutTerminal': true });
  const trained = await selfware.run(['learn', 'train', '--once']);
  expect(trained.code, trained.stderr).toBe(0);
  expect(trained.stdout).toMatch(/^Deployed: The perplexity falls by \d+\.\d % .*now: perplexity 258\.000; new: perp/);
  // Agreed once, so that nobody is asked again; there is nothing new, and a person may train anyway.
  await settle({});
  const again = await selfware.run(['learn', 'train', '--once']);
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^Rejected: The perplexity falls by 0\.0 %/)]);
  const soon = await selfware.run(['learn', 'train', '--once']);
  expect([soon.code, soon.stderr]).toEqual([2, expect.stringContaining('less than an hour ago')]);
  // Another command is asked about again.
  await settle({ 'learn.trainCommand': `${node('trainer.mjs')} worse` });
  expect((await selfware.run(['learn', 'train', '--once'])).stderr).toContain('needs a person');

  const status = await selfware.json(['learn', 'status']);
  expect(status.value).toMatchObject({ currentModel: expect.stringMatching(/^r-/), running: false });
  expect(status.value.inUse).toMatch(/^gguf:.*current\.gguf$/);
  const doctor = await selfware.json(['doctor']);
  const found = doctor.value.find(({ name }: { name: string }) => name === 'training');
  expect(found).toMatchObject({ outcome: 'good', detail: expect.stringContaining('the last training: rejected') });
  const back = await selfware.run(['learn', 'rollback']);
  expect([back.code, back.stdout]).toEqual([0, expect.stringMatching(/^Rolled back from .* to the base/)]);
  const ledger = await selfware.run(['ledger']);
  for (const line of ['Began to train', 'Deployed the model', 'Training rejected', 'Rolled the model'])
    expect(ledger.stdout).toContain(line);
});

test('who agrees to train a model on another machine agrees to ask it, too', async () => {
  await settle({
    'learn.model': 'ollama:small@https://0.0.0.0:9',
    'learn.evaluateCommand': '',
    'approve.withoutTerminal': true,
  });
  const run = await selfware.run(['learn', 'train', '--once']);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('Check that Ollama runs at 0.0.0.0:9')]);
  const { value } = await selfware.json(['ledger']);
  expect(JSON.stringify(value)).toContain('"destination":"0.0.0.0:9"');
});

test('an agent may neither train nor go back', async () => {
  await settle({ 'approve.withoutTerminal': true });
  for (const args of [['train', '--once'], ['rollback']]) {
    const run = await selfware.run(['learn', ...args], { env: { SELFWARE_AGENT: 'test' } });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('is for a person')]);
  }
});
