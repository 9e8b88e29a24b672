// Chooses the dependencies of a repository for which minor and patch updates are requested, and explains why other
// dependencies stay as they are.

import {
  DEPENDENCY_TABLES,
  type CheckedDependency,
  type DirectDependency,
  type LeftDependency,
  type UnknownPart,
} from '../../model/dependencies.ts';
import type { SetupFiles } from '../manager.ts';
import { asObject, readManifest } from '../manifest.ts';
import type { KnownVersions } from './lookUps.ts';
import { classifyUpdate, isCompatible } from './versions.ts';

/**
 * Patterns for the specifiers of dependencies that do not come from a registry, with the source of each for people. The
 * first match counts.
 */
const SOURCES: readonly (readonly [RegExp, string])[] = [
  [/^(?:file:|link:|portal:|\.{0,2}\/|~\/)/, 'a folder'],
  [/^(?:git\b|github:|gitlab:|bitbucket:|[\w.-]+@|[\w-]+\/[\w.-]+(?:#|$))|\.git(?:#|$)/, 'a git repository'],
  [/^https?:/, 'an address'],
];

/** A dependency that is updated. `version`: its new version. */
export interface ChosenUpdate {
  readonly dependency: DirectDependency;
  readonly version: string;
}

/**
 * The range of versions to which a minor or patch update may lead. If there is none, `left` is the reason, as a
 * sentence.
 */
export function findCompatibleRange({ name, spec, current }: DirectDependency): string | { readonly left: string } {
  if (spec.startsWith('npm:')) return { left: `${name} is another name for a package (${spec}).` };
  if (current === null) return { left: `The lock file does not contain ${name}.` };
  if (/^\d+\.\d+\.\d+-/.test(current))
    return { left: `${name} ${current} is a pre-release, and its next version may change anything.` };
  return `^${current}`;
}

/**
 * The update of a dependency according to the answer of its registry about the compatible range. `chosen`: null if it
 * is not updated. `left`: the reason why it stays as it is, or why a newer version is not used; null if there is none.
 */
export function chooseUpdate(
  dependency: DirectDependency,
  answer: KnownVersions | UnknownPart,
): { readonly chosen: ChosenUpdate | null; readonly left: string | null } {
  const { name, current } = dependency;
  if ('reason' in answer) return { chosen: null, left: answer.reason };
  const { wanted, latest } = answer;
  const chosenUpdate = isCompatible(current, wanted) ? { dependency, version: wanted } : null;
  const isMajor = classifyUpdate(current, latest) === 'major';
  return {
    chosen: chosenUpdate,
    left: isMajor ? `${latest} is a major update: \`selfware outdated --update ${name}\`.` : null,
  };
}

/**
 * True if a minor or patch update is known. If the latest version is a major update, only the version that `spec`
 * allows is considered.
 */
export function hasMinorUpdate({ spec, current, wanted, latest }: CheckedDependency): boolean {
  return !spec.startsWith('npm:') && [wanted, latest].some((version) => isCompatible(current, version));
}

/**
 * The dependencies about which no registry is asked, because they come from another source. `manifests`: paths of the
 * manifests.
 */
export function listFromOtherSources(manifests: readonly string[], files: SetupFiles): readonly LeftDependency[] {
  return manifests.flatMap((manifest) => {
    const raw = readManifest(files.text(manifest))?.raw ?? {};
    return DEPENDENCY_TABLES.flatMap((table) =>
      Object.entries(asObject(raw[table])).flatMap(([name, spec]) => {
        const source = SOURCES.find(([pattern]) => typeof spec === 'string' && pattern.test(spec))?.[1];
        return source === undefined ? [] : [{ name, manifest, reason: `${name} comes from ${source}.` }];
      }),
    );
  });
}
