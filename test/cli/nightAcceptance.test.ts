// Acceptance tests of wishes: made by a proposer, accepted by a person, and demanded from the change of the night.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { answerMailbox, type MailboxAnswers, type MailboxQuestion } from '../helpers/mailboxAnswers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const WISH = 'Round up in half: 49.5 counts as 50.';
const PATH = 'test/rounding.test.js';
const acceptance = [
  "import test from 'node:test';",
  "import assert from 'node:assert';",
  "import { half } from '../src/half.js';",
  "test('49.5 counts as 50', () => assert.strictEqual(half(49.5), 'B'));",
  '',
].join('\n');

let repository: TemporaryRepository;
let selfware: CommandLine;
let mail: string;
let answers: MailboxAnswers;
/** What the proposer answers to the next question. */
let answer: (question: MailboxQuestion) => readonly object[] = () => [];

beforeAll(async () => {
  repository = await createTemporaryRepository(gradesProject(['half']));
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
  mail = join(selfware.home, 'mail');
  answers = await answerMailbox(mail, (question) => answer(question));
});
afterAll(async () => {
  await answers.stop();
  await selfware.dispose();
  await repository.dispose();
});

const SET = ['--set', 'models.answerSeconds=60'];
/** `nightSearch.thorough.test.ts` tests what a run searches when nothing is left to try. */
const NO_SEARCH = ['--set', 'night.searchFurther=false'];
const proposer = () => ['--proposer', `mailbox:${mail}`, ...SET];
const night = () =>
  selfware.run([...['night', '--for', '1h', '--no-wait', '--max-changes', '1'], ...proposer(), ...NO_SEARCH, 'src']);

thoroughTest(
  'a test that passes today, is no test, or removes a check is refused, and the next question says so',
  async () => {
    await selfware.run(['tonight', 'add', 'Round up, somehow.']);
    const half = (await repository.read('src/half.js'))!;
    const replies = [
      [{ file: 'src/half.js', content: `${half}\nexport const more = 1;\n` }],
      [{ file: PATH, content: acceptance.replace("'B'", "'C'") }],
      [{ file: 'test/half.test.js', content: acceptance }],
    ];
    answer = () => replies.shift() ?? [];
    const made = await selfware.json(['tonight', 'test', '1', ...proposer()]);
    expect(made.code).toBe(1);
    expect(made.value).toMatchObject([
      { accepted: false, outcome: { refused: expect.stringContaining('removes a check') } },
    ]);
    expect(answers.asked.map(({ task }) => task.kind)).toEqual(['acceptance', 'acceptance', 'acceptance']);
    expect(answers.asked[1]!.text).toContain('It changes src/half.js, which is no test.');
    expect(answers.asked[2]!.text).toContain('It passes today already');
    expect((await selfware.json(['tonight'])).value).toMatchObject([{ tests: null }]);
    await selfware.run(['tonight', 'drop', '1']);
  },
);

test('a test that fails today is shown with its failure, and stored once it is accepted; the repository stays as it is', async () => {
  await selfware.run(['tonight', 'add', WISH]);
  answer = () => [{ file: PATH, content: acceptance }];
  const shown = await selfware.run(['tonight', 'test', '1', ...proposer()]);
  expect(shown.code).toBe(1);
  expect(shown.stdout).toContain("+test('49.5 counts as 50'");
  expect(shown.stdout).toMatch(/It fails today, as it should:\s+49\.5 counts as 50: /);
  expect((await selfware.json(['tonight'])).value).toMatchObject([{ tests: null }]);
  const kept = await selfware.run(['tonight', 'test', '1', '--accept', ...proposer()]);
  expect(kept.code, kept.stderr).toBe(0);
  expect((await selfware.json(['tonight'])).value).toMatchObject([
    { tests: [{ path: PATH, before: null, after: acceptance }] },
  ]);
  expect((await selfware.run(['tonight'])).stdout).toContain('with its test');
  expect(await repository.git('status', '--porcelain')).toBe('');
});

thoroughTest(
  'the change of the night has to pass the accepted test, whatever the answer makes of its file',
  async () => {
    const half = (await repository.read('src/half.js'))!;
    const content = half.replace('value >= half', 'Math.ceil(value) >= half');
    const weak = acceptance.replace('49.5', '95').replace("'B'", "'A'");
    const other = acceptance
      .replace('{ half }', '{ more }')
      .replace(/test\(.*/, "test('more is 1', () => assert.strictEqual(more(), 1));");
    const replies = [
      // It brings another test of its own, and leaves the wish undone.
      [
        { file: 'src/half.js', content: `${half}\n/** More. */\nexport const more = () => 1;\n` },
        { file: 'test/more.test.js', content: other },
      ],
      // It weakens the accepted test.
      [
        { file: 'src/half.js', content },
        { file: PATH, content: weak },
      ],
    ];
    answer = () => replies.shift() ?? [];
    answers.asked.length = 0;
    const run = await night();
    expect(run.code, run.stderr).toBe(0);
    const [first, second] = answers.asked;
    expect(first!.task.kind).toBe('request');
    expect(first!.text).toContain('It is done when this acceptance test passes.');
    expect(first!.text).toContain("test('49.5 counts as 50'");
    expect(second!.text).toContain('49.5 counts as 50');
    const [made] = (await selfware.json(['report', '--all'])).value;
    expect(made.wishes, JSON.stringify(made.misses)).toMatchObject([{ text: WISH, done: true }]);
    expect(await repository.git('show', `${made.branch}:${PATH}`)).toBe(acceptance);
    expect(await repository.git('show', `${made.branch}:src/half.js`)).toContain('Math.ceil(value) >= half');
    expect((await selfware.json(['tonight'])).value).toEqual([]);
  },
);

thoroughTest('a test whose file has changed since is no reason to ask; the wish stays with what to do', async () => {
  await selfware.run(['tonight', 'add', 'Round down below 10.']);
  const again = acceptance.replaceAll('49.5', '9.5').replace("'B'", "'D'");
  answer = () => [{ file: 'test/down.test.js', content: again }];
  await selfware.run(['tonight', 'test', '--accept', ...proposer()]);
  await repository.write('test/down.test.js', '// Something else.\n');
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'A file of the same name');
  answers.asked.length = 0;
  answer = () => [];
  await night();
  expect(answers.asked.filter(({ task }) => task.kind === 'request')).toEqual([]);
  const [wish] = (await selfware.json(['tonight'])).value;
  expect(wish.tries).toMatchObject([{ reason: expect.stringContaining('no longer fits the file') }]);
});
