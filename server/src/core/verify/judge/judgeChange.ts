// Judges a change that anybody has made, by the gates of a proposal. Gates run even after a failure, because the author
// wants to know everything, except those that can show nothing any longer.

import { throwIfCancelled } from '../../../util/typedError.ts';
import { checkLabel } from '../../../protocol/plainWords.ts';
import type { Points, Proposal, Verdict } from '../../model.ts';
import { BROUGHT } from '../../model/authors.ts';
import type { Claim } from '../../model/claims.ts';
import { GATE_ORDER, type GateName } from '../../model/gates.ts';
import { WEAKENING, type Judged, type TestChange, type TreeChange } from '../../model/judgement.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import type { ChangedFiles } from '../../ports/sandbox.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';
import { createCommands } from '../commands.ts';
import type { VerifyContext } from '../context.ts';
import { readProject, type Project } from '../detect/project.ts';
import type { GateRun } from '../gate.ts';
import { gates as GATES } from '../gates/allGates.ts';
import { suspiciousUses } from '../integrity/reach.ts';
import { silencedIn } from '../integrity/loosened.ts';
import { waitingWords } from '../waiting.ts';
import { showClaims } from './claims.ts';
import { strengthOfJudged } from './strength.ts';
import { lostTests } from './lostTests.ts';
import { askOldTests } from './oldTests.ts';
import { testChangesIn, type CaseReader } from './testChanges.ts';
import { reportScore } from './points.ts';
import type { Budget, JudgeRequest } from './request.ts';
import { changedPackageFile, whyNotInstalled } from './installed.ts';
import { chosenTests } from '../testing/chosenTests.ts';

export interface JudgeContext extends VerifyContext, CaseReader {
  /** Those of the paths that the charter protects. */
  protectedPaths(paths: readonly string[]): Promise<readonly string[]>;
  readonly budget: Budget;
  /** Says for which sides a set-up has kept the packages. */
  keptPackages(changed: ChangedFiles): Promise<{ readonly base: boolean; readonly head: boolean }>;
  readonly names: JudgeRequest['names'];
}

/** Gates that run no command of the repository. The others run only if the change could be written. */
const STILL: ReadonlySet<GateName> = new Set(['applies', 'syntax', 'charter', 'integrity', 'score']);
/** While these gates run, the tests of the base run beside them. */
const AHEAD: ReadonlySet<GateName> = new Set([...STILL, 'types', 'lint']);
/** Gates that only look at known texts, so they answer even after the time is up. */
const AT_ONCE: ReadonlySet<GateName> = new Set(['charter', 'integrity']);
/** Gates that are left out if the gate `tests` has failed, because they build on passing tests. */
const PROOFS: ReadonlySet<GateName> = new Set(['claim', 'differential', 'guard']);

/**
 * Judges the change by all gates. Throws `cancelled`, and what adapters throw. The sandboxes are removed in any case.
 */
