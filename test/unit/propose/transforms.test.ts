// Changes that are asked for by name: what comes out of each, and why it refuses.

import { expect, test } from 'vitest';
import { determineSafety } from '../../../server/src/core/propose/safety.ts';
import { parseTransformRequest, type TransformRequest } from '../../../server/src/core/propose/transforms/request.ts';
import { transform } from '../../../server/src/core/propose/transforms/transform.ts';
import { memoryTree } from './recipeCase.ts';
import { createPart } from '../../helpers/createPart.ts';

type Tree = Readonly<Record<string, string>>;
type Omitted<T> = T extends { readonly path: string } ? Omit<T, 'path'> & { readonly path?: string } : T;

const money = `import { round } from './round.ts';
import type { Rate } from './rates.ts';

const FACTOR = 1.19;

/** Without tax. */
export function net(gross: number): number {
  return round(gross / FACTOR);
}

function label(text: string) {
  return text.trim() + FACTOR.toFixed(2);
}

export const shown = (rate: Rate, prefix = 'EUR') => label(\`\${prefix} \${net(rate.value)}\`);
`;

/** The edited files after a request about src/money.ts, or the refusal. */
function run(request: Omitted<TransformRequest>, before: Tree = { 'src/money.ts': money }): Tree | string {
  const outcome = transform({ path: 'src/money.ts', ...request } as TransformRequest, memoryTree(before));
  if ('refused' in outcome) return outcome.refused;
  for (const edit of outcome.edits) expect(edit.before).toBe(before[edit.path] ?? null);
  return Object.fromEntries(outcome.edits.map(({ path, after }) => [path, after ?? '(gone)']));
}

const of = (text: string): Tree => ({ 'src/money.ts': text });
const replaced = (...pairs: readonly (readonly [string, string])[]): Tree =>
  of(pairs.reduce((text, [from, to]) => text.replace(from, to), money));

test.each<[string, Omitted<TransformRequest>, Tree]>([
  [
    'a function at the end',
    { kind: 'addFunction', source: 'function half(n: number) {\n  return n / 2;\n}\n' },
    of(`${money}\nfunction half(n: number) {\n  return n / 2;\n}\n`),
  ],
  [
    'a function behind another',
    { kind: 'addFunction', source: '// Half of it.\nconst half = (n: number) => n / 2;', after: 'net' },
    replaced(['}\n\nfunction label', '}\n\n// Half of it.\nconst half = (n: number) => n / 2;\n\nfunction label']),
  ],
  [
    'another body',
    { kind: 'modifyFunction', symbol: 'label', source: 'function label(text: string) {\n  return text;\n}' },
    replaced(['text.trim() + FACTOR.toFixed(2)', 'text']),
  ],
  [
    'another body with its comment',
    {
      kind: 'modifyFunction',
      symbol: 'net',
      source: '/** Less tax. */\nexport function net(gross: number): number {\n  return gross;\n}',
    },
    replaced(['/** Without tax. */', '/** Less tax. */'], ['round(gross / FACTOR)', 'gross']),
  ],
  [
    'a pattern with holes',
    { kind: 'patternReplace', pattern: '$a / $b', replacement: 'divide($b, $a)' },
    replaced(['gross / FACTOR', 'divide(FACTOR, gross)']),
  ],
  [
    'a pattern that needs parentheses',
    { kind: 'patternReplace', pattern: '$text.trim()', replacement: '$text ?? 0' },
    replaced(['text.trim() +', '(text ?? 0) +']),
  ],
  [
    'a parameter',
    { kind: 'addParameter', symbol: 'net', name: 'factor', type: 'number', defaultValue: 'FACTOR' },
    replaced(['net(gross: number)', 'net(gross: number, factor: number = FACTOR)']),
  ],
  [
    'a constant',
    { kind: 'inlineConstant', symbol: 'FACTOR' },
    replaced(
      ['const FACTOR = 1.19;\n\n', ''],
      ['gross / FACTOR', 'gross / 1.19'],
      ['FACTOR.toFixed', '(1.19).toFixed'],
    ),
  ],
])('%s', (_, request, after) => expect(run(request)).toEqual(after));

