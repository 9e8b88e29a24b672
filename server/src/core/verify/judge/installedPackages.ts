// Checks whether the installed packages are those that both sides of a change require.

import type { FileEdit } from '../../model.ts';
import type { TreeChange } from '../../model/judgement.ts';
import type { ChangedFiles } from '../../ports/sandbox.ts';
import { isInertManifestEdit } from '../integrity/inertManifests.ts';

/** Matches lock files and lists of required packages. */
const LOCK_PATTERN =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|requirements[^/]*\.txt|composer\.lock|Gemfile\.lock)$/;
/** Matches files of package managers whose packages a set-up stores. */
const SET_UP_FILE_PATTERN =
  /(^|\/)(package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?)$/;
const REQUIREMENT_FIELDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
];

/**
 * A changed file because of which both sides may require different packages: a lock file, a list of requirements, or a
 * package.json with other requirements. Null if there is none. `otherFiles`: changed files that are not among the
 * edits.
 */
export function findChangedPackageFile(
  edits: readonly FileEdit[],
  otherFiles: readonly { readonly path: string }[],
): string | null {
  const locks = [...edits.filter((edit) => !isInertManifestEdit(edit)), ...otherFiles].filter(({ path }) =>
    LOCK_PATTERN.test(path),
  );
  // Files of a package manager that no set-up supports take precedence.
  const lock = locks.find(({ path }) => !SET_UP_FILE_PATTERN.test(path)) ?? locks[0];
  if (lock) return lock.path;
  return (
    edits.find(
      (edit) =>
        /(^|\/)package\.json$/.test(edit.path) &&
        serializeRequirements(edit.before) !== serializeRequirements(edit.after),
    )?.path ?? null
  );
}

function serializeRequirements(text: string | null): string {
  try {
    const manifest = JSON.parse(text ?? '{}') as Record<string, unknown>;
    return JSON.stringify(REQUIREMENT_FIELDS.map((name) => manifest[name] ?? null));
  } catch (error) {
    if (error instanceof SyntaxError) return '';
    throw error;
  }
}

/**
 * The reason why a run of the tests would show nothing about both sides, with the next step; null if a set-up has
 * stored the packages of both sides.
 */
export function explainNotInstalled(
  file: string,
  keptSides: { readonly base: boolean; readonly head: boolean },
  names: { readonly base: string; readonly head: string | null },
): string | null {
  if (!SET_UP_FILE_PATTERN.test(file))
    return `${file} changes which packages are installed, and \`selfware setup\` cannot install packages of this kind, so the checks would not show how the two sides differ. Commit ${file} on its own and install its packages yourself; then judge the rest from that commit: \`selfware verify --base COMMIT\`.`;
  if (keptSides.base && keptSides.head) return null;
  const steps = [
    ...(keptSides.base ? [] : [`\`selfware setup --at ${names.base}\``]),
    ...(keptSides.head ? [] : [names.head === null ? '`selfware setup`' : `\`selfware setup --at ${names.head}\``]),
  ];
  const sides = keptSides.base ? 'with the change' : keptSides.head ? 'without the change' : 'of either side';
  return `${file} changes which packages are installed, and those ${sides} are not kept. Run ${steps.join(' and ')} first.`;
}

/** The files that the change writes, with their new bytes; null for a deleted file. */
export function listChangedFiles({ edits, bytes }: TreeChange): ChangedFiles {
  const encoder = new TextEncoder();
  return new Map([
    ...edits.map(({ path, after }) => [path, after === null ? null : encoder.encode(after)] as const),
    ...bytes.map((byteChange) => [byteChange.path, byteChange.bytes] as const),
  ]);
}
