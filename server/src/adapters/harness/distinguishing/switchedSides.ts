// Manages the processes that run the code with all mutants compiled in: one for code in its own formats, and one for
// code that loads only as ES modules. A process is started at its first call.

import type { DistinguishingOrder } from '../../../core/verify/guard/distinguishingCalls.ts';
import { compileAll } from '../compile.ts';
import type { ValueSpec, CallOutcome, SideStart, SwitchedAnswer } from '../messages.ts';
import { collectImports } from './useInSteps.ts';
import { startSide, type SideProcess, type TellAnswer } from '../sideProcesses.ts';

/** Milliseconds for one call with its repetition. A mutant with which a call takes longer counts as hanging. */
const CALL_MS = 1_000;
/** Milliseconds for a call that may have to load its file first. */
const FIRST_MS = 15_000;
/**
 * Once the first call of a file was measured, its first call in later processes gets this multiple of the time, in
 * addition to `CALL_MS`.
 */
const LOAD_FACTOR = 5;
/** Matches messages of errors of code that is loaded as the wrong kind of module. */
export const WRONG_FORMAT_PATTERN =
  /SyntaxError|is not defined|ERR_REQUIRE|require\(\)|import\.meta|top-level await|does not provide an export/;

/**
 * The answer of the unchanged code. `unloaded`: the reason why the file does not load. `broken`: the call hangs or ends
 * its process.
 */
type PlainAnswer =
  | { readonly switched: Extract<SwitchedAnswer, { readonly outcome: CallOutcome }> }
  | { readonly unloaded: string }
  | { readonly broken: true };

/** The processes. `subjectIndex`: the index of the function in the subjects of the order. */
export interface SwitchedSides {
  /** Makes the call with all mutants off. */
  callPlain(subjectIndex: number, args: readonly ValueSpec[]): Promise<PlainAnswer>;
  /** The result with this mutant on, as in `Observation`; null if the call hangs or ends the process. */
  callMutated(subjectIndex: number, args: readonly ValueSpec[], mutant: number): Promise<string | null>;
  /**
   * The outcomes of several calls in a fresh process; with a mutant, only the result as a text. Null for a call that
   * hangs or breaks, and for the calls after it. Empty if the process does not start. `isAbroad`: true for another time
   * zone, language and time, and other random numbers.
   */
  callFresh(
    subjectIndex: number,
    calls: readonly { readonly given: readonly ValueSpec[]; readonly mutant: number | null }[],
    isAbroad: boolean,
  ): Promise<readonly (CallOutcome | string | null)[]>;
  /** Ends all running processes. */
  end(): void;
}

/**
 * The exports that are used in steps, as targets to load. A test may import them from another module than the one that
 * declares them.
 */
function listTargetsToImport({ subjects }: DistinguishingOrder): SideStart['targets'] {
  const imports = subjects.flatMap(({ used }) => (used ? collectImports(used) : []));
  return [...new Map(imports.map((target) => [JSON.stringify(target), target])).values()].map((importedTarget) => ({
    ...{
      kind: 'function',
      ...importedTarget,
      access: importedTarget.exportedAs === 'default' ? 'default' : importedTarget.name,
      parameters: [],
    },
  }));
}

