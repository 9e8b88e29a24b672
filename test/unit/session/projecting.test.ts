// Rules about several files through the session: found when the whole is asked about, kept up with the tree, hidden
// like the rest.

import type { Session } from '../../../server/src/core/session.ts';
import { expect, test } from 'vitest';
import type { Ports } from '../../../server/src/core/ports.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const { signal } = new AbortController();
const ofProject = new Set(['unused-export', 'import-cycle', 'duplicate-code', 'near-duplicate', 'test-gap']);

const TREE = {
  'package.json': '{ "name": "shop", "main": "src/main.ts" }',
  'src/main.ts': `import { price } from './price.ts';\nexport function main() { return price(1); }\n`,
  'src/price.ts': `export function price(n: number) { return n * 2; }\nexport function forgotten() { return 1; }\n`,
};

async function shown(session: Pick<Session, 'opportunities'>, paths?: readonly string[]): Promise<string[]> {
  return (await session.opportunities.shown(paths))
    .filter(({ rule }) => ofProject.has(rule))
    .map(({ rule, path, symbol }) => `${rule} ${path} ${symbol}`);
}

test('an unused export is found with the whole and with its file, and goes when somebody imports it', async () => {
  await using world = await createSessionWorld(TREE);
  const session = await world.session();
  await session.analysis.analyse({ signal });
  expect(await shown(session)).toEqual(['unused-export src/price.ts forgotten']);
  expect(await shown(session, ['src/price.ts'])).toEqual(['unused-export src/price.ts forgotten']);
  expect(await shown(session, ['src/main.ts'])).toEqual([]);
  world.tree.set(
    'src/main.ts',
    `import { forgotten, price } from './price.ts';\nexport function main() { return price(forgotten()); }\n`,
  );
  await session.analysis.analyse({ signal });
  expect(await shown(session)).toEqual([]);
});

test('what is found in a file that has changed stands where it is now', async () => {
  await using world = await createSessionWorld(TREE);
  const session = await world.session();
  await session.analysis.analyse({ signal });
  await shown(session);
  world.tree.set('src/price.ts', `// One line more.\n${TREE['src/price.ts']}`);
  await session.analysis.analyse({ signal });
  const [found] = (await session.opportunities.shown(['src/price.ts'])).filter(({ rule }) => rule === 'unused-export');
  expect(found?.nameRange.startLine).toBe(3);
});

test('a comment suppresses it, a setting switches the rule off', async () => {
  await using world = await createSessionWorld({
    ...TREE,
    'src/price.ts': TREE['src/price.ts'].replace(
      'export function forgotten',
      '// selfware-ignore-next-line unused-export: the next release needs it.\nexport function forgotten',
    ),
  });
  const session = await world.session();
  await session.analysis.analyse({ signal });
  expect(await shown(session)).toEqual([]);
  await using other = await createSessionWorld(TREE);
  const off = await other.session({ settings: { 'rules.disabled': ['unused-export'] } });
  await off.analysis.analyse({ signal });
  expect(await shown(off)).toEqual([]);
});

test('listeners hear of files whose findings came or went, once', async () => {
  await using world = await createSessionWorld(TREE);
  const session = await world.session();
  const heard: (readonly string[] | null)[] = [];
  session.subscribe((event) => event.type === 'opportunities' && event.paths !== null && heard.push(event.paths));
  await session.analysis.analyse({ signal });
  await shown(session);
  await shown(session);
  expect(heard).toEqual([['src/price.ts']]);
});

/** Calls and statements enough to be code, and lines enough to be a duplicate. */
const copied = `export function settle(orders: Order[]) {\n${Array.from({ length: 20 }, (_, at) => `  if (orders.length > ${at}) orders.push(make(orders[${at}], 'state'));\n`).join('')}  return orders;\n}\n`;
const COPIES = {
  'package.json': '{ "name": "copies", "main": "src/one.ts" }',
  'src/one.ts': copied,
  'src/two.ts': copied,
};

test('another process on the same tree does not read it again, and one on a changed tree looks anew', async () => {
  await using world = await createSessionWorld(COPIES);
  const read: string[] = [];
  const listening = (ports: Ports): Partial<Ports> => ({
    files: { ...ports.files, read: (path) => (read.push(path), ports.files.read(path)) },
  });
  const first = await world.session();
  await first.analysis.analyse({ signal });
  const found = await first.opportunities.shown();
  expect(found.map(({ rule }) => rule)).toContain('duplicate-code');

  const second = await world.session({ change: listening });
  await second.analysis.analyse({ signal });
  expect(await second.opportunities.shown()).toEqual(found);
  expect(read.filter((path) => path.startsWith('src/'))).toEqual([]);

  world.tree.set('src/two.ts', 'export const two = 2;\n');
  const third = await world.session({ change: listening });
  await third.analysis.analyse({ signal });
  expect((await third.opportunities.shown()).map(({ rule }) => rule)).not.toContain('duplicate-code');
  expect(read).toContain('src/two.ts');
});

