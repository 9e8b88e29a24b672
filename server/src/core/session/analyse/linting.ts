// Reads the findings of the repository's own linters, and which of them can be fixed. None of these opportunities comes
// from Selfware's own rules.

import { sha256 } from '../../../util/hash.ts';
import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Opportunity } from '../../model.ts';
import type { LintReport } from './analysisTypes.ts';
import { findWordsToRun, type DetectedCommand } from '../../verify/detect/command.ts';
import { hasFormatter, readProject, DETECTION_FILES } from '../../verify/detect/project.ts';
import { findLintAreas, type LintArea } from '../../verify/linters/lintAreas.ts';
import { quoteComplaint } from '../../verify/parse/complaintLine.ts';
import { fixers } from '../../verify/linters/lintFixers.ts';
import type { LintFinding } from '../../verify/linters/findings.ts';
import type { SessionContext } from '../context.ts';
import { isJudge } from '../verify/judgeFiles.ts';
import { createLintOpportunities } from './lintOpportunities.ts';
import type { Operation } from '../../operation.ts';
import type { RunResult, Worktree } from '../../ports/sandbox.ts';
import { formatCount } from '../../../util/counted.ts';

/** The name of the blob with the stored findings. */
const BLOB_NAME = 'linters.json';
/** Version of the stored form. Increase it whenever the form, or the content of the stored data, changes. */
const FORMAT_VERSION = 3;
/** Matches files in languages for which Selfware knows a linter that fixes. */
const LINTED_PATTERN = /\.(?:[cm]?[jt]sx?|pyi?|rs|go)$/;
/** Maximum number of files in one command. Some systems refuse longer command lines. */
const FILES_AT_ONCE = 200;
/** Matches what Node prints about a package that is not installed. */
const MISSING_PACKAGE_PATTERN = /Cannot find (?:package|module)|\bMODULE_NOT_FOUND\b/;
/** Maximum number of bytes that a linter may print. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Configuration files of linters for other languages than scripts. */
const CONFIGURATION_FILES = [
  'ruff.toml',
  '.ruff.toml',
  'pyproject.toml',
  'clippy.toml',
  '.clippy.toml',
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
  'rust-toolchain',
  'go.mod',
  'go.sum',
  '.golangci.yml',
  '.golangci.yaml',
  '.golangci.toml',
  '.golangci.json',
];
/** Files on which all findings of a linter depend. If one of them changes, all files are checked again. */
const DECIDING_FILES = [
  'package.json',
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-state.yml',
  'tsconfig.json',
  ...CONFIGURATION_FILES,
  ...DETECTION_FILES.filter(
    (path) => /eslint|biome|oxlint|xo\.config|prettier|oxfmt/.test(path) && !path.startsWith('node_modules'),
  ),
];

/** Findings by path, with the hash of the checked content. */
type FindingsByPath = Readonly<
  Record<string, { readonly hash: string; readonly opportunities: readonly Opportunity[] }>
>;

/** The stored data of the last run. `key`: hash of the files in `DECIDING_FILES`; null if there was no run. */
interface LastRun {
  readonly key: string | null;
  readonly linters: readonly string[];
  readonly trouble: readonly string[];
  readonly files: FindingsByPath;
}

const NO_LAST_RUN: LastRun = { key: null, linters: [], trouble: [], files: {} };

/**
 * Runs the linters in a sandbox on the files that have changed since the last run, or had no answer in it. Runs nothing
 * if the setting is off. `pathPattern`: matches the files to check; other files keep their stored findings. Throws
 * `untrusted`, and the errors of a sandbox.
 */
