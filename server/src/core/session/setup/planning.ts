// Plans the steps of a set-up, from the files of the repository.

import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Packages } from '../../ports/packages.ts';
import { planSetup, type ExtraPermissions, type PlannedSetup } from '../../setup/plan.ts';
import { hashShapingFiles, selectShapingFiles } from '../../setup/shapingFiles.ts';
import { formatTypedLine, type DetectedCommand } from '../../verify/detect/command.ts';
import { describeProject, DETECTION_FILES, type DetectedProject } from '../../verify/detect/project.ts';
import { detectTests } from '../../verify/detect/testCommand.ts';
import { removeChecks } from '../../verify/detect/removeChecks.ts';
import type { ChangedFiles } from '../../ports/sandbox.ts';
import type { SessionContext } from '../context.ts';

/** Matches tracked files that are read in addition to those that affect an installation (`selectShapingFiles`). */
const EXTRA_FILES_PATTERN =
  /^(?:\.github\/workflows\/[^/]+\.ya?ml|(?:docker-)?compose[\w.-]*\.ya?ml|bunfig\.toml|\.yarnrc(?:\.yml)?)$/;
/**
 * Matches shaping files in subfolders whose text is used. Of all other shaping files in subfolders, only the hash is
 * used.
 */
const MANIFEST_PATTERN = /(?:^|\/)(?:\.npmrc|package\.json)$/;

/**
 * Plans a set-up for the current files with these changes. A person has to approve the plan. Runs nothing of the
 * repository. Throws `untrusted`, `unavailable`, `noCommit`, `notARepository`, `cancelled`.
 */
export async function planForFiles(
  context: SessionContext,
  allow: ExtraPermissions,
  signal: AbortSignal,
  changedFiles: ChangedFiles = new Map(),
): Promise<PlannedSetup> {
  const packages = requirePackages(context);
  const { tracked, others } = await packages.files(signal);
  const texts = new Map<string, string>();
  const contents: { readonly path: string; readonly bytes: Uint8Array | null }[] = [];
  const paths = new Set([...tracked, ...others]);
  for (const path of selectShapingFiles([...paths])) {
    throwIfCancelled(signal);
    const bytes = changedFiles.get(path) ?? (await readOrNull(context, path));
    contents.push({ path, bytes });
    if (bytes !== null && (!path.includes('/') || MANIFEST_PATTERN.test(path))) texts.set(path, decodeText(bytes));
  }
  for (const path of tracked.filter((path) => EXTRA_FILES_PATTERN.test(path) && !texts.has(path))) {
    const bytes = await readOrNull(context, path);
    if (bytes !== null) texts.set(path, decodeText(bytes));
  }
  const files = { has: (path: string) => paths.has(path), text: (path: string) => texts.get(path) ?? null };
  const project = readProject(files, tracked);
  const tests = detectTests(project, context.settings['verify.testCommand']);
  const { plan, order } = planSetup({
    tracked,
    files,
    shape: hashShapingFiles(contents),
    facts: await packages.facts(),
    allow,
    tests: tests && describeTests(tests, project),
  });
  return { plan, order: order === null || changedFiles.size === 0 ? order : { ...order, changed: changedFiles } };
}

/**
 * Describes the command of the tests. For a package script, adds the command behind it. If the script runs checks
 * before the tests, adds the command that is run if these checks fail.
 */
function describeTests(tests: DetectedCommand, project: DetectedProject): string {
  const commandWithoutChecks = removeChecks(tests, project);
  const typedLine = formatTypedLine(tests);
  const scriptText = tests.script && !commandWithoutChecks ? `, which is \`${tests.script.plain}\`` : '';
  return commandWithoutChecks === null
    ? `${typedLine}${scriptText}`
    : `${typedLine}; if its checks let no test run here, ${formatTypedLine(commandWithoutChecks)}`;
}

/** The port for packages. Throws `untrusted`, and `unavailable` if this session has none. */
export function requirePackages({ ports, trusted }: SessionContext): Packages {
  if (!trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.', {
      action: 'Trust the workspace first.',
    });
  if (!ports.packages) throw new SelfwareError('unavailable', 'Nothing can be installed here.');
  return ports.packages;
}

/** The project as it is described by these files. */
function readProject(
  files: { has(path: string): boolean; text(path: string): string | null },
  tracked: readonly string[],
): DetectedProject {
  const packages = tracked.flatMap((path) => {
    const manifest = path.endsWith('/package.json') ? files.text(path) : null;
    return manifest === null ? [] : [{ folder: path.slice(0, -'/package.json'.length), manifest }];
  });
  return describeProject(
    { manifest: files.text('package.json'), tsconfig: null, pyproject: files.text('pyproject.toml'), packages },
    DETECTION_FILES.filter((path) => files.has(path)),
  );
}

/** The content of a file; null if it does not exist or is unreadable. */
async function readOrNull({ ports }: SessionContext, path: string): Promise<Uint8Array | null> {
  try {
    return await ports.files.read(path);
  } catch (error) {
    // The installation will report the unreadable file.
    if (error instanceof SelfwareError && error.reason === 'unreadable') return null;
    throw error;
  }
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
