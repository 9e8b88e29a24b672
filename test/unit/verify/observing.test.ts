// Observing the values of expressions must not change what the code does, nor run code of the repository.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMatchingTexts } from '../../../server/src/adapters/harness/observed/limitValues.ts';
import { installObserver } from '../../../server/src/adapters/harness/observed/noteValues.ts';
import { instrumentSides } from '../../../server/src/adapters/harness/observed/observeChanges.ts';
import {
  EVALUATED,
  OBSERVER,
  WAS_FALSE,
  WAS_OTHER,
  WAS_TRUE,
} from '../../../server/src/adapters/harness/observed/observedCode.ts';
import { compareTexts } from './comparing.ts';
import { createPart } from '../../helpers/createPart.ts';

const seen = installObserver();
const observer = (globalThis as unknown as Record<string, Record<string, (...values: unknown[]) => unknown>>)[
  OBSERVER
]!;

const functionOf = (body: string) => `function f(a, b, c) {\n${body}\n}\n`;

/** The body in which everything is observed that `const z = 0` does not have. */
function observe(body: string): { readonly code: string; readonly texts: readonly string[] } {
  const sides = { oldCode: codeOf('const z = 0;'), newCode: codeOf(body) };
  const { codes, expressions } = instrumentSides(sides, []).newSide;
  return { code: codes['a.js']!.code, texts: expressions.map(({ text }) => text) };
}

function codeOf(body: string) {
  return { 'a.js': { code: functionOf(body), format: 'module' as const } };
}

function call(code: string, values: readonly unknown[]): unknown {
  try {
    return (new Function(`${code}return f;`)() as (...values: readonly unknown[]) => unknown)(...values);
  } catch (error) {
    // Messages of the engine quote the code.
    return error instanceof TypeError ? 'TypeError' : `${error}`;
  }
}

test.each([
  'if (a > 1, b) return 1; return 2;',
  'while (a--, a > 0) c += 1; return c;',
  'return (a > 1, b) ? c : 1;',
  'return !(a, b) && c;',
  'return-a+b',
  'return(a+b)*2',
  'return[a].concat(b)',
  'switch (c) { case"x"+a: return 3; case(a+b): return 4; }',
  'throw(a+b)',
  'return typeof(a+b)',
  'return void(a+b)',
  'for (const x of[a].concat(b)) c += x; return c;',
  'if (c) return 2; else(a+b).toFixed(2).at(c);',
  'return"a"in(Object(a+b))',
  'do(c += a).toFixed(2).at(1); while (a++ < 3); return c;',
  'return [...(function* () { yield(a+b); yield[a].concat(b) })()];',
])('code does the same while it is observed: %s', (body) => {
  const { code } = observe(body);
  expect(code).toContain(OBSERVER);
  for (const values of [
    [0, 0, 0],
    [1, 0, 3],
    [2, 5, 0],
    [3, null, 1],
    [4, 'x', 'xa'],
  ])
    expect(call(code, values)).toEqual(call(functionOf(body), values));
});

test('the value of a condition with a comma is its last one', () => {
  seen.length = 0;
  const { code, texts } = observe('if (a > 1, b) return 1; return 2;');
  for (const a of [0, 2]) call(code, [a, true, 0]);
  expect(seen[texts.indexOf('a > 1, b')]).toBe(EVALUATED | WAS_TRUE);
  call(code, [2, false, 0]);
  expect(seen[texts.indexOf('a > 1, b')]).toBe(EVALUATED | WAS_TRUE | WAS_FALSE);
});

test('no code of a value runs because it is observed', () => {
  const reads: unknown[] = [];
  const array = new Proxy([1, 2, 3], {
    get: (target, key) => {
      reads.push(key);
      return Reflect.get(target, key);
    },
  });
  const getter = Object.defineProperty([1], 0, { get: () => reads.push('getter') });
  const valued = Object.assign(() => 0, { valueOf: () => reads.push('valueOf') });
  for (const [index, method] of ['split', 'slice'].entries())
    for (const [value, operand] of [
      [array, [1, 2, 3]],
      [[1, 2, 3], array],
      [getter, [1]],
    ]) {
      const frame = observer.begin!(100 + index);
      observer.operand!(100 + index, 0, operand);
      observer.end!(100 + index, frame, value, method);
    }
  observer.neutral!(102, valued, 0);
  expect(reads).toEqual([]);
  expect(seen[102]).toBe(EVALUATED | WAS_OTHER);
});

