// Places of a file that one recipe mends are one proposal, and its outcome is recorded for each place that it
// concerns.

import { expect, test } from 'vitest';
import type { SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';

const text = `/** Of a page. */
export const style = (name: string): string => \`\${name}\`;

/** Where it is. */
export function place(name: string): string {
  return 'at ' + name + '.';
}

/** Who it is. */
export function person(name: string): string {
  return 'by ' + name + '.';
}
`;

const switchedOn = { 'analysis.rules': { 'string-concat': 'hint' } } as const;

const improve = async (world: SessionWorld, answer: 'approved' | 'rejected') => {
  const session = await world.session({ settings: { 'charter.maxChanges': 100, ...switchedOn } });
  await session.improve({
    cycles: Infinity,
    dryRun: false,
    approval: 'strict',
    maxChanges: 100,
    signal: never,
    decide: async () => ({ verdict: answer, reason: null }),
  });
  return (await session.proposals.all()).filter(({ recipe }) => recipe === 'template-string');
};

test('one proposal, one verification, one change', async () => {
  await using world = await createSessionWorld({ 'src/links.ts': text });
  const proposals = await improve(world, 'approved');
  expect(proposals.map(({ status, title }) => [status, title])).toEqual([
    ['kept', 'Use a template literal in place, and 1 more in links.ts'],
  ]);
  expect(world.tree.text('src/links.ts')).toBe(
    text.replace("'at ' + name + '.'", '`at ${name}.`').replace("'by ' + name + '.'", '`by ${name}.`'),
  );
});

test('what a person does not want for all is not filed for each', async () => {
  await using world = await createSessionWorld({ 'src/links.ts': text });
  expect((await improve(world, 'rejected')).map(({ status }) => status)).toEqual(['rejected']);
  expect(world.tree.text('src/links.ts')).toBe(text);
});

test('what the gates refuse for all is tried for each', async () => {
  const tests = (texts: ReadonlyMap<string, string>) => ({
    stdout: texts.get('src/links.ts')!.includes('`by')
      ? '# tests 1\n# pass 0\n# fail 1\n'
      : '# tests 1\n# pass 1\n# fail 0\n',
    exitCode: texts.get('src/links.ts')!.includes('`by') ? 1 : 0,
  });
  await using world = await createSessionWorld({ 'src/links.ts': text }, { commands: { 'run-tests': tests } });
  expect((await improve(world, 'approved')).map(({ status, title }) => [status, title])).toEqual([
    ['refused', 'Use a template literal in place, and 1 more in links.ts'],
    ['kept', 'Use a template literal in place'],
    ['refused', 'Use a template literal in person'],
  ]);
  expect(world.tree.text('src/links.ts')).toBe(text.replace("'at ' + name + '.'", '`at ${name}.`'));
});

test('what the gates refuse for all is halved until the one to blame stands alone', async () => {
  const names = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'gnu', 'hen'];
  const many = `${text.slice(0, text.indexOf('/** Where'))}${names
    .map(
      (name) =>
        `/** One of them. */\nexport function ${name}(given: string): string {\n  return '${name} ' + given + '.';\n}\n\n/** As is the custom here. */\nexport const ${name}s = (name: string): string => \`\${name}${name}\`;\n`,
    )
    .join('\n')}`;
  const tests = (texts: ReadonlyMap<string, string>) => {
    const red = texts.get('src/links.ts')!.includes('`fox');
    return { stdout: `# tests 1\n# pass ${red ? 0 : 1}\n# fail ${red ? 1 : 0}\n`, exitCode: red ? 1 : 0 };
  };
  await using world = await createSessionWorld({ 'src/links.ts': many }, { commands: { 'run-tests': tests } });
  const proposals = await improve(world, 'approved');
  const sizes = proposals.map(({ status, opportunity }) => [status, opportunity.id.split('+').length]);
  expect(sizes).toEqual([
    ['refused', 8],
    ['kept', 4],
    ['refused', 4],
    ['refused', 2],
    ['kept', 1],
    ['refused', 1],
    ['kept', 2],
  ]);
  expect(world.tree.text('src/links.ts')!.match(/`(?!\$)\w+/g)).toEqual(
    names.filter((name) => name !== 'fox').map((name) => `\`${name}`),
  );
});

test('while one for all waits, none is filed for each', async () => {
  await using world = await createSessionWorld({ 'src/links.ts': text });
  const session = await world.session({ settings: { 'charter.maxChanges': 100, ...switchedOn } });
  await session.improve({
    cycles: Infinity,
    dryRun: false,
    approval: 'strict',
    maxChanges: 100,
    signal: never,
    decide: async () => ({ verdict: 'deferred', reason: null }),
  });
  expect(
    (await session.proposals.all()).filter(({ recipe }) => recipe === 'template-string').map(({ status }) => status),
  ).toEqual(['deferred']);
});

test('what judges changes comes last: it waits for a person in any case', async () => {
  const unused = "import { style } from '../src/links.ts';\n\nexport const count = 1;\n";
  await using world = await createSessionWorld({ 'src/links.ts': text, 'test/links.test.ts': unused });
  const session = await world.session({ settings: { 'charter.maxChanges': 100, ...switchedOn } });
  await session.improve({
    cycles: Infinity,
    dryRun: false,
    approval: 'strict',
    maxChanges: 100,
    signal: never,
    decide: async () => ({ verdict: 'deferred', reason: null }),
  });
  expect((await session.proposals.all()).map(({ opportunity }) => opportunity.path)).toEqual([
    'src/links.ts',
    'test/links.test.ts',
  ]);
});

test('all that nothing reads in a test file is one proposal', async () => {
  const names = ['one', 'two', 'three', 'four'];
  const tests = names.map((name) => `test('${name}', () => {\n  const kept = make('${name}');\n  go();\n});\n`);
  const test = `import { go, make, style } from '../src/links.ts';\n\n${tests.join('\n')}`;
  await using world = await createSessionWorld({ 'src/links.ts': text, 'test/links.test.ts': test });
  const session = await world.session({ settings: { 'charter.maxChanges': 100, ...switchedOn } });
  const decide = async () => ({ verdict: 'deferred', reason: null }) as const;
  const bounds = { cycles: Infinity, dryRun: false, approval: 'strict', maxChanges: 100 } as const;
  await session.improve({ ...bounds, signal: never, decide });
  const proposals = (await session.proposals.all()).filter(
    ({ opportunity }) => opportunity.path === 'test/links.test.ts',
  );
  const after = proposals.flatMap(({ edits }) => edits.map((edit) => edit.after));
  expect(after).toEqual([expect.not.stringMatching(/kept|style/)]);
});