test('kept findings that are damaged, or were made while a file changed, are made again', async () => {
  await using world = await createSessionWorld(COPIES);
  const rulesOf = async (change: (ports: Ports) => Partial<Ports>) => {
    const session = await world.session({ change });
    await session.analysis.analyse({ signal });
    return (await session.opportunities.shown()).map(({ rule }) => rule);
  };
  const written: string[] = [];
  const changing = (ports: Ports): Partial<Ports> => {
    let reads = 0;
    const read: Ports['files']['read'] = async (path) =>
      path === 'src/two.ts' && ++reads > 1 ? new Uint8Array() : ports.files.read(path);
    return {
      files: { ...ports.files, read },
      blobs: { ...ports.blobs, write: (name, bytes) => (written.push(name), ports.blobs.write(name, bytes)) },
    };
  };
  expect(await rulesOf(changing)).not.toContain('duplicate-code');
  expect(written).not.toContain('project-findings.json');
  expect(await rulesOf(() => ({}))).toContain('duplicate-code');
  for (const damage of ['{', 'null', '{"key":"of another tree","found":{"duplicate-code":[]}}']) {
    expect(
      await rulesOf(({ blobs }) => ({
        blobs: {
          ...blobs,
          read: async (name) =>
            name === 'project-findings.json' ? new TextEncoder().encode(damage) : blobs.read(name),
        },
      })),
    ).toContain('duplicate-code');
  }
});

/** Cognitive complexity 10. */
const complex = (name: string) => `export function ${name}(n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (i % 2 === 0) {
      if (i % 3 === 0) sum += i;
      else sum -= i;
    } else if (i > 10) sum *= 2;
    else sum += 1;
  }
  return sum;
}
`;
const NAMES = ['first', 'second', 'third', 'fourth'];
const TESTED = {
  'package.json': '{ "name": "sums", "main": "src/all.ts" }',
  'src/all.ts': NAMES.map(complex).join(''),
  'test/all.test.ts': `import { first, second, third } from '../src/all.ts';\ntest('sums', () => expect([first(1), second(1), third(1)]).toEqual([0, 0, 0]));\n`,
};
/** A line in each function ran as often as told. */
const lcov = (hits: readonly number[]) =>
  `SF:src/all.ts\n${hits.map((count, at) => `DA:${11 * at + 2},${count}`).join('\n')}\nend_of_record\n`;

async function gaps(tree: Readonly<Record<string, string>>) {
  await using world = await createSessionWorld(tree);
  const session = await world.session({ settings: { 'analysis.rules': { 'test-gap': 'hint' } } });
  await session.analysis.analyse({ signal });
  return (await session.opportunities.shown())
    .filter(({ rule }) => rule === 'test-gap')
    .map(({ symbol, evidence }) => `${symbol} ${evidence['source']}`);
}

test('a function that no test leads to is a gap, unless a report of coverage shows that it ran', async () => {
  expect(await gaps(TESTED)).toEqual(['fourth graph']);
  expect(await gaps({ ...TESTED, 'coverage/lcov.info': lcov([3, 3, 0, 7]) })).toEqual(['third coverage']);
});

test('a report of coverage that no longer fits the file is not believed', async () => {
  expect(await gaps({ ...TESTED, 'coverage/lcov.info': lcov([3, 3, 0, 7]).replace('DA:2,', 'DA:999,') })).toEqual([
    'fourth graph',
  ]);
});

test('functions of one form are near-duplicates only where their vectors agree', async () => {
  const settle = (name: string, state: string) =>
    `export function ${name}(orders: Order[]) {\n${['sum', 'count', 'most', 'least', 'last', 'first', 'rest', 'all'].map((part) => `  const ${part} = orders.filter((order) => order.state === '${state}').map((order) => order.${part} * order.amount);\n`).join('')}  return [sum, count, most, least, last, first, rest, all];\n}\n`;
  await using world = await createSessionWorld({
    'package.json': '{}',
    'src/open.ts': settle('settleOpen', 'open'),
    'src/closed.ts': settle('settleClosed', 'closed'),
  });
  const session = await world.session({ settings: { 'analysis.rules': { 'near-duplicate': 'hint' } } });
  await session.analysis.analyse({ signal });
  const found = (await session.opportunities.shown()).filter(({ rule }) => rule === 'near-duplicate');
  expect(found).toHaveLength(1);
  expect(found[0]!.evidence['cosine']).toBeGreaterThan(0.8);
});

test('the programs of an installed package tell whether a script runs it; an unknown package is left alone', async () => {
  const manifest = (scripts: object) =>
    JSON.stringify({ name: 'shop', main: 'src/main.ts', scripts, devDependencies: { tester: '1', runner: '1' } });
  const world = await createSessionWorld({ ...TREE, 'package.json': manifest({ test: 'run-all' }) });
  await using _ = world;
  const session = await world.session();
  const unused = async () => {
    await session.analysis.analyse({ signal });
    const found = await session.opportunities.shown();
    return found.flatMap(({ rule, evidence }) => (rule === 'unused-dependency' ? [evidence['command']] : []));
  };
  expect(await unused()).toEqual([]);
  world.tree.set('node_modules/tester/package.json', '{ "bin": "cli.js" }');
  world.tree.set('node_modules/runner/package.json', '{ "bin": { "run-all": "cli.js" } }');
  world.tree.set('package.json', manifest({ test: 'run-all --once' }));
  expect(await unused()).toEqual(['npm uninstall tester']);
});

test('an unused constant is reported without a recipe, because no points show that its removal is a gain', async () => {
  const constants = 'const LIMIT = 3;\nexport { LIMIT as most };\nexport const least = 1;\n';
  await using world = await createSessionWorld({ ...TREE, 'src/price.ts': `${TREE['src/price.ts']}${constants}` });
  const session = await world.session();
  await session.analysis.analyse({ signal });
  const found = (await session.opportunities.shown()).filter(({ rule }) => rule === 'unused-export');
  expect(new Map(found.map(({ symbol, recipe }) => [symbol, recipe]))).toEqual(
    new Map([
      ['forgotten', 'unexport'],
      ['LIMIT', null],
      ['least', null],
    ]),
  );
});