/** Creates the sides. Starts no process before the first call. */
export function createSwitchedSides(request: DistinguishingOrder, rootDir: string, entry: URL): SwitchedSides {
  const startsByFormat = new Map<boolean, SideStart>();
  const sidesByFormat = new Map<boolean, { readonly side: SideProcess; readonly loadedPaths: Set<string> }>();
  /** Paths of files that load only as ES modules. */
  const modulePaths = new Set<string>();
  /** Milliseconds of the first call of a file in a process, by the path of the file. */
  const loadMsByPath = new Map<string, number>();
  /** Paths of files with a function that was called. */
  const calledPaths = new Set<string>();
  /** Modules that are loaded before a file, by the path of the file, as the tests import them. */
  const entriesByPath: Record<string, string> = Object.fromEntries(
    Object.entries(request.materials).flatMap(([path, { entry }]) => (entry === undefined ? [] : [[path, entry]])),
  );
  const createStart = (asModules: boolean): SideStart => {
    const knownStart = startsByFormat.get(asModules);
    if (knownStart) return { ...knownStart, entries: { ...entriesByPath } };
    const targets = [...request.subjects, ...listTargetsToImport(request)];
    const loadedTargets = [...targets, ...Object.values(entriesByPath).map((path) => ({ ...targets[0]!, path }))];
    const files = request.files.map(({ path, text }) => ({ path, before: text, after: '' }));
    const { newCode, oldCode } = compileAll({ targets: loadedTargets, files, emit: request.emit }, rootDir, asModules);
    const codes = { ...newCode, ...oldCode };
    const start = {
      rootDir,
      codes,
      watched: [],
      targets,
      entries: entriesByPath,
      emit: request.emit,
      onlyPath: null,
      loadsLazily: true,
    } as const;
    startsByFormat.set(asModules, start);
    return start;
  };
  const endSide = (asModules: boolean): void => {
    sidesByFormat.get(asModules)?.side.end();
    sidesByFormat.delete(asModules);
  };
  const askOnce = async (
    subjectIndex: number,
    args: readonly ValueSpec[],
    mutant: number | null,
  ): Promise<TellAnswer> => {
    const { path } = request.subjects[subjectIndex]!;
    const asModules = modulePaths.has(path);
    let running = sidesByFormat.get(asModules);
    if (!running) {
      const side = await startSide(entry, createStart(asModules));
      if ('obstacle' in side) return { unloaded: { path, reason: side.obstacle } };
      running = { side, loadedPaths: new Set() };
      sidesByFormat.set(asModules, running);
    }
    const isLoaded = running.loadedPaths.has(path);
    const millis = isLoaded
      ? CALL_MS
      : Math.min(FIRST_MS, CALL_MS + LOAD_FACTOR * (loadMsByPath.get(path) ?? FIRST_MS));
    const start = performance.now();
    const answer = await running.side.callSwitched(subjectIndex, { arguments: args, steps: [] }, mutant, millis);
    if ('switched' in answer && !isLoaded) loadMsByPath.set(path, performance.now() - start);
    if ('switched' in answer) running.loadedPaths.add(path);
    else endSide(asModules);
    if (!('unloaded' in answer) || asModules || !WRONG_FORMAT_PATTERN.test(answer.unloaded.reason)) return answer;
    modulePaths.add(path);
    const repeatedAnswer = await askOnce(subjectIndex, args, mutant);
    if ('unloaded' in repeatedAnswer) modulePaths.delete(path);
    return 'unloaded' in repeatedAnswer ? answer : repeatedAnswer;
  };
  const askSide = async (
    subjectIndex: number,
    args: readonly ValueSpec[],
    mutant: number | null,
  ): Promise<TellAnswer> => {
    const { path } = request.subjects[subjectIndex]!;
    const answer = await askOnce(subjectIndex, args, mutant);
    const entry = calledPaths.has(path) ? undefined : entriesByPath[path];
    calledPaths.add(path);
    if ('switched' in answer || entry === undefined) return answer;
    // The module that the tests import may cause the failure, so this tries again without it.
    delete entriesByPath[path];
    const repeatedAnswer = await askOnce(subjectIndex, args, mutant);
    if (!('switched' in repeatedAnswer)) entriesByPath[path] = entry;
    return repeatedAnswer;
  };
  return {
    async callPlain(subjectIndex, args) {
      const answer = await askSide(subjectIndex, args, null);
      if ('unloaded' in answer) return { unloaded: answer.unloaded.reason };
      return 'switched' in answer && 'outcome' in answer.switched ? { switched: answer.switched } : { broken: true };
    },
    async callMutated(subjectIndex, args, mutant) {
      const answer = await askSide(subjectIndex, args, mutant);
      return 'switched' in answer && 'result' in answer.switched ? answer.switched.result : null;
    },
    async callFresh(subjectIndex, calls, isAbroad) {
      if (calls.length === 0) return [];
      const start = createStart(modulePaths.has(request.subjects[subjectIndex]!.path));
      const side = await startSide(entry, isAbroad ? { ...start, isAbroad: true } : start);
      if ('obstacle' in side) return [];
      const outcomes: (CallOutcome | string | null)[] = [];
      for (const { given: args, mutant } of calls) {
        const answer = await side.callSwitched(subjectIndex, { arguments: args, steps: [] }, mutant, FIRST_MS);
        outcomes.push(
          'switched' in answer
            ? 'outcome' in answer.switched
              ? answer.switched.outcome
              : answer.switched.result
            : null,
        );
      }
      side.end();
      return outcomes;
    },
    end() {
      for (const asModules of [...sidesByFormat.keys()]) endSide(asModules);
    },
  };
}
