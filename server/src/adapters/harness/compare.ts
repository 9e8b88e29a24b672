// Compares old and new code target by target: generates inputs, looks for a call that the two sides answer differently,
// shrinks it and confirms it.

import fc from 'fast-check';
import type {
  Counterexample,
  HarnessOrder,
  HarnessReport,
  Target,
  TargetReport,
} from '../../core/verify/differential/plan.ts';
import { createArbitraries } from './arbitraries.ts';
import { compileAll } from './compile.ts';
import { difference } from './difference.ts';
import { isMended, MENDED_TIMES } from './mended.ts';
import type { Call, RanCode, SideStart } from './messages.ts';
import { startSide, type Answer, type Side } from './sides.ts';
import { unreachedLines } from './unreached.ts';

/** Fewer inputs than this show too little where a function takes any. */
const FEWEST = 40;
/** Inputs on which the old code does not end. */
const MOST_HANGS = 2;
/** For a call that is looked at again, in milliseconds: a machine under load is slow, and no code hangs for that. */
const CONFIRM_MS = 12_000;
/** Once something is found, so long may making it small take. */
const SHRINK_MS = 5_000;

/** What goes wrong when code of one kind of module is loaded as the other. */
const OF_FORMATS =
  /SyntaxError|(require|exports|module|__dirname|__filename) is not defined|ERR_REQUIRE|require\(\) of ES|import\.meta|top-level await|is not a (function|constructor)|Cannot read properties of undefined|does not provide an export/;

interface Pair {
  readonly old: Side;
  readonly fresh: Side;
}

export async function compare(order: HarnessOrder, rootDir: string, entry: URL): Promise<HarnessReport> {
  const found = await workingStart(order, rootDir, entry);
  if ('obstacle' in found) return { obstacle: found.obstacle, targets: [], unreached: [] };
  const open = async (only: string | null): Promise<Pair> => {
    const pair = await openPair(
      entry,
      { old: { ...found.starts.old, only }, fresh: { ...found.starts.fresh, only } },
      only === null ? undefined : CONFIRM_MS,
    );
    if ('obstacle' in pair) throw new Error('Code that loaded before does not load again.');
    return pair;
  };

  const endAt = performance.now() + order.budgetMs;
  const session: Session = { pair: found.pair, open, ran: { old: [], fresh: [] } };
  const { callOf } = createArbitraries(order);
  const targets: TargetReport[] = [];
  for (const [index, target] of order.targets.entries()) {
    const share = (endAt - performance.now()) / (order.targets.length - index);
    targets.push(
      share < 100
        ? unknownReport(target, 'No time was left for it.')
        : await compareTarget(session, index, target, callOf(target), { ...order, share }),
    );
  }
  await collect(session);
  session.pair.old.end();
  session.pair.fresh.end();
  return {
    obstacle: null,
    targets,
    unreached: unreachedLines(session.ran.old, session.ran.fresh, new Set(order.files.map(({ path }) => path))),
  };
}

interface Session {
  pair: Pair;
  /** `only`: for this file alone. */
  open(only: string | null): Promise<Pair>;
  /** What ran on either side, also in processes that are gone. */
  readonly ran: { readonly old: RanCode[][]; readonly fresh: RanCode[][] };
}

interface Starts {
  readonly old: SideStart;
  readonly fresh: SideStart;
}

/**
 * As the repository's configuration says, else as modules: many a repository is built by a tool that takes everything
 * for one.
 */
async function workingStart(
  order: HarnessOrder,
  rootDir: string,
  entry: URL,
): Promise<{ readonly pair: Pair; readonly starts: Starts } | { readonly obstacle: string }> {
  let obstacle: string | null = null;
  for (const asModules of [false, true]) {
    const compiled = compileAll(order, rootDir, asModules);
    const common = {
      rootDir,
      targets: order.targets,
      emit: order.emit,
      only: null,
      watched: order.files.map(({ path }) => path),
    };
    const starts = {
      old: { ...common, codes: { ...compiled.fresh, ...compiled.old } },
      fresh: { ...common, codes: compiled.fresh },
    };
    const pair = await openPair(entry, starts);
    if (!('obstacle' in pair)) return { pair, starts };
    obstacle ??= pair.obstacle;
    // A package that is not installed is missing either way.
    if (!OF_FORMATS.test(pair.obstacle)) break;
  }
  return { obstacle: obstacle ?? 'The code does not load here.' };
}

