// The command that finds mistakes that no test notices: what it prints and remembers, and the tests that it proposes.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPeer } from '../adapters/models/peer.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { thoroughTest } from '../helpers/thorough.ts';

type Verdict = { readonly gate: string; readonly outcome: string };

const FILES = {
  'package.json': manifestOf('amounts'),
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "esnext", "allowImportingTsExtensions": true, "noEmit": true } }\n',
  'src/amounts.ts': [
    'export function clamp(value: number, most: number): number {',
    '  return value > most ? most : value;',
    '}',
    'export function twice(value: number): number {',
    '  return value * 2;',
    '}',
    'export class Account {',
    '  #balance: number;',
    '  constructor(balance: number) {',
    '    this.#balance = balance;',
    '  }',
    '  less(amount: number): number {',
    '    return this.#balance - amount;',
    '  }',
    '}',
    '',
  ].join('\n'),
  'test/amounts.test.ts': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { Account, clamp, twice } from '../src/amounts.ts';",
    '',
    "test('small values stay', () => {",
    '  assert.equal(clamp(3, 10), 3);',
    '});',
    '',
    "test('twice', () => {",
    '  assert.equal(twice(3), 6);',
    '});',
    '',
    "test('less', () => {",
    '  assert.equal(new Account(8).less(0), 8);',
    '});',
    '',
  ].join('\n'),
};

