// Transforms by name, from the request to the applied change: each on a tree of its own, by the real command line, with
// the claim that fits it.

import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { sample, thoroughTest } from '../helpers/thorough.ts';

const HEAD = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const manifest = manifestOf('lines');
/** How well the tests notice mistakes does not decide here. */
const FEW_MUTANTS = ['--set', 'verify.guardMutants=3'];

const FIRST = `/** The first of them. */
export function first(values: readonly string[]): string {
  const head = values[0] as any;
  return (head as any).trim();
}
`;

const RENDER = `export interface Line {
  readonly text: string;
  readonly depth: number;
}

export function render(lines: readonly Line[], wide: boolean): string {
  const limit = wide ? 120 : 80;
  let widest = 0;
  for (const line of lines) {
    if (line.text.length > limit) {
      throw new Error(\`Too long: \${line.text}\`);
    }
    if (line.depth > 0 && line.text) {
      widest = Math.max(widest, line.text.length + line.depth);
    }
  }
  const parts: string[] = [];
  for (const line of lines) {
    if (line.depth === 0) {
      parts.push(line.text);
    } else {
      for (let i = 0; i < line.depth; i++) {
        parts.push(wide ? '    ' : '  ');
      }
      parts.push(\`\${line.text};\`);
    }
  }
  return parts.join('') + widest;
}

export function measureLine(line: Line): number {
  return line.text.length + line.depth;
}
`;

const MONEY = `const FACTOR = 1.19;

/** Without tax. */
export function net(gross: number): number {
  return gross / FACTOR;
}

/** At most so long. */
export function shorten(text: string, most: number): string {
  return text.length > most ? text.slice(0, most) : text;
}
`;

interface Case {
  readonly name: string;
  readonly claim: string;
  readonly transform: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, string>>;
  /** What the tree holds afterwards, by path. */
  readonly after: Readonly<Record<string, RegExp>>;
}

