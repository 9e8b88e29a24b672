// A judgement in progress: its input, its sandboxes, and what its gates have shown so far. The steps in
// `judgeChange.ts` read and change it.

import { checkLabel } from '../../../../protocol/plainWords.ts';
import type { FileEdit, Millis, Points, Verdict } from '../../../model.ts';
import type { Claim } from '../../../model/claims.ts';
import { GATE_ORDER, type GateName } from '../../../model/gates.ts';
import type { TestChange, TreeChange } from '../../../model/judgement.ts';
import type { ChangedFiles, Isolation } from '../../../ports/sandbox.ts';
import type { VerifyContext } from '../../context.ts';
import { describeRunningCommand, type RunningCommand } from '../../runningCommandText.ts';
import type { ComparedCases } from '../compareCases.ts';
import { addUnreadableTests } from '../files/unreadable.ts';
import { explainNotInstalled, findChangedPackageFile, listChangedFiles } from '../installedPackages.ts';
import type { Budget, JudgeRequest } from '../judgementRequest.ts';
import { openLane, openLaneWithChange, type Lane, type LaneParts } from '../judgeSandbox.ts';
import { findTestChanges, type CaseReader } from '../testChanges.ts';
import { wrapAsProposal } from '../wrapAsProposal.ts';

/** The input of a judgement. */
export interface JudgeContext extends VerifyContext {
  readonly testCases: CaseReader['testCases'];
  /** Sentences about code that may hide a fault from the tests. */
  findHiddenFaults(change: TreeChange): Promise<readonly string[]>;
  /** The given paths that the charter protects. `inert`: paths that count only if the settings name them. */
  protectedPaths(paths: readonly string[], inert: ReadonlySet<string>): Promise<readonly string[]>;
  readonly budget: Budget;
  /** The sides whose packages a set-up has stored. */
  checkFittingPackages(changed: ChangedFiles): Promise<{ readonly base: boolean; readonly head: boolean }>;
  readonly thorough: boolean;
  readonly quick?: boolean;
  readonly names: JudgeRequest['names'];
}

/** Opens the sandbox in which a gate runs. */
export type OpenLane = () => Promise<Lane>;

/** A judgement in progress. */
export interface Judgement {
  readonly context: JudgeContext;
  readonly change: TreeChange;
  /** The edits, including those of tests that cannot be read as text. */
  readonly readEdits: readonly FileEdit[];
  /** The gates that run, in the order of their verdicts. */
  readonly order: readonly GateName[];
  readonly beganAt: Millis;
  /** The edited file that determines which packages are installed; null if there is none. */
  readonly packageFile: string | null;
  /** The reason why no command can run because packages are missing; null if there is none. */
  readonly obstacle: string | null;
  readonly cores: number;
  /** True if there are enough cores for the tests of both sides at the same time. */
  readonly isRoomy: boolean;
  /** The sandbox in which all gates but the tests and the mutants run. */
  readonly main: Lane;
  /** Opens the sandbox of the tests and the mutants. Later calls return the same sandbox. */
  readonly openSideLane: OpenLane;
  /** Aborted when the caller cancels. */
  readonly signal: AbortSignal;
  /** Aborted when the caller cancels, when the time is up, or when the judgement ends. */
  readonly stopSignal: AbortSignal;
  /** Aborted when the comparison of old and new code has shown more than mutants could. */
  readonly needlessMutants: AbortController;
  /** The comparison of the test cases, which runs while the sandbox opens. */
  readonly comparedCases: Promise<ComparedCases>;
  /** Work that must end before the sandboxes are removed. */
  readonly running: Promise<unknown>[];
  readonly runningGates: GateName[];
  readonly verdicts: Verdict[];
  readonly claims: Claim[];
  readonly points: { before: Points | null; after: Points | null };
  /** The changed test cases as found; `testChanges` adds what the old tests show. */
  caseChanges: ComparedCases['changes'];
  testChanges: readonly TestChange[];
  addedCases: ComparedCases['added'];
  /** True if the change could not be written. */
  isBroken: boolean;
  report(message: string): void;
  /** Stops what is running, and removes the sandboxes. */
  close(): Promise<void>;
}

