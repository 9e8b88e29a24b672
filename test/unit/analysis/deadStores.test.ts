// Which stores are dead for certain, which may be meant, and how long the search takes.

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { finder } from '../../../server/src/core/rules/bug-pattern/find.ts';

function messagesFor(code: string): string[] {
  const file = ts.createSourceFile('/r/a.ts', code, ts.ScriptTarget.Latest, true);
  const messages: string[] = [];
  const visit = (node: ts.Node): void => {
    const found = finder.nodes.includes(node.kind) ? finder.find(node, file) : null;
    for (const { message } of [found ?? []].flat()) messages.push(message);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return messages;
}

test.each([
  ['local', 'let x; x = a * 2; log(); x = a * 3; return x;'],
  ['a parameter', 'a = 1; log(); a = 2; return a;'],
  ['in a pattern', 'let { x } = a; x = 1; x = 2; return x;'],
  ['of a loop', 'for (let x of a) { x = 1; x = 2; log(x); }'],
])('a dead store: %s', (_, body) => {
  expect(messagesFor(`export function f(a) { ${body} }`)).toEqual([
    expect.stringContaining('gets another value below'),
  ]);
});

test.each([
  ['a variable of the module that a loop names again', 'y = 1; draw(); y = 2; for (const y of a) use(y);'],
  ['a variable of the module and a caught one', 'y = 1; draw(); y = 2; try { g(); } catch (y) { log(y); }'],
  ['a declaration in another block', '{ let y = 3; log(y); } y = 1; draw(); y = 2;'],
  ['a property that may be a getter', 'let x; x = a.offsetHeight; a.grow(); x = 5; return x;'],
  ['an element', 'let x; x = a[0]; x = a[1]; return x;'],
  ['`eval`', "let x; x = 1; eval('g(x)'); x = 2; return x;"],
  ['`debugger`', 'let x; x = 1; debugger; x = 2; return x;'],
  ['a text that is wiped', "let x; x = a; x = ''; return x;"],
  ['a number that is wiped', 'let x; x = a; x = 0; return x;'],
  ['a list that is wiped', 'let x; x = a; x = []; return x;'],
  ['an empty beginning', "let x; x = ''; log(); x = a; return x;"],
  ['a class that reads it', 'let x; class C { y = x; } x = 1; new C(); x = 2; return x;'],
  ['a variable whose assignment has an effect', 'let x = $state(1); x = 2; tick(); x = 3; return x;'],
  ['far below', `let x; x = 1; ${'log();'.repeat(20)} x = 2; return x;`],
])('no dead store: %s', (_, body) => {
  expect(messagesFor(`let y;\nexport function f(a) { ${body} }`)).toEqual([]);
});

test('thousands of stores in one function take no longer for each of them', () => {
  const names = Array.from({ length: 4000 }, (_, at) => `v${at}`);
  const lines = names.map((name) => `${name} = p + 1; x = p * 2;`).join('\n');
  const before = process.cpuUsage().user;
  expect(messagesFor(`export function f(p) { let x, ${names.join(', ')};\n${lines}\nreturn x; }`)).toHaveLength(3999);
  expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(8);
});

test.each([
  ['await await a;', ['the second `await` only delays: the first one has given the value already.']],
  ['// Two ticks.\n  await await null;', []],
  ['await /* a second tick */ await a;', []],
])('%j', (body, messages) => {
  expect(messagesFor(`export async function f(a) {\n  ${body}\n}`)).toEqual(messages);
});
