// Variables and parameters say what they hold: words that need another word are not their names.

import ts from 'typescript';
import { expect, test } from 'vitest';
import { projectFiles, read } from './sourceFiles.ts';

/** The table of words in CONTRIBUTING.md has better ones. */
const EMPTY_WORDS = new Set(['one', 'begun', 'told', 'asked', 'around', 'without']);
/** Matches every declaration of such a name, and some other text: parsing all files would take long. */
const MAY_DECLARE = new RegExp(
  String.raw`(?:[({[,:]\s*|\.\.\.|(?:const|let)\s+)(?:${[...EMPTY_WORDS].join('|')})\s*[,)\]}:=?]`,
);

test('no variable or parameter has an empty word as its name', () => {
  const sources = projectFiles('.ts').filter((path) => /^(server|client|webview)\/src\//.test(path));
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
])('%s has one', (text, names) => {
  expect(text).toMatch(MAY_DECLARE);
  expect(findEmptyNames('a.ts', text).map((found) => found.split(' ').at(-1))).toEqual(names);
});

test('a property keeps its name, and what takes it out of an object', () => {
  expect(findEmptyNames('a.ts', 'const { asked } = event; call({ one: 1 }); interface A { without: string }')).toEqual(
    [],
  );
});

/** Names of variables and parameters, except those that come from a property of the same name. */
function findEmptyNames(path: string, text: string): string[] {
  const sourceFile = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const isShorthand = ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.propertyName;
    if (ts.isParameter(node) || ts.isVariableDeclaration(node) || (ts.isBindingElement(node) && !isShorthand))
      if (ts.isIdentifier(node.name) && EMPTY_WORDS.has(node.name.text))
        names.push(`${path}:${sourceFile.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.name.text}`);
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return names;
}
