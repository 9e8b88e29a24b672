// Checks the set-up: finds problems, and gives advice on each.

import type { Millis, Notice } from '../../model.ts';
import type { SetAsideTree } from '../../run/nightTypes.ts';
import type { DoctorFinding } from '../../session.ts';
import { describeError } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';
import type { ProcessMeter } from '../../ports/system.ts';
import { readSetupState } from '../setup/setupState.ts';
import { createTestsLine } from '../setup/testsLine.ts';
import { describeIsolation } from '../verify/isolation.ts';
import { readTrainingState } from '../training/trainingSection.ts';
import { findLostTexts } from '../ledger/lostTexts.ts';
import type { ChunkStore } from '../../ports/search.ts';
import { memorySentence, type MachineMemory } from '../../../util/memoryTiers.ts';
import { formatCount } from '../../../util/counted.ts';

/** Facts about the machine that only adapters know. */
export interface DoctorInput extends ProcessMeter {
  readonly nodeVersion: string;
  readonly stateDir: string;
  /** Sentences about settings that were refused. */
  readonly settingsProblems?: readonly string[];
  /** A sentence about the file with a person's settings for the command line: its path, and the settings in it. */
  readonly ownSettings?: string;
  /** The missing requirements of a training, as sentences; undefined if no training is configured. */
  readonly missingForTraining?: readonly string[];
  /** The model with which training begins, as Ollama or another home of models names it; null if unknown. */
  readonly trainingBase?: string | null;
  /** Versions of the tools that judge a change, for its receipt. */
  readonly tools?: Readonly<Record<string, string>>;
  /** Trees of unattended runs that git could not read. */
  setAsideTrees?(): Promise<readonly SetAsideTree[]>;
  /** The memory of the machine; undefined if it is not measured. */
  memory?(): MachineMemory;
}

/** Checks everything that Selfware depends on. Opens the chunk store for that; changes nothing else. */
export async function diagnose(
  context: SessionContext,
  input: DoctorInput,
  useStore: () => Promise<Notice | null>,
  signal: AbortSignal,
): Promise<readonly DoctorFinding[]> {
  const { ports, state } = context;
  const repository = await ports.git.state();
  const verification = await context.ledger.verify();
  const journal = await ports.journal.openEntries();
  const isolation = await ports.sandbox.isolation();
  const { detail, action } = describeIsolation(isolation);
  const store = await useStore().then(
    (replacement) => createStoreFinding(ports.chunks.kind, replacement),
    createStoreFailure,
  );
  signal.throwIfAborted();
  return [
    createFinding('runtime', true, `Node ${input.nodeVersion}`),
    ...(input.memory ? [createFinding('memory', true, memorySentence(input.memory()))] : []),
    createFinding('state folder', true, input.stateDir),
    createSettingsFinding(input.settingsProblems ?? []),
    ...(input.ownSettings === undefined ? [] : [createFinding('own settings', true, input.ownSettings)]),
    repository
      ? createFinding(
          'git',
          repository.head !== null,
          repository.head
            ? `on ${repository.branch ?? 'a detached HEAD'} at ${repository.head.slice(0, 10)}`
            : 'a repository without a commit',
          'Commit once: proposals are checked in a copy that starts from the last commit.',
        )
      : createFinding(
          'git',
          false,
          (await ports.git.explainUnavailable()) ?? 'not a git repository',
          'Index, search and analysis work; proposals need git.',
        ),
    store,
    createFinding('isolation', isolation.confined, detail, action),
    await checkTests(context, verification.intact),
    ...(input.missingForTraining === undefined
      ? []
      : [await checkTraining(context, input.missingForTraining, input.trainingBase ?? null)]),
    {
      name: 'ledger',
      outcome: verification.intact ? 'good' : 'bad',
      detail: verification.intact
        ? `${formatCount(verification.events, 'event')}, chain intact`
        : (verification.reason ?? 'damaged'),
      action: verification.intact ? null : 'Keep the file and run `selfware ledger verify`.',
    },
    verification.intact
      ? await findLostTexts(context)
      : createFinding('proposals', false, 'unknown: the ledger is damaged', null),
    createFinding(
      'journal',
      journal.entries.length === 0 && journal.damaged.length === 0,
      `${journal.entries.length} unfinished, ${journal.damaged.length} damaged`,
      'Unfinished changes are settled when the repository is opened; look at the damaged entries in the state folder.',
    ),
    ...((await input.setAsideTrees?.()) ?? []).map((tree) => createSetAsideFinding(tree, ports.clock.now())),
    createFinding(
      'trust',
      context.trusted,
      context.trusted ? 'trusted' : 'not trusted: only index and analysis run',
      'Trust the workspace to get proposals.',
    ),
    createFinding('kill switch', !state.stopped, state.stopped ? 'stopped' : 'not pulled', 'Run `selfware resume`.'),
  ];
}