test.each([
  ['(one as any).at(0);', 'one.at(0);'],
  ['(one.two as any)[0];', 'one.two[0];'],
  // They end the optional chain.
  ['(one?.two as any).three;', '(one?.two).three;'],
  ['new (one() as any)();', 'new (one())();'],
  ['(5 as any).toFixed();', '(5).toFixed();'],
  ['typeof(one as any);', 'typeof(one);'],
  ['(/* why */ one as any).at(0);', '(/* why */ one).at(0);'],
])('the parentheses of what a pattern replaces: %s', (before, after) => {
  const request = { kind: 'patternReplace', path: 'a.ts', pattern: '$value as any', replacement: '$value' } as const;
  expect(run(request, { 'a.ts': `${before}\n` })).toEqual({ 'a.ts': `${after}\n` });
});

test('a comment in a pattern reaches no title, and a long pattern is cut', () => {
  const pattern = `$a /* reviewed by the maintainers, safe */ / $b`;
  const request = { kind: 'patternReplace', path: 'src/money.ts', pattern, replacement: 'divide($b, $a)' } as const;
  expect(transform(request, memoryTree({ 'src/money.ts': money }))).toMatchObject({
    title: 'Replace “$a / $b” in one place',
  });
  const long = `${'x.'.repeat(80)}y`;
  expect(
    transform(
      { kind: 'patternReplace', path: 'a.ts', pattern: long, replacement: 'z' },
      memoryTree({ 'a.ts': `use(${long});\n` }),
    ),
  ).toMatchObject({ title: expect.stringMatching(/^Replace “[^”]{79}…” in one place$/) });
});

test.each<[string, Tree, string]>([
  ['without a compiler', {}, './b.ts'],
  ['as its neighbour', { 'src/c.ts': "import './d';\n" }, './b'],
  ['as Node resolves compiled files', { 'tsconfig.json': '{ "compilerOptions": { "module": "NodeNext" } }' }, './b.js'],
  ['as a bundler does', { 'tsconfig.json': '{ "compilerOptions": { "moduleResolution": "bundler" } }' }, './b'],
])('a file that imports nothing imports the new module %s', (_, others, specifier) => {
  const text = 'export const one = 1;\nexport const two = 2;\n';
  const request = { kind: 'extractToModule', path: 'src/a.ts', symbols: ['two'], to: 'src/b.ts' } as const;
  expect(run(request, { ...others, 'src/a.ts': text })).toMatchObject({
    'src/a.ts': expect.stringContaining(`from '${specifier}'`),
  });
});

