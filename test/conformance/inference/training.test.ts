// From what was learned to a better model in use, with real inference: the test's trainer writes a GGUF file, and
// node-llama-cpp says how surprised it is by the held-out answers. `npm test -- --lane inference`.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPONENTS } from '../../../server/src/adapters/components/componentTable.ts';
import { requireComponent } from '../../../server/src/adapters/components/installed.ts';
import { resolveStateFolder } from '../../../server/src/adapters/files/stateFolder.ts';
import { createLocalModels } from '../../../server/src/adapters/models/local/localProposer.ts';
import { createCommandLine } from '../../helpers/commandLine.ts';
import { createDecidedChanges, recordDecided } from '../../helpers/learnedLedger.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { libraryOf } from './library.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'training');
const { signal } = new AbortController();
let library: string;
let folder: string;

beforeAll(async () => {
  library = await libraryOf('local');
  folder = await mkdtemp(join(tmpdir(), 'selfware-training-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function writeModel(path: string, probability: (from: number, to: number) => number): Promise<void> {
  const written = await import(join(FIXTURES, 'gguf.mjs'));
  written.writeModel(path, probability);
}

// With the longer question, the answer ends just before a context of a round size does.
test.each([2, 940])('an answer after %i characters is as probable as the model was made', async (length) => {
  const file = join(folder, 'pairs.gguf');
  // After an a comes a b in half of all cases, and everything else is as likely as anything.
  const likely = (from: number, to: number) => (from !== 97 ? 1 / 258 : to === 98 ? 0.5 : 0.5 / 257);
  await writeModel(file, likely);
  const models = createLocalModels({
    resolveLibrary: () =>
      requireComponent(COMPONENTS.local, { env: {}, configuredFolder: library, selfwareFolder: '' }),
    program: join(import.meta.dirname, '../../../server/src/adapters/models/local/main.ts'),
    env: process.env,
  });
  try {
    const proposer = models.open(`gguf:${file}`, file);
    const question = [{ role: 'user', content: 'h'.repeat(length) }] as const;
    const { logProbability, tokens } = await proposer.measure!(question, 'xabab', signal);
    expect(tokens).toBe(5);
    // x, a after x, b after a, a after b, b after a.
    expect(logProbability).toBeCloseTo(3 * Math.log(1 / 258) + 2 * Math.log(0.5), 1);
  } finally {
    models.unload();
  }
});

test('trained, measured by the real library, deployed, and rolled back; the same model again is rejected', async () => {
  const repository = await createTemporaryRepository({ 'a.js': 'export const a = 1;\n' });
  const selfware = await createCommandLine(repository.dir);
  try {
    const base = join(selfware.home, 'base.gguf');
    await writeModel(base, () => 1 / 258);
    const settings = {
      'learn.model': `gguf:${base}`,
      'learn.trainCommand': `"${process.execPath}" "${join(FIXTURES, 'trainer.mjs')}"`,
      'models.localLibrary': library,
      'models.replyTokens': 256,
      'approve.withoutTerminal': true,
    };
    await writeFile(join(selfware.home, 'settings.json'), JSON.stringify(settings));
    await recordDecided(
      resolveStateFolder(repository.dir, { SELFWARE_HOME: selfware.home }),
      createDecidedChanges(130),
    );

    const first = await selfware.json(['learn', 'train', '--once']);
    expect(first.value, first.stderr).toMatchObject({ outcome: 'deployed', comparison: { metric: 'perplexity' } });
    const { current, candidate } = first.value;
    expect(current.perplexity).toBeCloseTo(258, 0);
    expect(candidate.perplexity).toBeLessThan(20);
    // A model of byte pairs writes no edits, and is told so.
    expect(candidate.success.hits).toBe(0);
    expect(candidate.success.of).toBeGreaterThan(0);

    const second = await selfware.json(['learn', 'train', '--once']);
    expect(second.value).toMatchObject({ outcome: 'rejected', comparison: { better: false } });
    const back = await selfware.json(['learn', 'rollback']);
    expect(back.value).toMatchObject({ model: first.value.training, to: null });
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
}, 1_200_000);
