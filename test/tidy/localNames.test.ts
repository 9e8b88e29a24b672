// Names say what they hold: words that need another word are not the names of variables and parameters, and some are not
// the names of properties of internal types either.

import ts from 'typescript';
import { expect, test } from 'vitest';
import { projectFiles, read } from './sourceFiles.ts';

/** The table of words in CONTRIBUTING.md has better ones. */
const EMPTY_WORDS = new Set(
  `again apart around asked begun chosen concerned documented edited existing filed fixed found fresh given good here
  imported judged known late living marked measured more most near nothing off once one only opened own rest said same
  seeded seen steady taken told tried twice unasked unread unrun updated what whole without written wrong`.split(/\s+/),
);
/** Empty words that no internal type uses for a property. */
const EMPTY_PROPERTIES = new Set(
  'apart filed fresh late near nothing off other said steady twice unread what'.split(' '),
);
/** Types of what is stored, sent, printed, or written by a program in another language. */
const KEEPS_PROPERTIES =
  /^server\/src\/(?:protocol\/|cli\/|core\/(?:ledger|model)(?:\/|\.ts)|core\/verify\/guard\/go\/calls\/program\.ts)/;
/** Matches every declaration of such a name, and some other text: parsing all files would take long. */
const MAY_DECLARE = new RegExp(
  String.raw`(?:[({[,:]\s*|\.\.\.|(?:const|let)\s+)(?:${[...EMPTY_WORDS].join('|')})\s*[,)\]}:=?]`,
);
const MAY_DECLARE_PROPERTY = new RegExp(String.raw`\b(?:${[...EMPTY_PROPERTIES].join('|')})\??:`);

test('no variable or parameter has an empty word as its name', () => {
  const sources = projectFiles('.ts').filter((path) => /^(server|client|webview)\/src\//.test(path));
  const names = sources.flatMap((path) => {
    const text = read(path);
    return MAY_DECLARE.test(text) ? findEmptyNames(path, text) : [];
  });
  expect(names).toEqual([]);
});

test('no property of an internal type has an empty word as its name', () => {
  const sources = projectFiles('.ts').filter(
    (path) => /^(server|client|webview)\/src\//.test(path) && !KEEPS_PROPERTIES.test(path),
  );
  expect(sources.flatMap((path) => findEmptyProperties(path, read(path)))).toEqual([]);
});

test('a property with an empty word as its name is found', () => {
  const text =
    'interface Answer { readonly late: boolean; late(): void }\ntype Place = { said?: string; text: string };';
  expect(findEmptyProperties('a.ts', text)).toEqual(['a.ts:1 late', 'a.ts:2 said']);
});

test('the guide for contributors knows how many words these are', () => {
  expect(read('CONTRIBUTING.md')).toContain(
    `knows ${EMPTY_WORDS.size} such words, and ${EMPTY_PROPERTIES.size} for properties of internal types`,
  );
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

test('the name of a property may be the name of the variable that takes it out of an object', () => {
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

/** Names of properties in types. Only a text that may declare one is parsed. */
function findEmptyProperties(path: string, text: string): string[] {
  if (!MAY_DECLARE_PROPERTY.test(text)) return [];
  const sourceFile = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && ts.isIdentifier(node.name) && EMPTY_PROPERTIES.has(node.name.text))
      names.push(`${path}:${sourceFile.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.name.text}`);
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return names;
}
