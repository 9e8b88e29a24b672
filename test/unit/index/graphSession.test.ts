// The session's graph keeps up with the index and with the configuration of the project.

import { expect, test } from 'vitest';
import type { Session } from '../../../server/src/core/session.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const signal = new AbortController().signal;

async function dependenciesOf(session: Session, target: string): Promise<string[]> {
  await session.memory.index({ signal });
  const answer = await session.memory.graph({ question: 'dependencies', target }, signal);
  return 'items' in answer
    ? answer.items.map(({ path, symbol }) => (symbol === null ? path : `${path}#${symbol}`)).sort()
    : [];
}

test('changed files, removed files and a changed tsconfig.json show in the next answer', async () => {
  await using world = await createSessionWorld({
    'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./one/*"] } } }',
    'one/x.ts': 'export function x() { return 1; }\n',
    'two/x.ts': 'export function x() { return 2; }\n',
    'main.ts': `import { x } from '@/x';\nexport function main() { return x(); }\n`,
  });
  const session = await world.session();
  expect(await dependenciesOf(session, 'main')).toEqual(['one/x.ts#x']);
  world.tree.set(
    'main.ts',
    `import { x } from '@/x';\nexport function main() { return x() + more(); }\nfunction more() { return 1; }\n`,
  );
  expect(await dependenciesOf(session, 'main')).toEqual(['main.ts#more', 'one/x.ts#x']);
  world.tree.set('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./two/*"] } } }');
  expect(await dependenciesOf(session, 'main')).toEqual(['main.ts#more', 'two/x.ts#x']);
  world.tree.set('tsconfig.json', '{ broken');
  expect(await dependenciesOf(session, 'main')).toEqual(['main.ts#more']);
  expect((await session.status()).notices.map(({ message }) => message)).toEqual(
    expect.arrayContaining([expect.stringContaining('tsconfig.json cannot be read')]),
  );
});

test('an aborted question does not spoil the next one', async () => {
  await using world = await createSessionWorld({ 'a.ts': 'export function a() {}\n' });
  const session = await world.session();
  await session.memory.index({ signal });
  const cancel = new AbortController();
  cancel.abort();
  await expect(session.memory.graph({ question: 'cycles' }, cancel.signal)).rejects.toMatchObject({
    reason: 'cancelled',
  });
  expect(await session.memory.graph({ question: 'cycles' }, signal)).toEqual({ question: 'cycles', cycles: [] });
  await expect(session.memory.graph({ question: 'impact', target: 'nowhere' }, signal)).rejects.toMatchObject({
    reason: 'notFound',
  });
});

test('what everything else leans on comes first', async () => {
  await using world = await createSessionWorld({
    'src/base.ts': 'export function base() {}\nexport function lonely() {}\n',
    'src/one.ts': "import { base } from './base.ts';\nexport function one() { base(); }\n",
    'src/two.ts':
      "import { base } from './base.ts';\nimport { one } from './one.ts';\nexport function two() { base(); one(); }\n",
  });
  const answer = await (await world.session()).memory.graph({ question: 'central', top: 2 }, signal);
  expect(
    'central' in answer && answer.central.map(({ path, symbol, line, inDegree }) => [path, symbol, line, inDegree]),
  ).toEqual([
    ['src/base.ts', 'base', 1, 2],
    ['src/one.ts', 'one', 2, 1],
  ]);
});
