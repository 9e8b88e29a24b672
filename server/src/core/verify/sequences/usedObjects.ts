// Finds objects that tests create and then use step by step, and the exports of a file whose code these steps run.

import { ts } from 'ts-morph';
import { getNodeRange, type ExaminedFile } from '../counterexamples/examinedFile.ts';
import { nameFromFile } from '../counterexamples/nameFromFile.ts';
import type { LoadFile } from '../counterexamples/imports.ts';
import type { SkippedFunction, CallSequence, Subject } from '../counterexamples/plan.ts';
import type { ImportedExport, ObjectUse, UsedObject } from './plan.ts';
import { explainNotUsed, findDeclaringPlace, isDeprecatedMember, type ExportOfFile } from './exportReach.ts';
import { findVariable as assignedName } from './readTestParts.ts';
import { findObservedObjects } from './readTest.ts';
import type { ObservedObject, ObservedStep } from './values.ts';

/** An export of the examined file, with the node that declares it. */
export interface DeclaredExport {
  readonly name: string;
  readonly exportedAs: string;
  readonly node: ts.Node;
}

/** Maximum number of sequences of one kind of object. */
const MAX_SEQUENCES = 60;
/** The objects in the tests of a file, with their uses. */
const cachedObjects = new WeakMap<ts.SourceFile, readonly ObservedObject[]>();

/**
 * One subject for each of these exports that creates such an object, or that is used with it. Makers and uses that have
 * outside effects, read the clock or are deprecated are skipped.
 */
export function findUsedObjects(
  declared: readonly DeclaredExport[],
  tests: readonly ts.SourceFile[],
  load: LoadFile,
  { path, code }: Pick<ExaminedFile, 'path' | 'code'>,
): { readonly subjects: readonly Subject[]; readonly leftOut: readonly SkippedFunction[] } {
  const skipped: SkippedFunction[] = [];
  const observedObjects = tests.flatMap((test) => {
    const objects = cachedObjects.get(test) ?? findObservedObjects(test, load);
    cachedObjects.set(test, objects);
    return objects;
  });
  const objectsByMaker = new Map<string, ObservedObject[]>();
  for (const observedObject of observedObjects) {
    const key = JSON.stringify({ ...observedObject.maker, ...findDeclaringPlace(observedObject.maker, load) });
    objectsByMaker.set(key, [...(objectsByMaker.get(key) ?? []), observedObject]);
  }
  const subjects = [...objectsByMaker.values()].flatMap((objects) => {
    const { maker } = objects[0]!;
    const makerName = findExportName(maker, declared);
    const allUses = collectUses(objects, load);
    const findConcernedExports = (place: ExportOfFile) =>
      declared.filter((exported) => isBehind(place, exported, path, load));
    const concernedExports = [
      ...new Set(
        [maker, ...allUses.flatMap(({ imported }) => imported ?? [])].flatMap((place) => findConcernedExports(place)),
      ),
    ];
    if (concernedExports.length === 0) return [];
    const reason = explainNotUsed(maker, load);
    if (reason !== null) {
      skipped.push({ path, name: makerName, reason: `It is not used in steps. ${reason}` });
      return [];
    }
    const refusedUses = new Set<ObjectUse>();
    for (const use of allUses) {
      const refusal = explainSkipped(use, allUses, { ...maker, name: makerName }, load);
      if (refusal === null) continue;
      refusedUses.add(use);
      skipped.push({ path, name: use.name, reason: `It is no step with what ${makerName} makes. ${refusal}` });
    }
    const uses = allUses.filter((use) => !refusedUses.has(use));
    const names = [makerName, ...uses.flatMap(({ imported }) => imported?.name ?? [])];
    const variable = findVariableName(objects, names);
    const sequences = collectSequences(objects, uses, load);
    if (sequences.length === 0) return [];
    // A test without spies stores the calls in an array named `calls`.
    const results = uses.flatMap((use) => (use.kind === 'result' ? (use.variable ?? 'result') : []));
    const recorder = findRecorderName(objects, [...names, variable, ...results, 'calls']);
    const usedObject: UsedObject = {
      maker: { ...maker, name: makerName },
      variable,
      uses: recorder === null ? uses : [...uses, { name: recorder, kind: 'calls', imported: null }],
      ...(recorder !== null && { recorder }),
    };
    const neededDeclarations = new Set(
      [maker, ...uses.flatMap(({ imported }) => imported ?? [])].flatMap((place) => findConcernedExports(place)),
    );
    return concernedExports
      .filter((declaration) => neededDeclarations.has(declaration))
      .map(
        ({ name, exportedAs, node }): Subject => ({
          ...{ kind: 'function', path, name, access: name, exportedAs, parameters: [] },
          range: getNodeRange(node, code),
          nameRange: getNodeRange(
            ts.getNameOfDeclaration(node as ts.Declaration) ?? node.getFirstToken() ?? node,
            code,
          ),
          ...{ readsClock: false, examples: [], guided: true, signed: false },
          used: usedObject,
          sequences,
        }),
      );
  });
  return { subjects, leftOut: skipped };
}

