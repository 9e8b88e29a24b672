// Records the current results of a function: calls without effects whose results can be written as expressions and are
// the same in two processes, independently of earlier calls.

import fc from 'fast-check';
import type { RecordOrder, RecordedCall, RecordReport, ComparedTarget } from '../../core/verify/differential/plan.ts';
import { createArbitraries } from './arbitraries.ts';
import { compileAll } from './compile.ts';
import type { Call, CallOutcome } from './messages.ts';
import { startSide, type SideProcess } from './sideProcesses.ts';

/** Maximum number of characters of a call. Longer ones make a test hard to read. */
const MAX_CALL_LENGTH = 70;
/** Maximum number of characters of a result. */
const MAX_ANSWER_LENGTH = 60;

/**
 * Makes calls of the first target in two processes, in opposite order, and returns the results on which both agree;
 * none if a result depends on the order. `obstacle`: a sentence, if nothing could be called.
 */
export async function recordAgreedResults(request: RecordOrder, rootDir: string, entry: URL): Promise<RecordReport> {
  const [target] = request.targets;
  if (!target) return { obstacle: 'There is nothing to call.', recorded: [] };
  const sides = await startTwoSides(request, rootDir, entry);
  if ('obstacle' in sides) return { obstacle: sides.obstacle, recorded: [] };
  try {
    return { obstacle: null, recorded: await recordCalls(request, target, sides) };
  } finally {
    for (const side of sides) side.end();
  }
}

async function recordCalls(
  request: RecordOrder,
  target: ComparedTarget,
  sides: readonly [SideProcess, SideProcess],
): Promise<readonly RecordedCall[]> {
  const endAt = performance.now() + request.budgetMs;
  const calls = fc.sample(createArbitraries(request).callOf(target), { seed: request.seed, numRuns: request.runs });
  const [forwards, backwards] = await Promise.all([
    runCalls(sides[0], calls, endAt),
    runCalls(sides[1], calls.toReversed(), endAt),
  ]);
  const recordedByCall = new Map<string, RecordedCall>();
  for (const [index, outcome] of forwards.entries()) {
    const backward = backwards[calls.length - 1 - index];
    if (!outcome || !backward) continue;
    // If a result depends on earlier calls, none of the results can be trusted.
    if (JSON.stringify(outcome) !== JSON.stringify(backward)) return [];
    const recordedCall = createRecordedCall(outcome);
    if (recordedCall && !recordedByCall.has(recordedCall.call)) recordedByCall.set(recordedCall.call, recordedCall);
  }
  return chooseCalls([...recordedByCall.values()], request.maxResults);
}

/** Makes the calls in order, until the time is up or the process hangs or breaks. */
async function runCalls(side: SideProcess, calls: readonly Call[], endAt: number): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = [];
  for (const call of calls) {
    const answer = performance.now() < endAt ? await side.ask(0, call) : null;
    if (!answer || !('outcome' in answer)) break;
    outcomes.push(answer.outcome);
  }
  return outcomes;
}

/**
 * A call and its result as expressions. Null for a call that has a side effect, ends with an error or gives another
 * result the second time, and if the call or the result is long or hard to read.
 */
function createRecordedCall({ first, second, call, expression, threw, effect }: CallOutcome): RecordedCall | null {
  if (threw || effect !== null || expression === null) return null;
  // The call must be pure: the arguments are unchanged, nothing was called, and the second call gives the same result.
  if (first.arguments !== '' || first.callLog.length > 0 || first.result !== second.result || second.arguments !== '')
    return null;
  if (
    call.length > MAX_CALL_LENGTH ||
    expression.length > MAX_ANSWER_LENGTH ||
    /<|stub\(|NaN|-0\b/.test(call + expression) ||
    !/^[\x20-\x7e]*$/.test(call + expression)
  )
    return null;
  return { call, answer: expression, promised: first.result.startsWith('resolves') };
}

/**
 * Chooses at most `limit` calls: one for each kind of result before a second one of any kind, the most readable ones
 * first. Returns them sorted by length.
 */
function chooseCalls(recordings: readonly RecordedCall[], limit: number): RecordedCall[] {
  const recordingsByKind = new Map<string, RecordedCall[]>();
  for (const recordedCall of recordings.toSorted(
    (a, b) => computeOddness(a.call) - computeOddness(b.call) || (a.call < b.call ? -1 : 1),
  )) {
    // `a/b` and `b/c` are results of the same kind.
    const kind = recordedCall.answer.replace(/[a-z]/gi, 'a').replace(/a+/g, 'a');
    recordingsByKind.set(kind, [...(recordingsByKind.get(kind) ?? []), recordedCall]);
  }
  const chosenCalls: RecordedCall[] = [];
  for (let round = 0; chosenCalls.length < Math.min(limit, recordings.length); round++) {
    for (const calls of recordingsByKind.values()) {
      const next = calls[round];
      if (next && chosenCalls.length < limit) chosenCalls.push(next);
    }
  }
  return chosenCalls.toSorted((a, b) => a.call.length - b.call.length);
}

/**
 * Rank of a call in the choice; the lowest comes first. Texts that are empty or have only white space, and escapes,
 * raise it, because one or two such calls are enough. Otherwise, calls of about 24 characters are preferred.
 */
function computeOddness(call: string): number {
  return 20 * (call.match(/"\s*"/g) ?? []).length + 10 * (call.match(/\\/g) ?? []).length + Math.abs(call.length - 24);
}

/**
 * Starts two processes with the code in the formats that the repository's configuration states, or as ES modules if it
 * does not load that way. `obstacle`: a sentence, if it does not load in either way.
 */
async function startTwoSides(
  request: RecordOrder,
  rootDir: string,
  entry: URL,
): Promise<readonly [SideProcess, SideProcess] | { readonly obstacle: string }> {
  let obstacle: string | null = null;
  for (const loadsAsModules of [false, true]) {
    const { newCode } = compileAll({ ...request, files: [] }, rootDir, loadsAsModules);
    const start = {
      rootDir,
      codes: newCode,
      watched: request.targets.map(({ path }) => path),
      targets: request.targets,
      emit: request.emit,
      onlyPath: null,
    };
    const [firstSide, secondSide] = await Promise.all([startSide(entry, start), startSide(entry, start)]);
    if (!('obstacle' in firstSide) && !('obstacle' in secondSide)) return [firstSide, secondSide];
    for (const side of [firstSide, secondSide])
      if ('obstacle' in side) obstacle ??= side.obstacle;
      else side.end();
  }
  return { obstacle: `The code does not load here: ${obstacle ?? 'nobody knows why'}.` };
}