/** Number of cores from which on the tests of both sides run at the same time. */
const CORES_FOR_BOTH_SIDES = 4;
/** The kinds of isolation in which the tests of both sides can listen on the same port at the same time. */
const ISOLATIONS_WITH_OWN_NETWORK: ReadonlySet<Isolation['kind']> = new Set(['bubblewrap', 'unshare', 'container']);
/** The progress text for a command that runs outside of any gate, such as the old tests on the new code. */
const PROGRESS_OUTSIDE_GATES = 'Running the tests';

/** Begins a judgement, and opens its main sandbox. Throws the errors of the sandbox. */
export async function openJudgement(
  context: JudgeContext,
  change: TreeChange,
  signal: AbortSignal,
): Promise<Judgement> {
  const beganAt = context.clock.now();
  const order = GATE_ORDER.filter((gate) => !(gate === 'timing' && context.settings.benchCommand.trim() === ''));
  const [runningGates, verdicts]: [GateName[], Verdict[]] = [[], []];
  const reportProgress = (message: string) =>
    context.report?.({ stage: 'verifying', done: verdicts.length, total: order.length, message });
  reportProgress('Opening a sandbox');
  const packages = await findPackages(context, change);
  const cores = context.machine?.load()?.cores ?? 1;
  const isRoomy = cores >= CORES_FOR_BOTH_SIDES;
  const parts: LaneParts = {
    context,
    edits: change.edits,
    verdicts,
    changedFiles: packages.obstacle === null ? packages.changedFiles : undefined,
    proposal: wrapAsProposal(change, context.clock.now()),
    runsCandidateFirst: true,
    shared: { ran: new Map(), environments: new Map() },
    canRunSideBySide: isRoomy && ISOLATIONS_WITH_OWN_NETWORK.has((await context.sandbox.isolation()).kind),
    tell: (command: RunningCommand) =>
      reportProgress(
        `${runningGates.map(checkLabel).join(', ') || PROGRESS_OUTSIDE_GATES}: ${describeRunningCommand(command)}`,
      ),
  };
  const readEdits = addUnreadableTests(change);
  const comparedCases = findTestChanges(readEdits, change.renamed, context);
  // If no sandbox opens, that is the error to report.
  comparedCases.catch(() => undefined);
  const main = await openLane(parts, signal);
  const endController = new AbortController();
  const stopSignal = AbortSignal.any([signal, context.budget.signal, endController.signal]);
  const running: Promise<unknown>[] = [];
  let sideLane: Promise<Lane> | null = null;
  return {
    ...{ context, change, readEdits, order, beganAt, cores, isRoomy, main, signal, stopSignal, comparedCases, running },
    ...{
      packageFile: packages.packageFile,
      obstacle: packages.obstacle,
      runningGates,
      verdicts,
      report: reportProgress,
    },
    needlessMutants: new AbortController(),
    claims: [],
    points: { before: null, after: null },
    caseChanges: [],
    testChanges: [],
    addedCases: 0,
    isBroken: false,
    openSideLane: () => (sideLane ??= openLaneWithChange(parts, change, stopSignal)),
    async close() {
      endController.abort();
      await Promise.allSettled(running);
      const sideLanes = await Promise.allSettled(sideLane === null ? [] : [sideLane]);
      const openLanes = sideLanes.flatMap((settledLane) =>
        settledLane.status === 'fulfilled' ? [settledLane.value] : [],
      );
      await Promise.all([main, ...openLanes].map((lane) => lane.dispose()));
    },
  };
}

/** True if the change is written, and the packages that it needs are installed. */
export function canRunCommands({ isBroken, obstacle }: Judgement): boolean {
  return !isBroken && obstacle === null;
}

/** Waits for all work, or for the first error. The sandboxes stay until all work has ended. */
export async function waitForAll({ running }: Judgement, work: readonly Promise<void>[]): Promise<void> {
  running.push(...work);
  await Promise.all(work);
}

/**
 * The edited file that determines which packages are installed, and the reason why they cannot be used, if there is
 * one.
 */
async function findPackages(
  context: JudgeContext,
  change: TreeChange,
): Promise<Pick<Judgement, 'packageFile' | 'obstacle'> & { readonly changedFiles: ChangedFiles | undefined }> {
  const packageFile = findChangedPackageFile(change.edits, [...change.bytes, ...change.left]);
  if (packageFile === null) return { packageFile, obstacle: null, changedFiles: undefined };
  const changedFiles = listChangedFiles(change);
  const keptPackages = await context.checkFittingPackages(changedFiles);
  return { packageFile, obstacle: explainNotInstalled(packageFile, keptPackages, context.names), changedFiles };
}
