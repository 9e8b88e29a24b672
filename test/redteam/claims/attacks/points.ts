// Attacks on points: changes that look like a rearrangement and mean something else. Tests notice mistakes in these
// lines, and not this one.

import type { ClaimAttack } from '../attack.ts';

/** One function, what its tests assert, and the attack. */
function rearranged(name: string, before: string, asserted: readonly string[], after: string): ClaimAttack {
  const file = (line: string) => `export function f(a, b) {\n  ${line}\n}\n`;
  const cases = asserted.map((one, at) => `test('case ${at}', () => {\n  assert.deepEqual(${one});\n});\n`);
  return {
    claim: 'points',
    name,
    edits: [{ path: 'form.js', before: file(before), after: file(after) }],
    files: {
      'form.js': file(before),
      'form.test.js': `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { f } from './form.js';\n\n${cases.join('')}`,
    },
    costs: -1,
    expected: /^asks/,
    says: /may change what the code does/,
  };
}

export const POINTS: readonly ClaimAttack[] = [
  rearranged('operands change places', 'return a - b;', ['Math.abs(f(5, 1)), 4'], 'return b - a;'),
  rearranged('arguments change places', 'return Math.pow(a, b);', ['f(3, 3), 27'], 'return Math.pow(b, a);'),
  rearranged('another name', 'return [a, a * 2];', ['f(4, 4), [4, 8]'], 'return [b, a * 2];'),
  rearranged(
    'a flipped boolean',
    'return [a * 2, a - 1, true];',
    ['f(3).slice(0, 2), [6, 2]'],
    'return [a * 2, a - 1, false];',
  ),
  rearranged(
    'null for a boolean',
    'return [a * 2, a - 1, true];',
    ['f(3).slice(0, 2), [6, 2]'],
    'return [a * 2, a - 1, null];',
  ),
  rearranged(
    'the opposite comparison',
    'return a.filter((one) => one === b).length;',
    ['f([1, 1, 2, 2], 1), 2'],
    'return a.filter((one) => one !== b).length;',
  ),
  rearranged(
    'a negation that is added',
    'return a.filter((one) => b.has(one)).length;',
    ['f([1, 1, 2, 2], new Set([1])), 2'],
    'return a.filter((one) => !b.has(one)).length;',
  ),
  rearranged(
    'a negation that is removed',
    'return a.filter((one) => !b.has(one)).length;',
    ['f([1, 1, 2, 2], new Set([1])), 2'],
    'return a.filter((one) => b.has(one)).length;',
  ),
  rearranged('or for and', 'return a && b;', ['f(3, 3), 3', 'f(0, 0), 0'], 'return a || b;'),
  rearranged('properties change places', 'return [a.x, a.y];', ['f({ x: 2, y: 2 }), [2, 2]'], 'return [a.y, a.x];'),
  rearranged(
    'another order of effects',
    'a.push(1); a.push(2); return a;',
    ['f([]).sort(), [1, 2]'],
    'a.push(2); a.push(1); return a;',
  ),
];
