// Rules about several files through the session: found when the whole is asked about, kept up with the tree, hidden like the rest.

import { expect, test } from 'vitest';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const { signal } = new AbortController();
const ofProject = new Set(['unused-export', 'import-cycle', 'duplicate-code', 'near-duplicate', 'test-gap']);

const TREE = {
  'package.json': '{ "name": "shop", "main": "src/main.ts" }',
  'src/main.ts': `import { price } from './price.ts';\nexport function main() { return price(1); }\n`,
  'src/price.ts': `export function price(n: number) { return n * 2; }\nexport function forgotten() { return 1; }\n`,
};

async function shown(session: { opportunities(paths?: readonly string[]): Promise<readonly { rule: string; path: string; symbol: string | null }[]> }, paths?: readonly string[]): Promise<string[]> {
  return (await session.opportunities(paths)).filter(({ rule }) => ofProject.has(rule)).map(({ rule, path, symbol }) => `${rule} ${path} ${symbol}`);
}

test('an unused export is found with the whole, then with its file, and goes when somebody imports it', async () => {
  await using world = await createSessionWorld(TREE);
  const session = await world.session();
  await session.analyse({ signal });
  expect(await shown(session, ['src/price.ts'])).toEqual([]);
  expect(await shown(session)).toEqual(['unused-export src/price.ts forgotten']);
  expect(await shown(session, ['src/price.ts'])).toEqual(['unused-export src/price.ts forgotten']);
  expect(await shown(session, ['src/main.ts'])).toEqual([]);
  world.tree.set('src/main.ts', `import { forgotten, price } from './price.ts';\nexport function main() { return price(forgotten()); }\n`);
  await session.analyse({ signal });
  expect(await shown(session)).toEqual([]);
});

test('a file that has changed since does not show what was found in it before', async () => {
  await using world = await createSessionWorld(TREE);
  const session = await world.session();
  await session.analyse({ signal });
  await shown(session);
  world.tree.set('src/price.ts', `// One line more.\n${TREE['src/price.ts']}`);
  await session.analyse({ signal });
  expect(await shown(session, ['src/price.ts'])).toEqual([]);
  const [found] = (await session.opportunities()).filter(({ rule }) => rule === 'unused-export');
  expect(found?.nameRange.startLine).toBe(3);
});

test('a comment suppresses it, a setting switches the rule off', async () => {
  await using world = await createSessionWorld({ ...TREE, 'src/price.ts': TREE['src/price.ts'].replace('export function forgotten', '// selfware-ignore-next-line unused-export: the next release needs it.\nexport function forgotten') });
  const session = await world.session();
  await session.analyse({ signal });
  expect(await shown(session)).toEqual([]);
  await using other = await createSessionWorld(TREE);
  const off = await other.session({ settings: { 'rules.disabled': ['unused-export'] } });
  await off.analyse({ signal });
  expect(await shown(off)).toEqual([]);
});

test('listeners hear of files whose findings came or went, once', async () => {
  await using world = await createSessionWorld(TREE);
  const session = await world.session();
  await session.analyse({ signal });
  const heard: (readonly string[] | null)[] = [];
  session.subscribe((event) => event.type === 'opportunities' && heard.push(event.paths));
  await shown(session);
  await shown(session);
  expect(heard).toEqual([['src/price.ts']]);
});
