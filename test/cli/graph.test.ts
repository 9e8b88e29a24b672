// `selfware graph` on a small repository, as a person and as a script would ask.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository({
    'tsconfig.json': '{ /* aliases */ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    'src/index.ts': `export * from './price.ts';\n`,
    'src/price.ts': `import { round } from './round.ts';\nexport function price(net: number): number {\n  return round(net * 1.2);\n}\n`,
    'src/round.ts': `import type { Money } from './money.ts';\nexport function round(value: number): Money {\n  return Math.round(value);\n}\n`,
    'src/money.ts': `import { round } from './round.ts';\nexport type Money = number;\nexport function parse(text: string): Money {\n  return round(Number(text));\n}\n`,
    'src/left.ts': `import { right } from './right.ts';\nexport const left = () => right();\n`,
    'src/right.ts': `import { left } from './left.ts';\nexport const right = () => left();\n`,
    'src/other.ts': `export class Other {\n  price(): number {\n    return 1;\n  }\n}\n`,
    'test/price.test.ts': `import { price } from '@/index';\ntest('price', () => { price(1); });\n`,
  });
  selfware = await createCommandLine(repository.dir);
});
afterAll(async () => {
  await selfware?.dispose();
  await repository?.dispose();
});

test('who can reach a definition, for people', async () => {
  const { code, stdout } = await selfware.run(['graph', 'impact', 'round']);
  expect(code).toBe(0);
  expect(stdout).toBe(`src/round.ts#round
3 places that can reach it in 3 files; the number in front counts the steps:
  1 src/money.ts
      parse:3
  1 src/price.ts
      price:2
  2 test/price.test.ts
      via src/price.ts#price
`);
});

test('the tests that reach it, for scripts', async () => {
  const { code, value } = await selfware.json(['graph', 'tests', 'src/round.ts#round']);
  expect(code).toBe(0);
  expect(value).toEqual({
    question: 'tests',
    target: { path: 'src/round.ts', symbol: 'round', line: 2 },
    items: [
      {
        path: 'test/price.test.ts',
        symbol: null,
        line: null,
        depth: 2,
        confidence: 'binding',
        way: [
          { path: 'src/price.ts', symbol: 'price' },
          { path: 'test/price.test.ts', symbol: null },
        ],
      },
    ],
  });
});

test('a file: what uses it, what it uses, so many steps', async () => {
  const paths = ({ value }: { value: { items: { path: string; symbol: string | null; depth: number }[] } }) =>
    value.items.map(({ path, symbol, depth }) => `${depth} ${path}${symbol === null ? '' : `#${symbol}`}`).sort();
  expect(paths(await selfware.json(['graph', 'dependents', 'src/price.ts']))).toEqual([
    '1 src/index.ts',
    '1 test/price.test.ts',
  ]);
  expect(paths(await selfware.json(['graph', 'dependencies', 'src/price.ts', '--depth', '2']))).toEqual([
    '1 src/round.ts',
    '1 src/round.ts#round',
    '2 src/money.ts',
    '2 src/money.ts#Money',
  ]);
});

test('circles, but not those of types alone', async () => {
  expect((await selfware.run(['graph', 'cycles'])).stdout).toBe(
    '1 circle of files that import each other:\n  2 files: src/left.ts → src/right.ts → src/left.ts\n',
  );
});

test('what everything leans on', async () => {
  const { code, value } = await selfware.json(['graph', 'central', '--top', '1']);
  expect([code, value.central.length, value.central[0].inDegree > 0]).toEqual([0, 1, true]);
  expect((await selfware.run(['graph', 'central'])).stdout).toContain('src/round.ts#round');
});

test('a name that several have is answered with their places', async () => {
  const { code, value } = await selfware.json(['graph', 'dependents', 'price']);
  expect(code).toBe(1);
  expect(value.several).toEqual([
    { path: 'src/other.ts', symbol: 'Other.price', line: 2 },
    { path: 'src/price.ts', symbol: 'price', line: 2 },
  ]);
});

test('what is not there, and what is no number, fail with a sentence', async () => {
  const missing = await selfware.run(['graph', 'impact', 'nowhere']);
  expect([missing.code, missing.stdout]).toEqual([2, '']);
  expect(missing.stderr).toContain('Nothing in the index is named nowhere.');
  expect((await selfware.run(['graph', 'impact', 'round', '--depth', 'far'])).code).toBe(2);
});

test('a change of the configuration changes what imports mean', async () => {
  await repository.write('tsconfig.json', '{}');
  await repository.write('lib/index.ts', `export const price = (n: number) => n;\n`);
  await repository.write('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }');
  const { value } = await selfware.json(['graph', 'dependencies', 'test/price.test.ts']);
  expect(value.items.map(({ path }: { path: string }) => path)).toEqual(expect.arrayContaining(['lib/index.ts']));
});