const cases: readonly Case[] = [
  {
    name: 'patternReplace makes types exact',
    claim: 'types',
    transform: { kind: 'patternReplace', path: 'src/first.ts', pattern: '$value as any', replacement: '$value' },
    files: {
      'src/first.ts': FIRST,
      'test/first.test.ts': `${HEAD}import { first } from '../src/first.ts';\ntest('first', () => assert.equal(first([' a', 'b']), 'a'));\n`,
    },
    after: { 'src/first.ts': /= values\[0\];\n {2}return head\.trim\(\)/ },
  },
  {
    name: 'extractFunction gains points',
    claim: 'points',
    transform: { kind: 'extractFunction', path: 'src/render.ts', symbol: 'render' },
    files: {
      'src/render.ts': RENDER,
      'test/render.test.ts': `${HEAD}import { measureLine, render } from '../src/render.ts';
const line = (text: string, depth = 0) => ({ text, depth });
test('render', () => {
  assert.equal(render([line('a'), line('b', 2)], false), 'a    b;3');
  assert.equal(render([line('a', 1)], true), '    a;2');
  assert.throws(() => render([line('a'.repeat(81))], false), /Too long/);
  assert.equal(render([line('a'.repeat(81))], true), \`\${'a'.repeat(81)}0\`);
  assert.equal(measureLine(line('abc', 2)), 5);
});
`,
    },
    after: { 'src/render.ts': /^function \w+\(/m },
  },
  {
    name: 'extractToModule does what was asked for',
    claim: 'request',
    transform: { kind: 'extractToModule', path: 'src/money.ts', symbols: ['shorten'], to: 'src/shorten.ts' },
    files: {
      'src/money.ts': MONEY,
      'test/money.test.ts': `${HEAD}import { net, shorten } from '../src/money.ts';
test('net', () => assert.equal(net(1.19), 1));
test('shorten', () => {
  assert.equal(shorten('abc', 2), 'ab');
  assert.equal(shorten('ab', 2), 'ab');
  assert.equal(shorten('a', 2), 'a');
});
`,
    },
    after: { 'src/money.ts': /shorten\.ts'/, 'src/shorten.ts': /export function shorten/ },
  },
];

test.each(sample(cases, 1).map((one) => [one.name, one] as const))(
  '%s',
  async (_, { claim, transform, files, after }) => {
    const repository = await createTemporaryRepository({ 'package.json': manifest, ...files });
    const selfware = await createCommandLine(repository.dir);
    try {
      await selfware.decide();
      const asked = await selfware.run(['propose', '--request', '-', '--claim', claim, '--json', ...FEW_MUTANTS], {
        input: JSON.stringify(transform),
      });
      const proposal = JSON.parse(asked.stdout || '{}');
      expect(proposal.status, `${asked.stdout}${asked.stderr}`).toBe('verified');
      expect(proposal.claim).toMatchObject({ kind: claim, holds: true });
      const applied = await selfware.run(['proposals', 'approve', proposal.id]);
      expect(applied.code, applied.stderr).toBe(0);
      for (const [path, text] of Object.entries(after)) expect(await repository.read(path)).toMatch(text);
    } finally {
      await selfware.dispose();
      await repository.dispose();
    }
  },
);

const TAX = `const RATE = 19;

/** The tax in cents. */
export function due(cents: number): number {
  return Math.round((cents * RATE) / 100);
}
`;
const BASE = `const TEN = 10;

/** The number of digits. */
export function digits(value: number): number {
  return value < TEN ? 1 : 1 + digits(Math.floor(value / TEN));
}
`;
const WORDS = `/** The number of words. */
export function words(text: string): number {
  return text.trim().split(' ').length;
}
`;
const GREET = `/** A greeting. */
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
`;
const SUMS = `/** The sum of two. */
export function add(left: number, right: number): number {
  return left + right;
}
`;
const specOf = (path: string, names: string, ...asserted: readonly string[]) =>
  `${HEAD}import { ${names} } from '../src/${path}.ts';\ntest('${path}', () => {\n${asserted.map((text) => `  ${text}\n`).join('')}});\n`;

const ONE_TREE = {
  'package.json': manifest,
  'src/tax.ts': TAX,
  'src/digits.ts': BASE,
  'src/words.ts': WORDS,
  'src/greet.ts': GREET,
  'src/sums.ts': SUMS,
  'test/tax.test.ts': specOf('tax', 'due', 'assert.equal(due(100), 19);', 'assert.equal(due(50), 10);'),
  'test/digits.test.ts': specOf('digits', 'digits', 'assert.equal(digits(9), 1);', 'assert.equal(digits(100), 3);'),
  'test/words.test.ts': specOf('words', 'words', "assert.equal(words('a b'), 2);"),
  'test/greet.test.ts': specOf('greet', 'greet', "assert.equal(greet('Ada'), 'Hello, Ada!');"),
  'test/sums.test.ts': specOf('sums', 'add', 'assert.equal(add(1, 2), 3);'),
};

/** Each on files of its own, so that they can be applied in one tree. */
const inOneTree: readonly Omit<Case, 'files' | 'name'>[] = [
  {
    claim: 'request',
    transform: {
      kind: 'addFunction',
      path: 'src/sums.ts',
      source:
        '/** The sum of all. */\nexport function sum(values: readonly number[]): number {\n  return values.reduce(add, 0);\n}',
      tests: [
        { file: 'test/sums.test.ts', search: '{ add }', replace: '{ add, sum }' },
        {
          file: 'test/sums.test.ts',
          search: "test('sums'",
          replace: "test('sum', () => {\n  assert.equal(sum([1, 2, 4]), 7);\n});\ntest('sums'",
        },
      ],
    },
    after: { 'src/sums.ts': /export function sum\(/, 'test/sums.test.ts': /test\('sum',/ },
  },
  {
    claim: 'fix',
    transform: {
      kind: 'modifyFunction',
      path: 'src/tax.ts',
      symbol: 'due',
      source:
        'export function due(cents: number): number {\n  if (Number.isNaN(cents)) return 0;\n  return Math.round((cents * RATE) / 100);\n}',
      tests: [
        {
          file: 'test/tax.test.ts',
          search: "test('tax'",
          replace: "test('tax of nothing', () => {\n  assert.equal(due(Number.NaN), 0);\n});\ntest('tax'",
        },
      ],
    },
    after: { 'src/tax.ts': /isNaN/, 'test/tax.test.ts': /tax of nothing/ },
  },
  {
    claim: 'request',
    transform: { kind: 'inlineConstant', path: 'src/digits.ts', symbol: 'TEN' },
    after: { 'src/digits.ts': /value < 10 / },
  },
  {
    claim: 'request',
    transform: { kind: 'wrapInCache', path: 'src/words.ts', symbol: 'words' },
    after: { 'src/words.ts': /new Map/ },
  },
  {
    claim: 'request',
    transform: {
      kind: 'addParameter',
      path: 'src/greet.ts',
      symbol: 'greet',
      name: 'mark',
      type: 'string',
      defaultValue: "'!'",
    },
    after: { 'src/greet.ts': /mark: string = '!'|mark = '!'/ },
  },
];

thoroughTest('the other transforms reach one tree, each by the claim that fits it', async () => {
  const repository = await createTemporaryRepository(ONE_TREE);
  const selfware = await createCommandLine(repository.dir);
  try {
    await selfware.decide();
    const ids: string[] = [];
    for (const { claim, transform } of inOneTree) {
      const asked = await selfware.run(['propose', '--request', '-', '--claim', claim, '--json', ...FEW_MUTANTS], {
        input: JSON.stringify(transform),
      });
      const proposal = JSON.parse(asked.stdout || '{}');
      expect(proposal.status, `${transform['kind']}: ${asked.stdout}${asked.stderr}`).toBe('verified');
      expect(proposal.claim.kind, asked.stdout).toBe(claim);
      ids.push(proposal.id);
    }
    for (const [index, id] of ids.entries()) {
      const applied = await selfware.run(['proposals', 'approve', id]);
      expect(applied.code, applied.stderr).toBe(0);
      for (const [path, text] of Object.entries(inOneTree[index]!.after))
        expect(await repository.read(path)).toMatch(text);
    }
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
});