async function openPair(entry: URL, starts: Starts, callMs?: number): Promise<Pair | { readonly obstacle: string }> {
  const [old, fresh] = await Promise.all([
    startSide(entry, starts.old, callMs),
    startSide(entry, starts.fresh, callMs),
  ]);
  if (!('obstacle' in old) && !('obstacle' in fresh)) return { old, fresh };
  for (const side of [old, fresh]) if (!('obstacle' in side)) side.end();
  return {
    obstacle:
      'obstacle' in old
        ? `The code does not load here: ${old.obstacle}.`
        : `The new code does not load here, and the old does: ${'obstacle' in fresh ? fresh.obstacle : ''}.`,
  };
}

async function compareTarget(
  session: Session,
  index: number,
  target: Target,
  calls: fc.Arbitrary<Call>,
  { seed, runs, share, mends }: Pick<HarnessOrder, 'seed' | 'runs' | 'mends'> & { readonly share: number },
): Promise<TargetReport> {
  let inputs = 0;
  let answered = 0;
  let hangs = 0;
  let effect: string | null = null;
  let broken: string | null = null;
  let found = false;
  let mended: Call | null = null;
  const history: Call[] = [];
  const nothingToVary = target.kind === 'value' || (target.kind === 'function' && target.parameters.length === 0);
  const started = performance.now();
  const property = fc.asyncProperty(calls, async (call) => {
    if (broken !== null || hangs > MOST_HANGS) return;
    if (!found) history.push(call);
    const [old, fresh] = await both(session, index, call);
    if ('hangs' in old || 'broken' in old || 'hangs' in fresh || 'broken' in fresh) await reopen(session);
    if ('hangs' in old) {
      hangs += 1;
      return;
    }
    if ('broken' in old) broken = old.broken;
    else if ('broken' in fresh) broken = fresh.broken;
    if ('broken' in old || 'broken' in fresh) return;
    inputs += 1;
    if (!old.outcome.threw) answered += 1;
    if (mends && isMended(old, fresh)) {
      mended ??= call;
      return;
    }
    effect ??= old.outcome.effect ?? ('outcome' in fresh ? fresh.outcome.effect : null);
    if ('hangs' in fresh || difference(old.outcome, fresh.outcome)) {
      found = true;
      throw new Error('different');
    }
  });
  const details = await fc.check(property, {
    seed,
    numRuns: nothingToVary ? 2 : runs,
    interruptAfterTimeLimit: Math.max(100, share - Math.min(SHRINK_MS, share / 3)),
    markInterruptAsFailure: false,
    endOnFailure: false,
    timeout: undefined as unknown as number,
  });
  const shownMended = mended && (await confirmedMend(session, index, target, mended));
  const report = {
    ...{ path: target.path, name: target.name, inputs, answered },
    ...(shownMended ? { mended: shownMended } : {}),
  };
  if (details.failed && details.counterexample)
    return { ...report, ...(await confirmed(session, index, target, details.counterexample[0], history)) };
  const reason = doubt();
  const outOfTime = reason !== null && tooFew() ? { outOfTime: true as const } : {};
  return { ...report, outcome: reason === null ? 'same' : 'unknown', reason, ...outOfTime, counterexample: null };

  function tooFew(): boolean {
    return !nothingToVary && inputs < Math.min(FEWEST, runs);
  }

  function doubt(): string | null {
    if (broken !== null) return `A process broke: ${broken}.`;
    if (hangs > 0) return `The old code does not end on ${hangs} of the inputs.`;
    if (effect !== null) return `It asks for ${effect}, and what follows that cannot be compared.`;
    if (inputs === 0) return 'No input was tried.';
    if (answered === 0) return `It throws on each of ${inputs} inputs.`;
    if (tooFew()) return `Only ${inputs} inputs in ${((performance.now() - started) / 1000).toFixed(0)} s.`;
    return null;
  }
}

