// Runs linters of the repository that do not run its code, although nobody has asked for them, for at most some
// seconds.

import { SelfwareError } from '../../../util/typedError.ts';
import type { Operation } from '../../operation.ts';
import { findLinterFolder, languageLinters } from '../../verify/detect/languageLinters.ts';
import { detectLint } from '../../verify/detect/lintCommand.ts';
import { readProject, type ReadableTree } from '../../verify/detect/project.ts';
import { isJudge } from '../verify/judgeFiles.ts';
import type { SessionContext } from '../context.ts';
import type { LintReport } from './analysisTypes.ts';
import { lintRepository } from './linting.ts';

/** Time limit for all linters of one analysis. It is short, because nobody has asked for these linters. */
const TIME_LIMIT_MS = 20_000;
/**
 * Matches files whose linters only read code: Ruff, golangci-lint, `go vet` and `go fix`. Other linters run code of the
 * repository: ESLint its configuration, Clippy build scripts and macros.
 */
const READ_ONLY_PATTERN = /\.(?:pyi?|go)$/;
/** The name of the blob with the hash of the tree for which the time was too short. */
const TIMED_OUT_TREE_BLOB = 'ended-linters.txt';
const TIMED_OUT_TROUBLE: readonly string[] = [
  `The linters were ended after ${TIME_LIMIT_MS / 1000} s; --linters gives them more time.`,
];
const NOTHING_RUN: LintReport = { opportunities: [], linters: [], looked: 0, trouble: [] };

/**
 * Returns the findings of linters that run no code of the repository. They run only if the machine isolates the
 * sandbox. `trouble` names the linters that would have to be asked for. A tree for which the time was too short is not
 * tried again. Throws `cancelled`.
 */
export async function lintUnasked(context: SessionContext, operation: Operation): Promise<LintReport> {
  if (!context.trusted || !context.settings['analysis.linters']) return NOTHING_RUN;
  const paths = [...context.state.analyses.keys()].filter((path) => !isJudge(path));
  const tree = createReadableTree(context);
  const names = await listOtherLinters(tree, paths);
  const unaskedLintersNotes =
    names.length === 0 ? [] : [`Not run: ${names.join(' and ')}. --linters shows the findings.`];
  const report = (await hasReadOnlyLinter(tree, paths)) ? await runReadOnlyLinters(context, operation) : NOTHING_RUN;
  return { ...report, trouble: [...report.trouble, ...unaskedLintersNotes] };
}

async function runReadOnlyLinters(context: SessionContext, operation: Operation): Promise<LintReport> {
  const tree = context.state.lastAnalysis?.treeHash ?? null;
  const endedTree = await context.ports.blobs.read(TIMED_OUT_TREE_BLOB);
  if (endedTree && new TextDecoder().decode(endedTree) === tree) return { ...NOTHING_RUN, trouble: TIMED_OUT_TROUBLE };
  const limitedSignal = AbortSignal.any([operation.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  try {
    if (!(await context.ports.sandbox.isolation()).confined)
      return {
        ...NOTHING_RUN,
        trouble: ['The linters were not run, since nothing isolates them here; --linters does.'],
      };
    return await lintRepository(context, { ...operation, signal: limitedSignal }, READ_ONLY_PATTERN);
  } catch (error) {
    if (operation.signal.aborted || !(error instanceof SelfwareError)) throw error;
    // Without git or a commit there is no sandbox. This is reported to whoever asks for the linters.
    if (!limitedSignal.aborted) return NOTHING_RUN;
    if (tree !== null) await context.ports.blobs.write(TIMED_OUT_TREE_BLOB, new TextEncoder().encode(tree));
    return { ...NOTHING_RUN, trouble: TIMED_OUT_TROUBLE };
  }
}

/** True if a linter that only reads is chosen for one of the files. */
async function hasReadOnlyLinter(tree: ReadableTree, paths: readonly string[]): Promise<boolean> {
  const readOnlyPaths = paths.filter((path) => READ_ONLY_PATTERN.test(path));
  const isChosen = (path: string) =>
    Promise.all(
      languageLinters
        .filter(({ looksAt }) => looksAt.test(path))
        .map((language) => findLinterFolder(language, path, tree)),
    );
  // One file of each folder, since a linter is chosen for a folder.
  for (const path of new Map(readOnlyPaths.map((file) => [folderOf(file), file])).values())
    if ((await isChosen(path)).some((folder) => folder !== null)) return true;
  return false;
}

/**
 * Names of the configured linters that run code of the repository, so that their findings are unknown until somebody
 * asks for them: the linter of the root, and Clippy.
 */
async function listOtherLinters(tree: ReadableTree, paths: readonly string[]): Promise<string[]> {
  const linter = detectLint(await readProject(tree), '');
  const names = linter?.kind && paths.some((path) => linter.looksAt(path)) ? [linter.name] : [];
  const rustPath = paths.find((path) => path.endsWith('.rs'));
  const clippy = languageLinters.find(({ looksAt }) => looksAt.test('a.rs'));
  const isClippyChosen = rustPath !== undefined && clippy && (await findLinterFolder(clippy, rustPath, tree)) !== null;
  return isClippyChosen ? [...names, 'Clippy'] : names;
}

/** The files of the repository; an unreadable file counts as missing. */
function createReadableTree({ ports }: SessionContext): ReadableTree {
  const readText = async (path: string) => {
    try {
      return await ports.files.read(path);
    } catch (error) {
      if (error instanceof SelfwareError) return null;
      throw error;
    }
  };
  return { read: readText, exists: async (path) => (await readText(path)) !== null };
}

/** The folder of a file. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
