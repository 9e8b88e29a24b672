// Which files of a repository shape what its package manager installs.

import { sha256 } from '../../util/canonicalJson.ts';

const SHAPING =
  /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|bunfig\.toml|\.npmrc|\.yarnrc|\.yarnrc\.yml|\.pnpmfile\.[cm]?js|Cargo\.(?:lock|toml)|go\.(?:mod|sum)|requirements[^/]*\.txt|uv\.lock|poetry\.lock|pyproject\.toml)$|(?:^|\/)(?:patches|\.yarn\/(?:patches|plugins|releases))\//;

/** Lock files, manifests, settings of managers, patches: whatever of these changes, the installation is another one. */
export function shapingFiles(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => SHAPING.test(path) && !path.split('/').includes('node_modules')).sort();
}

/** One name for the contents of the shaping files; a file that is gone counts as empty. */
export function shapeOf(contents: readonly { readonly path: string; readonly bytes: Uint8Array | null }[]): string {
  return sha256(contents.map(({ path, bytes }) => `${path}\0${bytes === null ? '' : sha256(bytes)}`).join('\n'));
}
