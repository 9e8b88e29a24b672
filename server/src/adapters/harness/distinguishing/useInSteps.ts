// Creates an object and uses it step by step. The result of the last step is the result of the call.

import type { ImportedExport, UsedObject } from '../../../core/verify/sequences/plan.ts';

/**
 * Recorded for a call whose steps a test cannot contain: making the object or a step before the last one throws, an
 * awaited promise never settles, a step waits while the promise of an earlier one is pending, or the last step reads an
 * object from a property that no test checks.
 */
export const UNFIT_STEP = 'a step cannot stand in a test';

/** Recorded for a call whose steps wait or read the clock. */
export const TIME_STEP = 'a step waits or reads the clock';

/** Recorded for a call whose maker returns an object that it has returned before. */
export const SHARED_OBJECT = 'the maker gives the same object again';

/** Maximum depth of an argument that is copied. */
const MAX_COPY_DEPTH = 8;
/** All objects that makers have returned in this process. */
const returnedObjects = new WeakSet<object>();

type Functions = Readonly<Record<string, (...all: readonly unknown[]) => unknown>>;
type Factories = (new (...all: readonly unknown[]) => object) & Functions & ((...all: readonly unknown[]) => unknown);

/** What the steps need from the process in which they run. */
interface StepContext {
  /** The value of an export. */
  valueOf(importedExport: ImportedExport): unknown;
  /** Waits until the promise has settled. Returns its result; null if it never settles. */
  settle(promise: Promise<unknown>): Promise<{ readonly rejected: boolean; readonly value: unknown } | null>;
  /** The arguments of the calls of a recorder, by its number. */
  callsOf(recorder: number): readonly (readonly unknown[])[];
  /** Called if a test could not contain the steps. */
  onUnfit(): void;
  /** Called if the maker returns an object that it has returned before. */
  onShared(): void;
}

/**
 * Performs the steps up to the last one before the result that is awaited. Returns a function that performs the other
 * steps without a pause, as a test does, and returns the result of the last one. `makerArguments`: the arguments of the maker.
 * `steps`: each step is the index of the use and its arguments. The function throws the errors of the code.
 */
export async function prepareSteps(
  used: UsedObject,
  [makerArguments = [], ...steps]: readonly (readonly unknown[])[],
  context: StepContext,
): Promise<() => unknown> {
  const { uses } = used;
  const awaitedCount = steps.findLastIndex((step, index) => index < steps.length - 1 && isAwaited(uses, step)) + 1;
  const resultByMethod = new Map<string, unknown>();
  const perform = (object: Functions, step: readonly unknown[]) =>
    performStep(object, uses, step, resultByMethod, context);
  try {
    const usedObject = awaitedCount > 0 ? makeObject(used, makerArguments, context) : null;
    for (const step of steps.slice(0, awaitedCount)) {
      const result = perform(usedObject!, step);
      if (!(result instanceof Promise)) continue;
      const settledResult = isAwaited(uses, step) ? await context.settle(result) : null;
      // If a promise stays pending while a later step waits, the result depends on timing.
      if (settledResult === null) context.onUnfit();
      else if (settledResult.rejected) throw settledResult.value;
    }
    return () => {
      let isLast = false;
      try {
        const object = usedObject ?? makeObject(used, makerArguments, context);
        for (const step of steps.slice(awaitedCount, -1)) perform(object, step);
        isLast = true;
        const lastStep = steps.at(-1)!;
        const result = perform(object, lastStep);
        const { kind, asserted } = uses[lastStep[0] as number]!;
        // The content of a property is not a result, unless a test checks it.
        if (kind === 'get' && !asserted && isObject(result)) context.onUnfit();
        return result;
      } catch (error) {
        if (!isLast) context.onUnfit();
        throw error;
      }
    };
  } catch (error) {
    context.onUnfit();
    return () => {
      throw error;
    };
  }
}

function isAwaited(uses: UsedObject['uses'], [use]: readonly unknown[]): boolean {
  return uses[use as number]!.awaited === true;
}

function makeObject(
  { maker }: UsedObject,
  makerArguments: readonly unknown[],
  { valueOf, onShared }: StepContext,
): Functions {
  const factories = valueOf(maker) as Factories;
  const object = (
    maker.factory !== null
      ? factories[maker.factory]!(...makerArguments)
      : maker.how === 'new'
        ? new factories(...makerArguments)
        : factories(...makerArguments)
  ) as Functions;
  if (isObject(object)) {
    if (returnedObjects.has(object)) onShared();
    returnedObjects.add(object);
  }
  return object;
}

/** Performs one step. `resultByMethod`: the result of the latest call of each method. */
function performStep(
  object: Functions,
  uses: UsedObject['uses'],
  [use, ...args]: readonly unknown[],
  resultByMethod: Map<string, unknown>,
  { valueOf, callsOf }: StepContext,
): unknown {
  const { kind, name, imported } = uses[use as number]!;
  if (kind === 'function') return (valueOf(imported!) as Functions[string])(object, ...args);
  // Copies the arguments, because a test writes the parts that several calls share as separate literals.
  if (kind === 'calls') return callsOf(args[0] as number).map((call) => call.map((argument) => copyPlain(argument)));
  if (kind === 'result') return (resultByMethod.get(name) as Functions[string])(...args);
  if (kind === 'get') return object[name];
  const result = object[name]!(...args);
  resultByMethod.set(name, result);
  return result;
}

/** A copy of arrays and plain objects, down to `MAX_COPY_DEPTH` levels. Other values are not copied. */
function copyPlain(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_COPY_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => copyPlain(item, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyPlain(part, depth + 1)]));
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** The exports that the maker and the steps need. */
export function collectImports({ maker, uses }: UsedObject): readonly ImportedExport[] {
  const { path, name, exportedAs } = maker;
  return [{ path, name, exportedAs }, ...uses.flatMap(({ imported }) => (imported ? [imported] : []))];
}
