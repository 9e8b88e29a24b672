// Finds the functions in which the tests, or a benchmark, spend their time, and remembers them as long as their files
// are the same. Adds their figures to findings about speed.

import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Opportunity } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import { isTestFile } from '../../paths/tests.ts';
import {
  createCommandFromSetting,
  findPackageScript,
  findWordsToRun,
  type DetectedCommand,
} from '../../verify/detect/command.ts';
import { readProject, type DetectedProject } from '../../verify/detect/project.ts';
import { detectRunner, type RunnerName } from '../../verify/detect/testRunner.ts';
import { detectTests } from '../../verify/detect/testCommand.ts';
import { addPreload } from '../../verify/guard/inProcess.ts';
import type { InTestsOrder } from '../../verify/guard/inTests.ts';
import { findHotFunctions, readProfileLines, type HotFunction } from '../../verify/hot/profile.ts';
import type { SessionContext } from '../context.ts';
import type { RunResult } from '../../ports/sandbox.ts';
import type { HiddenOpportunity, HotReport } from './analysisTypes.ts';
import { readStoredJson } from './storedJson.ts';

/** The name of the blob with the stored report. */
const BLOB_NAME = 'hot.json';
/** Version of the stored form. Increase it whenever the form changes. */
const FORMAT_VERSION = 1;
/** Path of the file with the request, relative to the root. */
const REQUEST_PATH = 'node_modules/.selfware/profile.json';
/** Path of the file with the results, relative to the root. */
const RESULTS_PATH = 'node_modules/.selfware/profile.txt';
/** Minimum time in milliseconds of a profile. In less time, V8 takes too few samples for reliable shares. */
const MIN_MILLIS = 100;
/** Rules about speed. Those that are off by default report only in hot functions. */
const SPEED_RULES: ReadonlySet<string> = new Set(['work-in-loop', 'nested-search', 'growing-copy', 'needless-copy']);

/** Test runners that run programs other than Node, with their names in messages. */
const OTHER_RUNNERS: ReadonlyMap<RunnerName, string> = new Map([
  ['pytest', 'pytest'],
  ['go', '`go test`'],
  ['bun', 'Bun'],
]);

/** The stored result of the last run. `hash`: the content hash of the file at that time. */
interface KeptRun {
  readonly of: HotReport['of'];
  readonly found: readonly (HotFunction & { readonly hash: string | undefined })[];
}

/**
 * Runs the tests or the benchmark in a sandbox under V8's profiler. Throws `untrusted`, the errors of a sandbox, and
 * `unavailable` if there is nothing to run, the run was cut off, or it shows nothing.
 */
export async function profileHotFunctions(
  context: SessionContext,
  { of, signal, report }: Operation & Pick<HotReport, 'of'>,
): Promise<HotReport> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so none of its commands is run.', {
      action: 'Trust the workspace first.',
    });
  const preload = context.ports.inTests;
  if (!preload)
    throw new SelfwareError('unavailable', 'This installation has no profiler.', { action: 'Install Selfware again.' });
  const worktree = await context.ports.sandbox.open(signal);
  try {
    const project = await readProject(worktree);
    const command = createCommand(of, project, context);
    const otherRunner = findOtherRunner(command, project);
    if (otherRunner !== null)
      throw new SelfwareError('unavailable', `Only Node can be profiled, and this runs ${otherRunner}.`, {
        action:
          'Name a command that runs Node: `selfware.verify.testCommand`, or `selfware.verify.benchCommand` with `--bench`.',
      });
    const { command: commandWords, shell } = findWordsToRun(command, false);
    report?.({ stage: 'analysing', done: 0, total: null, message: `Profiles \`${commandWords.join(' ')}\`` });
    const results = `${worktree.dir}/${RESULTS_PATH}`;
    const request: InTestsOrder = { mutants: [], until: 0, results, profile: worktree.dir };
    await worktree.write([
      { path: REQUEST_PATH, before: null, after: JSON.stringify(request) },
      { path: RESULTS_PATH, before: null, after: '' },
    ]);
    const run = await worktree.run(
      {
        command: commandWords,
        shell,
        ...(command.cwd ? { cwd: command.cwd } : {}),
        env: addPreload(command.env, preload, `${worktree.dir}/${REQUEST_PATH}`),
        timeoutMs: context.settings['verify.timeoutSeconds'] * 1000,
      },
      signal,
    );
    throwIfCancelled(signal);
    const endReason = describeEnd(run);
    if (endReason !== null)
      throw unusableError(commandWords.join(' '), `${endReason}, so there is no profile of the whole run`);
    const bytes = await worktree.read(RESULTS_PATH);
    const lines = readProfileLines(bytes ? new TextDecoder().decode(bytes) : '');
    const { analyses } = context.state;
    const { millis, found } = findHotFunctions(lines, (path) =>
      isTestFile(path) ? null : (analyses.get(path)?.functions ?? null),
    );
    if (millis < MIN_MILLIS)
      throw unusableError(
        commandWords.join(' '),
        `ran code of the repository for only ${millis} ms, which is too little for a profile`,
      );
    const storedRun: KeptRun = {
      of,
      found: found.map((hotFunction) => ({ ...hotFunction, hash: analyses.get(hotFunction.path)?.hash })),
    };
    await context.ports.blobs.write(
      BLOB_NAME,
      new TextEncoder().encode(JSON.stringify({ format: FORMAT_VERSION, ...storedRun })),
    );
    if (found.length > 0) context.emit({ type: 'opportunities', paths: [...new Set(found.map(({ path }) => path))] });
    return { of, command: commandWords.join(' '), failed: run.exitCode !== 0, millis, found };
  } finally {
    await worktree.dispose();
  }
}

