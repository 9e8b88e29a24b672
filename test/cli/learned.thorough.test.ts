// `selfware learned` from outside, over two nights: what failed in the first is tried last in the second, a person sees
// why, and takes a lesson back.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

/** A recipe removes the unread name, and a test that reads the source notices that. */
const spare = (name: string) => ({
  [`src/${name}.js`]: `/** Adds one. */\nexport function ${name}(value) {\n  const spare = value * 2;\n  return value + 1;\n}\n`,
  [`test/${name}.test.js`]: [
    "import test from 'node:test';",
    "import assert from 'node:assert';",
    "import { readFileSync } from 'node:fs';",
    `import { ${name} } from '../src/${name}.js';`,
    `test('${name}', () => {`,
    `  assert.strictEqual(${name}(1), 2);`,
    `  assert.match(readFileSync(new URL('../src/${name}.js', import.meta.url), 'utf8'), /spare/);`,
    '});',
    '',
  ].join('\n'),
});

let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository({
    ...gradesProject(['double', 'half']),
    ...Object.assign({}, ...['one', 'two'].map(spare)),
  });
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

/** What was tried, in order. */
async function night(): Promise<readonly string[]> {
  const run = await selfware.run(['night', '--for', '1h', '--no-wait', '--set', 'night.searchFurther=false', '--json']);
  expect(run.code, run.stderr).toBe(0);
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .flatMap((event) => (event.type === 'trying' ? [/unused spare/.test(event.title) ? 'spare' : 'else'] : []));
}

test('what worked in the first night comes first in the second, and the table says why', async () => {
  const first = await night();
  // By priority alone, the places that fail come first.
  expect([first[0], first.toSorted()]).toEqual(['spare', ['else', 'else', 'spare', 'spare']]);

  const { value: strategies } = await selfware.json(['learned', 'strategies']);
  expect(strategies).toEqual([
    expect.objectContaining({ rule: 'else-after-return', tries: 2, kept: 2 }),
    expect.objectContaining({ rule: 'unused-local', tries: 2, kept: 0 }),
  ]);
  expect(strategies[0].low).toBeGreaterThan(strategies[1].rate);

  for (const [path, text] of Object.entries({
    ...gradesProject(['cube']),
    ...spare('three'),
  }))
    await repository.write(path, text);
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'More of both');
  const second = await night();
  expect(second).toEqual(['else', 'spare']);
});

test('a lesson is listed, traced to its events, and taken back', async () => {
  const { value: lessons } = await selfware.json(['learned']);
  const lesson = lessons.find(({ rule }: { rule: string }) => rule === 'unused-local');
  expect(lesson).toMatchObject({ kind: 'refused', gate: 'tests', count: 3 });
  const shown = await selfware.run(['learned', 'show', lesson.id]);
  expect(shown.code, shown.stderr).toBe(0);
  expect(shown.stdout).toContain('The gate tests refused 3 changes for unused-local');
  expect(shown.stdout.match(/event \d+: Refused: Remove unused spare/g)).toHaveLength(3);
  expect(shown.stdout).toContain('3 places are not tried again unasked');

  const byAgent = await selfware.run(['learned', 'forget', lesson.id], { env: { CLAUDECODE: '1' } });
  expect([byAgent.code, byAgent.stderr]).toEqual([2, expect.stringContaining('is for a person')]);
  const forgotten = await selfware.run(['learned', 'forget', lesson.id]);
  expect(forgotten.code, forgotten.stderr).toBe(0);
  const { value: left } = await selfware.json(['learned']);
  expect(left.map(({ id }: { id: string }) => id)).not.toContain(lesson.id);
  const { value: strategies } = await selfware.json(['learned', 'strategies']);
  expect(strategies.map(({ rule }: { rule: string }) => rule)).not.toContain('unused-local');
  expect((await selfware.run(['learned', 'show', lesson.id])).stderr).toContain(`There is no lesson ${lesson.id}`);
});
