// Lists the content of one file, for comparing two trees. Computed only for files that a change touches.

import { replaceCommentsAndStrings } from '../../util/sourceTokens.ts';
import type { CodePiece, Inventory, Language } from '../model.ts';
import { findAnyTypes, listScriptContent } from './script/inventory.ts';
import { isDeclarationFile, parseScript } from './script/parseScript.ts';
import { countTestChecks } from './script/testChecks.ts';
import { isTestFile } from '../paths/tests.ts';
import { LANGUAGE_TABLES } from './tree/languageTables.ts';

/** A file whose content is listed. */
export interface InventoryInput {
  readonly path: string;
  readonly text: string;
  readonly language: Language | null;
  readonly generated: boolean;
}

/**
 * Lists the content of one file. Synchronous and pure. Of broken code, returns the part that can be read. Throws the
 * error of the compiler on code that it cannot handle.
 */
export function listContent({ path, text, language, generated }: InventoryInput): Inventory {
  const isTest = isTestFile(path);
  const sourceFile = parseScript(path, text, language);
  if (sourceFile) {
    const isMeasured = !isTest && !generated && !isDeclarationFile(path);
    const content = isMeasured ? listScriptContent(sourceFile) : { pieces: [], imports: [] };
    return {
      ...content,
      path,
      measured: isMeasured,
      typed: language !== 'javascript',
      anyTypes: findAnyTypes(sourceFile),
      tests: isTest ? countTestChecks(sourceFile) : null,
    };
  }
  const table = language ? LANGUAGE_TABLES[language] : undefined;
  const common = { path, typed: false, imports: [], anyTypes: [] };
  if (!table || generated || isTest)
    return { ...common, measured: false, pieces: [], tests: table && isTest ? countChecksByWords(text) : null };
  return { ...common, measured: true, pieces: [createPieceOfWords(text, table.hashComments)], tests: null };
}

/**
 * A whole file as one piece, read without a compiler: names that are called or accessed, words in strings, decisions.
 */
function createPieceOfWords(text: string, hashComments: boolean): CodePiece {
  const code = hashComments
    ? text.replace(/(?<!["'\w])#.*$/gm, '')
    : replaceCommentsAndStrings(text, /\/\*|\/\/.*$/gm, () => '');
  const calls = [...code.matchAll(/(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)\s*\(/gu)]
    .map(([, name]) => name!)
    .filter((name) => !/^(if|for|while|switch|return|def|func|fn|catch|and|or|not|in)$/.test(name));
  const accessedNames = [...code.matchAll(/\.([\p{L}_][\p{L}\p{N}_]*)/gu)].map(([, name]) => `name ${name}`);
  const words = [...code.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].flatMap(([, doubleQuoted, singleQuoted]) =>
    ((doubleQuoted ?? singleQuoted ?? '').match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `text ${word}`),
  );
  const decisions = code.match(/\b(if|elif|for|while|case|catch|except|and|or|match|when)\b|&&|\|\|/g)?.length ?? 0;
  return {
    name: '',
    dead: false,
    mass: 1,
    decisions,
    shape: '',
    atoms: [...accessedNames, ...words, ...calls.map((name) => `name ${name}`)].sort(),
    calls: calls.sort(),
  };
}

/** The checks of a test file that has no compiler here, counted by the words of test libraries of several languages. */
function countChecksByWords(text: string): NonNullable<Inventory['tests']> {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return {
    cases: count(/\bdef test_|\bfunc Test|#\[test\]|@Test\b|\bTEST(_F)?\(/g),
    skipped: count(/\bskip(If|Unless)?\b|\bSkip(?:f|Now)?\(|#\[ignore|@Disabled|@Ignore|xfail/g),
    assertions: count(
      /\bassert\w*|\bpytest\.raises\b|\brequire\.\w+|\bt\.(?:(?:Error|Fatal)f?|FailNow|Fail)\b|\b(EXPECT|ASSERT)_\w+/g,
    ),
  };
}