export async function lintRepository(
  context: SessionContext,
  operation: Operation,
  pathPattern: RegExp = LINTED_PATTERN,
): Promise<LintReport> {
  const { ports, settings, state } = context;
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so none of its linters is run.', {
      action: 'Trust the workspace first.',
    });
  if (!settings['analysis.linters'])
    return {
      opportunities: [],
      linters: [],
      looked: 0,
      trouble: ['Switched off by the setting selfware.analysis.linters.'],
    };
  const lintableFiles = [...state.analyses.values()].filter(({ path }) => LINTED_PATTERN.test(path) && !isJudge(path));
  const key = await computeKey(context);
  const lastRun = await readBlob(context);
  const storedFindings: FindingsByPath = lastRun.key === key ? lastRun.files : {};
  const changedPaths = lintableFiles
    .filter(({ path, hash }) => pathPattern.test(path) && storedFindings[path]?.hash !== hash)
    .map(({ path }) => path);
  const newFindings =
    changedPaths.length > 0
      ? await checkFiles(context, changedPaths, operation)
      : {
          opportunitiesByPath: new Map<string, Opportunity[]>(),
          checked: new Set<string>(),
          linters: lastRun.linters,
          trouble: [],
        };
  const files: FindingsByPath = Object.fromEntries(
    lintableFiles.flatMap(({ path, hash }) => {
      if (storedFindings[path]?.hash === hash) return [[path, storedFindings[path]]];
      return newFindings.checked.has(path)
        ? [[path, { hash, opportunities: newFindings.opportunitiesByPath.get(path) ?? [] }]]
        : [];
    }),
  );
  const { linters, trouble } = newFindings;
  await ports.blobs.write(BLOB_NAME, new TextEncoder().encode(JSON.stringify({ key, linters, trouble, files })));
  return {
    opportunities: Object.values(files).flatMap(({ opportunities }) => opportunities),
    linters,
    looked: newFindings.checked.size,
    trouble,
  };
}

/**
 * The findings of the last run in files that have not changed since. Empty if a file in `DECIDING_FILES` has changed,
 * or if the setting is off. Runs nothing.
 */
export async function readStoredLintFindings(context: SessionContext): Promise<readonly Opportunity[]> {
  if (!context.settings['analysis.linters']) return [];
  const { files } = await readLastRun(context);
  return Object.entries(files).flatMap(([path, { hash, opportunities }]) =>
    context.state.analyses.get(path)?.hash === hash ? opportunities : [],
  );
}

/**
 * Number of fixes that the last run found, without running anything. `fixes` is null if a file was not checked since it
 * or the configuration changed; `trouble` describes a problem of the last run. 0 if the setting is off.
 */
export async function countKnownFixes(
  context: SessionContext,
): Promise<{ readonly fixes: number | null; readonly trouble: readonly string[] }> {
  const emptyResult = { fixes: 0, trouble: [] };
  if (!context.settings['analysis.linters']) return emptyResult;
  const lintableFiles = [...context.state.analyses.values()].filter(
    ({ path }) => LINTED_PATTERN.test(path) && !isJudge(path),
  );
  if (lintableFiles.length === 0) return emptyResult;
  const { files, trouble } = await readLastRun(context);
  return lintableFiles.every(({ path, hash }) => files[path]?.hash === hash)
    ? { fixes: (await readStoredLintFindings(context)).filter(({ recipe }) => recipe !== null).length, trouble: [] }
    : { fixes: null, trouble };
}

/** The results of one run of the linters. */
interface LintPass {
  readonly opportunitiesByPath: ReadonlyMap<string, Opportunity[]>;
  /** Files that were checked by all linters that are responsible for them. */
  readonly checked: ReadonlySet<string>;
  readonly linters: readonly string[];
  readonly trouble: readonly string[];
}

/**
 * Runs the linters of the repository on the files. Omits a linter whose output cannot be split into single findings,
 * and says so in `trouble`.
 */
