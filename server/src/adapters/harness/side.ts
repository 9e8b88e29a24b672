// Implements the process of one side: it loads the old or the new code, or code with mutants, and makes the requested
// calls.

import { watchCoverage, type CoverageWatch } from './coverage.ts';
import { createLoader, type Loader } from './loader.ts';
import type { FromSide, SideStart, ToSide } from './messages.ts';
import type { Subject } from '../../core/verify/counterexamples/plan.ts';
import { formatExportKey, performTwice, observeCall, type Accessors } from './perform.ts';
import { collectImports } from './distinguishing/useInSteps.ts';
import { listReachedMutants, activateMutant } from './distinguishing/mutantSwitch.ts';
import { installObserver } from './observed/noteValues.ts';
import { probeLaw } from './probe.ts';
import { controlEnvironment, type ControlledEnvironment } from './controlledEnvironment.ts';

/** Maximum milliseconds for loading a module that has to be loaded before a file. */
const ENTRY_MS = 3_000;
// The real timer. The globals of this process are replaced for the compared code.
const realTimeout = setTimeout;

/** The loaded code, and the objects through which it is used. */
interface LoadedCode {
  readonly start: SideStart;
  readonly environment: ControlledEnvironment;
  /** Counts the code that ran; null if the process does not report that. */
  readonly coverage: CoverageWatch | null;
  readonly loader: Loader;
  /** The bits of the observed expressions, by their numbers. */
  readonly seenBits: readonly number[];
  readonly accessors: Map<string, Accessors>;
}

/**
 * Answers the requests of the parent process until that process ends. Throws an `Error` in a process that the harness
 * has not started.
 */
export function serveSide(): void {
  const sendToParent = process.send?.bind(process);
  if (!sendToParent) throw new Error('A side is started by the harness.');
  const send = (message: FromSide): void => void sendToParent(message);
  // The compared code must not see the connection to the parent.
  Object.defineProperty(process, 'send', { value: undefined });
  let loaded: LoadedCode | null = null;
  const exit = process.exit.bind(process);
  process.on('disconnect', () => exit(0));
  process.on('message', (message: ToSide) => {
    void answer(message).then(send, (error: unknown) =>
      send({ failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }),
    );
  });

  async function answer(message: ToSide): Promise<FromSide> {
    if ('start' in message) {
      loaded = await loadCode(message.start);
      return { ready: true };
    }
    if (!loaded) return { failed: 'Nothing is loaded.' };
    if ('law' in message) return answerProbe(message, loaded);
    if ('switched' in message) return answerSwitched(message, loaded);
    if ('finish' in message) return { finished: loaded.coverage?.stop(loaded.start, loaded.seenBits) ?? [] };
    const target = loaded.start.targets[message.target];
    const accessors = target && loaded.accessors.get(target.path);
    if (!target || !accessors) return { failed: 'There is no such target.' };
    return { outcome: await performTwice(target, message.call, accessors, loaded.environment) };
  }
}

/**
 * Prepares the process, and loads the files of the targets. If `start.lazy` is set, files are loaded later, when they
 * are needed. Throws if a file does not load, or has an effect outside of the process while it is loaded.
 */
async function loadCode(start: SideStart): Promise<LoadedCode> {
  const coverage = start.loadsLazily ? null : watchCoverage(start.rootDir);
  const seenBits = start.observed ? installObserver() : [];
  const loader = createLoader(start);
  const environment = controlEnvironment(start.isAbroad === true);
  const loaded: LoadedCode = { start, environment, coverage, loader, seenBits: seenBits, accessors: new Map() };
  if (start.loadsLazily) return loaded;
  for (const path of new Set(
    start.targets.map((target) => target.path).filter((path) => start.onlyPath === null || path === start.onlyPath),
  ))
    await loadFile(loaded, path);
  return loaded;
}

async function loadFile({ start, loader, environment, accessors }: LoadedCode, path: string): Promise<void> {
  const entry = start.entries?.[path];
  if (entry !== undefined) await loadSideModule(entry, loader, environment);
  environment.reset();
  accessors.set(path, await loader.load(path));
  await environment.settle([]);
  const effect = environment.readEffect();
  if (effect !== null) throw new Error(`when it is loaded, ${path} asks for ${effect}`);
}