export async function judgeChange(context: JudgeContext, change: TreeChange, signal: AbortSignal): Promise<Judged> {
  throwIfCancelled(signal);
  const order = GATE_ORDER.filter((gate) => !(gate === 'timing' && context.settings.benchCommand.trim() === ''));
  const report = (done: number, message: string) =>
    context.report?.({ stage: 'verifying', done, total: order.length, message });
  report(0, 'Opening a sandbox');
  const { edits } = change;
  const found = await testChangesIn(edits, change.renamed, context);
  const packages = changedPackageFile(edits, [...change.bytes, ...change.left]);
  const changed = packages === null ? undefined : changedFiles(change);
  const obstacle =
    packages === null || !changed
      ? null
      : whyNotInstalled(packages, await context.keptPackages(changed), context.names);
  const worktree = await context.sandbox.open(signal, obstacle === null ? changed : undefined);
  let current: { readonly done: number; readonly gate: GateName } = { done: 0, gate: 'applies' };
  const commands = createCommands(worktree, {
    ...context,
    edits,
    timeoutMs: context.settings.timeoutSeconds * 1000,
    tell: (underWay) => {
      if (underWay.side === 'base' && AHEAD.has(current.gate)) return;
      report(current.done, `${checkLabel(current.gate)}: ${waitingWords(underWay)}`);
    },
  });
  const verdicts: Verdict[] = [];
  const claims: Claim[] = [];
  let tests: readonly TestChange[] = found.changes.map((one) => ({ ...one, oldTest: 'unknown', said: null }));
  let points: { readonly before: Points; readonly after: Points } | null = null;
  let project: Promise<Project> | null = null;
  const run: GateRun = {
    context,
    proposal: asProposal(change, context.clock.now()),
    edits,
    verdicts,
    worktree,
    ...commands,
    project: () => (project ??= readProject(worktree)),
  };
  const stopSignal = AbortSignal.any([signal, context.budget.signal]);
  const ended = new AbortController();
  let baseAhead: Promise<void> = Promise.resolve();
  try {
    for (const [done, gate] of order.entries()) {
      throwIfCancelled(signal);
      current = { done, gate };
      report(done, checkLabel(gate));
      const isBroken = verdicts.some((one) => one.gate === 'applies' && one.outcome === 'failed');
      if (isBroken && !STILL.has(gate)) continue;
      if (gate === 'syntax' && obstacle === null) baseAhead = runBaseAhead();
      if (PROOFS.has(gate) && verdicts.some((one) => one.gate === 'tests' && one.outcome === 'failed')) continue;
      const startedAt = context.clock.now();
      const { points: scored, ...answer } = await inTime(gate);
      points = scored ?? points;
      verdicts.push({ gate, ...answer, millis: context.clock.now() - startedAt });
    }
  } finally {
    ended.abort();
    await baseAhead;
    await Promise.all([worktree.dispose(), commands.dispose()]);
  }
  return {
    files: filesOf(change),
    strength: strengthOfJudged(verdicts, change, packages !== null),
    claims,
    verdicts,
    tests: { changes: tests, added: found.added },
    points: { before: points?.before ?? null, after: points?.after ?? null },
    notes: [],
  };

  /** Runs the tests without the change early, beside other gates. Whoever needs the result asks for it again. */
  async function runBaseAhead(): Promise<void> {
    try {
      const stop = AbortSignal.any([stopSignal, ended.signal]);
      await chosenTests({ ...run, base: commands.ahead }, stop);
    } catch (error) {
      // The gate gets the same error, unless everything has ended before.
      context.log.write('debug', 'The tests without the change could not run ahead.', error);
    }
  }

  /** A gate that has not answered when the time is up is unknown. */
  async function inTime(gate: GateName): Promise<GateAnswer> {
    const timeIsUp = () =>
      unknown(`Not shown: the ${context.budget.seconds ?? 0} s that were allowed have passed.`, { budget: 1 });
    if (AT_ONCE.has(gate)) return answerOf(gate);
    if (context.budget.signal.aborted) return timeIsUp();
    try {
      return withDisturbance(await answerOf(gate), await commands.disturbance(stopSignal));
    } catch (error) {
      throwIfCancelled(signal);
      if (context.budget.signal.aborted) return timeIsUp();
      throw error;
    }
  }

  async function answerOf(gate: GateName): Promise<GateAnswer> {
    if (obstacle !== null && !STILL.has(gate)) return unknown(obstacle, { packages: packages ?? '' });
    switch (gate) {
      case 'applies':
        return appliesAnswer();
      case 'charter':
        return charterAnswer();
      case 'integrity':
        return integrityAnswer();
      case 'score':
        return reportScore(context, edits);
      case 'tests': {
        const answer = await GATES.tests(run, stopSignal);
        const lost = answer.outcome === 'unknown' ? await lostTests(run) : null;
        if (lost !== null)
          return failed(`Without the change \`${lost}\` runs the tests; with it nothing does.`, answer.evidence);
        if (tests.some(({ test }) => test !== '')) tests = await askOldTests(run, found.changes, stopSignal);
        return answer;
      }
      case 'claim': {
        const shown = await showClaims(run, stopSignal);
        claims.push(...shown.claims);
        return shown.answer;
      }
      default:
        return GATES[gate](run, stopSignal);
    }
  }

  async function appliesAnswer(): Promise<GateAnswer> {
    const answer = edits.length > 0 ? await GATES.applies(run, stopSignal) : passed('There is no text to write.');
    if (answer.outcome === 'failed') return answer;
    await worktree.place(change.bytes);
    const [first] = change.left;
    if (!first) return answer;
    return unknown(
      `${first.path} is ${first.what}${change.left.length > 1 ? `, and so on for ${change.left.length - 1} more` : ''}: the checks run without that.`,
      { left: change.left.map(({ path }) => path).join('\n') },
    );
  }

  /**
   * The change is a person's or agent's own, so edits of protected paths are only reported; a policy may forbid them.
   */
  async function charterAnswer(): Promise<GateAnswer> {
    const paths = [...edits, ...change.bytes, ...change.left].map(({ path }) => path);
    const touched = await context.protectedPaths([...new Set(paths)]);
    if (touched.length === 0) return passed('No protected path is touched.');
    return unknown(`A person has to look at ${listText(touched)}: it decides what is run, checked or allowed.`, {
      protected: touched.join('\n'),
    });
  }

  async function integrityAnswer(): Promise<GateAnswer> {
    const weakened = found.changes.filter(({ kind }) => WEAKENING.has(kind));
    const silenced = silencedIn(edits);
    const odd = suspiciousUses(edits);
    const evidence = {
      weakened: weakened.length,
      ...(silenced.length > 0 ? { silenced: silenced.join('\n') } : {}),
      ...(odd.length > 0 ? { reaches: odd.join('\n') } : {}),
    };
    if (weakened.length > 0) {
      const what = weakened.length === 1 ? 'A test that was there is' : `${weakened.length} tests that were there are`;
      return failed(`${what} weakened: ${listText(weakened.map(weakenedPlace))}.`, evidence);
    }
    const doubts = [...silenced, ...odd];
    const judges = edits.filter((edit) => context.isJudge(edit.path) && !isTestEdit(edit)).map(({ path }) => path);
    if (judges.length > 0) doubts.push(`It edits what changes are judged by: ${listText(judges)}.`);
    if (doubts.length > 0) return unknown(`A person has to look at it. ${doubts.slice(0, 3).join(' ')}`, evidence);
    return passed('No test that was there checks less, and nothing silences a check.', evidence);
  }
}

