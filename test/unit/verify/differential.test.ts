// The comparison of old and new code finds every harmless-looking change of behaviour, and nothing where there is none.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TargetReport } from '../../../server/src/core/verify/differential/plan.ts';
import { judgeReport } from '../../../server/src/core/verify/differential/judge.ts';
import { compareTexts, planTexts } from './comparing.ts';
import { isThorough, thoroughTest } from '../../helpers/thorough.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/verify/differential');
/** So many share two processes. */
const AT_ONCE = 10;
const MINUTES = 60_000;

/** Every fixture of a folder, by its name. */
async function compareAll(folder: string): Promise<
  ReadonlyMap<
    string,
    {
      readonly targets: readonly TargetReport[];
      readonly gaps: readonly string[];
      readonly unreached: readonly string[];
      readonly proven: boolean;
    }
  >
> {
  // The lane `thorough` compares all of them, `npm test` every third.
  const names = readdirSync(join(fixtures, folder)).filter((_, index) => isThorough || index % 3 === 0);
  const results = new Map<
    string,
    {
      readonly targets: readonly TargetReport[];
      readonly gaps: readonly string[];
      readonly unreached: readonly string[];
      readonly proven: boolean;
    }
  >();
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const some = names.slice(from, from + AT_ONCE);
    const text = (name: string, side: string) => readFileSync(join(fixtures, folder, name, `${side}.ts`), 'utf8');
    const { plan, report } = await compareTexts(
      some.map((name) => ({ path: `src/${name}.ts`, before: text(name, 'before'), after: text(name, 'after') })),
    );
    expect(report.obstacle).toBeNull();
    for (const name of some) {
      const path = `src/${name}.ts`;
      results.set(name, {
        targets: report.targets.filter((target) => target.path === path),
        gaps: plan.gaps,
        unreached: report.unreached.filter((line) => line.path === path).map((line) => line.text),
        proven: plan.restructured.includes(path),
      });
    }
  }
  return results;
}

test('changes of behaviour that look harmless are all found, with a counterexample', {
  timeout: 10 * MINUTES,
}, async () => {
  const results = await compareAll('changes');
  expect(results.size).toBeGreaterThanOrEqual(isThorough ? 20 : 7);
  const missed = [...results].filter(
    ([, { targets }]) =>
      !targets.some(
        ({ outcome, counterexample }) =>
          outcome === 'different' && counterexample !== null && counterexample.before !== counterexample.after,
      ),
  );
  expect(
    missed.map(([name, { targets }]) => [name, targets.map(({ outcome, reason }) => `${outcome} ${reason}`)]),
  ).toEqual([]);
});

test('honest refactorings are all found to be the same', { timeout: 10 * MINUTES }, async () => {
  const results = await compareAll('refactorings');
  expect(results.size).toBeGreaterThanOrEqual(isThorough ? 20 : 7);
  // What is the same by its form alone needs no inputs.
  expect([...results].filter(([, { proven }]) => proven).map(([name]) => name)).toEqual(
    ['else-after-return', 'merged-if', 'unreachable-code'].filter((name) => results.has(name)),
  );
  for (const [name, { targets, unreached, proven }] of results) {
    if (proven) continue;
    expect(
      targets.map(({ outcome, reason, counterexample }) => [outcome, reason, counterexample]),
      name,
    ).toEqual(targets.map(() => ['same', null, null]));
    expect(targets.length, name).toBeGreaterThan(0);
    expect(unreached, name).toEqual([]);
  }
});

/** The one counterexample of a single changed file. */
async function found(
  before: string,
  after: string,
  others: Readonly<Record<string, string>> = {},
  path = 'src/a.ts',
): Promise<string[]> {
  const { report } = await compareTexts([{ path, before, after }], others);
  return summary(report.targets);
}

function summary(targets: readonly TargetReport[]): string[] {
  return targets.map(({ name, outcome, reason, counterexample }) =>
    [
      name,
      outcome,
      counterexample ? `${counterexample.call}: ${counterexample.before} / ${counterexample.after}` : reason,
    ]
      .filter((part) => part !== null)
      .join(' '),
  );
}

