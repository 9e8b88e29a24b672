// Folders whose own licence names another owner: forks and copies, which stay unchanged so that the next version can be
// merged.

import { oneOf } from '../../util/oneOf.ts';

export interface LicenceFile {
  /** Folder that it lies in; '' is the root. */
  readonly folder: string;
  readonly text: string;
}

const HOLDER = /^[^\w\n]*(?:portions )?copyright[ \t]+(?:\(c\)|©|&copy;)?[ \t\d,–-]*(?:present\b)?[ \t,]*(.+)$/gim;
/** Words of many holders, and those of placeholders and of the licences' own authors. */
const ANYBODY = new RegExp(
  `^(${oneOf(`
    the and all rights reserved inc ltd llc gmbh pty limited corp corporation company co foundation
    technology technologies software labs? team project authors? contributors? affiliates others its their
    by name owner holders? copyright year free https? www com org net
  `)})$`,
  'i',
);
const LICENCE = /(^|\/)(licen[cs]e|copying)(\.(md|txt|mit))?$/i;

/** True for files that say who holds the rights below a folder. */
export function isLicence(path: string): boolean {
  return LICENCE.test(path);
}

/**
 * The folder of a path that is somebody else's, or null. Nobody is somebody else where the root names no holder, or
 * where a word of theirs is in the root's licence or manifest.
 */
export function heldByOthers(
  licences: readonly LicenceFile[],
  manifest: string | null,
): (path: string) => string | null {
  const root = licences.filter(({ folder }) => folder === '').map(({ text }) => text);
  if (holdersIn(root.join('\n')).length === 0) return () => null;
  const own = `${root.join('\n')}\n${ownWords(manifest)}`.toLowerCase();
  const others = licences.flatMap(({ folder, text }) => {
    const holders = folder === '' ? [] : holdersIn(text);
    return holders.length > 0 && !holders.some((words) => words.some((word) => own.includes(word)))
      ? [`${folder}/`]
      : [];
  });
  return (path) => others.find((folder) => path.startsWith(folder)) ?? null;
}

/** The telling words of each holder, in lower case. */
function holdersIn(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(HOLDER)]
    .map(([, holder]) =>
      /[<[{]\s*(name|copyright|year|yyyy|dates|fullname)/i.test(holder!)
        ? []
        : (holder!.match(/\p{L}{3,}/gu) ?? []).filter((word) => !ANYBODY.test(word)).map((word) => word.toLowerCase()),
    )
    .filter((words) => words.length > 0);
}

/** What a manifest says of whose project it is; its dependencies name others. */
function ownWords(manifest: string | null): string {
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
