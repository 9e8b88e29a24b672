// Detects how a test file is written: its runner, its assertions, and whether it groups its tests.

import { ts } from 'ts-morph';
import { detectStyle, hasTrailingCommas, detectLineWidth, type Style } from '../fileStyle.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { findRequireCalls } from './requireCalls.ts';
import { findDescribeHelper, findRunSuites } from './uvuSuites.ts';

/** Test runners for which tests can be written. */
export type Framework = 'vitest' | 'jest' | 'mocha' | 'node' | 'ava' | 'tape' | 'tap' | 'uvu';

/**
 * The assertions of a test file.
 * - `expect`: that of Vitest and Jest.
 * - `chai`: `expect` of Chai. `chaiAssert`: `assert` of Chai.
 * - `strict`, `assert`: Node's assert, whose `equal` is strict or not.
 * - `ava`, `tape`, `tap`: the methods of the argument of a test.
 * - `uvu`: the module `uvu/assert`.
 */
export type AssertionLibrary = 'expect' | 'chai' | 'chaiAssert' | 'strict' | 'assert' | 'ava' | 'tape' | 'tap' | 'uvu';

/** The style of a file's tests. */
export interface TestStyle {
  readonly framework: Framework;
  readonly assertion: AssertionLibrary;
  /**
   * The name of the object with the assertions: Node's, Chai's or uvu's `assert` in the file, the argument of a test of
   * tape or tap, or `t.assert` for the argument of `node:test`. Empty for other assertions.
   */
  readonly assertName: string;
  /** Functions of `uvu/assert` that the file imports by name; absent with other assertions. */
  readonly assertNames?: readonly string[];
  /** The function that defines a test: `it`, `test`, `t.test`, or that of a suite of uvu. */
  readonly call: string;
  /** True if the file puts tests into groups by `describe`. */
  readonly hasGroups: boolean;
  /**
   * The parameters of the function of a group, if the file declares its own `describe`, which passes `it` to it;
   * otherwise absent.
   */
  readonly groupParameters?: string;
  /** True for a file with `require` and without `import`. */
  readonly isCommonJs: boolean;
  /** The parameters of a test's function: `()`, `t`. */
  readonly parameters: string;
  /** False if the file uses only the syntax of old engines, which have no arrow functions. */
  readonly usesArrows: boolean;
  readonly isTypeScript: boolean;
  /**
   * The expression with which the file creates a spy, and the member that holds the recorded arguments; null if it has
   * no spies.
   */
  readonly spy: { readonly creation: string; readonly callsMember: string } | null;
  /** True if the functions of the runner are imported. */
  readonly importsRunner: boolean;
  readonly style: Style;
  /** Maximum length of the lines of the file. */
  readonly lineWidth: number;
  /** True if its lists and objects on several lines end with a comma. */
  readonly usesTrailingCommas: boolean;
}

/** Maximum number of characters that are searched for the function of a test, from the start of the test. */
const MAX_HEAD_LENGTH = 300;

/** Runners that files import, and the modules that provide them. */
const IMPORTED_FRAMEWORKS: readonly { readonly framework: Framework; readonly modules: readonly string[] }[] = [
  { framework: 'vitest', modules: ['vitest'] },
  { framework: 'jest', modules: ['@jest/globals'] },
  { framework: 'node', modules: ['node:test', 'test'] },
  { framework: 'ava', modules: ['ava'] },
];

/** A local name that an import or a `require` call binds. */
interface Binding {
  readonly name: string;
  /**
   * The imported name: `default` for a default import or a whole required module, `*` for a namespace, and with a dot
   * the property of a required module, such as `.expect` or `.strict`.
   */
  readonly imported: string;
  readonly from: string;
}

/**
 * Detects the style of the tests in a file; null if it is not recognised. `runner`: the runner of the repository's test
 * command, which decides for files that use globals.
 */
