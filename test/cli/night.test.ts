// `selfware night` from outside: a run on a branch of its own, killed and continued, followed by what a person decides.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile, chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readNewestNight } from '../../server/src/app/nights/watchNight.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { answerMailbox } from '../helpers/mailboxAnswers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const NAMES = ['double', 'half', 'square'];
const FILES = gradesProject(NAMES);
/** `nightSearch.thorough.test.ts` tests what a run searches when nothing is left to try. */
const NO_SEARCH = ['--set', 'night.searchFurther=false'];

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

/** All that a run must leave alone: HEAD, other branches, the index, and every byte of the working tree. */
async function untouched(): Promise<unknown> {
  const git = join(repository.dir, '.git');
  const paths = (await readdir(repository.dir, { recursive: true })).filter((path) => !path.startsWith('.git')).sort();
  const texts = await Promise.all(paths.map((path) => repository.read(path).catch(() => 'folder')));
  return {
    head: await readFile(join(git, 'HEAD'), 'utf8'),
    index: (await readFile(join(git, 'index'))).toString('hex'),
    refs: (await repository.git('for-each-ref', '--format=%(refname) %(objectname)'))
      .split('\n')
      .filter((line) => !/^refs\/(?:heads\/selfware|selfware\/nights)\//.test(line)),
    stash: await repository.git('stash', 'list'),
    tree: paths.map((path, at) => [path, texts[at]]),
  };
}

const nights = async () => (await selfware.json(['report', '--all'])).value;
const subjects = async (range: string) =>
  (await repository.git('log', '--reverse', '--format=%s', range)).trim().split('\n');

test('a run does not begin, in the background either, if git does not know who commits', async () => {
  for (const key of ['user.name', 'user.email']) await repository.git('config', '--unset', key);
  await repository.git('config', 'user.useConfigOnly', 'true');
  for (const how of ['--no-wait', '--detach']) {
    const { code, stderr } = await selfware.run(['night', '--for', '1h', how]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/who commits here.*git config --global user\.name/s)]);
  }
  expect(await nights()).toEqual([]);
  await repository.git('config', '--unset', 'user.useConfigOnly');
  for (const key of ['user.name', 'user.email']) await repository.git('config', key, 'test@example.com');
});

test('a run that is killed goes on where it was; nothing of the user is touched; the budget holds over both', async () => {
  // Uncommitted work, staged and not: a run starts from HEAD and never sees it.
  await repository.write('src/half.js', `${FILES['src/half.js']}export const unfinished = ;\n`);
  await repository.write('src/staged.js', 'export const staged = 1;\n');
  await repository.git('add', 'src/staged.js');
  const before = await untouched();

  const child = await selfware.start(
    ['night', '--for', '1h', '--no-wait', '--max-changes', '2', '--json'],
    '"type":"committed"',
  );
  const { isRunning, watched } = await readNewestNight(
    repository.dir,
    { SELFWARE_HOME: selfware.home },
    { write() {} },
  );
  expect(isRunning).toBe(true);
  expect(watched?.night.changes).toHaveLength(1);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(await untouched()).toEqual(before);

  const again = await selfware.run(['night', '--for', '2h', '--no-wait', '--max-changes', '2']);
  expect(again.code, again.stderr).toBe(0);
  expect(again.stdout).toMatch(/Continuing on selfware\/night-.* until \d\d:\d\d: 1 of at most 2 changes made\./);
  // Nothing runs any more, so there is nothing to watch.
  expect((await selfware.run(['status', '--watch'])).stdout).toMatch(
    /^No unattended run\. Last: selfware\/night-.*: 2 changes/,
  );
  const [night, ...others] = await nights();
  expect(others).toEqual([]);
  // The limit counts over both processes; its end is that of the second one.
  const { plan, startedAt } = night.runs[0];
  expect(plan.until).toBeGreaterThan(startedAt + 90 * 60_000);
  expect((await repository.git('for-each-ref', 'refs/selfware/nights')).trim()).toBe('');
  expect(night).toMatchObject({ state: 'stopped', changes: [{}, {}], runs: [{ resumed: 1, committed: 2 }] });
  expect(night.runs[0].reason).toBe('It made 2 of 2 allowed changes.');
  expect(await subjects(`main..${night.branch}`)).toEqual(night.changes.map(({ title }: { title: string }) => title));
  for (const { strength, claim, paths } of night.changes) {
    expect(strength).toBe('proven');
    expect(claim.holds).toBe(true);
    expect(paths).toHaveLength(1);
  }
  expect(await untouched()).toEqual(before);
  await repository.git('reset', '--quiet', '--hard');
});