async function inRepository(
  work: (selfware: CommandLine) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const repository = await createTemporaryRepository({ ...FILES, ...more }, { git: true });
  const selfware = await createCommandLine(repository.dir);
  try {
    await work(selfware);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
}

test('a mistake that no test notices is printed, remembered, and noticed by the tests that are proposed', () =>
  inRepository(async (selfware) => {
    const first = await selfware.run(['unguarded', '--test', '--time', '200']);
    expect(first.stderr).not.toContain('selfware: ');
    expect(first.code).toBe(1);
    expect(first.stdout).toContain('src/amounts.ts:1:17 clamp: no test notices 1 mistake');
    expect(first.stdout).toMatch(
      /line 2: value > most → false; clamp\(\d+, \d+\) then returns \d+; now it returns \d+/,
    );
    expect(first.stdout).toContain('test/amounts.test.ts:');
    expect(first.stdout).toMatch(/test\('clamp returns \d+ for \d+ and \d+', \(\) => {/);
    expect(first.stdout).toContain('src/amounts.ts:12:3 Account.less: no test notices 1 mistake');
    expect(first.stdout).toMatch(
      /line 13: - → \+; new Account\(8\)\.less\(\d+\) then returns \d+; now it returns -?\d+/,
    );
    expect(first.stdout).toContain('2 functions with mistakes that no test notices, in 1 file');

    const again = await selfware.json(['unguarded']);
    expect(again.value).toMatchObject({ known: 1, mutants: 0, undone: 0 });
    expect(again.value.found).toMatchObject([
      { name: 'clamp', startLine: 1 },
      { name: 'Account.less', startLine: 12 },
    ]);
    const { id } = again.value.found[1];
    const analysed = await selfware.json(['analyse', '--rule', 'unguarded-code']);
    expect(analysed.value).toContainEqual(
      expect.objectContaining({ id, rule: 'unguarded-code', startLine: 12, recipe: 'characterization-test' }),
    );

    const proposed = await selfware.json(['propose', id]);
    expect(proposed.value).toMatchObject({
      status: 'verified',
      title: 'Add a test for Account.less',
      claim: { kind: 'tests', holds: true },
    });
    expect(proposed.value.edits).toMatchObject([{ path: 'test/amounts.test.ts' }]);
  }));

thoroughTest(
  'a file whose tests fail is left out, and so is a function that no test can record; the others are looked at',
  () =>
    inRepository(
      async (selfware) => {
        const { value } = await selfware.json(['unguarded', '--time', '200']);
        expect(value).toMatchObject({ found: [{ name: 'clamp' }, { name: 'Account.less' }], files: 3, undone: 0 });
        expect(value.leftOut).toContainEqual({
          path: 'src/broken.ts',
          name: 'all of it',
          reason: 'None of the tests that reach it passes here.',
        });
        expect(value.leftOut).toContainEqual({
          path: 'src/numbered.ts',
          name: 'numbered',
          reason: 'Its results depend on earlier calls.',
        });
      },
      {
        'src/broken.ts': 'export function half(value: number): number {\n  return value / 2;\n}\n',
        'src/numbered.ts':
          'let calls = 0;\nexport function numbered(value: number): number {\n  calls += 1;\n  return value + calls;\n}\n',
        'test/numbered.test.ts': [
          "import assert from 'node:assert/strict';",
          "import { test } from 'node:test';",
          "import { numbered } from '../src/numbered.ts';",
          '',
          "test('numbered', () => assert.equal(numbered(1), 2));",
          '',
        ].join('\n'),
        'test/broken.test.ts': [
          "import assert from 'node:assert/strict';",
          "import { test } from 'node:test';",
          "import { half } from '../src/broken.ts';",
          '',
          "test('half', () => assert.equal(half(4), 3));",
          '',
        ].join('\n'),
      },
    ),
);

test('nothing is run in an untrusted workspace', () =>
  inRepository(async (selfware) => {
    const refused = await selfware.run(['unguarded', '--untrusted']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('This workspace is not trusted, so none of its functions is called.');
  }));

thoroughTest('the preview proposes a missing test, and says where the search stands', () =>
  inRepository(async (selfware) => {
    const shown = await selfware.run(['preview', '--time', '200']);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain('\nProposed: a missing test\n');
    expect(shown.stdout).toMatch(/\n\+test\('(clamp|less|Account)/);
    expect(shown.stdout).toMatch(/To apply it:\n {2}node \S+cli\.js proposals approve p-/);
  }),
);

thoroughTest(
  'a missing test comes before what a recipe could change; among many test files, only those nearby run for it',
  () =>
    inRepository(
      async (selfware) => {
        const { worth, proposal } = (await selfware.json(['preview', '--time', '200'])).value;
        expect(worth).toBe('test');
        expect(proposal).toMatchObject({ status: 'proposed', recipe: 'characterization-test', strength: 'tested' });
        expect(proposal.rationale).toContain('that no other test nearby notices');
        expect(proposal.nearby).toBe(true);
        const outcomes = proposal.verdicts.map(({ gate, outcome }: Verdict) => `${gate} ${outcome}`);
        expect(outcomes).toContain('claim passed');
        expect(outcomes.join()).not.toMatch(/types|lint/);
        const tests = proposal.verdicts.find(({ gate }: Verdict) => gate === 'tests');
        expect(tests).toMatchObject({ outcome: 'passed', evidence: { onlyFiles: 1 } });
        // What only the tests nearby have missed is no result of a complete search.
        expect((await selfware.json(['unguarded', '--time', '1'])).value.known).toBe(0);
      },
      {
        'src/unused.ts': "import { readFileSync } from 'node:fs';\nexport const one = 1;\n",
        ...Object.fromEntries(
          Array.from({ length: 40 }, (_, at) => [
            `test/other${at}.test.ts`,
            `import { test } from 'node:test';\ntest('other ${at}', () => {});\n`,
          ]),
        ),
      },
    ),
);

thoroughTest('a preview without time for a search says what else there is', () =>
  inRepository(async (selfware) => {
    const shown = await selfware.run(['preview', '--time', '0']);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain('Selfware has no change to propose here at the moment.');
    expect(shown.stdout).toMatch(/\nNo proposal\n/);
    expect(shown.stdout).toMatch(/\nNext\n.*\n {2}selfware unguarded --test /);
    expect((await selfware.run(['preview', '--time', 'long'])).stderr).toContain('--time takes a whole number from 0.');
  }),
);

thoroughTest(
  'where improving has nothing left, a person at a terminal is offered a search, and gets a test to decide about',
  () =>
    inRepository(async (selfware) => {
      const said = await selfware.runWithAnswers(
        ['improve'],
        [
          ['Look for missing tests now?', 'y'],
          ['Apply "Add a test for', '\r'],
        ],
      );
      expect(said).toMatch(/\+test\('(clamp|less|Account)/);
      expect((await selfware.json(['proposals', 'list'])).value).toEqual([
        expect.objectContaining({ status: 'deferred', recipe: 'characterization-test' }),
      ]);
    }),
);

thoroughTest(
  'if the tests take longer than the time for mistakes, that is said, and with more time the model is asked',
  async () => {
    await using peer = await createPeer('openai', ['fine']);
    const slow = "test('waits', () => new Promise((resolve) => setTimeout(resolve, 1500)));\n";
    await inRepository(
      async (selfware) => {
        const ask = async (seconds: number) => {
          const settings = { 'approve.withoutTerminal': true, 'verify.guardSeconds': seconds };
          await writeFile(join(selfware.home, 'settings.json'), JSON.stringify(settings));
          const proposer = ['--proposer', `openai-compatible:m@${peer.url}`];
          const { stdout, stderr } = await selfware.run(['propose', '--tests', 'src/amounts.ts', ...proposer]);
          return `${stdout}${stderr}`;
        };
        expect(await ask(1)).toContain('the tests take longer than `selfware.verify.guardSeconds` (1 second)');
        expect(peer.requests).toHaveLength(0);
        await ask(200);
        expect(peer.requests[0]?.body).toContain('no test of the repository would notice');
      },
      { 'test/amounts.test.ts': `${FILES['test/amounts.test.ts']}${slow}` },
    );
  },
);
