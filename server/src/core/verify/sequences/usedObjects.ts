// Finds objects that tests make and then use step by step, and the exports of a file whose code these steps run.

import { ts } from 'ts-morph';
import { nameFromFile, rangeOf, type Surroundings } from '../counterexamples/calling.ts';
import type { LoadFile } from '../counterexamples/imports.ts';
import type { Sequence, Subject } from '../counterexamples/plan.ts';
import type { Imported, UsedObject } from './plan.ts';
import { objectsIn } from './readTest.ts';
import type { ObservedObject, ObservedStep } from './values.ts';

/** An export of the examined file, with the node that declares it. */
export interface Declared {
  readonly name: string;
  readonly exportedAs: string;
  readonly node: ts.Node;
}

/** Maximum number of sequences of one kind of object. */
const MAX_SEQUENCES = 60;
/** What the tests of a file do with their objects. */
const known = new WeakMap<ts.SourceFile, readonly ObservedObject[]>();

/** One subject for each of these exports that makes such an object, or that is used with it. */
export function usedObjects(
  declared: readonly Declared[],
  tests: readonly ts.SourceFile[],
  load: LoadFile,
  { path, code }: Pick<Surroundings, 'path' | 'code'>,
): readonly Subject[] {
  const observed = tests.flatMap((test) => {
    const objects = known.get(test) ?? objectsIn(test, load);
    known.set(test, objects);
    return objects;
  });
  const byMaker = new Map<string, ObservedObject[]>();
  for (const one of observed) {
    const key = JSON.stringify(one.maker);
    byMaker.set(key, [...(byMaker.get(key) ?? []), one]);
  }
  return [...byMaker.values()].flatMap((objects) => {
    const { maker } = objects[0]!;
    const uses = usesOf(objects);
    const functions = uses.filter(({ kind }) => kind === 'function');
    const concerned = declared.filter(({ exportedAs }) =>
      [maker, ...functions.map(({ imported }) => imported!)].some(
        (one) => one.exportedAs === exportedAs && (exportedAs !== 'default' || one.path === path),
      ),
    );
    const makerName = nameOf(maker, declared);
    const used: UsedObject = { maker: { ...maker, name: makerName }, variable: variableOf(objects, makerName), uses };
    return concerned.map(
      ({ name, exportedAs, node }): Subject => ({
        ...{ kind: 'function', path, name, access: name, exportedAs, parameters: [] },
        range: rangeOf(node, code),
        nameRange: rangeOf(ts.getNameOfDeclaration(node as ts.Declaration) ?? node.getFirstToken() ?? node, code),
        ...{ readsClock: false, examples: [], guided: true, signed: false },
        used,
        sequences: sequencesOf(objects, uses),
      }),
    );
  });
}

function keyOf({ kind, name, path }: Pick<ObservedStep, 'kind' | 'name' | 'path'>): string {
  return `${kind} ${name} ${path ?? ''}`;
}

function usesOf(objects: readonly ObservedObject[]): UsedObject['uses'] {
  const steps = new Map(objects.flatMap((one) => one.steps).map((step) => [keyOf(step), step]));
  return [...steps.values()].map(({ name, kind, path }) => ({
    name: path !== null && name === 'default' ? nameFromFile(path) : name,
    kind,
    imported: path === null ? null : { path, name: name === 'default' ? nameFromFile(path) : name, exportedAs: name },
  }));
}

/** The steps of each object, those that are alike once. */
function sequencesOf(objects: readonly ObservedObject[], uses: UsedObject['uses']): readonly Sequence[] {
  const places = new Map(
    uses.map((use, at) => [
      keyOf({ ...use, name: use.imported?.exportedAs ?? use.name, path: use.imported?.path ?? null }),
      at,
    ]),
  );
  const all = objects.map(({ making, steps }) => ({
    making,
    steps: steps.map((step) => ({ use: places.get(keyOf(step))!, given: step.given })),
  }));
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()].slice(0, MAX_SEQUENCES);
}

function nameOf({ exportedAs, path }: Omit<Imported, 'name'>, declared: readonly Declared[]): string {
  if (exportedAs !== 'default') return exportedAs;
  return declared.find((one) => one.exportedAs === 'default')?.name ?? nameFromFile(path);
}

/** The name that most tests give to the object. */
function variableOf(objects: readonly ObservedObject[], maker: string): string {
  const counts = new Map<string, number>();
  for (const { variable } of objects) if (variable !== null) counts.set(variable, (counts.get(variable) ?? 0) + 1);
  const [first] = [...counts].toSorted((one, other) => other[1] - one[1]);
  const made = maker.replace(/^(?:create|make|new|use)(?=[A-Z])/, '');
  const own = first?.[0] ?? made[0]!.toLowerCase() + made.slice(1);
  return own === maker ? 'instance' : own;
}