test.each<[string, Omitted<TransformRequest>, RegExp]>([
  ['a name that is taken', { kind: 'addFunction', source: 'function label() {}' }, /already uses the name label/],
  ['two functions', { kind: 'addFunction', source: 'function a() {}\nfunction b() {}' }, /exactly one function/],
  ['no function', { kind: 'addFunction', source: 'const a = 1;' }, /exactly one function/],
  ['what does not parse', { kind: 'addFunction', source: 'function a( {}' }, /does not parse/],
  ['behind what is not there', { kind: 'addFunction', source: 'function a() {}', after: 'gone' }, /no top-level gone/],
  [
    'the same body',
    {
      kind: 'modifyFunction',
      symbol: 'label',
      source: 'function label(text: string) {\n  return text.trim() + FACTOR.toFixed(2);\n}',
    },
    /nothing to change/,
  ],
  [
    'another name',
    { kind: 'modifyFunction', symbol: 'label', source: 'function title() {}' },
    /is called title, not label/,
  ],
  [
    'a function that is not there',
    { kind: 'modifyFunction', symbol: 'gone', source: 'function gone() {}' },
    /no top-level gone/,
  ],
  ['a pattern that is nowhere', { kind: 'patternReplace', pattern: '$a % $a', replacement: '0' }, /matches nothing/],
  ['a pattern of one hole', { kind: 'patternReplace', pattern: '$a', replacement: '0' }, /any expression/],
  ['a hole from nowhere', { kind: 'patternReplace', pattern: '$a / $b', replacement: '$c' }, /has \$c/],
  ['effects twice', { kind: 'patternReplace', pattern: 'label($a)', replacement: 'label($a + $a)' }, /more than once/],
  ['effects left out', { kind: 'patternReplace', pattern: 'label($a)', replacement: 'label(1)' }, /left out/],
  [
    'a statement as a pattern',
    { kind: 'patternReplace', pattern: 'if (a) b()', replacement: 'b()' },
    /not one expression/,
  ],
  [
    'a parameter that is there',
    { kind: 'addParameter', symbol: 'net', name: 'gross', type: 'number', defaultValue: '1' },
    /uses the name gross/,
  ],
  [
    'a parameter that is none',
    { kind: 'addParameter', symbol: 'net', name: 'a, b', type: 'number', defaultValue: '1' },
    /do not make a parameter/,
  ],
  ['a constant that is computed', { kind: 'inlineConstant', symbol: 'shown' }, /exported/],
  ['a constant that is not there', { kind: 'inlineConstant', symbol: 'gone' }, /no top-level constant/],
  [
    'a cache for what returns what it does not say',
    { kind: 'wrapInCache', symbol: 'label' },
    /does not say that it returns/,
  ],
  ['a cache for what calls others', { kind: 'wrapInCache', symbol: 'net' }, /reads round/],
  ['a module that is there', { kind: 'extractToModule', symbols: ['net'], to: 'src/money.ts' }, /is there already/],
  [
    'a module that needs what stays',
    { kind: 'extractToModule', symbols: ['net'], to: 'src/net.ts' },
    /FACTOR stays behind/,
  ],
  [
    'a module for everything',
    { kind: 'extractToModule', symbols: ['net', 'shown'], to: 'src/all.ts' },
    /Nothing would be left/,
  ],
  ['a path outside', { kind: 'inlineConstant', symbol: 'FACTOR', path: '../money.ts' }, /not a path within/],
  ['a file that is not there', { kind: 'inlineConstant', symbol: 'FACTOR', path: 'src/gone.ts' }, /no longer exists/],
])('refused: %s', (_, request, reason) => expect(run(request)).toMatch(reason));

test('a method, at its indentation, in a file with CRLF, tabs and a byte-order mark', () => {
  const file = '\uFEFFclass Box {\r\n\t@logged\r\n\tasync size(this: Box) {\r\n\t\treturn 1;\r\n\t}\r\n}';
  expect(
    run(
      { kind: 'modifyFunction', symbol: 'Box.size', source: '@logged\nasync size(this: Box) {\n\treturn 2;\n}' },
      of(file),
    ),
  ).toEqual(of(file.replace('return 1', 'return 2')));
});

test('a parameter is refused where somebody would fill it by accident', () => {
  const source = 'export function show(name: string) {\n  return name;\n}\n';
  const add = { kind: 'addParameter', symbol: 'show', name: 'at', type: 'number', defaultValue: '0' } as const;
  const after = of(source.replace('name: string', 'name: string, at: number = 0'));
  expect(run(add, { ...of(source), 'src/a.ts': "import { show } from './money';\nshow('a');\n" })).toEqual(after);
  expect(run(add, { ...of(source), 'src/a.ts': "import { show } from './money';\n['a'].map(show);\n" })).toMatch(
    /src\/a.ts hands it on/,
  );
  expect(run(add, of(`${source}export const all = ['a'].map(show);\n`))).toMatch(/handed on/);
  expect(run(add, of(source.replace('name: string', '...names: string[]').replace('return name', 'return 1')))).toMatch(
    /all the rest/,
  );
  expect(
    run(
      { ...add, type: undefined as never, path: 'src/a.js' },
      { 'src/a.js': 'const show = name => name;\nshow(1);\n' },
    ),
  ).toEqual({ 'src/a.js': 'const show = (name, at = 0) => name;\nshow(1);\n' });
});

const fibonacci =
  '/** The n-th. */\nexport function fib(n: number): number {\n  return n < 2 ? n : fib(n - 1) + fib(n - 2);\n}\n';

