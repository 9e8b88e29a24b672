// Plans the calls of the functions of a Go package: reads its files, skips functions with outside effects, and creates
// calls.

import type { Tree } from 'web-tree-sitter';
import type { SkippedFunction } from '../../../counterexamples/plan.ts';
import type { TreeParser } from '../../parsedMutants.ts';
import { collectDeclarations, getRanges, type GoFunction, type ParsedGoFile } from './declarations.ts';
import { findOutsideEffects, collectImportPaths } from './effects.ts';
import { findExampleCalls } from './examples.ts';
import { readGoVocabulary } from './ordinary.ts';
import { createCalls, findMakers, explainNotCalled, type Materials } from './inputs.ts';
import type { GoPackagePlan, GoSubject, GoTestFile } from './plan.ts';

const TEST_PATTERN = /_test\.go$/;
/** Matches a file that belongs to no build, and is often a separate program. */
const IGNORED_PATTERN = /^\/\/(?:go:build| \+build) ignore\b/m;
const LICENCE_PATTERN = /copyright|licen[cs]e|spdx/i;
/** Matches functions and methods that are not called: entry points, and methods that print a value. */
const NOT_CALLED = /^(?:main|init|String|GoString|Format)$/;

/**
 * The plan for one package. `files`: all of its Go files. `paths`: the files whose exported functions are called. Null
 * if none of these can be parsed and built.
 */
export async function planGoCalls(
  parser: TreeParser<'go'>,
  {
    folder,
    files,
    paths,
  }: {
    readonly folder: string;
    readonly files: readonly { readonly path: string; readonly text: string }[];
    readonly paths: readonly string[];
  },
): Promise<GoPackagePlan | null> {
  const trees: Tree[] = [];
  try {
    const parsed: ParsedGoFile[] = [];
    for (const { path, text } of files) {
      const tree = await parser.parse('go', text);
      if (!tree) continue;
      trees.push(tree);
      parsed.push({ path, text, root: tree.rootNode });
    }
    return planPackage(folder, parsed, paths);
  } finally {
    for (const tree of trees) tree.delete();
  }
}

function planPackage(folder: string, parsed: readonly ParsedGoFile[], paths: readonly string[]): GoPackagePlan | null {
  const tests = parsed.filter(({ path }) => TEST_PATTERN.test(path));
  const builtFiles = parsed.filter(({ path, text }) => !TEST_PATTERN.test(path) && !IGNORED_PATTERN.test(text));
  const [firstSource] = builtFiles.filter(({ path }) => paths.includes(path));
  if (!firstSource) return null;
  const packageName = getPackageName(firstSource);
  const sources = builtFiles.filter((file) => getPackageName(file) === packageName);
  const declarations = collectDeclarations(sources);
  const effectByDeclaration = findOutsideEffects(sources, declarations.functions);
  const examples = findExampleCalls(tests, new Set(declarations.constants.keys()));
  const makers = findMakers(declarations.functions, declarations, ({ name }) => !effectByDeclaration.has(name));
  const callsInCode = findExampleCalls(sources, new Set());
  const vocabulary = readGoVocabulary([...sources, ...tests].map(({ root }) => root));
  const materials: Materials = { declarations, examples, callsInCode, vocabulary, makers };
  const skipped: SkippedFunction[] = [];
  const subjects: GoSubject[] = [];
  for (const candidate of declarations.functions) {
    if (!paths.includes(candidate.path) || !isSubject(candidate)) continue;
    const foreignUse = effectByDeclaration.get(candidate.name);
    const reason = foreignUse === undefined ? explainNotCalled(candidate, materials) : `It uses ${foreignUse}.`;
    if (reason !== null) skipped.push({ path: candidate.path, name: candidate.name, reason });
    else
      subjects.push({
        ...{
          path: candidate.path,
          name: candidate.name,
          receiver: candidate.receiver?.name ?? null,
          results: candidate.results,
        },
        ...getRanges(candidate.node),
        calls: createCalls(candidate, materials),
      });
  }
  const declaredNames = [...declarations.functions.map(({ name }) => name), ...declarations.constants.keys()];
  return {
    ...{ folder, packageName, subjects, leftOut: skipped },
    testFiles: tests.map((file) => readTestFile(file, packageName, folder)),
    taken: [...declarations.functions, ...collectDeclarations(tests).functions].map(({ name }) => name),
    must: findMustFunctions(declarations.functions),
    types: Object.fromEntries(declarations.types),
    declared: declaredNames,
    licences: Object.fromEntries(sources.flatMap((file) => extractLicence(file))),
  };
}

/** True for exported functions, and for exported methods of exported types, except those that `NOT_CALLED` matches. */
function isSubject({ name }: GoFunction): boolean {
  return name.split('.').every((part) => /^[A-Z]/.test(part)) && !NOT_CALLED.test(name.slice(name.indexOf('.') + 1));
}

function getPackageName(file: ParsedGoFile): string {
  return findPackageClause(file)?.namedChildren[0]?.text ?? '';
}

function findPackageClause({ root }: ParsedGoFile) {
  return root.namedChildren.find(({ type }) => type === 'package_clause') ?? null;
}

function readTestFile(file: ParsedGoFile, packageName: string, folder: string): GoTestFile {
  const importDeclarations = file.root.namedChildren.filter(({ type }) => type === 'import_declaration');
  const [firstDeclaration] = importDeclarations;
  const imports = collectImportPaths(file);
  // The name of an import is certain only if the file uses it.
  const usedNames = new Set(
    file.root.descendantsOfType('selector_expression').map((node) => node?.namedChild(0)?.text),
  );
  const packageImport = [...imports].find(
    ([name, path]) => (name === packageName || path.endsWith(`/${folder}`)) && usedNames.has(name),
  );
  const [from, to] = firstDeclaration
    ? [firstDeclaration.startPosition.row, firstDeclaration.endPosition.row + 1]
    : [0, 0];
  return {
    path: file.path,
    packageName: getPackageName(file),
    qualifier: getPackageName(file) === packageName ? null : (packageImport?.[0] ?? null),
    packageEnd: findPackageClause(file) === null ? 0 : findPackageClause(file)!.endPosition.row + 1,
    imports: firstDeclaration ? { from, to, lines: file.text.split('\n').slice(from, to) } : null,
    imported: [...imports.values()],
    lines: file.text.replace(/\n$/, '').split('\n').length,
  };
}

/** Maps functions to functions such as `Must(v *Version, err error) *Version` that take their results. */
function findMustFunctions(functions: readonly GoFunction[]): Readonly<Record<string, string>> {
  const mustFunctions = functions.filter(
    ({ name, receiver, parameters: [value, error, ...otherParameters], results }) =>
      /^Must/.test(name) &&
      !receiver &&
      error?.type === 'error' &&
      otherParameters.length === 0 &&
      results.length === 1 &&
      results[0] === value?.type,
  );
  return Object.fromEntries(
    functions.flatMap(({ name, results }) => {
      const mustFunction =
        results.length === 2 && mustFunctions.find((candidate) => candidate.results[0] === results[0]);
      return mustFunction ? [[name, mustFunction.name]] : [];
    }),
  );
}

/** The comment at the start of a file, if it is about the licence. */
function extractLicence({ path, text }: ParsedGoFile): readonly (readonly [string, string])[] {
  const comment = /^(?:\/\/[^\n]*\n)+/.exec(text)?.[0].trimEnd();
  return comment !== undefined && LICENCE_PATTERN.test(comment) ? [[path, comment]] : [];
}
