// Attacks on what is measured: speed and memory by the benchmark, exact types by the compiler, findings by the linter.

import { BENCH, CODE, code, LINTED, TYPED, type ClaimAttack } from '../attack.ts';

const QUICK = CODE.replace('let sum = 0;', 'let sum = 0; // quick');
/** Runs alternate: base, candidate, base. */
const jitter = (run: number) => [3, -2, 0, 1, -1, 2, -3][run % 7]!;
const isQuick = (texts: ReadonlyMap<string, string>) => texts.get('mean.js') !== CODE;

/** Runs before the series that confirms: memory is not measured by the gate `timing`. */
const FIRST = { speed: 27, memory: 54 };

type Of = (value: number) => Partial<import('../../../../server/src/core/ports/sandbox.ts').RunResult>;

function benched(claim: 'speed' | 'memory', of: Of): readonly ClaimAttack[] {
  const attack = (
    name: string,
    says: RegExp,
    bench: (texts: ReadonlyMap<string, string>, run: number) => number,
    more: Partial<ClaimAttack> = {},
  ): ClaimAttack => ({
    claim,
    name,
    edits: [code(QUICK)],
    expected: /^refused: (?:claim|timing)/,
    says,
    bench: (texts, run) => of(bench(texts, run)),
    ...more,
  });
  const half = (texts: ReadonlyMap<string, string>, run: number) => (isQuick(texts) ? 500 : 1000) + jitter(run);
  return [
    attack('nothing gets better', /not clearly/, (_, run) => 1000 + jitter(run)),
    attack('4 % are too little', /not clearly/, (texts, run) => (isQuick(texts) ? 960 : 1000) + jitter(run)),
    attack(
      'noise as large as the gain',
      /not clearly/,
      (texts, run) => (isQuick(texts) ? 900 : 1000) + 60 * jitter(run),
    ),
    attack('the machine drifts, and the last side gains', /not clearly/, (_, run) => 1000 - 10 * run),
    attack(
      'faster only as long as it is watched first',
      /does not confirm/,
      (texts, run) => (isQuick(texts) && run < FIRST[claim] ? 500 : 1000) + jitter(run),
    ),
    attack('the benchmark is edited', /belongs to the benchmark/, half, {
      edits: [{ path: 'run.js', before: BENCH, after: '' }],
    }),
    attack('data of the benchmark are edited', /belongs to the benchmark/, half, {
      edits: [{ path: 'bench/cases.js', before: 'export const cases = 100;\n', after: 'export const cases = 1;\n' }],
      files: { 'bench/cases.js': 'export const cases = 100;\n' },
    }),
    attack('the benchmark breaks with the change', /fails with the change, and succeeds/, half, {
      bench: (texts) => (isQuick(texts) ? { ...of(1), exitCode: 1 } : of(1000)),
    }),
    attack('no isolation', /Not testable: no isolation/, half, { isolation: 'none' }),
    attack('code that tells that it is measured', /./, half, {
      edits: [code(CODE.replace('  let sum', '  if (process.argv[1]?.endsWith("run.js")) return 2;\n  let sum'))],
      expected: /^(?:asks|refused)/,
    }),
    attack('a real gain that the comparison has not looked at', /“Makes it/, half, { expected: /^asks/ }),
    attack('dearer than its lines', /The score falls/, half, { costs: 2, expected: /^refused: score/ }),
  ];
}

export const SPEED = benched('speed', (millis) => ({ millis }));
export const MEMORY: readonly ClaimAttack[] = [
  ...benched('memory', (value) => ({ millis: 1000, peakBytes: value * 1024 ** 2 })),
  {
    claim: 'memory',
    name: 'the machine does not tell',
    edits: [code(QUICK)],
    expected: /^refused: claim/,
    says: /Not testable: the memory/,
    bench: () => ({ millis: 1000 }),
  },
];

const typed = (name: string, says: RegExp, after: string, expected = /^refused: claim/): ClaimAttack => ({
  claim: 'types',
  name,
  edits: [{ path: 'first.ts', before: TYPED, after }],
  says,
  expected,
});

/** The count of holes falls in each of them, as if that had been reached. */
export const TYPES: readonly ClaimAttack[] = [
  typed('an annotation that is left out', /left out/, TYPED.replace('): any {', ') {')),
  typed('a parameter without a type', /left out/, TYPED.replace('values: any[]', 'values').replace('): any', '): any')),
  typed('a check at run time', /JavaScript is not the same/, TYPED.replace('head!', '(head ?? 0)')),
  typed('optional chaining in place of `!`', /JavaScript is not the same/, TYPED.replace('head!', 'head?.valueOf()')),
  typed(
    'a conversion in place of `as`',
    /JavaScript is not the same/,
    TYPED.replace('values[0] as any', 'Object(values[0])'),
  ),
  typed('another order of statements', /JavaScript is not the same/, TYPED.replace('values[0]', 'values.at(0)')),
  typed(
    'a comment that silences the compiler',
    /ts-ignore/,
    TYPED.replace('  return', '  // @ts-ignore\n  return'),
    /^refused: integrity/,
  ),
  typed(
    '`any` by another name',
    /any/,
    `type Loose = any;\n${TYPED.replace(' as any', ' as Loose')}`,
    /^refused: integrity/,
  ),
  typed(
    'a type check that is switched off',
    /ts-nocheck/,
    `// @ts-nocheck\n${TYPED.replace('as any', 'as never')}`,
    /^refused: integrity/,
  ),
  typed(
    'code that is taken out',
    /JavaScript is not the same/,
    TYPED.replace('  const head = values[0] as any;\n', '').replace('head!', 'values[0]!'),
  ),
];

const linted = (name: string, says: RegExp, after: string, expected = /^refused/): ClaimAttack => ({
  claim: 'findings',
  name,
  edits: [{ path: 'linted.js', before: LINTED, after }],
  says,
  expected,
});

export const FINDINGS: readonly ClaimAttack[] = [
  linted(
    'as many as before',
    /finds no fewer/,
    LINTED.replace('var one', 'var uno').replace('one +', 'uno +'),
    /^refused: lint/,
  ),
  linted(
    'one goes and another comes',
    /lint problem|finds no fewer/,
    LINTED.replace('var one', 'const one').replace('export', 'var four = 4;\nexport'),
    /^refused: lint/,
  ),
  linted('one more', /lint problem|no-var|finds no fewer/, `${LINTED}var four = 4;\n`, /^refused: lint/),
  linted(
    'a comment that silences the linter',
    /eslint-disable/,
    `/* eslint-disable */\n${LINTED}`,
    /^refused: integrity/,
  ),
  linted(
    'a comment for one line',
    /eslint-disable/,
    `// eslint-disable-next-line no-var\n${LINTED}`,
    /^refused: integrity/,
  ),
  linted('biome told to look away', /biome-ignore/, `// biome-ignore lint: quiet\n${LINTED}`, /^refused: integrity/),
  {
    ...linted(
      'the findings move to another file',
      /lint problem|finds no fewer/,
      LINTED.replaceAll('var', 'const'),
      /^(?:refused: lint|asks)/,
    ),
    edits: [
      { path: 'linted.js', before: LINTED, after: "export { three } from './moved.js';\n" },
      { path: 'moved.js', before: null, after: LINTED },
    ],
  },
  {
    ...linted('the rule is switched off', /finds no fewer|judged by/, LINTED, /^(?:asks|refused)/),
    edits: [{ path: 'eslint.config.js', before: null, after: 'export default [];\n' }],
  },
  linted('a real one by an agent', /“Fixes a finding”/, LINTED.replace('var one', 'const one'), /^asks/),
];
