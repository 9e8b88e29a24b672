// Finds the methods that a file adds to the prototype of an exported function, as in JavaScript without classes.

import { ts } from 'ts-morph';
import { findReferencedNames } from '../differential/declarations.ts';
import { findRecordedCalls } from '../guard/recorders.ts';
import { readsClock, usesClock } from './clock.ts';
import { getNodeRange, type ExaminedFile } from './examinedFile.ts';
import type { ExportedFunction } from './exportedFunctions.ts';
import { combineParameters, type Lists } from './members.ts';
import { collectOptionNames } from './optionNames.ts';
import { collectReachedNames, findOutsideName } from './outsideNames.ts';
import { SIGNED_PATTERN } from './parameters.ts';
import type { ExampleValue, SkippedFunction, Subject } from './plan.ts';
import { isForItsPackage } from './privateTag.ts';

/** Maximum number of examples of a method. Each has one argument list for the constructor and one for the method. */
const MAX_EXAMPLES = 120;
const SyntaxKind = ts.SyntaxKind;

interface Method {
  readonly name: string;
  readonly nameNode: ts.Node;
  readonly code: ts.FunctionExpression | ts.MethodDeclaration;
  /** The node to which the comment of the method belongs. */
  readonly place: ts.Node;
}

/** The methods of these functions that tests use on instances, and the skipped ones. `tests`: the test files. */
export function findPrototypeMethods(
  functions: readonly ExportedFunction[],
  tests: readonly ts.Node[],
  examinedFile: ExaminedFile,
): { readonly subjects: readonly Subject[]; readonly leftOut: readonly SkippedFunction[] } {
  const subjects: Subject[] = [];
  const skipped: SkippedFunction[] = [];
  const constructors = new Map(functions.map((exportedFunction) => [exportedFunction.declaration, exportedFunction]));
  for (const maker of constructors.values()) {
    const allMethods = collectMethods(maker, examinedFile.code);
    // A later assignment replaces an earlier one.
    for (const method of new Map(allMethods.map((candidate) => [candidate.name, candidate])).values()) {
      const subject = createSubject(method, maker, allMethods, tests, examinedFile);
      if (typeof subject === 'string')
        skipped.push({ path: examinedFile.path, name: `${maker.name}.${method.name}`, reason: subject });
      else if (subject) subjects.push(subject);
    }
  }
  return { subjects, leftOut: skipped };
}

/** The methods on the prototype of this function, including those whose names begin with an underscore. */
function collectMethods({ declaration }: ExportedFunction, code: ts.SourceFile): readonly Method[] {
  const declaredName =
    (ts.isFunctionDeclaration(declaration) || ts.isFunctionExpression(declaration)) && declaration.name?.text;
  if (!declaredName || declaration.getSourceFile() !== code) return [];
  return code.statements.flatMap((statement): readonly Method[] => {
    if (!ts.isExpressionStatement(statement)) return [];
    const { expression } = statement;
    if (ts.isCallExpression(expression)) {
      const [target, ...sources] = expression.arguments;
      const isAssign = expression.expression.getText(code) === 'Object.assign';
      return isAssign && target?.getText(code) === `${declaredName}.prototype`
        ? sources.flatMap(listLiteralMethods)
        : [];
    }
    if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== SyntaxKind.EqualsToken) return [];
    const { left, right } = expression;
    if (left.getText(code) === `${declaredName}.prototype`) return listLiteralMethods(right);
    const isMember =
      ts.isPropertyAccessExpression(left) && left.expression.getText(code) === `${declaredName}.prototype`;
    if (!isMember || !ts.isIdentifier(left.name) || !ts.isFunctionExpression(right)) return [];
    return [{ name: left.name.text, nameNode: left.name, code: right, place: statement }];
  });
}