export function detectTestStyle(file: ts.SourceFile, runner: string | null): TestStyle | null {
  const bindings = collectBoundNames(file);
  const calls = collectDescendants(file).flatMap((node) =>
    ts.isCallExpression(node) ? (findCalledName(node.expression) ?? []) : [],
  );
  const countCalls = (name: string) => calls.filter((call) => call === name).length;
  const importsFrom = (...modules: readonly string[]) => bindings.some((bound) => modules.includes(bound.from));
  const importedFramework = IMPORTED_FRAMEWORKS.find(({ modules }) => importsFrom(...modules));
  const framework = importedFramework?.framework ?? (isGlobal(runner) ? runner : null);
  const otherStyle =
    framework === null ? (readTapeStyle(bindings, file, runner) ?? readUvuStyle(bindings, file)) : null;
  if (otherStyle) return otherStyle;
  if (framework === null || countCalls('it') + countCalls('test') === 0) return null;
  const assertOfArgument = framework === 'node' ? findAssertOfArgument(file.text) : null;
  const assertion = findAssertion(bindings, framework, countCalls('expect') > 0) ?? assertOfArgument;
  const argument = /\b(?:test|it)(?:\.\w+)?\([^\n]*?[,(] ?(?:async )?(\(t\)|t) => /.exec(file.text)?.[1] ?? '(t)';
  return (
    assertion && {
      framework,
      ...assertion,
      call: countCalls('it') > countCalls('test') ? 'it' : 'test',
      hasGroups: countCalls('describe') > 0,
      isCommonJs: findRequireCalls(file).length > 0 && !file.statements.some(ts.isImportDeclaration),
      importsRunner: importsFrom('vitest', '@jest/globals', 'node:test', 'test'),
      parameters: framework === 'ava' ? argument : assertion === assertOfArgument ? assertOfArgument.parameters : '()',
      // A file without arrow functions may be linted for old engines, so it gets none.
      usesArrows: /=>/.test(file.text) || !/\bfunction\b/.test(file.text),
      isTypeScript: isTypeScript(file),
      spy: findSpy(bindings, framework, file.text),
      style: detectStyle(file.text),
      lineWidth: detectLineWidth(file.text),
      usesTrailingCommas: hasTrailingCommas(file.text),
    }
  );
}

/** Detects the style of a file for tape or tap, whose tests end with `t.end()`; null for another file. */
function readTapeStyle(bound: readonly Binding[], file: ts.SourceFile, runner: string | null): TestStyle | null {
  const testFunction = bound.find(
    ({ imported, from }) =>
      (from === 'tape' && imported === 'default') ||
      // A helper of the repository may re-export tape.
      (runner === 'tape' && from.startsWith('.') && /^\.?(?:test|tape)$/.test(imported)) ||
      (from === 'tap' && ['default', 'test', '.test'].includes(imported)),
  );
  if (!testFunction) return null;
  const call =
    testFunction.from === 'tap' && testFunction.imported === 'default'
      ? `${testFunction.name}.test`
      : testFunction.name;
  const framework = testFunction.from === 'tap' ? 'tap' : 'tape';
  const usesArrows = /=>|^(?:const|let|import)\b/m.test(file.text);
  const start = file.text.indexOf(`${call}(`);
  const head = start < 0 ? '' : file.text.slice(start, start + MAX_HEAD_LENGTH);
  const parameterMatch = /, (?:async )?(?:function \((\w+)\)|(\(?(\w+)\)?) =>)/.exec(head);
  const assertName = parameterMatch?.[1] ?? parameterMatch?.[3] ?? (testFunction.name === 't' ? 'ct' : 't');
  return {
    framework,
    assertion: framework,
    assertName,
    call,
    hasGroups: false,
    isCommonJs: !file.statements.some(ts.isImportDeclaration),
    importsRunner: true,
    isTypeScript: isTypeScript(file),
    spy: null,
    parameters: usesArrows ? (parameterMatch?.[2] ?? `(${assertName})`) : `(${assertName})`,
    usesArrows: usesArrows,
    style: detectStyle(file.text),
    lineWidth: detectLineWidth(file.text),
    usesTrailingCommas: hasTrailingCommas(file.text),
  };
}

/** Detects the style of a file for uvu; null for another file, or if no suite runs at its top level. */
function readUvuStyle(bound: readonly Binding[], file: ts.SourceFile): TestStyle | null {
  const findNamed = (name: string) =>
    bound.find(({ imported, from }) => from === 'uvu' && imported.replace(/^\./, '') === name)?.name;
  const suites = findRunSuites(file);
  const namespace = bound.find(({ imported, from }) => from === 'uvu' && imported === '*')?.name;
  const test = findNamed('test') ?? (namespace === undefined ? undefined : `${namespace}.test`);
  const group = suites.length === 0 ? findDescribeHelper(file) : null;
  const call = group?.call ?? (test !== undefined && suites.includes(test) ? test : suites.at(-1));
  const assertBindings = bound.filter(({ from }) => from === 'uvu/assert');
  if ((test ?? findNamed('suite')) === undefined || call === undefined || assertBindings.length === 0) return null;
  const wholeModule = assertBindings.find(({ imported }) => imported === '*' || imported === 'default');
  const usesArrows = /=>|^(?:const|let|import)\b/m.test(file.text);
  return {
    framework: 'uvu',
    assertion: 'uvu',
    assertName: wholeModule?.name ?? '',
    assertNames: assertBindings
      .filter(({ name, imported }) => imported.replace(/^\./, '') === name)
      .map(({ name }) => name),
    call,
    hasGroups: group !== null,
    ...(group && { groupParameters: group.parameters }),
    isCommonJs: !file.statements.some(ts.isImportDeclaration),
    importsRunner: true,
    parameters: '()',
    usesArrows: usesArrows,
    isTypeScript: isTypeScript(file),
    spy: findSpy(bound, 'uvu', file.text),
    style: detectStyle(file.text),
    lineWidth: detectLineWidth(file.text),
    usesTrailingCommas: hasTrailingCommas(file.text),
  };
}

function isTypeScript({ fileName }: ts.SourceFile): boolean {
  return /\.[cm]?tsx?$/.test(fileName);
}

/** Finds the spies of Vitest and Jest, or those of Sinon that the file imports; null if it uses none. */
function findSpy(bound: readonly Binding[], framework: Framework, text: string): TestStyle['spy'] {
  const isUsed = (name: string) => bound.some((binding) => binding.name === name);
  if (framework === 'vitest' && (isUsed('vi') || /\bvi\.fn\(/.test(text)))
    return { creation: 'vi.fn()', callsMember: '.mock.calls' };
  if (framework === 'jest' && (isUsed('jest') || /\bjest\.fn\(/.test(text)))
    return { creation: 'jest.fn()', callsMember: '.mock.calls' };
  const sinonBinding = bound.find(({ from, imported }) => from === 'sinon' && /^(?:default|\*|\.?spy)$/.test(imported));
  if (!sinonBinding) return null;
  const isSpy = sinonBinding.imported.endsWith('spy');
  return { creation: isSpy ? `${sinonBinding.name}()` : `${sinonBinding.name}.spy()`, callsMember: '.args' };
}

/** The name of the called function: `test` for `test` and for `test.each`; null for other expressions. */
function findCalledName(callee: ts.Expression): string | null {
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? findCalledName(callee.expression) : null;
}

/** True for Vitest, Jest and Mocha, whose functions may be global. */
function isGlobal(name: string | null): name is Framework {
  return name === 'vitest' || name === 'jest' || name === 'mocha';
}

/**
 * Finds the assertions that `node:test` passes in the argument of a test: `t => { t.assert.equal(…) }`. Like those of
 * `node:assert`, they are not strict. `parameters`: those of the function. Null if no test of the file uses such an
 * argument.
 */
function findAssertOfArgument(
  text: string,
): (Pick<TestStyle, 'assertion' | 'assertName'> & { readonly parameters: string }) | null {
  const test = /\b(?:test|it)\([^\n]*?, ?(?:async )?(\((\w+)\)|\w+) => /.exec(text);
  const parameters = test?.[1];
  if (parameters === undefined) return null;
  const name = test?.[2] ?? parameters;
  const usesAssertions = text.includes(`${name}.assert.`);
  return usesAssertions ? { assertion: 'assert', assertName: `${name}.assert`, parameters } : null;
}

/** Finds the assertions that the file imports or, for `expect`, has as a global; null if none is recognised. */
function findAssertion(
  bound: readonly Binding[],
  framework: Framework,
  usesExpect: boolean,
): Pick<TestStyle, 'assertion' | 'assertName'> | null {
  if (framework === 'ava') return { assertion: 'ava', assertName: '' };
  const importsName = (name: string, ...modules: readonly string[]) =>
    bound.find((bound) => bound.imported === name && modules.includes(bound.from));
  const findWholeModule = (...modules: readonly string[]) =>
    bound.find(({ imported, from }) => (imported === 'default' || imported === '*') && modules.includes(from));
  if (usesExpect && (importsName('expect', 'vitest', '@jest/globals', 'expect') || findWholeModule('expect')))
    return { assertion: 'expect', assertName: '' };
  if (
    usesExpect &&
    (importsName('expect', 'chai') || bound.some(({ imported, from }) => imported === '.expect' && from === 'chai'))
  )
    return { assertion: 'chai', assertName: '' };
  if (usesExpect && (framework === 'vitest' || framework === 'jest')) return { assertion: 'expect', assertName: '' };
  const strict =
    findWholeModule('node:assert/strict', 'assert/strict') ??
    importsName('strict', 'node:assert', 'assert') ??
    bound.find(({ imported, from }) => imported === '.strict' && /^(?:node:)?assert$/.test(from));
  if (strict) return { assertion: 'strict', assertName: strict.name };
  const plainAssert = findWholeModule('node:assert', 'assert');
  if (plainAssert) return { assertion: 'assert', assertName: plainAssert.name };
  // Vitest re-exports the assertions of Chai.
  const chai =
    importsName('assert', 'chai', 'vitest') ??
    bound.find(({ imported, from }) => imported === '.assert' && from === 'chai');
  return chai ? { assertion: 'chaiAssert', assertName: chai.name } : null;
}

/** Collects the names that imports and `require` calls at the top level of the file bind. */
function collectBoundNames(file: ts.SourceFile): readonly Binding[] {
  const importedNames = file.statements.flatMap((statement): Binding[] => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const from = statement.moduleSpecifier.text;
    const { importClause: clause } = statement;
    const bindings = clause?.namedBindings;
    return [
      ...(clause?.name ? [{ name: clause.name.text, imported: 'default', from }] : []),
      ...(bindings && ts.isNamespaceImport(bindings) ? [{ name: bindings.name.text, imported: '*', from }] : []),
      ...(bindings && ts.isNamedImports(bindings)
        ? bindings.elements.map(({ name, propertyName }) => ({
            name: name.text,
            imported: (propertyName ?? name).text,
            from,
          }))
        : []),
    ];
  });
  const requiredNames = findRequireCalls(file).flatMap(({ names, from }) => names.map((name) => ({ ...name, from })));
  return [...importedNames, ...requiredNames];
}
