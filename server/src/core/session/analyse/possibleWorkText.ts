// Describes the work that can be done here as text. Sidebar, status bar, command line and agents use the same
// sentences.

import { formatCount } from '../../../util/counted.ts';
import { groupThousands } from '../../../util/thousands.ts';
import type { Opportunity } from '../../model.ts';
import { mayTryUnasked } from '../../propose/unattended.ts';
import type { PossibleWork } from './analysisTypes.ts';
import { joinWords } from '../../../util/values/joinWords.ts';
import { SCRIPT_LANGUAGES } from '../../paths/scriptFiles.ts';

/** Names of languages in messages that are not the id with a capital. */
const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  cpp: 'C++',
  csharp: 'C#',
  php: 'PHP',
  bash: 'shell scripts',
  c: 'C',
};
/** Languages whose functions can be searched for missing tests. */
const SEARCHED_LANGUAGES: ReadonlySet<string | null> = new Set([...SCRIPT_LANGUAGES, 'python', 'go']);
/** Linters that offer fixes in other languages. */
const LINTER_BY_LANGUAGE: Readonly<Record<string, string>> = {
  python: 'Ruff',
  rust: 'Clippy',
  go: '`go vet` and `go fix`',
};
/** Maximum number of rules or languages that a sentence names. */
const MAX_NAMED = 3;

/** The numbers in `PossibleWork`, for JSON and for our own client. */
export interface PossibleWorkCounts {
  readonly shown: number;
  /** Number of opportunities of rules that the default filter hides. */
  readonly quiet: number;
  /** Number of the shown ones that improving would try. */
  readonly improvable: number;
}

/** The numbers of opportunities in each list of `PossibleWork`. */
export function countPossibleWork({ shown, quiet, improvable }: PossibleWork): PossibleWorkCounts {
  return { shown: shown.length, quiet: quiet.length, improvable: improvable.length };
}

/** True if changes are possible and improving may find something. Before the first analysis, it may. */
export function canImprove({ analysed, barrier, improvable, unfinished, linterFixes }: PossibleWork): boolean {
  return barrier === null && (!analysed || improvable.length > unfinished || linterFixes !== 0);
}

/** True if exported functions can be searched for missing tests. */
export function canSearch({ analysed, barrier, languages }: PossibleWork): boolean {
  return analysed && barrier === null && languages.some((language) => SEARCHED_LANGUAGES.has(language));
}

/** True if exported functions can be searched for calls that break. */
export function canFindBreaking({ languages }: Pick<PossibleWork, 'languages'>): boolean {
  return languages.some((language) => SCRIPT_LANGUAGES.has(language));
}

/**
 * A sentence that names the commands to try when improving has nothing; null if there is something, or nothing to
 * search.
 */
export function searchSentence(possibleWork: PossibleWork): string | null {
  if (!canSearch(possibleWork) || possibleWork.improvable.length > 0) return null;
  const missingTests = '`selfware unguarded` for mistakes that no test notices, with tests that do';
  return canFindBreaking(possibleWork)
    ? `Searches that take a minute or two: ${missingTests}; \`selfware counterexamples\` for calls that break; \`selfware examples\` for wrong examples in the documentation.`
    : `A search that takes a minute or two: ${missingTests}.`;
}

/** The number of opportunities that the default filter hides, as a sentence; null if it hides none. */
export function hiddenOpportunitiesSentence({ quiet }: Pick<PossibleWork, 'quiet'>): string | null {
  if (quiet.length === 0) return null;
  return quiet.length === 1
    ? '1 is hidden: its rule is quiet by default.'
    : `${groupThousands(quiet.length)} are hidden: their rules are quiet by default.`;
}

/** The text in place of an empty list. It states "Nothing was found" only if the repository was analysed. */
export function emptySentence(possibleWork: PossibleWork): string {
  if (!possibleWork.analysed) return 'Opportunities appear once the whole repository has been analysed.';
  const language = languageSentence(possibleWork);
  if (possibleWork.quiet.length > 0)
    return `The rules that are shown by default found nothing.${language ? ` ${language}` : ''}`;
  return `None found. ${language ?? 'New ones appear as the code changes.'}`;
}

/** A sentence about the places that improving would try now, or the reason why it would try none. */
export function improveSentence(possibleWork: PossibleWork): string {
  const { barrier, analysed, shown, quiet, improvable, unfinished, waiting, linterFixes, linterTrouble, turnedDown } =
    possibleWork;
  const protectedCount = possibleWork.protected;
  if (barrier) return `${barrier.message} ${barrier.action}`;
  if (!analysed) return 'What can be improved is known once the repository has been analysed.';
  const workableCount = improvable.length - unfinished;
  if (workableCount > 0) {
    const remainingParts = [
      ...(unfinished > 0
        ? [`${groupThousands(unfinished)} more ${formatPlaces(unfinished, 'a file', 'files')} with uncommitted changes`]
        : []),
      ...(protectedCount > 0
        ? [
            `${groupThousands(protectedCount)} more ${formatPlaces(protectedCount, 'a protected file', 'protected files')}`,
          ]
        : []),
    ];
    return `Improve can try ${[`${groupThousands(workableCount)} of the ${groupThousands(shown.length)} shown`, ...remainingParts].join('; ')}.`;
  }
  if (linterFixes === null)
    return joinSentences(
      linterTrouble.length > 0
        ? `Nothing else is left to try, and the last attempt to ask a linter failed. ${linterTrouble.join(' ')}`
        : 'Nothing else is left to try, so Improve asks the linters of the repository what they can fix automatically.',
      unfinishedSentence(unfinished),
    );
  if (linterFixes > 0)
    return joinSentences(
      `Improve can try what the linters of the repository fix automatically (${groupThousands(linterFixes)}).`,
      unfinishedSentence(unfinished),
    );
  const unfinishedText = unfinishedSentence(unfinished);
  if (unfinishedText !== null) return unfinishedText;
  if (waiting > 0)
    return `Improve has nothing else to try: ${waiting} of what was found ${waiting === 1 ? 'waits' : 'wait'} for your decision.`;
  if (turnedDown.length > 0)
    return (
      `Improve has nothing new to try: ${formatCount(turnedDown.length, 'place was', 'places were')} turned down ` +
      `before. Such a place is tried again only if you ask for it: in the sidebar, or with \`--opportunity ` +
      `ID --again\` on the command line.`
    );
  if (protectedCount > 0) {
    const placeText = formatPlaces(
      protectedCount,
      'a file that the charter protects',
      'files that the charter protects',
    );
    return `Improve has nothing to try: ${protectedCount} of what is shown ${placeText}.`;
  }
  if (shown.length > 0) return needsPersonSentence(shown);
  return quiet.length > 0 ? quietSentence(quiet) : 'Improve has nothing to try: nothing was found.';
}