/**
 * Loads a module for its effects. Waits at most `ENTRY_MS`, and ignores its errors, because the file may load without
 * it.
 */
async function loadSideModule(path: string, loader: Loader, environment: ControlledEnvironment): Promise<void> {
  let isEnded = false;
  const markEnded = () => {
    isEnded = true;
  };
  const whenLoaded = loader.run(path).then(markEnded, markEnded);
  const timer = realTimeout(markEnded, ENTRY_MS);
  // The module waits in virtual time.
  while (!isEnded) await environment.settle([whenLoaded]);
  clearTimeout(timer);
}

async function answerProbe(
  { law, args }: Extract<ToSide, { readonly law: unknown }>,
  loaded: LoadedCode,
): Promise<FromSide> {
  const subjects = loaded.start.targets as readonly Subject[];
  const neededIndices = law.kind === 'roundTrip' ? [law.encode, law.decode] : [law.of];
  for (const { path, name } of neededIndices.map((index) => subjects[index]!)) {
    const unloaded = await loadFileIfNeeded(loaded, path);
    if (unloaded) return unloaded;
    if (!isFunction(loaded.accessors.get(path)?.[name]))
      return { probed: { inconclusive: 'the code has no function of its name' } };
  }
  return {
    probed: await probeLaw(law, args, {
      subjects,
      accessors: loaded.accessors,
      environment: loaded.environment,
      rootDir: loaded.start.rootDir,
      shapes: loaded.start.shapes ?? {},
    }),
  };
}

/**
 * Loads a file unless it is loaded already. Returns the answer with the reason if it does not load; null if it does.
 */
async function loadFileIfNeeded(
  loaded: LoadedCode,
  path: string,
): Promise<Extract<FromSide, { unloaded: unknown }> | null> {
  try {
    if (!loaded.accessors.has(path)) await loadFile(loaded, path);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { unloaded: { path, reason: reason.replaceAll(`${loaded.start.rootDir}/`, '') } };
  }
}

async function answerSwitched(
  { switched, target: targetIndex, mutant }: Extract<ToSide, { readonly switched: unknown }>,
  loaded: LoadedCode,
): Promise<FromSide> {
  const target = loaded.start.targets[targetIndex];
  if (target?.kind !== 'function') return { failed: 'There is no such function.' };
  const unloaded = await loadFileIfNeeded(loaded, target.path);
  if (unloaded) return unloaded;
  const foundAccessors = await loadAccessors(target, loaded);
  if ('unloaded' in foundAccessors) return foundAccessors;
  const { accessors } = foundAccessors;
  activateMutant(mutant);
  try {
    return mutant === null
      ? {
          switched: {
            outcome: await performTwice(target, switched, accessors, loaded.environment, true),
            reached: listReachedMutants(),
          },
        }
      : { switched: { result: await observeCall(target, switched, accessors, loaded.environment) } };
  } finally {
    activateMutant(null);
  }
}

/**
 * Access to the function of the target, or to all exports that its steps use. Returns the answer with the reason if one
 * of them does not load or is not a function.
 */
async function loadAccessors(
  target: Extract<SideStart['targets'][number], { readonly kind: 'function' }>,
  loaded: LoadedCode,
): Promise<{ readonly accessors: Accessors } | Extract<FromSide, { readonly unloaded: unknown }>> {
  const neededExports = target.used ? collectImports(target.used) : [target];
  const accessorsByName: Record<string, Accessors[string]> = {};
  for (const neededExport of neededExports) {
    const { path, name } = neededExport;
    const unloaded = await loadFileIfNeeded(loaded, path);
    if (unloaded) return unloaded;
    const accessor = loaded.accessors.get(path)?.[name];
    if (!accessor || !isFunction(accessor))
      return { unloaded: { path, reason: 'the code has no function of its name' } };
    accessorsByName[target.used ? formatExportKey(neededExport) : name] = accessor;
  }
  return { accessors: accessorsByName };
}

/**
 * True if the accessor gives a function. False if it is missing, or if the name has no value, for example because it is
 * declared only as a type.
 */
function isFunction(accessor: Accessors[string] | undefined): boolean {
  try {
    return typeof accessor?.()[0] === 'function';
  } catch (error) {
    if (error instanceof ReferenceError) return false;
    throw error;
  }
}
