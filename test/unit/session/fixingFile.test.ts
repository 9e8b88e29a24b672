// All safe fixes of a file are one change to look at; each hunk of it can still be chosen by itself.

import { expect, test } from 'vitest';
import { createSessionWorld, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';

const PATH = 'src/links.ts';
const text = `import { join } from 'node:path';

/** Where it is. */
export function place(name: string): string {
  return 'at ' + name + '.';
}
`;

async function opened(world: SessionWorld) {
  const session = await world.session({
    settings: { 'charter.maxChanges': 100, 'analysis.rules': { 'string-concat': 'hint' } },
  });
  await session.analysis.analyse({ signal: never });
  return session;
}

test('several recipes in one file are one proposal, and applying it does all of them', async () => {
  await using world = await createSessionWorld({ [PATH]: text });
  const session = await opened(world);
  const recipes = (await session.opportunities.shown([PATH])).map(({ recipe }) => recipe);
  expect(new Set(recipes).size).toBeGreaterThan(1);
  const { proposal } = await session.proposals.propose({ fixesOf: PATH, signal: never });
  expect(proposal).toMatchObject({
    title: expect.stringMatching(/^Make \d+ safe fixes in links\.ts$/),
    status: 'proposed',
  });
  const [edit, ...others] = proposal!.edits;
  expect(others).toEqual([]);
  expect(edit!.after).not.toContain('node:path');
  expect(edit!.after).toContain('`at ${name}.`');
  const verified = await session.verification.verify(proposal!.id, { signal: never });
  expect(verified.status).toBe('verified');
  // What it holds is not proposed a second time, neither for one place nor for all.
  const [first] = await session.opportunities.shown([PATH]);
  expect((await session.proposals.propose({ opportunity: first!.id, signal: never })).proposal?.id).toBe(verified.id);
  expect((await session.proposals.propose({ fixesOf: PATH, signal: never })).proposal).toBeNull();
  const applied = await session.changes.apply({ proposal: verified.id, by: 'person', signal: never });
  expect(applied.proposal).toMatchObject({ status: 'kept', reason: null });
  expect(world.tree.text(PATH)).toBe(edit!.after);
});

test('several places of one recipe, found by different rules, are one proposal, too', async () => {
  const twice = `import { join } from 'node:path';

/** Where it is. */
export function place(name: string): string {
  const unread = name.length;
  return name;
}
`;
  await using world = await createSessionWorld({ [PATH]: twice });
  const session = await opened(world);
  const found = await session.opportunities.shown([PATH]);
  expect(new Set(found.map(({ recipe }) => recipe))).toEqual(new Set(['remove-unused']));
  expect(new Set(found.map(({ rule }) => rule)).size).toBe(2);
  const { proposal } = await session.proposals.propose({ fixesOf: PATH, signal: never });
  expect(proposal?.edits[0]?.after).not.toMatch(/unread|node:path/);
});

test('where there is one place alone, its own proposal is enough', async () => {
  await using world = await createSessionWorld({ [PATH]: text.replace("'at ' + name + '.'", '`at ${name}.`') });
  expect((await (await opened(world)).proposals.propose({ fixesOf: PATH, signal: never })).proposal).toBeNull();
});

test('what the checks refuse together is not tried together again', async () => {
  const tests = (texts: ReadonlyMap<string, string>) => {
    const exitCode = texts.get(PATH)!.includes('node:path') ? 0 : 1;
    return { stdout: `# tests 1\n# pass ${1 - exitCode}\n# fail ${exitCode}\n`, exitCode };
  };
  await using world = await createSessionWorld({ [PATH]: text }, { commands: { 'run-tests': tests } });
  const session = await opened(world);
  const { proposal } = await session.proposals.propose({ fixesOf: PATH, signal: never });
  expect((await session.verification.verify(proposal!.id, { signal: never })).status).toBe('refused');
  expect((await session.proposals.propose({ fixesOf: PATH, signal: never })).proposal).toBeNull();
});

test('a file that nobody may change is left alone', async () => {
  await using world = await createSessionWorld({ [PATH]: text });
  const session = await world.session({ settings: { 'charter.protectedPaths': ['src/'] } });
  await session.analysis.analyse({ signal: never });
  expect((await session.proposals.propose({ fixesOf: PATH, signal: never })).proposal).toBeNull();
});