/** The methods in an object literal. */
function listLiteralMethods(node: ts.Node): readonly Method[] {
  if (!ts.isObjectLiteralExpression(node)) return [];
  return node.properties.flatMap((property): readonly Method[] => {
    if (!property.name || !ts.isIdentifier(property.name)) return [];
    const methodFacts = { name: property.name.text, nameNode: property.name, place: property };
    if (ts.isMethodDeclaration(property) && property.body) return [{ ...methodFacts, code: property }];
    const isFunction = ts.isPropertyAssignment(property) && ts.isFunctionExpression(property.initializer);
    return isFunction ? [{ ...methodFacts, code: property.initializer }] : [];
  });
}

/**
 * The method as a subject; the reason as a sentence if it is skipped; null if it is private, deprecated or a generator.
 */
function createSubject(
  { name, nameNode, code: node, place }: Method,
  maker: ExportedFunction,
  methods: readonly Method[],
  tests: readonly ts.Node[],
  { path, code, outline, examples, recorded }: ExaminedFile,
): Subject | string | null {
  if (name.startsWith('_') || isForItsPackage(place) || isForItsPackage(maker.declaration)) return null;
  if (node.asteriskToken || ts.getJSDocTags(place).some(({ tagName }) => tagName.text === 'deprecated')) return null;
  const names = new Set<string>();
  const parts = [maker.declaration, ...methods.map((method) => method.code)];
  for (const mentioned of parts.flatMap((part) => [...findReferencedNames(part)])) {
    names.add(mentioned);
    collectReachedNames(outline, mentioned, names);
  }
  const outside = findOutsideName(names, code);
  if (outside !== null) return `It uses \`${outside}\`, which reaches outside or is shared.`;
  const constructorExamples = [
    ...(examples.get(`new ${maker.exportedAs}`) ?? examples.get(`new ${maker.name}`) ?? []),
    ...findRecordedCalls(recorded, maker.declaration, code),
  ];
  const isCalledWithoutArguments = tests.some((test) => test.getSourceFile().text.includes(`.${name}()`));
  const methodExamples = [
    ...(isCalledWithoutArguments ? [[]] : []),
    ...(examples.get(name) ?? []),
    ...findRecordedCalls(recorded, node, code),
  ];
  const fitting = methodExamples.filter(({ length }) => length <= node.parameters.length);
  if (constructorExamples.length === 0 || fitting.length === 0) return 'No test shows what it takes.';
  const className = maker.name;
  return {
    kind: 'function',
    path,
    name: `${className}.${name}`,
    access: maker.declaredAs ?? maker.name,
    exportedAs: maker.exportedAs,
    parameters: [maker.declaration, node].map((declaring) => combineParameters(createParameters(declaring))),
    member: { className, factory: null, name, kind: 'method' },
    range: getNodeRange(place, code),
    nameRange: getNodeRange(nameNode, code),
    readsClock: parts.some(usesClock) || readsClock(outline, maker.name, names),
    examples: spreadPairs(removeRepeats(constructorExamples), removeRepeats(fitting)),
    guided: true,
    keys: collectOptionNames(node),
    signed: SIGNED_PATTERN.test(node.getText(code)),
  };
}

function createParameters(node: ts.Node): Subject['parameters'] {
  if (!ts.isFunctionLike(node)) return [];
  return node.parameters.map(({ name, dotDotDotToken }) => ({
    name: name.getText(),
    shape: { kind: 'any' },
    optional: true,
    rest: dotDotDotToken !== undefined,
  }));
}

function removeRepeats(lists: Lists): Lists {
  return [...new Map(lists.map((args) => [JSON.stringify(args), args])).values()];
}

/** Pairs of one list from each argument, sampled evenly from all pairs. */
function spreadPairs(makings: Lists, uses: Lists): Lists {
  const toArrayValue = (values: readonly ExampleValue[]): ExampleValue => ({ $: 'array', of: values });
  const total = makings.length * uses.length;
  const count = Math.min(total, MAX_EXAMPLES);
  return Array.from({ length: count }, (_, turn) => {
    const pairIndex = Math.floor((turn * total) / count);
    return [toArrayValue(makings[Math.floor(pairIndex / uses.length)]!), toArrayValue(uses[pairIndex % uses.length]!)];
  });
}