thoroughTest(
  'judged again, the night gives the same answers; another charter, that is told, changes them',
  async () => {
    const before = await untouched();
    const { value, code } = await selfware.json(['replay']);
    expect([code, value.same, value.different, value.unknown]).toEqual([0, 2, 0, 0]);
    const charter = join(selfware.home, 'charter.json');
    await writeFile(charter, '{"protectedPaths": ["src/"]}');
    const strict = await selfware.run(['replay', '--charter', charter]);
    expect(strict.code).toBe(1);
    expect(strict.stdout).toMatch(/0 the same, 2 different, 0 unknown/);
    await writeFile(charter, '{"maxChanges": 1, "authors": {"recipe": {"requestsAMinute": 1}}}');
    const limited = (await selfware.json(['replay', '--charter', charter])).value;
    expect([limited.same, limited.different]).toEqual([1, 1]);
    expect(limited.proposals.at(-1).found).toBe('The limit of 1 change would have ended the run before it.');
    expect(limited.notJudged).toEqual(['authors.recipe.requestsAMinute']);
    await writeFile(charter, '{"approval": "strict"}');
    const asking = (await selfware.json(['replay', '--charter', charter])).value;
    expect(asking.proposals.map(({ found }: { found: string }) => found)).toEqual(
      Array.from(
        { length: 2 },
        () => 'It would wait for a person: A person approves every change at the level “strict”.',
      ),
    );
    await writeFile(charter, '{"protectedPaths": 3}');
    expect((await selfware.run(['replay', '--charter', charter])).code).toBe(2);
    expect(await untouched()).toEqual(before);
  },
);

test('the next run continues the branch on top of new commits, and judges each change again', async () => {
  await repository.write('src/double.js', `// The work of a user.\nexport const two = 2;\n\n${FILES['src/double.js']}`);
  await repository.git('commit', '--quiet', '--all', '--message', 'Work of the user');
  await selfware.run(['tonight', 'add', 'Something else.']);
  const run = await selfware.run(['night', '--for', '1h', '--no-wait', ...NO_SEARCH]);
  expect(run.stdout).toContain('1 wish waits: only a run with --proposer tries wishes.');
  await selfware.run(['tonight', 'drop', '1']);
  expect(run.code, run.stderr).toBe(0);
  const [night] = await nights();
  expect(night.left).toEqual([]);
  expect(run.stdout).toContain('Your branch has moved. 2 changes kept.');
  expect(night.changes).toHaveLength(3);
  expect(night.base).toBe((await repository.git('rev-parse', 'main')).trim());
  expect(await subjects(`main..${night.branch}`)).toHaveLength(3);
  expect(await repository.git('show', `${night.branch}:src/double.js`)).toContain('export const two = 2;');
  const report = await selfware.run(['report']);
  for (const { title } of night.changes) expect(report.stdout).toContain(title);
  // Every stage of the run is in the ledger, with its duration and its outcome.
  const { value: turns } = await selfware.json(['ledger', 'query', '--type', 'nightTurn']);
  const stages = turns.flatMap(({ data }: { data: { run: string; stages: { stage: string }[] } }) => data.stages);
  for (const stage of ['analyse', 'prioritise', 'verify', 'decide', 'apply', 'reload'])
    expect(stages.map((figures: { stage: string }) => figures.stage)).toContain(stage);
  const ran = stages.find(({ stage }: { stage: string }) => stage === 'verify');
  expect(ran).toMatchObject({ ms: expect.any(Number), outcomes: { verified: expect.any(Number) } });
  // Every commit passes the tests of the repository.
  const copy = await createTemporaryRepository({}, { git: false });
  try {
    for (const { commit } of night.changes) {
      await repository.git('worktree', 'add', '--quiet', '--detach', join(copy.dir, commit), commit);
      const done = spawn('node', ['--test'], { cwd: join(copy.dir, commit), stdio: 'ignore' });
      expect(await new Promise((resolve) => done.on('close', resolve))).toBe(0);
      await repository.git('worktree', 'remove', '--force', join(copy.dir, commit));
    }
  } finally {
    await copy.dispose();
  }
});

test('a branch that is checked out or was pushed is not rewritten', async () => {
  const [{ branch, changes }] = await nights();
  await repository.git('update-ref', `refs/remotes/origin/${branch}`, branch);
  const pushed = await selfware.run(['night', 'drop', '1']);
  expect([pushed.code, pushed.stderr]).toEqual([2, expect.stringContaining('was pushed, so it is not rewritten')]);
  await repository.git('update-ref', '-d', `refs/remotes/origin/${branch}`);
  await repository.git('worktree', 'add', '--quiet', join(selfware.home, 'look'), branch);
  const held = await selfware.run(['night', 'drop', '1']);
  expect([held.code, held.stderr]).toEqual([2, expect.stringContaining('is checked out, so it stays as it is')]);
  await repository.git('worktree', 'remove', join(selfware.home, 'look'));
  expect((await repository.git('rev-parse', branch)).trim()).toBe(changes.at(-1).commit);
});