/** `removed in test/grade.test.js:8 (grades)`. */
function weakenedPlace({ kind, path, line, test }: Pick<TestChange, 'kind' | 'path' | 'line' | 'test'>): string {
  return `${kind} in ${path}${line === null ? '' : `:${line}`}${test === '' ? '' : ` (${test})`}`;
}

function withDisturbance(
  answer: GateAnswer,
  disturbance: Awaited<ReturnType<ReturnType<typeof createCommands>['disturbance']>>,
): GateAnswer {
  if (!disturbance || answer.outcome === 'failed') return answer;
  if (answer.outcome === 'unknown' && disturbance.outcome === 'unknown') return answer;
  return { ...answer, ...disturbance };
}

function changedFiles({ edits, bytes }: TreeChange): ChangedFiles {
  const encoder = new TextEncoder();
  return new Map([
    ...edits.map(({ path, after }) => [path, after === null ? null : encoder.encode(after)] as const),
    ...bytes.map((one) => [one.path, one.bytes] as const),
  ]);
}

function asProposal({ edits }: TreeChange, now: number): Proposal {
  return {
    id: 'judged',
    title: 'A change',
    rationale: '',
    recipe: BROUGHT,
    author: 'agent',
    opportunity: { id: 'judged', rule: '', path: edits[0]?.path ?? '', symbol: null },
    base: null,
    edits,
    safety: 'behaviorChanging',
    createdAt: now,
    status: 'verifying',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
  };
}

function filesOf({ edits, bytes, binary, left, renamed }: TreeChange): Judged['files'] {
  const paths = new Set([...edits, ...bytes, ...left].map(({ path }) => path));
  return {
    changed: paths.size - renamed.length,
    added: edits.filter(({ before }) => before === null).length - renamed.length,
    deleted: edits.filter(({ after }) => after === null).length - renamed.length,
    renamed: renamed.length,
    binary: binary.length,
  };
}

function listText(words: readonly string[]): string {
  return `${words.slice(0, 3).join(', ')}${words.length > 3 ? ` and ${words.length - 3} more` : ''}`;
}
