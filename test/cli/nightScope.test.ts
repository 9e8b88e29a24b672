// The scope of a run: named before the start, kept by a run that was killed, and said by the report.

import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { answerMailbox } from '../helpers/mailboxAnswers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const FILES = gradesProject(['double', 'half', 'square']);
const NIGHT = ['night', '--for', '1h', '--no-wait', '--set', 'night.searchFurther=false'];

let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository(FILES);
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

const lastNight = async () => (await selfware.json(['report', '--all'])).value.at(-1);
const changedPaths = (night: { changes: { paths: readonly string[] }[] }) =>
  night.changes.flatMap(({ paths }) => paths).toSorted();

test.each([
  [['src/nowhere'], /There is no src\/nowhere in/],
  [['--exclude', 'nowhere'], /There is no nowhere in/],
  [['--exclude', '../'], /is outside of/],
  [['src/half.js', '--exclude', 'src'], /Everything is excluded/],
  [['--kinds', 'tests,speed'], /no kind of work “speed”.*wishes, fixes, tests, types, dead-code, refactoring, style/s],
])('%j: what cannot be meant is said before the start', async (scope, message) => {
  const { code, stderr } = await selfware.run([...NIGHT, ...scope]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect((await selfware.json(['report', '--all'])).value).toEqual([]);
});

thoroughTest('a run that was killed goes on in its scope, and the report says the scope', async () => {
  const scope = ['src', '--exclude', 'src/half.js', '--kinds', 'style'];
  const child = await selfware.start([...NIGHT, ...scope, '--json'], '"type":"committed"');
  child.kill('SIGKILL');
  await once(child, 'close');
  const again = await selfware.run(NIGHT);
  expect(again.code, again.stderr).toBe(0);
  expect(again.stdout).toMatch(/What may happen unasked, on a branch of its own:\n {2}A change by a recipe: /);
  expect(again.stdout).toContain('Scope: only src, without src/half.js; only style.');
  const night = await lastNight();
  expect(changedPaths(night)).toEqual(['src/double.js', 'src/square.js']);
  expect(night.runs).toMatchObject([{ resumed: 1, plan: { places: ['src'], excluded: ['src/half.js'] } }]);
  expect((await selfware.run(['report'])).stdout).toMatch(/^Scope: only src, without src\/half\.js; only style\.$/m);
});

thoroughTest('a run that has ended leaves no scope behind; other kinds of work are left alone', async () => {
  const none = await selfware.run([...NIGHT, '--kinds', 'fixes,tests']);
  expect(none.stdout).toMatch(/ended: Nothing is left to try\./);
  expect(changedPaths(await lastNight())).toHaveLength(2);
  await selfware.run(NIGHT);
  expect(changedPaths(await lastNight())).toEqual(['src/double.js', 'src/half.js', 'src/square.js']);
});

test('no answer to a wish touches what is excluded', async () => {
  const mail = join(selfware.home, 'mail');
  const content = [
    "import test from 'node:test';",
    "import assert from 'node:assert';",
    "import { double } from '../src/double.js';",
    "test('49.5 counts as 50', () => assert.strictEqual(double(49.5), 'B'));",
    '',
  ].join('\n');
  const edits = [
    { file: 'src/double.js', search: 'value >= half', replace: 'Math.ceil(value) >= half' },
    { file: 'test/rounding.test.js', content },
  ];
  const answers = await answerMailbox(mail, () => edits);
  await selfware.run(['tonight', 'add', 'Round up: 49.5 counts as 50.']);
  const proposer = ['--proposer', `mailbox:${mail}`, '--no-acceptance', '--set', 'models.answerSeconds=60'];
  const run = await selfware.run([...NIGHT, ...proposer, '--kinds', 'wishes', '--exclude', 'src']);
  await answers.stop();
  expect(run.code, run.stderr).toBe(0);
  expect(answers.asked.length).toBeGreaterThan(0);
  const night = await lastNight();
  expect(night.wishes).toMatchObject([{ done: false, reason: expect.stringContaining('src/double.js may not be') }]);
  expect(changedPaths(night)).not.toContain('test/rounding.test.js');
});