test('changes are dropped, from the middle and from the end, and never come back; the rest is accepted into the working tree, with a way back', async () => {
  const [{ branch, changes }] = await nights();
  const dropped = await selfware.run(['night', 'drop', '2', '--reason', 'Not this one']);
  expect(dropped.code, dropped.stderr).toBe(0);
  expect(await subjects(`main..${branch}`)).toEqual([changes[0].title, changes[2].title]);
  // The tree of the last run still holds it, on top of the tip.
  const last = await selfware.run(['night', 'drop', '2']);
  expect(last.stdout, last.stderr).toContain('now holds 1 change');
  const again = await selfware.run(['night', '--for', '1h', '--no-wait', ...NO_SEARCH]);
  expect(again.stdout).toContain('ended: Nothing is left to try.');
  expect((await nights())[0].changes).toHaveLength(1);
  expect(await subjects(`main..${branch}`)).toEqual([changes[0].title]);

  const accepted = await selfware.run(['night', 'accept']);
  expect(accepted.code, accepted.stdout + accepted.stderr).toBe(0);
  expect(accepted.stdout).toContain('1 of 1 applied.');
  expect(await repository.git('diff', '--stat', branch)).toBe('');
  expect((await nights())[0].decided).toBe('accepted');
  const [checkpoint] = (await selfware.json(['checkpoints', 'list'])).value;
  expect((await selfware.run(['checkpoints', 'rollback', checkpoint.id])).code).toBe(0);
  expect((await repository.git('diff', '--name-only', branch)).trim().split('\n')).toHaveLength(1);
  expect((await selfware.json(['ledger', 'verify'])).value.intact).toBe(true);
});

test('a pull request carries the report; squashing leaves one commit with the same files', async () => {
  const [{ branch }] = await nights();
  const bin = join(selfware.home, 'bin');
  await mkdir(bin);
  await writeFile(
    join(bin, 'gh'),
    `#!/bin/sh\necho "$@" > "${bin}/arguments"\ncat > "${bin}/body"\necho https://example.com/pull/1\n`,
  );
  await chmod(join(bin, 'gh'), 0o755);
  const remote = join(selfware.home, 'remote.git');
  await repository.git('init', '--quiet', '--bare', remote);
  await repository.git('remote', 'add', 'origin', remote);
  const opened = await selfware.run(['night', 'pr'], { env: { PATH: `${bin}:${process.env['PATH']}` } });
  expect([opened.code, opened.stdout.trim()], opened.stderr).toEqual([0, 'https://example.com/pull/1']);
  const body = await readFile(join(bin, 'body'), 'utf8');
  expect(body).toContain('\n## 1. ');
  // Reviewers of a pull request have other ways to take or reject it.
  expect(body).not.toContain('selfware night');
  expect(await readFile(join(bin, 'arguments'), 'utf8')).toContain(`--head ${branch}`);
  await repository.git('remote', 'remove', 'origin');
  // The same stand-in answers a question about issues.
  const issues = [{ number: 7, title: 'Ünits', body: 'Say *which*.', author: { login: 'ada' } }];
  await writeFile(join(bin, 'gh'), `#!/bin/sh\necho "$@" > "${bin}/arguments"\ncat "${bin}/issues"\n`);
  await writeFile(join(bin, 'issues'), JSON.stringify(issues));
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const asked = await selfware.run(['tonight', 'issues', '--label', 'selfware', '--json'], { env });
  const [wish] = JSON.parse(asked.stdout);
  expect(wish.text).toBe('Issue #7 by ada: Ünits\n\nSay *which*.');
  expect(await readFile(join(bin, 'arguments'), 'utf8')).toContain('--label=selfware');
  // Asked again, it is in the queue once.
  expect((await selfware.run(['tonight', 'issues', '--label', 'selfware'], { env })).stdout).toMatch(
    /^1\. Issue #7.*$/m,
  );
  await writeFile(join(bin, 'issues'), '<html>');
  expect((await selfware.run(['tonight', 'issues', '--label', 'selfware'], { env })).stderr).toContain(
    'not understood',
  );
  await selfware.run(['tonight', 'drop', '1']);
  await writeFile(join(selfware.home, 'tasks.md'), '- [ ] One\n- [x] Two\n- [ ] Three\n');
  const listed = await selfware.json(['tonight', 'add', '--file', join(selfware.home, 'tasks.md')]);
  expect(listed.value).toMatchObject([{ text: 'One' }, { text: 'Three' }]);
  expect((await selfware.json(['tonight', 'move', '2', 'up'])).value).toMatchObject([
    { text: 'Three' },
    { text: 'One' },
  ]);
  expect((await selfware.run(['tonight', 'move', '1', 'away'])).stderr).toContain('cannot be moved to away');
  await selfware.run(['tonight', 'drop', '1']);
  await selfware.run(['tonight', 'drop', '1']);
  const squashed = await selfware.run(['night', 'squash']);
  expect(squashed.code, squashed.stderr).toBe(0);
  expect(await subjects(`main..${branch}`)).toHaveLength(1);
});

