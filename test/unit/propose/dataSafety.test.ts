// Copies, loops and arguments: what is provably the same, and what looks alike and is not.

import { expect, test } from 'vitest';
import type { SafetyLevel } from '../../../server/src/core/model.ts';
import { determineSafety } from '../../../server/src/core/propose/safety.ts';
import { memoryTree } from './recipeCase.ts';

const preserving = 'behaviorPreserving' satisfies SafetyLevel;
const changing = 'behaviorChanging' satisfies SafetyLevel;
const project = { 'tsconfig.json': '{ "compilerOptions": { "strict": true, "target": "esnext", "lib": ["esnext"] } }' };

/** Within `export function f(names: string[], text: string, bag: Iterable<string>, perhaps?: string[]) { … }` */
test.each<readonly [string, string, SafetyLevel]>([
  ['return [...names.filter(Boolean)];', 'return names.filter(Boolean);', preserving],
  ['return [...Object.keys(names)];', 'return Object.keys(names);', preserving],
  ["return text.split(',').slice();", "return text.split(',');", preserving],
  ['return Array.from(Object.keys(names).map((n) => n));', 'return Object.keys(names).map((n) => n);', preserving],
  ['return new Set([...names]);', 'return new Set(names);', preserving],
  ["return [...names].join(', ');", "return names.join(', ');", preserving],
  ['return [...names].includes(text);', 'return names.includes(text);', preserving],
  ['return [...names];', 'return names;', changing],
  ['return [...names].sort();', 'return names.sort();', changing],
  ['return [...names].indexOf(text);', 'return names.indexOf(text);', changing],
  ['return [...names.map((n) => n)];', 'return names.map((n) => n);', changing],
  ['return names.slice();', 'return names;', changing],
  ['return [...bag];', 'return bag;', changing],
  ['return new Set([...bag, text]);', 'return new Set(bag);', changing],
  ['return new Set([...perhaps!]);', 'return new Set(perhaps);', changing],
  ['return new Map([...names.entries()]);', 'return new Set([...names.entries()]);', changing],
  ['return { ...names };', 'return names;', changing],
  [
    'for (const n of names) g(new RegExp(text).test(n));',
    'const r = new RegExp(text);\n  for (const n of names) g(r.test(n));',
    changing,
  ],
  ['const r = g(text);\n  for (const n of names) g(n, r);', 'for (const n of names) g(n, g(text));', changing],
  ['g(text, 1);', 'g(text);', changing],
  [
    'for (const n of names) {\n    if (n) {\n      g(n, 1);\n    }\n  }',
    'for (const n of names) {\n    if (!n) continue;\n    g(n, 1);\n  }',
    preserving,
  ],
  [
    'for (const n of names) {\n    g(n, 1);\n    g(text, n);\n  }',
    'for (const n of names) tell(n, text);\n}\n\nfunction tell(n: string, text: string) {\n  g(n, 1);\n  g(text, n);',
    preserving,
  ],
])('%s → %s: %s', (before, after, level) => {
  const file = (body: string) =>
    `declare function g(...values: unknown[]): number;\n\nexport function f(names: string[], text: string, bag: Iterable<string>, perhaps?: string[]): unknown {\n  ${body}\n}\n`;
  const edit = { path: 'src/a.ts', before: file(before), after: file(after) };
  expect(determineSafety([edit], memoryTree({ ...project, 'src/a.ts': edit.before }))).toBe(level);
});
