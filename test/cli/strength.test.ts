// How strong the proof of a change is, on the command line; and that what is unchecked waits for a person at every
// level.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { sample } from '../helpers/thorough.ts';

/**
 * No tests, no types, no linter. What is said of a page in a browser cannot be compared here; an import that nothing
 * reads can.
 */
const PAGE = `import { readFileSync } from 'node:fs';

/** Says whether the page in the window is wide. */
export function isWide() {
  if (document.body.clientWidth > 600) {
    return true;
  } else {
    return false;
  }
}
`;
const SUM = '/** Adds both up. */\nexport function sum(one, other) {\n  let both = one + other;\n  return both;\n}\n';
const INDEX = "import './page.js';\nimport './sum.js';\n";
const bare = { 'src/index.js': INDEX, 'src/page.js': PAGE, 'src/sum.js': SUM };

/** Rules that are off by default give more to do. */
const rules = ['--set', 'analysis.rules={"redundant-boolean":"hint","prefer-const":"hint"}'];

interface Improved extends AsyncDisposable {
  readonly selfware: CommandLine;
  readonly repository: TemporaryRepository;
  readonly events: readonly any[];
}

async function improved(level: string): Promise<Improved> {
  const repository = await createTemporaryRepository(bare);
  const selfware = await createCommandLine(repository.dir);
  const { stdout } = await selfware.run([
    'improve',
    '--auto',
    '--approval',
    level,
    '--cycles',
    '8',
    '--json',
    ...rules,
  ]);
  return {
    selfware,
    repository,
    events: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    async [Symbol.asyncDispose]() {
      await selfware.dispose();
      await repository.dispose();
    },
  };
}

/** At the level that asks least; two tests look at it. */
let least: Improved;
beforeAll(async () => {
  least = await improved('minimal');
});
afterAll(() => least?.[Symbol.asyncDispose]());

// `unit/charter/course.test.ts` has the level between them.
test.each(['strict', 'minimal'])('at the level %s nothing unchecked is applied without a person', async (level) => {
  await using other = level === 'minimal' ? null : await improved(level);
  const { selfware, events, repository } = other ?? least;
  const { value: proposals } = await selfware.json<{ title: string; status: string; strength: string }[]>([
    'proposals',
    'list',
    '--all',
  ]);
  expect(proposals.map(({ strength }) => strength).sort()).toEqual(['proven', 'proven', 'unchecked']);
  const unchecked = proposals.find(({ strength }) => strength === 'unchecked')!;
  expect(unchecked).toMatchObject({ status: 'deferred', title: expect.stringContaining('isWide') });
  expect(await repository.read('src/page.js')).toContain('return true;');
  expect(proposals.filter(({ strength }) => strength === 'proven').map(({ status }) => status)).toEqual(
    level === 'strict' ? ['deferred', 'deferred'] : ['kept', 'kept'],
  );
  const verified = events.filter(({ type }) => type === 'verified');
  expect(verified.map(({ proposal }) => proposal.strength).sort()).toEqual(['proven', 'proven', 'unchecked']);
  expect(events.at(-1)).toMatchObject({
    verified: 3,
    strengths: { proven: 2, tested: 0, checked: 0, unchecked: 1 },
  });
});

test('a person reads the word, and what it means', async () => {
  const { selfware } = least;
  const { value: proposals } = await selfware.json<{ id: string; strength: string; status: string }[]>([
    'proposals',
    'list',
    '--all',
  ]);
  const { id } = proposals.find(({ strength }) => strength === 'unchecked')!;
  expect((await selfware.run(['proposals', 'list'])).stdout).toMatch(new RegExp(`^${id}  waits, unchecked .*isWide`));
  const shown = (await selfware.run(['proposals', 'show', id])).stdout;
  expect(shown).toContain(`${id} · waits, unchecked · `);
  expect(shown).toContain('unchecked: No test, type check or linter has shown anything about it.');
  const kept = proposals.find(({ status }) => status === 'kept')!;
  expect((await selfware.run(['proposals', 'show', kept.id])).stdout).toContain(`${kept.id} · kept, proven · `);
  const { value: recorded } = await selfware.json<{ type: string; data: { strength?: string } }[]>([
    'ledger',
    'query',
    '--type',
    'verified',
  ]);
  expect(recorded.map(({ data }) => data.strength).sort()).toEqual(['proven', 'proven', 'unchecked']);
  const told = (await selfware.run(['ledger', 'query', '--type', 'verified', 'kept'])).stdout;
  expect(told).toMatch(new RegExp(`verified +Unchecked: .*isWide.*  ${id}$`, 'm'));
  expect(told).toMatch(new RegExp(`kept +Kept: .*  ${kept.id}$`, 'm'));
  expect(told).not.toContain('{');
  const receipt = JSON.parse((await selfware.run(['ledger', 'receipt', kept.id])).stdout);
  expect(JSON.parse(receipt.receipt)).toMatchObject({ strength: 'proven' });
});

const RULE = ['--set', 'analysis.rules={"redundant-boolean":"hint"}', '--set', 'verify.guardSeconds=0'];
const importing = (call: string) => `import test from 'node:test';
import assert from 'node:assert';
import { isWide, title } from './page.js';
globalThis.document = { body: { clientWidth: 800 } };
test('page', () => assert.ok(${call}));
export { isWide, title };
`;

test.each(
  sample(
    [
      ['title()', 'unchecked'],
      ['isWide()', 'tested'],
    ],
    1,
  ),
)('tests that import the file and call %s: %s', async (call, expected) => {
  const repository = await createTemporaryRepository({
    'package.json': manifestOf('page'),
    'src/page.js': `${PAGE.slice(PAGE.indexOf('/**'))}\n/** The title. */\nexport const title = () => 'Page';\n`,
    'src/page.test.js': importing(call),
  });
  const selfware = await createCommandLine(repository.dir);
  try {
    const { value: found } = await selfware.json<{ id: string; rule: string }[]>([
      'analyse',
      '--rule',
      'redundant-boolean',
    ]);
    const { value } = await selfware.json<{ strength: string }>(['propose', found[0]!.id, ...RULE]);
    expect(value.strength).toBe(expected);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
});
