// Variables, parameters and properties of internal types say what they hold: words that need another word are not their
// names.

import ts from 'typescript';
import { expect, test } from 'vitest';
import { projectFiles, read } from './sourceFiles.ts';

/** The table of words in CONTRIBUTING.md has better ones. */
const EMPTY_WORDS = new Set(
  [
    ...['one', 'begun', 'told', 'asked', 'around', 'without', 'again', 'what', 'given', 'fresh', 'most', 'then'],
    ...['tell', 'tells', 'telling', 'seen', 'whole', 'own', 'near', 'late', 'anew', 'varied'],
  ].sort(),
);
/** Matches every declaration of such a name, and some other text: parsing all files would take long. */
const MAY_DECLARE = new RegExp(
  String.raw`(?:[({[,:;]\s*|^\s*|\.\.\.|(?:const|let|readonly)\s+)(?:${[...EMPTY_WORDS].join('|')})\??\s*[,)\]}:=?(]`,
  'm',
);
/** Types whose properties are stored, sent or public: they keep their names. */
const STORED = [
  /^server\/src\/(?:protocol|settings|core\/model|core\/ledger)\//,
  /^server\/src\/core\/model\.ts$/,
  // Options of commands have the names that people type.
  /^server\/src\/cli\//,
];
/** Folders whose names are still those of before. A folder leaves this list when its names are changed. */
const NOT_RENAMED = [
  /^server\/src\/(?:core\/learn|core\/session\/learn|core\/run|app\/nights)\//,
  /^server\/src\/adapters\/(?:run|harness|agents\/acp)\//,
  /^server\/src\/core\/(?:verify\/guard|session\/analyse\/unguarded|rules\/(?:bug-pattern|vacuous-assertion|lost-cause))\//,
];

test('no variable, parameter or property of an internal type has an empty word as its name', () => {
  const sources = projectFiles('.ts')
    .filter((path) => /^(server|client|webview)\/src\//.test(path))
    .filter((path) => !NOT_RENAMED.some((pattern) => pattern.test(path)));
  const names = sources.flatMap((path) => {
    const text = read(path);
    return MAY_DECLARE.test(text) ? findEmptyNames(path, text) : [];
  });
  expect(names).toEqual([]);
});

test.each([
  ['const one = 1;', ['one']],
  ['list.map((one) => one.id);', ['one']],
  ['const [first, asked] = texts;', ['asked']],
  ['const { length: around } = list;', ['around']],
  ['function judge(without: string) {}', ['without']],
  ['interface Options { readonly again?: boolean }', ['again']],
  ['type Find = { readonly id: string; readonly given: readonly string[] };', ['given']],
  ['interface Watch { tell(text: string): void }', ['tell']],
])('%s has one', (text, names) => {
  expect(text).toMatch(MAY_DECLARE);
  expect(findEmptyNames('a.ts', text).map((found) => found.split(' ').at(-1))).toEqual(names);
});

test('what a property of another type is called is not decided where it is read or set', () => {
  expect(findEmptyNames('a.ts', 'const { asked } = event; call({ one: 1 });')).toEqual([]);
});

test('a stored type keeps its properties', () => {
  const text = 'export interface Event { readonly again: true }';
  expect(findEmptyNames('server/src/core/model/nights.ts', text)).toEqual([]);
  expect(findEmptyNames('server/src/core/verify/gate.ts', text)).toHaveLength(1);
});

/** Names of variables, parameters and declared properties, except variables that come from a property of that name. */
function findEmptyNames(path: string, text: string): string[] {
  const sourceFile = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const isStored = STORED.some((pattern) => pattern.test(path));
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const isShorthand = ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.propertyName;
    const isVariable =
      ts.isParameter(node) || ts.isVariableDeclaration(node) || (ts.isBindingElement(node) && !isShorthand);
    const isProperty = !isStored && (ts.isPropertySignature(node) || ts.isMethodSignature(node));
    if ((isVariable || isProperty) && ts.isIdentifier(node.name) && EMPTY_WORDS.has(node.name.text))
      names.push(`${path}:${sourceFile.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.name.text}`);
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return names;
}