/** The command that runs the tests or the benchmark. Throws `unavailable` if none was found. */
function createCommand(
  subject: HotReport['of'],
  project: DetectedProject,
  { settings }: SessionContext,
): DetectedCommand {
  const command =
    subject === 'tests'
      ? detectTests(project, settings['verify.testCommand'])
      : (createCommandFromSetting(settings['verify.benchCommand']) ??
        findPackageScript(project, 'bench') ??
        findPackageScript(project, 'benchmark'));
  if (command) return command;
  throw new SelfwareError('unavailable', subject === 'tests' ? 'No tests were found.' : 'No benchmark was found.', {
    action: `Set \`selfware.verify.${subject === 'tests' ? 'testCommand' : 'benchCommand'}\`.`,
  });
}

/** The name of the program that runs instead of Node, for people; null if Node may run. */
function findOtherRunner(command: DetectedCommand, project: DetectedProject): string | null {
  const runner = detectRunner(command, project)?.name ?? null;
  if (runner !== null) return OTHER_RUNNERS.get(runner) ?? null;
  const [program = ''] = command.command;
  // Without a manifest, a program that does not belong to Node is a runner of another language.
  const isOtherLanguage = project.manifest === null && !/(?:^|\/)(?:node|npx|npm|pnpm|yarn|tsx|deno)$/.test(program);
  return isOtherLanguage && !command.shell ? `\`${program}\`` : null;
}

/**
 * The reason why the run was stopped early, as the end of a sentence; null if it ended normally, even with a failure.
 */
function describeEnd({ outcome, exitCode, exceeded }: RunResult): string | null {
  if (outcome === 'notFound') return 'was not found';
  if (outcome !== 'exited') return 'did not end in time';
  if (exceeded !== undefined) return `was ended because it used ${exceeded}`;
  return exitCode === null ? 'was killed' : null;
}

function unusableError(line: string, reason: string): SelfwareError {
  return new SelfwareError('unavailable', `\`${line}\` ${reason}.`, {
    action:
      'See that the tests run (`selfware doctor`), run a benchmark with `--bench`, or raise ' +
      '`selfware.verify.timeoutSeconds`. Only Node can be profiled.',
  });
}

/** The hot functions of the last run in files that are still the same; `found` is empty if there was no run. */
async function readHot({ ports, state }: SessionContext): Promise<KeptRun> {
  const emptyRun: KeptRun = { of: 'tests', found: [] };
  const storedRun = (await readStoredJson({ ports }, BLOB_NAME, '`selfware hot`')) as
    | (KeptRun & { readonly format?: number })
    | null;
  if (storedRun?.format !== FORMAT_VERSION) return emptyRun;
  return {
    of: storedRun.of,
    found: storedRun.found.filter(({ path, hash }) => state.analyses.get(path)?.hash === hash),
  };
}

/**
 * Combines findings about speed with the profile: findings in hot functions get its figure, and findings of rules that
 * are off by default are shown there.
 */
export async function addHotPlaces(
  context: SessionContext,
  opportunities: readonly Opportunity[],
  hidden: readonly HiddenOpportunity[],
): Promise<{ readonly shown: readonly Opportunity[]; readonly hidden: readonly HiddenOpportunity[] }> {
  const { of, found } = await readHot(context);
  if (found.length === 0) return { shown: opportunities, hidden };
  const addProfile = (opportunity: Opportunity): Opportunity | null => {
    const place = SPEED_RULES.has(opportunity.rule) ? findHottestAround(opportunity, found) : null;
    if (!place) return null;
    const percent = Math.round(place.share * 100);
    return {
      ...opportunity,
      message: `${opportunity.message.replace(/\.$/, '')}; \`${place.name}\` takes ${percent} % of the time of the ${of}.`,
      evidence: { ...opportunity.evidence, selfTimePercent: percent, selfTimeMs: place.millis, profileOf: of },
    };
  };
  const raisedOpportunities = hidden.flatMap(({ opportunity, by }) =>
    by === 'quiet' ? (addProfile(opportunity) ?? []) : [],
  );
  const ids = new Set(raisedOpportunities.map(({ id }) => id));
  return {
    shown: [...opportunities.map((opportunity) => addProfile(opportunity) ?? opportunity), ...raisedOpportunities],
    hidden: hidden.filter(({ opportunity }) => !ids.has(opportunity.id)),
  };
}

/** The hottest function that contains the start of the finding. */
function findHottestAround(
  { path, range }: Opportunity,
  hotFunctions: readonly HotFunction[],
): HotFunction | undefined {
  // Sorted by share, so the first is the hottest.
  return hotFunctions.find(
    (hotFunction) =>
      hotFunction.path === path && hotFunction.startLine <= range.startLine && range.startLine <= hotFunction.endLine,
  );
}