/**
 * In fresh processes, twice: a difference that comes and goes, or that the old code has with itself, proves nothing.
 */
async function confirmed(
  session: Session,
  index: number,
  target: Target,
  call: Call,
  history: readonly Call[],
): Promise<Pick<TargetReport, 'outcome' | 'reason' | 'counterexample'>> {
  for (const calls of [[call], history]) {
    const one = await replay(session, index, target, calls);
    const other = await replay(session, index, target, calls);
    if (!one || !other)
      return {
        outcome: 'unknown',
        reason: 'A process broke while a difference was being confirmed.',
        counterexample: null,
      };
    if (JSON.stringify(one.old) !== JSON.stringify(other.old))
      return {
        outcome: 'unknown',
        reason: `The old code answers \`${'outcome' in one.old ? one.old.outcome.call : target.name}\` differently from one call to the next.`,
        counterexample: null,
      };
    const counterexample = shown(target, one.old, one.fresh, calls.length - 1);
    if (counterexample) return { outcome: 'different', reason: null, counterexample };
  }
  return { outcome: 'unknown', reason: 'A difference was seen once, but not again.', counterexample: null };
}

/** In fresh processes, as often as a test that shows a fix. */
async function confirmedMend(
  session: Session,
  index: number,
  target: Target,
  call: Call,
): Promise<Counterexample | null> {
  let found: Counterexample | null = null;
  for (let time = 0; time < MENDED_TIMES; time += 1) {
    const answers = await replay(session, index, target, [call]);
    if (!answers || !isMended(answers.old, answers.fresh)) return null;
    found ??= shown(target, answers.old, answers.fresh, 0);
  }
  return found;
}

async function replay(
  session: Session,
  index: number,
  target: Target,
  calls: readonly Call[],
): Promise<{ readonly old: Answer; readonly fresh: Answer } | null> {
  const pair = await session.open(target.path);
  try {
    let last: { readonly old: Answer; readonly fresh: Answer } | null = null;
    for (const call of calls) {
      const [old, fresh] = await Promise.all([pair.old.ask(index, call), pair.fresh.ask(index, call)]);
      last = { old, fresh };
      if (!('outcome' in old) || !('outcome' in fresh)) break;
    }
    return last && !('broken' in last.old) ? last : null;
  } finally {
    pair.old.end();
    pair.fresh.end();
  }
}

function shown(target: Target, old: Answer, fresh: Answer, earlier: number): Counterexample | null {
  if (!('outcome' in old)) return null;
  const imported =
    target.kind === 'function' && target.exportedAs !== null ? { path: target.path, name: target.exportedAs } : null;
  const call = `${old.outcome.call}${earlier > 0 ? ` (after ${earlier} other calls)` : ''}`;
  const common = { call, imported, expected: earlier > 0 ? null : old.outcome.expression };
  if ('hangs' in fresh) return { ...common, before: old.outcome.first.result, after: 'does not end' };
  if ('broken' in fresh)
    return { ...common, before: old.outcome.first.result, after: `ends the process (${fresh.broken})` };
  const found = difference(old.outcome, fresh.outcome);
  return found && { ...common, ...found, expected: found.inResult ? common.expected : null };
}

function unknownReport({ path, name }: Target, reason: string): TargetReport {
  return { path, name, outcome: 'unknown', reason, outOfTime: true, counterexample: null, inputs: 0, answered: 0 };
}

async function both({ pair }: Session, index: number, call: Call): Promise<readonly [Answer, Answer]> {
  return Promise.all([pair.old.ask(index, call), pair.fresh.ask(index, call)]);
}

async function reopen(session: Session): Promise<void> {
  await collect(session);
  session.pair.old.end();
  session.pair.fresh.end();
  session.pair = await session.open(null);
}

async function collect({ pair, ran }: Session): Promise<void> {
  const [old, fresh] = await Promise.all([pair.old.finish(), pair.fresh.finish()]);
  ran.old.push([...old]);
  ran.fresh.push([...fresh]);
}
