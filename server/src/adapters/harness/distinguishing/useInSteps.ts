// Makes an object and uses it step by step; the last step gives the result.

import type { ImportedExport, UsedObject } from '../../../core/verify/sequences/plan.ts';

/**
 * Stands in the protocol of a call if a step before the last one throws, if a step returns a promise, or if the last
 * one reads an object from a property that no test looks at.
 */
export const UNFIT_STEP = 'a step cannot stand in a test';

/** Stands in the protocol of a call if the maker returns an object that it has returned before. */
export const SHARED_OBJECT = 'the maker gives the same object again';

/** All objects that makers have returned in this process. */
const returned = new WeakSet<object>();

type Functions = Readonly<Record<string, (...all: readonly unknown[]) => unknown>>;
type Factories = (new (...all: readonly unknown[]) => object) & Functions & ((...all: readonly unknown[]) => unknown);

interface StepContext {
  /** The value of an export. */
  valueOf(imported: ImportedExport): unknown;
  /** Called if a test could not contain the steps. */
  onUnfit(): void;
  /** Called if the maker returns an object that it has returned before. */
  onShared(): void;
}

/**
 * The result of the last step. `making`: the arguments of the maker. `steps`: each step is the index of the use and its
 * arguments. Throws the errors of the code.
 */
export function useInSteps(
  { maker, uses }: UsedObject,
  [making = [], ...steps]: readonly (readonly unknown[])[],
  { valueOf, onUnfit, onShared }: StepContext,
): unknown {
  let isLast = false;
  try {
    const factories = valueOf(maker) as Factories;
    const object = (
      maker.factory !== null
        ? factories[maker.factory]!(...making)
        : maker.how === 'new'
          ? new factories(...making)
          : factories(...making)
    ) as Functions;
    if (isObject(object)) {
      if (returned.has(object)) onShared();
      returned.add(object);
    }
    let result: unknown;
    for (const [at, [use, ...args]] of steps.entries()) {
      const { kind, name, imported, asserted } = uses[use as number]!;
      isLast = at === steps.length - 1;
      if (kind === 'function') result = (valueOf(imported!) as Functions[string])(object, ...args);
      else result = kind === 'get' ? object[name] : object[name]!(...args);
      // The content of a property is not a result, unless a test checks it.
      if (result instanceof Promise || (isLast && kind === 'get' && !asserted && isObject(result))) onUnfit();
    }
    return result;
  } catch (error) {
    if (!isLast) onUnfit();
    throw error;
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** The exports that the steps need. */
export function collectImports({ maker, uses }: UsedObject): readonly ImportedExport[] {
  const { path, name, exportedAs } = maker;
  return [{ path, name, exportedAs }, ...uses.flatMap(({ imported }) => (imported ? [imported] : []))];
}