/** True if the other export is the export of the examined file, possibly re-exported by a module. */
function isBehind(place: ExportOfFile, { exportedAs }: DeclaredExport, path: string, load: LoadFile): boolean {
  const declaringPlace = findDeclaringPlace(place, load);
  if (declaringPlace) return declaringPlace.path === path && declaringPlace.exportedAs === exportedAs;
  return place.exportedAs === exportedAs && (exportedAs !== 'default' || place.path === path);
}

/** The reason why this use is skipped, as a sentence; null if it is not skipped. */
function explainSkipped(
  use: ObjectUse,
  uses: readonly ObjectUse[],
  maker: UsedObject['maker'],
  load: LoadFile,
): string | null {
  const { imported, name } = use;
  if (imported === null) return isDeprecatedMember(maker, name, load) ? 'It is deprecated.' : null;
  const earlierImports: readonly (ImportedExport | null)[] = [
    maker,
    ...uses.slice(0, uses.indexOf(use)).map((earlierUse) => earlierUse.imported),
  ];
  if (earlierImports.some((candidate) => candidate?.name === imported.name))
    return 'Another export that the steps need has its name.';
  return explainNotUsed(imported, load);
}

/** The key of a use. Steps with the same export have the same key, regardless of the module that re-exports it. */
function createUseKey(
  { kind, name, path, awaited }: Pick<ObservedStep, 'kind' | 'name' | 'path' | 'awaited'>,
  load: LoadFile,
): string {
  const declared = path === null ? null : findDeclaringPlace({ path, exportedAs: name }, load);
  return `${kind} ${declared?.exportedAs ?? name} ${declared?.path ?? path ?? ''}${awaited ? ' awaited' : ''}`;
}

/** The ways in which the objects are used, each once. A use counts as compared with a value if any test does so. */
function collectUses(objects: readonly ObservedObject[], load: LoadFile): UsedObject['uses'] {
  const steps = new Map<string, ObservedStep>();
  for (const step of objects.flatMap((object) => object.steps)) {
    const key = createUseKey(step, load);
    const knownStep = steps.get(key) ?? step;
    steps.set(key, step.asserted ? { ...knownStep, asserted: true } : knownStep);
  }
  return [...steps.values()].map(({ name, kind, path, variable, asserted, awaited }) => ({
    ...(variable !== undefined && { variable }),
    ...(asserted && { asserted }),
    ...(awaited && { awaited }),
    name: path !== null && name === 'default' ? nameFromFile(path) : name,
    kind,
    imported: path === null ? null : { path, name: name === 'default' ? nameFromFile(path) : name, exportedAs: name },
  }));
}

/** The steps of each object. Objects with the same steps count once. */
function collectSequences(
  objects: readonly ObservedObject[],
  uses: UsedObject['uses'],
  load: LoadFile,
): readonly CallSequence[] {
  const indexByUse = new Map(
    uses.map((use, index) => [
      createUseKey({ ...use, name: use.imported?.exportedAs ?? use.name, path: use.imported?.path ?? null }, load),
      index,
    ]),
  );
  const all = objects
    .map(({ making, steps }) => ({
      making,
      // Steps with skipped uses are missing.
      steps: steps.flatMap((step) => {
        const use = indexByUse.get(createUseKey(step, load));
        return use === undefined ? [] : [{ use, given: step.given }];
      }),
    }))
    .filter(({ steps }) => steps.length > 0);
  return [...new Map(all.map((sequence) => [JSON.stringify(sequence), sequence])).values()].slice(0, MAX_SEQUENCES);
}

/** The name that most tests give to a function which a recorder replaces; null if they pass none. */
function findRecorderName(objects: readonly ObservedObject[], takenNames: readonly string[]): string | null {
  const callbacks = objects.flatMap((object) => object.callbacks);
  if (callbacks.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { node } of callbacks) {
    const name = assignedName(node);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [first] = [...counts].toSorted((a, b) => b[1] - a[1]);
  if (first && first[0].length > 1 && !/\d$/.test(first[0]) && !takenNames.includes(first[0])) return first[0];
  return ['listener', 'callback'].find((name) => !takenNames.includes(name)) ?? 'recorder';
}

function findExportName(
  { exportedAs, path }: Omit<ImportedExport, 'name'>,
  declared: readonly DeclaredExport[],
): string {
  if (exportedAs !== 'default') return exportedAs;
  return declared.find((declaration) => declaration.exportedAs === 'default')?.name ?? nameFromFile(path);
}

/**
 * The name that most tests give to the object. `names`: the names of the exports that the steps need, first the maker.
 */
function findVariableName(objects: readonly ObservedObject[], names: readonly string[]): string {
  const maker = names[0]!;
  const counts = new Map<string, number>();
  for (const { variable } of objects) if (variable !== null) counts.set(variable, (counts.get(variable) ?? 0) + 1);
  const [first] = [...counts].toSorted((a, b) => b[1] - a[1]);
  const objectName = maker.replace(/^(?:create|make|new|use)(?=[A-Z])/, '');
  const name = first?.[0] ?? objectName[0]!.toLowerCase() + objectName.slice(1);
  return names.includes(name) ? 'instance' : name;
}
