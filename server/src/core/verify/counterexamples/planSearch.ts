// Plans a search for calls that break exported functions: the functions to call, and the laws to check.

import { ts } from 'ts-morph';
import type { SourceTree } from '../../ports/sources.ts';
import type { OpenFile } from '../differential/planDifferential.ts';
import type { EmitOptions } from '../differential/plan.ts';
import { createLoadFile } from './imports.ts';
import { isComparatorName, isNormaliserName, isReaderName, listInverseNames } from './laws.ts';
import type { RecordedCalls } from '../guard/recordedCalls.ts';
import type { Law, SkippedFunction, ArgumentSources, SearchPlan, Subject } from './plan.ts';
import { findSubjects, type CallableSubject } from './subjects.ts';

const UNKNOWN_FLAGS = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter;
const PRIMITIVE_FLAGS =
  ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike | ts.TypeFlags.BigIntLike;

/**
 * Chooses the functions to call and the laws to check in these files. `tests`: the test files of each file, by its
 * path, which provide examples of calls; if a file is missing there, it has no examples, and members of its classes are
 * skipped. `recorded`: calls that were recorded while the tests ran. `imports`: the files that each test imports, by
 * its path. Only reads the tree.
 */
export function planSearch(
  paths: readonly string[],
  tests: Readonly<Record<string, readonly string[]>>,
  tree: SourceTree,
  openFile: OpenFile,
  recorded: RecordedCalls = {},
  imports: Readonly<Record<string, readonly string[]>> = {},
): SearchPlan {
  const candidates: CallableSubject[] = [];
  const members: Subject[] = [];
  const skipped: SkippedFunction[] = [];
  const materials: Record<string, ArgumentSources> = {};
  let emit: EmitOptions = { compiler: {}, paths: {}, baseUrl: null };
  const load = createLoadFile(tree, tree.rootDir.replaceAll('\\', '/'));
  const callers = Object.keys(tests).length > 0 ? paths.flatMap((path) => load(path) ?? []) : [];
  for (const path of paths) {
    const fileSubjects = findSubjects(path, tests[path], tree, openFile, load, recorded[path], imports, callers);
    if (!fileSubjects) continue;
    skipped.push(...fileSubjects.leftOut);
    if (fileSubjects.candidates.length + fileSubjects.members.length === 0) continue;
    candidates.push(...fileSubjects.candidates);
    members.push(...fileSubjects.members);
    materials[path] = fileSubjects.material;
    emit = fileSubjects.emit;
  }
  const makers = candidates.map((candidate) => findMaker(candidate, candidates));
  const laws = collectLaws(candidates, makers);
  const called = new Set(laws.flatMap((law) => (law.kind === 'roundTrip' ? [law.encode, law.decode] : [law.of])));
  for (const [index, { subject }] of candidates.entries()) {
    const { path, name } = subject;
    if (makers[index] !== null && !called.has(index) && tests[path] === undefined)
      skipped.push({ path, name, reason: `It takes what \`${makers[index]}\` makes of a text.` });
  }
  // Laws refer to candidates by index, so the members, which have no laws, come last.
  const subjects = [...candidates.map(({ subject }) => subject), ...members];
  return { subjects, laws, materials, leftOut: skipped, emit };
}

/**
 * The name of the reader that creates the first argument of this function, such as `parseTree` for
 * `getNodeValue(node)`; null if there is none. Results of a reader obey more rules than their type states, so generated
 * values show no defect.
 */
function findMaker({ firstType, checker }: CallableSubject, candidates: readonly CallableSubject[]): string | null {
  const typeName = firstType && findObjectKey(checker.getNonNullableType(firstType));
  if (!typeName) return null;
  const maker = candidates.find(
    (candidate) =>
      isReaderName(candidate.subject.name) &&
      candidate.firstType !== null &&
      (isText(candidate.firstType) || isBytes(candidate.firstType)) &&
      findObjectKey(candidate.checker.getNonNullableType(candidate.result)) === typeName,
  );
  return maker?.subject.name ?? null;
}

/** A key for a named object type that the repository declares; null for any other type. */
function findObjectKey(type: ts.Type): string | null {
  const symbol = type.aliasSymbol ?? type.symbol;
  const declaration = symbol?.declarations?.[0];
  const isNamed =
    declaration &&
    (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) &&
    !type.isUnion();
  const file = declaration?.getSourceFile().fileName ?? '';
  return isNamed && !/\/(?:node_modules|\.typescript)\//.test(file) ? `${file} ${symbol!.name}` : null;
}

function collectLaws(candidates: readonly CallableSubject[], makers: readonly (string | null)[]): readonly Law[] {
  return candidates.flatMap((candidate, subjectIndex): Law[] =>
    candidate.subject.guided
      ? []
      : [
          ...(candidate.mayBreak && makers[subjectIndex] === null
            ? [
                {
                  kind: 'breaks',
                  of: subjectIndex,
                  result: candidate.checksForNull ? candidate.resultShape() : null,
                } as const,
              ]
            : []),
          ...(isNormaliserName(candidate.subject.name) && returnsItsInputType(candidate)
            ? [{ kind: 'settles', of: subjectIndex } as const]
            : []),
          ...(isComparatorName(candidate.subject.name) && hasComparatorTypes(candidate)
            ? [{ kind: 'order', of: subjectIndex } as const]
            : []),
          ...createRoundTrips(candidates, subjectIndex),
        ],
  );
}

