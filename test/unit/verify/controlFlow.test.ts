// Programs with other ifs and jumps: the same where they take the same steps, and never where one differs. The normal
// form is run as well.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseStatements, areSameSteps } from '../../../server/src/core/verify/differential/controlFlow.ts';
import { emitJavaScript } from '../../../server/src/core/verify/differential/emitJavaScript.ts';
import { findRecipeCases } from '../../helpers/ruleFolders.ts';
import { runs } from '../../helpers/properties.ts';

const same = (before: string, after: string) =>
  areSameSteps(emitJavaScript('a.js', before), emitJavaScript('a.js', after));
const body = (text: string) => `export function f(a, b, c, list) {\n${text}\n}\n`;

test.each([
  ['a guard clause with a value', 'if (a) { b(); return 1; } return 2;', 'if (!a) return 2; b(); return 1;'],
  [
    'guard clauses one after the other',
    'if (a) { b(); if (c) { b(c); } }',
    'if (!a) return; b(); if (!c) return; b(c);',
  ],
  [
    'in a loop',
    'for (const x of list) { if (x && a) { b(x); c(x); } }',
    'for (const x of list) { if (!x || !a) continue; b(x); c(x); }',
  ],
  ['with a constant that moves along', 'if (a) { const x = b(a); c(x); }', 'if (!a) return; const x = b(a); c(x);'],
  ['else after return', 'if (a) { return b(); } else { return c(); }', 'if (a) { return b(); } return c();'],
  [
    'else after throw, in a chain',
    'if (a) { throw a; } else if (b) { return b; } else { c(); } return c;',
    'if (a) throw a; if (b) return b; c(); return c;',
  ],
  ['nested ifs', 'if (a) { if (b || c) { list.push(a); } }', 'if (a && (b || c)) list.push(a);'],
  ['an if turned round', 'if (a !== b) { c(1); } else { c(2); }', 'if (a === b) c(2); else c(1);'],
  ['a jump at the end', 'b(); return;', 'b();'],
  ['what never runs', 'return a; b();', 'return a;'],
  [
    'in an inner function',
    'return list.map((x) => { if (x) { return b(x); } else { return c(x); } });',
    'return list.map((x) => { if (!x) return c(x); return b(x); });',
  ],
  ['braces and blocks', 'if (a) { { b(); } c(); }', 'if (a) { b(); c(); }'],
])('%s', (_what, before, after) => {
  expect(same(body(before), body(after))).toBe(true);
  expect(same(body(after), body(before))).toBe(true);
});

test.each([
  [
    'break is not continue',
    'for (const x of list) { if (x) { b(x); } }',
    'for (const x of list) { if (!x) break; b(x); }',
  ],
  ['not turned round', 'if (a) { b(); }', 'if (!a) { b(); }'],
  ['another order', 'if (a && b) { c(); }', 'if (b && a) { c(); }'],
  ['NaN is neither', 'if (a < b) { c(1); } else { c(2); }', 'if (a >= b) { c(2); } else { c(1); }'],
  ['the value of && is more than its truth', 'return a && b;', 'return !(!a || !b);'],
  ['what follows runs in both cases', 'if (a) { b(); } c();', 'if (a) { b(); } else { c(); }'],
  ['else of the inner one', 'if (a) { if (b) { c(1); } else { c(2); } }', 'if (a && b) { c(1); } else { c(2); }'],
  [
    'a return that leaves more than the callback',
    'list.forEach((x) => { if (x) return; b(x); }); c();',
    'for (const x of list) { if (x) return; b(x); } c();',
  ],
  ['a step less', 'if (a) { b(); c(); }', 'if (a) { b(); }'],
  [
    'a jump out of two loops',
    'out: for (const x of list) { for (const y of x) { if (y) continue out; b(y); } }',
    'out: for (const x of list) { for (const y of x) { if (y) continue; b(y); } }',
  ],
  ['a value that comes back', 'if (a) { return b(); }', 'if (a) { b(); }'],
  [
    'a finally in between',
    'for (const x of list) { try { if (x) { b(x); } } finally { c(); } }',
    'for (const x of list) { if (!x) continue; try { b(x); } finally { c(); } }',
  ],
  [
    'another name that is meant',
    'const x = 1; if (a) { const x = 2; b(x); return; } c(x);',
    'const x = 1; if (!a) { c(x); return; } b(x);',
  ],
  [
    'a function that is there before',
    'if (a) { return g(); } function g() { return 1; } return g;',
    'if (a) { return g(); } else { function g() { return 1; } return g; }',
  ],
  ['names that a text looks up', 'if (a) { eval("b()"); return; } c();', 'if (!a) { c(); return; } eval("b()");'],
])('not: %s', (_what, before, after) => {
  expect(same(body(before), body(after))).toBe(false);
});

/**
 * Statements over calls that are written down, conditions that an oracle answers, and names that mean something outside
 * as well; loops end after three turns.
 */