const plainJavaScript = (end: string) =>
  `exports.first = function (list) {\n  return list.map((one) => one)[0] ${end};\n};\n`;

test(
  'CommonJS, JavaScript without types, imports by path mapping and without endings are loaded',
  async () => {
    expect(
      await found(plainJavaScript('?? null'), plainJavaScript('|| null'), { 'package.json': '{}' }, 'lib/a.js'),
    ).toEqual([expect.stringMatching(/^exports\.first different exports\.first\(\[/)]);
    const others = {
      'package.json': '{}',
      'tsconfig.json':
        '{"compilerOptions": {"module": "commonjs", "moduleResolution": "node10", "ignoreDeprecations": "6.0", ' +
        '"strict": true, "paths": {"@/*": ["./src/*"]}}}',
      'src/deep/index.ts': 'import { one } from "../one.js";\nexport const two = one + 1;\n',
      'src/one.ts': 'export const one: number = 1;\nexport enum Kind { A, B }\n',
      'src/style.css': 'a {}',
    };
    const code = (sign: string) =>
      `import { two } from '@/deep';\nimport { Kind } from './one';\nimport './style.css';\nexport function ` +
      `add(value: number, kind: Kind): number {\n  return value ${sign} two + (kind === Kind.A ? 0 : 10);\n}\n`;
    expect(await found(code('+'), code('-'), others)).toEqual([
      expect.stringMatching(/^add different add\(.*\): returns .* \/ returns /),
    ]);
  },
  3 * MINUTES,
);

test(
  'functions that are assigned to members, with their own `this`',
  async () => {
    const code = (size: string) =>
      `function Box(items) {\n  this.items = items;\n}\nconst app = {};\napp.width = function (text) {\n  ` +
      `return text.${size} + this.base;\n};\napp.base = 1;\nmodule.exports = app;\nmodule.exports.Box = Box;\n`;
    expect(await found(code('length'), code('length - 1'), { 'package.json': '{}' }, 'lib/a.js')).toEqual([
      expect.stringMatching(/^app\.width different app\.width\(.+\): returns 1 \/ returns 0$/),
    ]);
  },
  3 * MINUTES,
);

test(
  'JSX, decorators and default exports',
  async () => {
    const others = {
      'tsconfig.json':
        '{"compilerOptions": {"jsx": "react", "jsxFactory": "h", "strict": true, "module": "esnext", ' +
        '"moduleResolution": "bundler", "experimentalDecorators": true}}',
    };
    const code = (title: string) =>
      `const h = (tag: string, props: object | null, ...children: unknown[]) => ({ tag, props, children });\n` +
      `function logged(target: object, key: string): void { void target; void key; }\nexport class Card {\n` +
      `  @logged\n  title(name: string) { return <b title={name}>{${title}}</b>; }\n}\nexport default (name: ` +
      `string) => <i>{${title}}</i>;\n`;
    const results = await found(code('name'), code('name.trim()'), others, 'src/a.tsx');
    expect(results).toEqual([
      expect.stringMatching(/^Card different new Card\(\) \.title\(".* "\)/),
      expect.stringMatching(/^default different default\(".*"\)/),
    ]);
  },
  3 * MINUTES,
);

test('a difference in comments and types alone is none', async () => {
  const plan = await planTexts([
    {
      path: 'src/a.ts',
      before: 'export const a = (b: number) => b;\n',
      after: '/** Itself. */\nexport const a = (b: number): number => b;\n',
    },
  ]);
  expect(plan).toMatchObject({ identical: ['src/a.ts'], targets: [], gaps: [] });
});

test('so is a module of Node that nothing reads, and another module is not', async () => {
  const without = async (module: string) =>
    (
      await planTexts([
        {
          path: 'src/a.js',
          before: `import idle from '${module}';\nexport const a = (b) => b;\n`,
          after: 'export const a = (b) => b;\n',
        },
      ])
    ).identical;
  expect([await without('node:fs'), await without('./b.js')]).toEqual([['src/a.js'], []]);
});

/** Changes that no comparison can show to be the same, by the name of their file. */
const UNKNOWN: Readonly<Record<string, readonly [before: string, after: string]>> = {
  width: [
    'export function of(width: `${number}px`): number {\n  return width.length;\n}\n',
    'export function of(width: `${number}px`): number {\n  const { length } = width;\n  return length;\n}\n',
  ],
  store: [
    "import { writeFileSync } from 'node:fs';\nexport function store(text: string): number {\n  " +
      "writeFileSync('out', text);\n  return 1;\n}\n",
    "import { writeFileSync } from 'node:fs';\nexport function store(text: string): number {\n  const size " +
      "= 1;\n  writeFileSync('out', text);\n  return size;\n}\n",
  ],
  open: [openedFile("return openSync(path, 'w');"), openedFile("const file = openSync(path, 'w');\n  return file;")],
  save: [
    heapSnapshot('return writeHeapSnapshot(path);'),
    heapSnapshot('const file = writeHeapSnapshot(path);\n  return file;'),
  ],
  keep: [
    database('return new DatabaseSync(path) !== null;'),
    database('const base = new DatabaseSync(path);\n  return base !== null;'),
  ],
  spin: [
    'export function spin(n: number): number {\n  while (n > 0) n++;\n  return n;\n}\n',
    'export function spin(n: number): number {\n  for (; n > 0; ) n++;\n  return n;\n}\n',
  ],
  wait: [
    'export function wait(n: number): number {\n  while (n === 7) n += 0;\n  return n;\n}\n',
    'export function wait(n: number): number {\n  return n;\n}\n',
  ],
  half: [
    'export function half(n: number): number {\n  return n / 2 + process.cpuUsage().user;\n}\n',
    'export function half(n: number): number {\n  return n * 0.5 + process.cpuUsage().user;\n}\n',
  ],
  rare: [
    "export function rare(text: string): number {\n  if (text.length > 400_000) return text.indexOf('x');\n  return 1;\n}\n",
    "export function rare(text: string): number {\n  if (text.length > 400_000) return text.search('x');\n  return 1;\n}\n",
  ],
};

function openedFile(body: string): string {
  return `import { openSync } from 'node:fs';\nexport function open(path: string): number {\n  ${body}\n}\n`;
}

function heapSnapshot(body: string): string {
  return `import { writeHeapSnapshot } from 'node:v8';\nexport function save(path: string): string {\n  ${body}\n}\n`;
}

function database(body: string): string {
  return `import { DatabaseSync } from 'node:sqlite';\nexport function keep(path: string): boolean {\n  ${body}\n}\n`;
}

thoroughTest('what cannot be shown is unknown, with the reason', async () => {
  const { plan, report } = await compareTexts(
    Object.entries(UNKNOWN).map(([name, [before, after]]) => ({ path: `src/${name}.ts`, before, after })),
  );
  expect(report.obstacle).toBeNull();
  expect(plan.gaps).toEqual(['`of` takes a value of the type `${number}px`, for which no values can be generated.']);
  const told = new Map(
    Object.keys(UNKNOWN).map((name) => [name, summary(report.targets.filter(({ path }) => path === `src/${name}.ts`))]),
  );
  const asks = (name: string) => `It asks for ${name}, and what follows that cannot be compared.`;
  expect(told.get('width')).toEqual([]);
  expect(told.get('store')).toEqual([`store unknown ${asks('fs.writeFileSync')}`]);
  expect(told.get('open')).toEqual([`open unknown ${asks('fs.openSync')}`]);
  expect(told.get('save')).toEqual([`save unknown ${asks('v8.writeHeapSnapshot')}`]);
  expect(told.get('keep')).toEqual([`keep unknown ${asks('sqlite.DatabaseSync')}`]);
  expect(told.get('spin')).toEqual([
    expect.stringMatching(/^spin unknown Neither the old nor the new code ends on \d of the first inputs\.$/),
  ]);
  expect(told.get('wait')).toEqual([
    expect.stringMatching(/^wait unknown The old code does not end on \d of the inputs, on /),
  ]);
  expect(told.get('half')).toEqual([expect.stringMatching(/^half unknown The old code answers .* differently/)]);
  const unreached = report.unreached.filter(({ path }) => path === 'src/rare.ts');
  expect(unreached.map(({ text }) => text)).toEqual(["return text.indexOf('x');", "return text.search('x');"]);
});

test('code that does not load here, or that is gone, is unknown', async () => {
  const loading = await compareTexts([
    {
      path: 'src/a.ts',
      before: "import { mkdirSync } from 'node:fs';\nmkdirSync('made');\nexport const a = () => 1;\n",
      after: "import { mkdirSync } from 'node:fs';\nmkdirSync('made');\nexport const a = () => 2 - 1;\n",
    },
  ]);
  expect(loading.report.obstacle).toMatch(/does not load here: .*fs\.mkdirSync is out of reach/);

  const gone = await planTexts([
    {
      path: 'src/a.ts',
      before: 'export const a = () => 1;\nexport const b = () => 2;\n',
      after: 'export const a = () => 1;\n',
    },
  ]);
  expect(gone.gaps).toContain('`b` is no longer exported.');
});

thoroughTest(
  'new code that does not end is a difference',
  async () => {
    const told = await found(
      'export function count(n: number): number {\n  let i = 0;\n  while (i < 3) i++;\n  return i + (n === 2 ? 1 : 0);\n}\n',
      'export function count(n: number): number {\n  let i = 0;\n  while (i !== 3) i += n === 2 ? 2 : 1;\n ' +
        ' return i + (n === 2 ? 1 : 0);\n}\n',
    );
    expect(told).toEqual(['count different count(2): returns 4 / does not end within 12 s']);
  },
  3 * MINUTES,
);

thoroughTest('an input on which neither code ends is no reason for doubt', async () => {
  const before = 'export function wait(n: number): number {\n  while (n === 7) n += 0;\n  return n * 2;\n}\n';
  const after = 'export function wait(n: number): number {\n  for (; n === 7; ) n += 0;\n  return n * 2;\n}\n';
  const { plan, report } = await compareTexts([{ path: 'src/a.ts', before, after }]);
  expect(summary(report.targets)).toEqual(['wait same']);
  // But it is said.
  const answer = judgeReport(plan, report, { seed: 1, isMeantToDiffer: false, tests: 'vitest' });
  expect(answer).toMatchObject({
    outcome: 'passed',
    reason: expect.stringMatching(/ On \d more, neither the old nor the new code ends in time\.$/),
    evidence: { endless: expect.any(Number) },
  });
});

thoroughTest('an input on which neither code ends hides no difference between later calls', async () => {
  const told = await found(
    'export function wait(n: number): number {\n  while (n === 0) n += 0;\n  return n * 2;\n}\n',
    'let calls = 0;\nexport function wait(n: number): number {\n  calls += 1;\n  for (; n === 0 || calls ' +
      '=== 12; ) n += 0;\n  return n * 2;\n}\n',
  );
  expect(told).toEqual([expect.stringMatching(/^wait different .* does not end within 12 s$/)]);
});

test('code that answers a call otherwise if it comes again after another one is found', async () => {
  const before = 'export function size(text: string): number {\n  return text.length;\n}\n';
  const after = [
    'const seen = new Set<string>();',
    "let last = '';",
    'export function size(text: string): number {',
    '  // Such texts are generated once.',
    '  const again = text.length > 3 && text.charCodeAt(2) % 7 === 3 && text.charCodeAt(1) > 200 && seen.has(text) && last !== text;',
    '  seen.add(text);',
    '  last = text;',
    '  return again ? 0 : text.length;',
    '}',
    '',
  ].join('\n');
  const [outcome] = await found(before, after);
  expect(outcome).toMatch(/^size different .*after \d+ other calls/);
});