/**
 * True if the function maps a string to a string, or an array to an array, so that it can be applied to its own result.
 */
function returnsItsInputType({ firstType, result, required, checker }: CallableSubject): boolean {
  if (!firstType || required > 1) return false;
  const isList = (type: ts.Type) => checker.isArrayType(type);
  const hasSameType =
    (isText(firstType) && isText(result)) ||
    (isList(firstType) && isList(result) && checker.isTypeAssignableTo(result, firstType)) ||
    (isList(firstType) && isList(result) && checker.typeToString(result) === checker.typeToString(firstType));
  return hasSameType;
}

/** True if the function takes two values of the same type and returns a number. */
function hasComparatorTypes({ firstType, secondType, result, required, checker }: CallableSubject): boolean {
  return (
    firstType !== null &&
    secondType !== null &&
    required === 2 &&
    checker.typeToString(firstType) === checker.typeToString(secondType) &&
    (result.flags & ts.TypeFlags.NumberLike) !== 0
  );
}

/** The laws of the function and the nearest function with the name of its inverse; empty if there is no such pair. */
function createRoundTrips(candidates: readonly CallableSubject[], encode: number): readonly Law[] {
  const encoder = candidates[encode]!;
  if (encoder.required > 1 || !encoder.firstType) return [];
  for (const name of listInverseNames(encoder.subject.name)) {
    const decode = findNearestNamed(candidates, name, encoder.subject.path);
    const decoder = candidates[decode];
    if (
      !decoder ||
      decoder.required > 1 ||
      !decoder.firstType ||
      !isAssignable(encoder.result, decoder.firstType, encoder, decoder)
    )
      continue;
    return createLawsOfPair(encoder, decoder, { encode, decode });
  }
  return [];
}

function createLawsOfPair(
  encoder: CallableSubject,
  decoder: CallableSubject,
  subjectIndexes: { readonly encode: number; readonly decode: number },
): readonly Law[] {
  const { firstType } = encoder;
  if (!firstType || isPromise(encoder.result) || isPromise(decoder.result)) return [];
  const returns = decoder.result.flags & UNKNOWN_FLAGS ? null : decoder.result;
  // If the inverse function returns another type, it converts to another form, and a difference is not a loss.
  if (returns && !isAssignable(returns, firstType, decoder, encoder)) return [];
  const law = { kind: 'roundTrip', ...subjectIndexes } as const;
  const hasPlainInput = isPrimitive(firstType) || isListOfPrimitives(firstType, encoder.checker) || isBytes(firstType);
  if (hasPlainInput) return [{ ...law, image: false, input: returns && (decoder.resultShape()?.shape ?? null) }];
  return [
    ...(decoder.firstType && acceptsString(decoder.firstType) ? [{ ...law, image: true, input: null }] : []),
    ...(firstType.flags & UNKNOWN_FLAGS && returns === null ? [{ ...law, image: false, input: null }] : []),
  ];
}

/**
 * True if a value of the type `source` can be passed where `target` is expected. Types of different type checkers are
 * compared by their names.
 */
function isAssignable(source: ts.Type, target: ts.Type, from: CallableSubject, to: CallableSubject): boolean {
  if (target.flags & UNKNOWN_FLAGS) return true;
  if (from.checker === to.checker) return to.checker.isTypeAssignableTo(source, target);
  return from.checker.typeToString(source) === to.checker.typeToString(target);
}

/**
 * The index of the function with this name: in the same file, otherwise in the same folder, otherwise the only one; -1
 * if there is none.
 */
function findNearestNamed(candidates: readonly CallableSubject[], name: string, path: string): number {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const namesakes = candidates.flatMap(({ subject }, index) =>
    subject.name === name ? [{ path: subject.path, at: index }] : [],
  );
  const neighbour =
    namesakes.find((namesake) => namesake.path === path) ??
    namesakes.find((namesake) => namesake.path.slice(0, namesake.path.lastIndexOf('/') + 1) === folder);
  return neighbour?.at ?? (namesakes.length === 1 ? namesakes[0]!.at : -1);
}

function isText(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.StringLike) !== 0;
}

function acceptsString(type: ts.Type): boolean {
  return isText(type) || (type.isUnion() && type.types.some(isText));
}

function isPrimitive(type: ts.Type): boolean {
  return (type.flags & PRIMITIVE_FLAGS) !== 0 || (type.isUnion() && type.types.every(isPrimitive));
}

function isListOfPrimitives(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!checker.isArrayType(type)) return false;
  const [elementType] = checker.getTypeArguments(type as ts.TypeReference);
  return elementType !== undefined && isPrimitive(elementType);
}

function isBytes(type: ts.Type): boolean {
  return type.symbol?.name === 'Uint8Array' || type.symbol?.name === 'Buffer';
}

function isPromise(type: ts.Type): boolean {
  return type.symbol?.name === 'Promise';
}
