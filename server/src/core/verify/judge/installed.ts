// Whether the installed packages are those that both sides of a change ask for.

import type { FileEdit } from '../../model.ts';

const LOCKS =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|requirements[^/]*\.txt|composer\.lock|Gemfile\.lock)$/;
const ASKED = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
];

/** Null where the packages of both sides are the same; else the file that says otherwise. */
export function changesPackages(
  edits: readonly FileEdit[],
  others: readonly { readonly path: string }[],
): string | null {
  const lock = [...edits, ...others].find(({ path }) => LOCKS.test(path));
  if (lock) return lock.path;
  return (
    edits.find((edit) => /(^|\/)package\.json$/.test(edit.path) && asked(edit.before) !== asked(edit.after))?.path ??
    null
  );
}

function asked(text: string | null): string {
  try {
    const manifest = JSON.parse(text ?? '{}') as Record<string, unknown>;
    return JSON.stringify(ASKED.map((name) => manifest[name] ?? null));
  } catch (error) {
    if (error instanceof SyntaxError) return '';
    throw error;
  }
}