async function checkFiles(
  context: SessionContext,
  paths: readonly string[],
  { signal, report }: Operation,
): Promise<LintPass> {
  const byPath = new Map<string, Opportunity[]>();
  const checkedPaths = new Set<string>();
  /** Files for which a linter gave no answer. Another linter may have answered. */
  const unansweredPaths = new Set<string>();
  const [linters, trouble] = [new Set<string>(), new Set<string>()];
  const worktree = await context.ports.sandbox.open(signal);
  try {
    const areas = await findLintAreas(worktree, await readProject(worktree), paths, '');
    if (areas.length === 0) trouble.add('No linter was found that is configured and installed.');
    for (const area of areas) {
      const { kind } = area.linter;
      if (!kind) {
        trouble.add(`What ${area.linter.name} finds is not known one by one.`);
        continue;
      }
      linters.add(fixers[kind].name);
      const areaPaths = area.pathsFor(paths);
      for (let offset = 0; offset < areaPaths.length; offset += FILES_AT_ONCE) {
        report?.({
          stage: 'analysing',
          done: offset,
          total: areaPaths.length,
          message: `${fixers[kind].name} looks at ${formatCount(areaPaths.length, 'file')}`,
        });
        const batch = areaPaths.slice(offset, offset + FILES_AT_ONCE);
        const findings = await runAndCheckFixes(context, worktree, area, batch, signal);
        const pathFromRoot = (path: string) => (area.folder === '' ? path : `${area.folder}/${path}`);
        for (const path of batch)
          (typeof findings === 'string' ? unansweredPaths : checkedPaths).add(pathFromRoot(path));
        if (typeof findings === 'string') {
          trouble.add(findings);
          continue;
        }
        for (const opportunity of await createLintOpportunities(
          context,
          kind,
          findings.map((finding) => ({ ...finding, path: pathFromRoot(finding.path) })),
          hasFormatter(area.project),
        ))
          byPath.set(opportunity.path, [...(byPath.get(opportunity.path) ?? []), opportunity]);
      }
    }
  } finally {
    await worktree.dispose();
  }
  return {
    opportunitiesByPath: byPath,
    checked: new Set([...checkedPaths].filter((path) => !unansweredPaths.has(path))),
    linters: [...linters],
    trouble: [...trouble],
  };
}

/**
 * The findings, or a sentence with the reason why they are unknown. If the linter fixes all files with one command,
 * that command runs in the sandbox. If fewer findings of a rule remain in a file afterwards, all findings of that rule
 * in the file count as fixable.
 */