/** The sentence that what is shown needs a person, and how to ask for a change of it if a recipe can make one. */
function needsPersonSentence(shown: PossibleWork['shown']): string {
  const onRequest = shown.filter(({ recipe }) => recipe !== null && !mayTryUnasked(recipe));
  const [first] = onRequest;
  if (!first) return 'Improve has nothing to try: what is shown needs a person.';
  return (
    `Improve has nothing to try by itself: ${onRequest.length} of what is shown ` +
    `${onRequest.length === 1 ? 'is' : 'are'} changed only if you ask for it: in the sidebar, or ` +
    `with \`--opportunity ${first.id}\` on the command line.`
  );
}

/** The sentence that Improve skips files with uncommitted changes; null if there are none. */
function unfinishedSentence(unfinished: number): string | null {
  if (unfinished === 0) return null;
  const placeText = formatPlaces(unfinished, 'a file', 'files');
  return (
    `Commit first: Improve leaves alone what you have not committed, and ${groupThousands(unfinished)} of what ` +
    `is shown ${placeText} with uncommitted changes. Or name a place: in the sidebar, or with \`--opportunity ID\` on the command line.`
  );
}

/**
 * A sentence about the places that a person named by rules or folders and that improving would try; null if it would
 * try none of them.
 */
export function namedSentence(
  { shown, improvable }: Pick<PossibleWork, 'shown' | 'improvable'>,
  isNamed: (opportunity: Opportunity) => boolean,
): string | null {
  const [triedCount, foundCount] = [improvable.filter(isNamed).length, shown.filter(isNamed).length];
  return triedCount === 0
    ? null
    : `Improve can try ${groupThousands(triedCount)} of the ${groupThousands(foundCount)} shown that you named.`;
}

function formatPlaces(count: number, singular: string, plural: string): string {
  return count === 1 ? `is in ${singular}` : `are in ${plural}`;
}

/** A sentence about the places that improving could try if a person named rules that are off. */
function quietSentence(quiet: PossibleWork['quiet']): string {
  const rules = [...new Set(quiet.flatMap(({ rule, recipe }) => (recipe ? [rule] : [])))];
  if (rules.length === 0)
    return 'Improve has nothing to try: what was found is by rules that are off, and needs a person.';
  const moreText = rules.length > MAX_NAMED ? ` and ${rules.length - MAX_NAMED} more` : '';
  return (
    `Improve has nothing to try: what was found is by rules that are off. \`--rule\` tries ` +
    `them: ${rules.slice(0, MAX_NAMED).join(', ')}${moreText}.`
  );
}

/**
 * One sentence for a repository to which few rules apply: its languages, and the functions of Selfware that still work.
 * Null if most rules apply.
 */
export function languageSentence({
  analysed,
  files,
  languages,
}: Pick<PossibleWork, 'analysed' | 'files' | 'languages'>): string | null {
  if (!analysed || languages.some((language) => SCRIPT_LANGUAGES.has(language))) return null;
  if (files === 0) return 'There is no file here yet.';
  if (languages.length === 0)
    return (
      'No rule applies to this repository: it holds no code that Selfware knows. Search, memory and the ' +
      'tools for agents work on its texts.'
    );
  const namedLanguages = languages
    .slice(0, MAX_NAMED)
    .map((language) => LANGUAGE_NAMES[language] ?? language[0]?.toUpperCase() + language.slice(1));
  const linters = languages.flatMap((language) => LINTER_BY_LANGUAGE[language] ?? []);
  const python = languages.includes('python')
    ? ' Faults and unused names of Python are found by Ruff, which ships with Selfware.'
    : '';
  const fixes = linters.length > 0 ? ` Improve proposes what ${joinWords(linters)} can fix.` : '';
  return (
    `Most rules read TypeScript and JavaScript alone, and the code here is in ${joinWords(namedLanguages)}. ` +
    `Copies of code are found here, and functions are measured.${python}${fixes} Search, the dependency graph, ` +
    `memory and the tools for agents work as usual.`
  );
}

/** All sentences that are shown with the list of opportunities. */
export function formatOutlook(possibleWork: PossibleWork): string {
  return joinSentences(
    hiddenOpportunitiesSentence(possibleWork),
    languageSentence(possibleWork),
    improveSentence(possibleWork),
  );
}

/** Joins the sentences that are not null. */
export function joinSentences(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' ');
}