test('a cache around a pure function, which computes the same', () => {
  const after = run({ kind: 'wrapInCache', symbol: 'fib' }, of(fibonacci));
  expect(after).toEqual(
    of(
      'const fibCache = new Map<number, number>();\n\n/** The n-th. */\nexport function fib(n: number): number {\n  const known = fibCache.get(n);\n  if (known !== undefined) return known;\n  const answer = computeFib(n);\n  fibCache.set(n, answer);\n  return answer;\n}\n\nfunction computeFib(n: number): number {\n  return n < 2 ? n : fib(n - 1) + fib(n - 2);\n}\n',
    ),
  );
  const two = run(
    { kind: 'wrapInCache', symbol: 'pad' },
    of('export function pad(text: string, width = 2 as number): string {\n  return text.padStart(width);\n}\n'),
  );
  expect(two).toMatch(/does not say that it takes/);
  expect(
    run(
      { kind: 'wrapInCache', symbol: 'pad' },
      of('function pad(text: string, width: number): string {\n  return text.padStart(width);\n}\n\nexport { pad };\n'),
    ),
  ).toEqual(of(expect.stringContaining('const key = `${JSON.stringify(text)},${width}`;') as unknown as string));
});

test.each([
  ['chance', 'return Math.random();', /random/],
  ['time', 'return Date.now();', /effects of now are not known/],
  ['what others write', 'return n + turn;', /reads turn/],
  ['a count', 'turn++;\n  return n;', /reads turn/],
])('no cache around %s', (_, body, reason) =>
  expect(
    run(
      { kind: 'wrapInCache', symbol: 'f' },
      of(`let turn = 0;\nexport const next = () => turn++;\nexport function f(n: number): number {\n  ${body}\n}\n`),
    ),
  ).toMatch(reason),
);

test('declarations move with what only they need, and the surface stays', () => {
  const before = money.replace('export const shown', 'export const zero = 0;\n\nexport const shown');
  const after = run(
    { kind: 'extractToModule', symbols: ['net', 'shown'], to: 'src/tax/net.ts' },
    { 'src/money.ts': before },
  ) as Tree;
  expect(after['src/money.ts']).toBe(
    "export { net, shown } from './tax/net.ts';\n\nexport const zero = 0;\n".replace(
      '\n\nexport const zero',
      '\n\nexport const zero',
    ),
  );
  expect(after['src/tax/net.ts']).toBe(
    money.replace("'./round.ts'", "'../round.ts'").replace("'./rates.ts'", "'../rates.ts'"),
  );
});

test('what stays behind imports what moved', () => {
  const before =
    "import { log } from './log';\n\ninterface Size {\n  width: number;\n}\n\nfunction area(size: Size): number {\n  log(size);\n  return size.width ** 2;\n}\n\nexport const twice = (size: Size) => area(size) * 2;\n";
  expect(run({ kind: 'extractToModule', symbols: ['area', 'Size'], to: 'src/area.ts' }, of(before))).toEqual({
    'src/money.ts':
      "import { type Size, area } from './area';\n\nexport const twice = (size: Size) => area(size) * 2;\n",
    'src/area.ts':
      "import { log } from './log';\n\nexport interface Size {\n  width: number;\n}\n\nexport function area(size: Size): number {\n  log(size);\n  return size.width ** 2;\n}\n",
  });
});

const edit = (edits: readonly { file: string; search: string; replace: string }[], more: object = {}) =>
  run({ kind: 'edit', description: 'Lower the tax', edits, ...more } as TransformRequest);