async function runAndCheckFixes(
  context: SessionContext,
  worktree: Worktree,
  area: LintArea,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly LintFinding[] | string> {
  const kind = area.linter.kind!;
  const fixer = fixers[kind];
  const checkCommand = area.linter.command(paths);
  if (!checkCommand) return [];
  // Some linters check more files than they are given.
  const wantedPaths = new Set(paths);
  const loadCurrentFindings = async () => {
    const findings = await findLinterProblems(context, worktree, area, checkCommand, signal);
    return typeof findings === 'string' ? findings : findings.filter(({ path }) => wantedPaths.has(path));
  };
  const findings = await loadCurrentFindings();
  if (typeof findings === 'string') return findings;
  const fixCommand = fixer.fixAll(area.project, paths);
  if (!fixCommand || findings.length === 0) return findings;
  await runLinter(context, worktree, fixCommand, signal);
  const remainingFindings = await loadCurrentFindings();
  if (typeof remainingFindings === 'string') return remainingFindings;
  const count = (all: readonly LintFinding[], { path, rule }: LintFinding) =>
    all.filter((finding) => finding.path === path && finding.rule === rule).length;
  return findings.map((finding) => ({
    ...finding,
    fix: count(remainingFindings, finding) < count(findings, finding) ? 'itself' : null,
  }));
}

/** The findings, with paths relative to the area's folder, or a sentence with the reason why they are unknown. */
export async function findLinterProblems(
  context: SessionContext,
  worktree: Worktree,
  area: LintArea,
  command: DetectedCommand,
  signal: AbortSignal,
): Promise<readonly LintFinding[] | string> {
  const { name, findings } = fixers[area.linter.kind!];
  const { outcome, stdout, stderr, millis } = await runLinter(context, worktree, command, signal);
  if (outcome === 'notFound') return `${name} is configured here, but \`${command.command[0]}\` is not installed.`;
  if (outcome !== 'exited') return `${name} was ended after ${Math.round(millis / 1000)} s.`;
  const removeWorktreePath = (text: string) => text.replaceAll(`${worktree.dir}/`, '');
  const findingsOfLinter = findings(removeWorktreePath(area.linter.printsJson ? stdout : `${stdout}\n${stderr}`));
  return (
    findingsOfLinter?.map((finding) => ({ ...finding, path: toPathInArea(finding.path, area) })) ??
    explainUnreadable(name, removeWorktreePath(stderr || stdout))
  );
}

/**
 * Explains why the output of a linter could not be read. If a package is missing, gives the advice to install packages.
 */
function explainUnreadable(name: string, printed: string): string {
  const quote = quoteComplaint(printed);
  return MISSING_PACKAGE_PATTERN.test(quote)
    ? `${name} cannot run here, because a package is missing.${quote} Install the packages of the repository.`
    : `The output of ${name} could not be read.${quote}`;
}

/** Runs a command of a linter in the sandbox, with the time limit of the settings. Throws `cancelled`. */
export async function runLinter(
  context: SessionContext,
  worktree: Worktree,
  command: DetectedCommand,
  signal: AbortSignal,
): Promise<RunResult> {
  const result = await worktree.run(
    {
      ...findWordsToRun(command, false),
      timeoutMs: context.settings['verify.timeoutSeconds'] * 1000,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      ...(command.cwd ? { cwd: command.cwd } : {}),
    },
    signal,
  );
  throwIfCancelled(signal);
  return result;
}

/** The path relative to the area's folder. Linters print paths relative to the root or to that folder. */
function toPathInArea(path: string, { folder }: LintArea): string {
  const normalPath = path.replaceAll('\\', '/').replace(/^\.\//, '');
  return folder !== '' && normalPath.startsWith(`${folder}/`) ? normalPath.slice(folder.length + 1) : normalPath;
}

/** A hash of `FORMAT_VERSION` and the contents of the files in `DECIDING_FILES`. */
async function computeKey({ ports }: SessionContext): Promise<string> {
  const texts = await Promise.all(
    DECIDING_FILES.map(async (path) => [path, (await ports.files.read(path).catch(nullIfUnreadable)) ?? null] as const),
  );
  return sha256(
    new TextEncoder().encode(
      JSON.stringify([FORMAT_VERSION, ...texts.map(([path, bytes]) => [path, bytes && sha256(bytes)])]),
    ),
  );
}

/**
 * The last comparison of the configuration with the configuration of the stored run. `of`: identifies the tree and the
 * stored run. `fits`: true if both configurations are the same.
 */
const lastComparison = new WeakMap<SessionContext, { readonly of: string; readonly fits: Promise<boolean> }>();

/** The results of the last run; empty if a file in `DECIDING_FILES` has changed since. */
async function readLastRun(context: SessionContext): Promise<LastRun> {
  const run = await readBlob(context);
  if (run.key === null) return run;
  const comparedKey = `${context.state.lastAnalysis?.treeHash ?? ''} ${run.key}`;
  const lastCompared = lastComparison.get(context);
  const fits =
    lastCompared?.of === comparedKey ? lastCompared.fits : computeKey(context).then((key) => key === run.key);
  lastComparison.set(context, { of: comparedKey, fits });
  return (await fits) ? run : NO_LAST_RUN;
}

/**
 * Null for an unreadable file, because it has no content to compare. Rethrows errors that are not a `SelfwareError`.
 */
function nullIfUnreadable(error: unknown): null {
  // An unreadable file has no content to compare.
  if (error instanceof SelfwareError) return null;
  throw error;
}

/** The results of the last run; empty if the blob is missing or unreadable. */
async function readBlob({ ports }: SessionContext): Promise<LastRun> {
  const bytes = await ports.blobs.read(BLOB_NAME);
  if (!bytes) return NO_LAST_RUN;
  try {
    return { ...NO_LAST_RUN, ...(JSON.parse(new TextDecoder().decode(bytes)) as object) };
  } catch (error) {
    if (error instanceof SyntaxError) return NO_LAST_RUN;
    throw error;
  }
}