/**
 * The finding about tests. `isIntact`: false if the ledger is damaged, so that it shows nothing about earlier runs of
 * the tests.
 */
async function checkTests(context: SessionContext, isIntact: boolean): Promise<DoctorFinding> {
  const proposals = isIntact ? await context.ledger.proposals() : [];
  const { outcome, detail, action } = createTestsLine(await readSetupState(context), proposals);
  return createFinding('tests', outcome === 'good' || outcome === 'ran', detail, action);
}

async function checkTraining(
  context: SessionContext,
  missing: readonly string[],
  base: string | null,
): Promise<DoctorFinding> {
  if (missing.length > 0) return createFinding('training', false, 'not ready', missing.join(' '));
  const { learningsSinceTraining, currentModel, trainingRuns } = await readTrainingState(context.ledger, base);
  const lastTraining = trainingRuns.at(-1);
  const isBad = lastTraining?.outcome === 'failed' || lastTraining?.outcome === 'interrupted';
  const lastText = lastTraining
    ? `; the last training: ${lastTraining.outcome}. ${lastTraining.reason}`
    : '; never trained';
  const detail = `${currentModel ?? 'the base'} in use, ${formatCount(learningsSinceTraining, 'new learning')}${lastText}`;
  return createFinding('training', !isBad, detail, 'Look at its log (docs/training.md says where), then train again.');
}

/** The finding about a tree of a run that git could not read. */
function createSetAsideFinding({ folder, at, bytes }: SetAsideTree, now: Millis): DoctorFinding {
  const days = Math.max(0, Math.floor((now - at) / 86_400_000));
  const size = `${(bytes / 1_000_000).toFixed(1)} MB, ${formatCount(days, 'day')} old`;
  const detail = `${folder} (${size}): git could not read this tree of a run, so it was moved aside with all that it holds`;
  const action =
    'Its files and commits may be nowhere else, so Selfware never removes it. Once you miss nothing in it, delete the ' +
    'folder.';
  return createFinding('old tree', false, detail, action);
}

function createStoreFinding(kind: ChunkStore['kind'], replacement: Notice | null): DoctorFinding {
  if (replacement)
    return { name: 'index store', outcome: 'degraded', detail: replacement.message, action: replacement.action };
  const detail = kind === 'lancedb' ? 'LanceDB' : 'lexical: the LanceDB binary does not load here';
  return createFinding('index store', kind === 'lancedb', detail, 'Search works without vectors from LanceDB.');
}

function createStoreFailure(error: unknown): DoctorFinding {
  const action = 'Analysis works; search does not. Free disk space and check who may write to the state folder.';
  return { name: 'index store', outcome: 'bad', detail: describeError(error), action };
}

function createSettingsFinding(problems: readonly string[]): DoctorFinding {
  const detail = problems.length === 0 ? 'all taken' : problems.join(' ');
  return createFinding('settings', problems.length === 0, detail, 'Fix the named file, or use your own settings.');
}

function createFinding(name: string, isGood: boolean, detail: string, action: string | null = null): DoctorFinding {
  return { name, outcome: isGood ? 'good' : 'degraded', detail, action: isGood ? null : action };
}