test('search and replace: each search exactly once, declared and edited files the same', () => {
  const file = 'src/money.ts';
  expect(
    edit(
      [
        { file, search: '1.19', replace: '1.07' },
        { file, search: "'EUR'", replace: "'USD'" },
      ],
      { files: [file] },
    ),
  ).toEqual(replaced(['1.19', '1.07'], ["'EUR'", "'USD'"]));
  expect(edit([{ file, search: 'FACTOR', replace: 'RATE' }])).toMatch(/more than once/);
  expect(edit([{ file, search: 'VAT', replace: 'RATE' }])).toMatch(/is not in/);
  expect(edit([{ file, search: '1.19', replace: '1.19' }])).toMatch(/changes nothing/);
  expect(edit([{ file, search: '', replace: 'a' }])).toMatch(/empty/);
  expect(edit([])).toMatch(/nothing to change/);
  expect(edit([{ file, search: '1.19', replace: '1.07' }], { files: [file, 'src/b.ts'] })).toMatch(
    /src\/b.ts is declared, but not edited/,
  );
  expect(edit([{ file, search: '1.19', replace: '1.07' }], { files: ['src/b.ts'] })).toMatch(
    /src\/money.ts is edited, but not declared/,
  );
  expect(edit([{ file: '../money.ts', search: 'a', replace: 'b' }])).toMatch(/not a path within/);
  expect(edit([{ file: 'src/gone.ts', search: 'a', replace: 'b' }])).toMatch(/does not exist/);
  expect(
    edit([
      { file, search: 'FACTOR = 1.19', replace: 'F' },
      { file, search: '1.19;', replace: '2;' },
    ]),
  ).toMatch(/overlap/);
  expect(edit([{ file, search: '= 1.19;', replace: '= ;' }])).toMatch(/would not parse/);
  expect(edit([{ file, search: '1.19', replace: '1.07' }], { description: ' ' })).toMatch(/description/);
});

test('a whole file: new, replaced or gone, and never beside another edit of it', () => {
  const whole = (edits: readonly object[]) =>
    run(createPart<TransformRequest>({ kind: 'edit', description: 'Rewrite', edits }));
  const text = 'export const one = 1;\n';
  expect(whole([{ file: 'src/new.ts', content: text }])).toEqual({ 'src/new.ts': text });
  expect(whole([{ file: 'src/money.ts', content: text }])).toEqual({ 'src/money.ts': text });
  expect(whole([{ file: 'src/money.ts', content: null }])).toEqual({ 'src/money.ts': '(gone)' });
  for (const wrong of [
    [{ file: 'src/nowhere.ts', content: null }],
    [
      { file: 'src/money.ts', content: 'a' },
      { file: 'src/money.ts', search: '1.19', replace: '1.07' },
    ],
    [{ file: 'src/new.ts', content: 'function {' }],
    [{ file: '../up.ts', content: '' }],
  ])
    expect(whole(wrong)).toEqual(expect.any(String));
  expect(
    parseTransformRequest({ description: 'a', edits: [{ file: 'a', content: 'b', search: 'c', replace: 'd' }] }),
  ).toHaveProperty('refused');
});

test('what comes from outside is checked', () => {
  expect(parseTransformRequest({ description: 'a', edits: [{ file: 'a', search: 'b', replace: 'c' }] })).toMatchObject({
    kind: 'edit',
  });
  expect(parseTransformRequest({ kind: 'wrapInCache', path: 'a.ts', symbol: 'f' })).toMatchObject({
    kind: 'wrapInCache',
  });
  for (const wrong of [
    null,
    1,
    {},
    { kind: 'explode' },
    { kind: 'wrapInCache', path: 'a.ts' },
    { kind: 'addParameter', path: 'a', symbol: 'b', name: 'c', defaultValue: '1', type: 1 },
    { kind: 'extractToModule', path: 'a', to: 'b', symbols: [] },
    { edits: [{ file: 1 }], description: '' },
    { description: 'a', edits: [], files: 'a' },
  ])
    expect(parseTransformRequest(wrong)).toHaveProperty('refused');
});

test('the safety level comes from the diff, whatever was asked for', () => {
  const level = (request: Omitted<TransformRequest>) => {
    const outcome = transform(
      { path: 'src/money.ts', ...request } as TransformRequest,
      memoryTree({ 'src/money.ts': money }),
    );
    return 'refused' in outcome ? outcome.refused : determineSafety(outcome.edits);
  };
  expect(level({ kind: 'addFunction', source: 'function half(n: number) {\n  return n / 2;\n}' })).toBe('additive');
  expect(level({ kind: 'addParameter', symbol: 'net', name: 'factor', type: 'number', defaultValue: 'FACTOR' })).toBe(
    'behaviorChanging',
  );
  expect(
    level({ kind: 'edit', description: 'a', edits: [{ file: 'src/money.ts', search: '1.19', replace: '1.07' }] }),
  ).toBe('behaviorChanging');
});
