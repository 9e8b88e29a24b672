// Finds folders whose own licence names another owner, such as forks and copies. Selfware leaves them unchanged, so
// that their owners' next version can be merged.

import { createAnyOfPattern } from '../../util/anyOfPattern.ts';

/** A file with a licence. */
export interface LicenceFile {
  /** The folder of the file; '' is the root. */
  readonly folder: string;
  readonly text: string;
}

/** Matches a line that names a copyright holder, and captures the name. */
const HOLDER_PATTERN =
  /^[^\w\n]*(?:portions )?copyright[ \t]+(?:\(c\)|©|&copy;)?[ \t\d,–-]*(?:present\b)?[ \t,]*(.+)$/gim;
/** Matches words that do not distinguish owners, because they occur in many names, in placeholders or in licences. */
const COMMON_WORDS = new RegExp(
  `^(${createAnyOfPattern(`
    the and all rights reserved inc ltd llc gmbh pty limited corp corporation company co foundation
    technology technologies software labs? team project authors? contributors? affiliates others its their
    by name owner holders? copyright year free https? www com org net
  `)})$`,
  'i',
);
/** Matches the path of a licence file. */
const LICENCE_PATTERN = /(^|\/)(licen[cs]e|copying)(\.(md|txt|mit))?$/i;

/** True for the path of a licence file, by its name. */
export function isLicencePath(path: string): boolean {
  return LICENCE_PATTERN.test(path);
}

/**
 * Returns a function that finds, for a path, the folder above it that belongs to another owner, with `/` at the end;
 * null if there is none. If the root names no holder, no folder has another owner. A folder does not have another owner
 * either if a word of a holder's name is in the root's licence or manifest. `manifest`: the text of the root's
 * package.json; null if there is none.
 */
export function createForeignFolderLookup(
  licences: readonly LicenceFile[],
  manifest: string | null,
): (path: string) => string | null {
  const rootLicences = licences.filter(({ folder }) => folder === '').map(({ text }) => text);
  if (collectHolders(rootLicences.join('\n')).length === 0) return () => null;
  const ownerText = `${rootLicences.join('\n')}\n${findOwnerNames(manifest)}`.toLowerCase();
  const foreignFolders = licences.flatMap(({ folder, text }) => {
    const holders = folder === '' ? [] : collectHolders(text);
    return holders.length > 0 && !holders.some((words) => words.some((word) => ownerText.includes(word)))
      ? [`${folder}/`]
      : [];
  });
  return (path) => foreignFolders.find((folder) => path.startsWith(folder)) ?? null;
}

/** The distinctive words of each holder, in lower case. */
function collectHolders(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(HOLDER_PATTERN)]
    .map(([, holder]) =>
      /[<[{]\s*(name|copyright|year|yyyy|dates|fullname)/i.test(holder!)
        ? []
        : (holder!.match(/\p{L}{3,}/gu) ?? [])
            .filter((word) => !COMMON_WORDS.test(word))
            .map((word) => word.toLowerCase()),
    )
    .filter((words) => words.length > 0);
}

/** The owner's names in a manifest, without its dependencies, which have other owners. */
function findOwnerNames(manifest: string | null): string {
  try {
    const { name, author, contributors, maintainers, repository, homepage } = JSON.parse(manifest ?? '{}') as Record<
      string,
      unknown
    >;
    return JSON.stringify([name, author, contributors, maintainers, repository, homepage]);
  } catch {
    return '';
  }
}
