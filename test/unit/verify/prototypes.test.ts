// Methods that a file puts on the prototype of a function that it exports.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../../server/src/core/verify/counterexamples/planSearch.ts';
import type { RecordedCalls } from '../../../server/src/core/verify/guard/recordedCalls.ts';

function planned(code: string, tests: string, recorded: RecordedCalls[string] = {}) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-prototypes-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'code.js'), code);
  writeFileSync(join(root, 'test.js'), tests);
  const plan = planSearch(['code.js'], { 'code.js': ['test.js'] }, createSourceTree(root), openProject, {
    'code.js': recorded,
  });
  const members = plan.subjects.filter(({ member }) => member?.kind === 'method');
  return { members, leftOut: plan.leftOut, named: (name: string) => members.find((one) => one.name === name) };
}

const list = (...of: unknown[]) => ({ $: 'array', of });
const CODE = `module.exports = Shelf;
module.exports.Shelf = Shelf;
function Shelf(books) {
  if (!(this instanceof Shelf)) return new Shelf(books);
  this.books = books;
}
Shelf.prototype.first = function first(prefix, options) {
  return this.books.find((book) => book.startsWith(prefix)) || (options && options.otherwise);
};
Shelf.prototype._hidden = function () { return 1; };
/** @private */
Shelf.prototype.inner = function () { return 1; };
Shelf.prototype.unused = function (a) { return a; };
Shelf.prototype.count = 3;
Object.assign(Shelf.prototype, {
  size() { return this.books.length; },
  *each() { yield this.books; },
  last: function () { return this.books.at(-1); },
});
`;

test('they are called on a new instance, with what the tests pass to both', () => {
  const tests =
    "const Shelf = require('./code');\nconst shelf = new Shelf(['ab', 'c']);\nshelf.size(); shelf.first('a');\n";
  const { members, leftOut, named } = planned(CODE, tests);
  expect(members.map(({ name }) => name)).toEqual(['Shelf.first', 'Shelf.size']);
  expect(named('Shelf.first')).toMatchObject({
    ...{ exportedAs: 'default', access: 'Shelf', guided: true, keys: ['otherwise'] },
    member: { className: 'Shelf', factory: null, name: 'first', kind: 'method' },
    examples: [[list(list('ab', 'c')), list('a')]],
  });
  expect(named('Shelf.size')?.examples).toEqual([[list(list('ab', 'c')), list()]]);
  expect(leftOut).toContainEqual({ path: 'code.js', name: 'Shelf.unused', reason: 'No test shows what it takes.' });
});

test('what the constructor and a method were seen to get counts, too', () => {
  const at = (text: string) => CODE.indexOf(text);
  const recorded = { [at('function Shelf')]: [[list('x')]], [at('function first')]: [['x', null]] } as never;
  const { named } = planned(CODE, "require('./code');\n", recorded);
  expect(named('Shelf.first')?.examples).toEqual([[list(list('x')), list('x', null)]]);
});

test('a file whose methods reach outside or read the clock is left alone, and so is a function that is not exported', () => {
  const outside = CODE.replace('return this.books.length', "return require('fs').readdirSync('.').length");
  const tests = "const Shelf = require('./code');\nnew Shelf(['ab']).size();\n";
  expect(planned(outside, tests).members).toEqual([]);
  const clock = CODE.replace('return this.books.length', 'return Date.now()');
  expect(planned(clock, tests).members.map(({ readsClock }) => readsClock)).toEqual([true]);
  const local = CODE.replace(/module\.exports.*\n/g, '');
  expect(planned(local, tests).members).toEqual([]);
});

test('a method that is assigned twice is the later one', () => {
  const code = `${CODE}/** @private */\nShelf.prototype.size = function size() { return this.books; };\n`;
  const tests = "const Shelf = require('./code');\nnew Shelf(['ab']).size();\nnew Shelf(['ab']).last();\n";
  expect(planned(code, tests).members.map(({ name }) => name)).toEqual(['Shelf.last']);
  const open = planned(code.replace('/** @private */\nShelf.prototype.size', 'Shelf.prototype.size'), tests);
  expect(open.members.map(({ name, range }) => [name, range.startLine])).toEqual([
    ['Shelf.size', 20],
    ['Shelf.last', 18],
  ]);
});