const { statements } = fc.letrec<{ condition: string; statement: string; statements: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.nat(9).map((id) => `ask(${id})`),
    fc.nat(9).map((id) => `ask(${id}) === true`),
    tie('condition').map((one) => `!(${one})`),
    fc.tuple(tie('condition'), tie('condition')).map(([one, other]) => `(${one} && ${other})`),
    fc.tuple(tie('condition'), tie('condition')).map(([one, other]) => `(${one} || ${other})`),
  ),
  statement: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.nat(99).map((id) => `step(${id});`),
    fc.constantFrom(
      'return;',
      'return step(7);',
      'throw step(8);',
      'jump;',
      'leave;',
      '{ const own = step(5); step(own); }',
      'var shared = step(6);',
      ';',
      'step(shared);',
    ),
    fc.tuple(fc.constantFrom('x', 'y'), fc.nat(9)).map(([name, id]) => `const ${name} = step(${id}); step(${name});`),
    fc.constantFrom('x', 'y').map((name) => `step(${name});`),
    fc.tuple(tie('condition'), tie('statements')).map(([condition, then]) => `if (${condition}) { ${then} }`),
    fc
      .tuple(tie('condition'), tie('statements'), tie('statements'))
      .map(([condition, then, otherwise]) => `if (${condition}) { ${then} } else { ${otherwise} }`),
    fc
      .tuple(tie('condition'), tie('statements'))
      .map(([condition, then]) => `if (${condition}) { ${then} return step(3); }`),
    tie('statements').map(
      (inner) =>
        `for (let turn = 0; turn < 3; turn++) { ${inner.replaceAll('jump;', 'continue;').replaceAll('leave;', 'break;')} }`,
    ),
    fc.tuple(tie('statements'), tie('statements')).map(([inner, last]) => `try { ${inner} } finally { ${last} }`),
    tie('statements').map((inner) => `[1, 2].forEach(() => { ${inner.replaceAll(/jump;|leave;/g, 'return;')} });`),
  ),
  statements: fc.array(tie('statement'), { maxLength: 4 }).map((list) => list.join(' ')),
}));

/** What a program did: its steps and questions in order, and how it ended. */
function trace(code: string, answers: readonly boolean[]): unknown[] | null {
  const done: unknown[] = [];
  const step = (id: number) => done.push(id) && id;
  const ask = (id: number) => done.push(`?${id}`) && answers[(done.length * 7 + id) % answers.length];
  let program;
  try {
    program = new Function(
      'step',
      'ask',
      `'use strict';\nconst [x, y, shared] = [100, 200, 300];\nreturn (${code})();`,
    );
  } catch {
    return null;
  }
  try {
    return ['returned', program(step, ask), ...done];
  } catch (thrown) {
    return ['threw', thrown instanceof Error ? thrown.name : thrown, ...done];
  }
}

test.each([
  'if (ask(1)) { return; } else { const x = step(1); } step(x);',
  'step(shared); return; var shared = step(6);',
  'step(shared); if (ask(1)) { throw step(1); } else { return; } { var shared = 1; }',
  'if (ask(1)) { return step(x); } const x = step(1); step(x);',
])('%s', (inner) => {
  const code = `(function () { ${inner} })`;
  for (const answer of [true, false])
    expect(trace(normaliseStatements(code)!.trim().replace(/;$/, ''), [answer])).toEqual(trace(code, [answer]));
});

test('the normal form takes the steps of the program that it was made of', () => {
  let tried = 0;
  fc.assert(
    fc.property(statements, fc.array(fc.boolean(), { minLength: 5, maxLength: 23 }), (inner, answers) => {
      const code = `(function () { ${inner.replaceAll(/jump;|leave;/g, 'return;')} })`;
      const [before, form] = [trace(code, answers), normaliseStatements(code)];
      if (before === null || form === null) return;
      tried++;
      expect(trace(form.trim().replace(/;$/, ''), answers)).toEqual(before);
    }),
    runs(1_500),
  );
  expect(tried).toBeGreaterThan(750);
});

test('what the recipes for ifs and jumps write is proven, but for where they know more than the text', () => {
  const proven = (recipe: string) => {
    const folder = findRecipeCases(recipe);
    const cases = readdirSync(folder).flatMap((name) => {
      const [after, before] = ['after.', 'before.'].map((start) =>
        readdirSync(join(folder, name)).find((file) => file.startsWith(start)),
      );
      return before && after
        ? [
            [before, after].map((file) => emitJavaScript(file, readFileSync(join(folder, name, file), 'utf8'))) as [
              string,
              string,
            ],
          ]
        : [];
    });
    return cases.filter(([before, after]) => areSameSteps(before, after)).length / cases.length;
  };
  expect(
    Object.fromEntries(
      [
        'else-if',
        'merge-if',
        'remove-jump',
        'remove-branch',
        'remove-else',
        'guard-clauses',
        'extract-function',
        'for-of',
      ].map((recipe) => [recipe, Math.round(proven(recipe) * 10) / 10]),
    ),
  ).toEqual({
    'else-if': 1,
    'merge-if': 1,
    'remove-jump': 1,
    'remove-branch': 1,
    'remove-else': 0.9,
    'guard-clauses': 0.6,
    'extract-function': 0,
    'for-of': 0,
  });
});