thoroughTest(
  'a wish is tried first, shown by the test that comes with it, and leaves the queue; one that only a person may take stays, and is taken by its number',
  async () => {
    const mail = join(selfware.home, 'mail');
    const half = await repository.read('src/half.js');
    const rounding = [
      { file: 'src/half.js', content: half!.replace('value >= half', 'Math.ceil(value) >= half') },
      {
        file: 'test/rounding.test.js',
        content: [
          "import test from 'node:test';",
          "import assert from 'node:assert';",
          "import { half } from '../src/half.js';",
          "test('49.5 counts as 50', () => assert.strictEqual(half(49.5), 'B'));",
          '',
        ].join('\n'),
      },
    ];
    // A code that asks for the value of its own test may fit that test alone, so only a person may take it.
    const moon = [
      {
        file: 'src/moon.js',
        content:
          "/** Calculates the moon. */\nexport function moon(name) {\n  return name === 'luna' ? 'moon' : name;\n}\n",
      },
      {
        file: 'test/moon.test.js',
        content: [
          "import test from 'node:test';",
          "import assert from 'node:assert';",
          "import { moon } from '../src/moon.js';",
          "test('moon', () => assert.strictEqual(moon('luna'), 'moon'));",
          '',
        ].join('\n'),
      },
    ];
    const answers = await answerMailbox(mail, ({ text }) =>
      text.includes('Round up in half') ? rounding : text.includes('Calculate the moon') ? moon : [],
    );
    const rounded = 'Round up in half: 49.5 counts as 50.';
    await selfware.run(['tonight', 'add', 'Later.']);
    await selfware.run(['tonight', 'add', 'Calculate the moon.']);
    expect((await selfware.run(['tonight', 'first', '2'])).stdout).toMatch(/^1\. Calculate the moon.*\n2\. Later/);
    await selfware.run(['tonight', 'drop', '2']);
    const set = ['models.answerSeconds=60', 'night.redTeamTries=0'];
    const args = [
      '--proposer',
      `mailbox:${mail}`,
      ...set.flatMap((one) => ['--set', one]),
      ...NO_SEARCH,
      '--max-changes',
      '1',
    ];
    const run = await selfware.start(['night', '--for', '1h', ...args, 'test'], 'after a commit or a wish');
    const ended = once(run, 'exit');
    // A wish that comes while the run waits is tried at once.
    await selfware.run(['tonight', 'add', rounded]);
    expect(await ended).toEqual([0, null]);
    await answers.stop();
    const night = (await nights()).at(-1);
    expect(night.wishes, JSON.stringify(night)).toMatchObject([
      { text: 'Calculate the moon.', done: false },
      { text: rounded, done: true },
    ]);
    const change = night.changes.find(({ claim }: { claim: { kind: string } | null }) => claim?.kind === 'request');
    expect(change).toMatchObject({ author: 'model', claim: { holds: true } });
    expect((await selfware.json(['tonight', 'list'])).value).toMatchObject([
      { text: 'Calculate the moon.', tries: [{}] },
    ]);

    const asking = async () => (await selfware.run(['report'])).stdout.split('## Waits for you')[1]!;
    expect(await asking()).toMatch(
      /selfware night accept 2.*\n\n- 2\. \*\*.*\n\n### 2\..*\n\n```diff\n[^`]*\+export function moon/,
    );
    const taken = await selfware.run(['night', 'accept', '2']);
    expect([taken.code, taken.stdout], taken.stderr).toEqual([0, expect.stringContaining('1 of 1 applied.')]);
    expect(await repository.read('src/moon.js')).toBe(moon[0]!.content);
    expect(await asking()).toMatch(/^- 2\. .* You have decided about it\.$/m);
    expect((await selfware.json(['tonight', 'list'])).value).toEqual([]);
  },
);
