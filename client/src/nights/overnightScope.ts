// Makes the lists with which "Run Overnight…" asks for the scope of the run: folders, and kinds of work. Does not use
// VS Code's API.

import type { NightChoices } from '#protocol/nights';
import type { OvernightOffer } from './overnightOffer.ts';

/** The folders and kinds of work to which the person limits the run; an empty list is no restriction. */
export interface OvernightScope {
  readonly places: readonly string[];
  readonly excluded: readonly string[];
  readonly kinds: readonly string[];
}

/** The scope without restrictions. */
export const WHOLE_SCOPE: OvernightScope = { places: [], excluded: [], kinds: [] };

/** The scope in words: `all of tools`, `only src, without src/old (only tests)`. */
export function formatScope({ places, excluded, kinds }: OvernightScope, folder: string): string {
  const placesText = places.length === 0 ? `all of ${folder}` : `only ${places.join(', ')}`;
  const exclusion = excluded.length === 0 ? '' : `, without ${excluded.join(', ')}`;
  return `${placesText}${exclusion}${kinds.length === 0 ? '' : ` (only ${kinds.join(', ')})`}`;
}

/** The first list: continue with the scope as it is, or change a part of it. */
export function createScopeOffers(
  scope: OvernightScope,
  folder: string,
): readonly OvernightOffer<keyof OvernightScope | 'done'>[] {
  const isWhole = Object.values(scope).every((part: readonly string[]) => part.length === 0);
  const describePart = (part: readonly string[]) => (part.length === 0 ? {} : { description: part.join(', ') });
  return [
    {
      label: `$(check) ${isWhole ? 'Everything' : 'As Chosen'}`,
      description: formatScope(scope, folder),
      value: 'done',
    },
    { label: '$(folder) Only Some Folders…', ...describePart(scope.places), value: 'places' },
    { label: '$(exclude) Leave Folders Out…', ...describePart(scope.excluded), value: 'excluded' },
    { label: '$(tasklist) Only Some Kinds of Work…', ...describePart(scope.kinds), value: 'kinds' },
  ];
}

/** The entries that a person can tick for one part of the scope. */
export function createPartOffers(
  part: keyof OvernightScope,
  { folders, kinds }: Pick<NightChoices, 'folders' | 'kinds'>,
): readonly OvernightOffer<string>[] {
  return part === 'kinds'
    ? kinds.map(({ kind, text }) => ({ label: kind, description: text, value: kind }))
    : folders.map((folder) => ({ label: folder, value: folder }));
}

/** The question above the list of one part. */
export const PART_QUESTIONS: Readonly<Record<keyof OvernightScope, string>> = {
  places: 'Tick the folders in which it may improve something. None: everywhere.',
  excluded: 'Tick the folders that no change may touch. Protected files are left alone anyway.',
  kinds: 'Tick the kinds of work. None: all of them.',
};
