// Manages the processes that hold code with all its mutants: one for each kind of module, started when it is needed.

import type { TellingOrder } from '../../../core/verify/guard/telling.ts';
import { compileAll } from '../compile.ts';
import type { ValueSpec, Outcome, SideStart, SwitchedAnswer } from '../messages.ts';
import { startSide, type Side, type TellAnswer } from '../sides.ts';

/** Milliseconds for one call with its repetition; a mutant that takes longer hangs. */
const CALL_MS = 1_000;
/** The first call of a process loads the code. Once that was measured, later processes get a multiple of it. */
const FIRST_MS = 15_000;
const LOADS = 5;
/** Errors of code that is loaded as the wrong kind of module. */
const WRONG_FORMAT =
  /SyntaxError|is not defined|ERR_REQUIRE|require\(\)|import\.meta|top-level await|does not provide an export/;

type Plain =
  | { readonly switched: Extract<SwitchedAnswer, { readonly outcome: Outcome }> }
  | { readonly unloaded: string }
  | { readonly broken: true };

export interface SwitchedSides {
  /** The call with the code as it is. */
  plain(of: number, args: readonly ValueSpec[]): Promise<Plain>;
  /** The result with a mutant; null if it hangs or ends the process. */
  mutated(of: number, args: readonly ValueSpec[], mutant: number): Promise<string | null>;
  /**
   * The outcomes of several calls in a process of their own; null for a call that hangs or breaks, and for those after
   * it. `abroad`: in another time zone and language, at another time, and with other random numbers.
   */
  fresh(
    of: number,
    calls: readonly { readonly given: readonly ValueSpec[]; readonly mutant: number | null }[],
    abroad: boolean,
  ): Promise<readonly (Outcome | string | null)[]>;
  end(): void;
}

/** Creates the sides. Starts no process before the first call. */
export function createSwitchedSides(order: TellingOrder, rootDir: string, entry: URL): SwitchedSides {
  const starts = new Map<boolean, SideStart>();
  const open = new Map<boolean, { readonly side: Side; readonly loaded: Set<string> }>();
  const asModule = new Set<string>();
  const loadMs = new Map<string, number>();
  const asked = new Set<string>();
  const entries: Record<string, string> = Object.fromEntries(
    Object.entries(order.materials).flatMap(([path, { entry }]) => (entry === undefined ? [] : [[path, entry]])),
  );
  const startOf = (modules: boolean): SideStart => {
    const cached = starts.get(modules);
    if (cached) return { ...cached, entries: { ...entries } };
    const targets = [...order.subjects];
    const loaded = [...targets, ...Object.values(entries).map((path) => ({ ...targets[0]!, path }))];
    const files = order.files.map(({ path, text }) => ({ path, before: text, after: '' }));
    const { fresh, old } = compileAll({ targets: loaded, files, emit: order.emit }, rootDir, modules);
    const codes = { ...fresh, ...old };
    const start = { rootDir, codes, watched: [], targets, entries, emit: order.emit, only: null, lazy: true } as const;
    starts.set(modules, start);
    return start;
  };
  const drop = (modules: boolean): void => {
    open.get(modules)?.side.end();
    open.delete(modules);
  };
  const attempt = async (of: number, args: readonly ValueSpec[], mutant: number | null): Promise<TellAnswer> => {
    const { path } = order.subjects[of]!;
    const modules = asModule.has(path);
    let running = open.get(modules);
    if (!running) {
      const side = await startSide(entry, startOf(modules));
      if ('obstacle' in side) return { unloaded: { path, reason: side.obstacle } };
      running = { side, loaded: new Set() };
      open.set(modules, running);
    }
    const isLoaded = running.loaded.has(path);
    const millis = isLoaded ? CALL_MS : Math.min(FIRST_MS, CALL_MS + LOADS * (loadMs.get(path) ?? FIRST_MS));
    const start = performance.now();
    const answer = await running.side.tell(of, { arguments: args, steps: [] }, mutant, millis);
    if ('switched' in answer) running.loaded.add(path);
    else drop(modules);
    if ('switched' in answer && !isLoaded) loadMs.set(path, performance.now() - start);
    if (!('unloaded' in answer) || modules || !WRONG_FORMAT.test(answer.unloaded.reason)) return answer;
    asModule.add(path);
    const again = await attempt(of, args, mutant);
    if ('unloaded' in again) asModule.delete(path);
    return 'unloaded' in again ? answer : again;
  };
  const tell = async (of: number, args: readonly ValueSpec[], mutant: number | null): Promise<TellAnswer> => {
    const { path } = order.subjects[of]!;
    const answer = await attempt(of, args, mutant);
    const entry = asked.has(path) ? undefined : entries[path];
    asked.add(path);
    if ('switched' in answer || entry === undefined) return answer;
    // The module that tests import may be the reason.
    delete entries[path];
    const again = await attempt(of, args, mutant);
    if (!('switched' in again)) entries[path] = entry;
    return again;
  };
  return {
    async plain(of, args) {
      const answer = await tell(of, args, null);
      if ('unloaded' in answer) return { unloaded: answer.unloaded.reason };
      return 'switched' in answer && 'outcome' in answer.switched ? { switched: answer.switched } : { broken: true };
    },
    async mutated(of, args, mutant) {
      const answer = await tell(of, args, mutant);
      return 'switched' in answer && 'result' in answer.switched ? answer.switched.result : null;
    },
    async fresh(of, calls, abroad) {
      if (calls.length === 0) return [];
      const start = startOf(asModule.has(order.subjects[of]!.path));
      const side = await startSide(entry, abroad ? { ...start, abroad: true } : start);
      if ('obstacle' in side) return [];
      const outcomes: (Outcome | string | null)[] = [];
      for (const { given: args, mutant } of calls) {
        const answer = await side.tell(of, { arguments: args, steps: [] }, mutant, FIRST_MS);
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
      for (const modules of [...open.keys()]) drop(modules);
    },
  };
}