test.each([
  ['^[a-z]{800}$', 3],
  ['(?:[a-f]{100}){20}', 3],
  ['(?:a{1000}){1000}', 0],
  ['(((((a+)+)+)+)+)+b', 0],
  ['^\\d{3}-\\d{4}$', null],
])('texts for a pattern are few if they are long: %s', (source, most) => {
  const matches = createMatchingTexts(
    createPart<Parameters<typeof createMatchingTexts>[0]>({ patterns: [{ source, flags: '' }] }),
  );
  expect(matches === null).toBe(most === 0);
  if (matches === null) return;
  const pattern = new RegExp(source);
  const texts = fc.sample(matches, { numRuns: 300, seed: 1 }).filter((text) => pattern.test(text));
  const distinct = new Set(texts.filter((text) => text === text.toLowerCase()).map((text) => pattern.exec(text)![0]));
  if (most === null) expect(distinct.size).toBeGreaterThan(20);
  else expect(distinct.size).toBeLessThan(40);
});

const A_MINUTE = 60_000;
const DOCS = '/** @param {string} text @returns {string} */\n';
const catching = (body: string, result: string) =>
  `${DOCS}export function f(text) {\n  try {\n    ${body}\n  } catch (error) {\n    return ${result};\n  }\n}\n`;

test('a difference is told with the messages of the code as it is', { timeout: A_MINUTE }, async () => {
  const code = (method: string) => catching(`return text.trim().${method}(8);`, 'error.message');
  const { report } = await compareTexts([{ path: 'a.js', before: code('first'), after: code('second') }]);
  expect(report.targets).toMatchObject([
    {
      outcome: 'different',
      counterexample: {
        before: expect.stringContaining('text.trim(...).first is not a function'),
        after: expect.stringContaining('text.trim(...).second is not a function'),
      },
    },
  ]);
  expect(JSON.stringify(report)).not.toContain(OBSERVER);
});

test('a message that only observing changes is no difference', { timeout: A_MINUTE }, async () => {
  const code = (body: string) => catching(body, 'error.message + text.length');
  const { report } = await compareTexts([
    { path: 'a.js', before: code('text.first(8);\n    return "";'), after: code('return text.first(8);') },
  ]);
  expect(report.targets).toMatchObject([{ outcome: 'same' }]);
});

test('nothing is shown about code that runs where it cannot be observed', { timeout: A_MINUTE }, async () => {
  const code = (sum: string) =>
    `import vm from 'node:vm';\n${DOCS}export function f(text) {\n  const inner = (x) => { return x + ${sum}; };\n  return text.length > 4 ? vm.runInNewContext(\`(\${inner})(1)\`) : text;\n}\n`;
  const { report } = await compareTexts([{ path: 'a.js', before: code('1'), after: code('2 - 1') }]);
  expect(report.targets).toMatchObject([{ outcome: 'unknown' }]);
});

test('a guard may become a chain around the same call', () => {
  const sides = (before: string, after: string) =>
    instrumentSides({ oldCode: codeOf(before), newCode: codeOf(after) }, []);
  const kept = sides('return a && a.b(1).c;', 'return a?.b(1).c;');
  expect(kept.newSide.expressions).toEqual([]);
  expect(kept.oldSide.expressions.map(({ text }) => text).toSorted()).toEqual(['a', 'a.b(1)']);
  const other = sides('return a && a.b(1).c;', 'return a?.b(2).c;');
  expect(other.newSide.expressions).toMatchObject([{ kind: 'hidden', text: 'a?.b(2)' }]);
});
