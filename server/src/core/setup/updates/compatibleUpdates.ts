// Chooses the dependencies of a repository that minor and patch updates are asked for, and says why others stay as they are.

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

/** Where a dependency that no registry has comes from, by its specifier. The first match counts. */
const SOURCES: readonly (readonly [RegExp, string])[] = [
  [/^(?:file:|link:|portal:|\.{0,2}\/|~\/)/, 'a folder'],
  [/^(?:git\b|github:|gitlab:|bitbucket:|[\w.-]+@|[\w-]+\/[\w.-]+(?:#|$))|\.git(?:#|$)/, 'a git repository'],
  [/^https?:/, 'an address'],
];

/** A dependency that is updated, and its new version. */
export interface ChosenUpdate {
  readonly dependency: DirectDependency;
  readonly version: string;
}

/** The range of the versions that a minor or patch update may lead to. Null if there are none, and `left` says why. */
export function findCompatibleRange({ name, spec, current }: DirectDependency): string | { readonly left: string } {
  if (spec.startsWith('npm:')) return { left: `${name} is another name for a package (${spec}).` };
  if (current === null) return { left: `The lock file does not contain ${name}.` };
  if (/^\d+\.\d+\.\d+-/.test(current))
    return { left: `${name} ${current} is a pre-release, and its next version may change anything.` };
  return `^${current}`;
}

/** The update of a dependency, by what its registry answers about the compatible range; or why it stays as it is. */
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

/** True if a minor or patch update is known. A pinned one whose latest version is a major update is not looked into. */
export function hasMinorUpdate({ spec, current, wanted, latest }: CheckedDependency): boolean {
  return !spec.startsWith('npm:') && [wanted, latest].some((version) => isCompatible(current, version));
}

/** The dependencies that no registry is asked about, because they come from elsewhere. */
export function listFromElsewhere(manifests: readonly string[], files: SetupFiles): readonly LeftDependency[] {
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
