// A person checks the branch of a night out while a wish is tried: the wish is done on the next branch, or still waits.

import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { answerMailbox } from '../helpers/mailboxAnswers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const FILES = gradesProject(['double', 'half']);
let repository: TemporaryRepository;
let selfware: CommandLine;

beforeEach(async () => {
  repository = await createTemporaryRepository(FILES);
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterEach(async () => {
  await selfware.dispose();
  await repository.dispose();
});

const wish = (name: string) => `Round up in ${name}: 49.5 counts as 50.`;
const answer = (name: string) => [
  {
    file: `src/${name}.js`,
    content: FILES[`src/${name}.js`]!.replace('value >= half', 'Math.ceil(value) >= half'),
  },
  {
    file: `test/rounding-${name}.test.js`,
    content: [
      "import test from 'node:test';",
      "import assert from 'node:assert';",
      `import { ${name} } from '../src/${name}.js';`,
      `test('49.5 counts as 50', () => assert.strictEqual(${name}(49.5), 'B'));`,
      '',
    ].join('\n'),
  },
];

test('a wish that is fulfilled while a person has the branch checked out is on the next branch', async () => {
  const mail = join(selfware.home, 'mail');
  let branch = '';
  let checkedOut: Promise<unknown> = Promise.resolve();
  const answers = await answerMailbox(mail, ({ text }) => {
    if (!text.includes(wish('half'))) return answer('double');
    checkedOut = repository.git('checkout', '--quiet', branch);
    return answer('half');
  });
  for (const name of ['double', 'half']) await selfware.run(['tonight', 'add', wish(name)]);
  const set = ['models.answerSeconds=60', 'night.redTeamTries=0', 'night.searchFurther=false'];
  const child = await selfware.start(
    [
      ...['night', '--for', '1h', '--no-wait', '--max-changes', '2', '--proposer', `mailbox:${mail}`, '--json', 'test'],
      ...set.flatMap((line) => ['--set', line]),
    ],
    '"type":"began"',
  );
  const names = repository.git('for-each-ref', '--format=%(refname:short)', 'refs/selfware/nights');
  branch = (await names).trim().replace('selfware/nights/', '');
  await once(child, 'exit');
  await answers.stop();
  await checkedOut;
  expect((await selfware.json(['tonight', 'list'])).value).toEqual([]);
  const nights = (await selfware.json(['report', '--all'])).value;
  expect(nights).toHaveLength(2);
  const [first, second] = nights;
  expect(first).toMatchObject({ branch, changes: [{}], wishes: [{ text: wish('double'), done: true }] });
  expect(second).toMatchObject({ changes: [{}], wishes: [{ text: wish('half'), done: true }] });
  expect(await repository.git('show', `${second.branch}:src/half.js`)).toContain('Math.ceil(value)');
});
