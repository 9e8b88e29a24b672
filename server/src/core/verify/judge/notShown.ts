// Lists what the checks of a judged change left open although none failed, as phrases for a person.

import type { GateName } from '../../model/gates.ts';
import type { Judgement } from '../../model/judgement.ts';
import type { Verdict } from '../../model.ts';
import { CLAIM_KIND, MENDS_ONLY, MISSED_PLACES, NAMED_CALLS, NOTHING_TO_COMPARE } from '../../model/evidence.ts';
import { provesEquivalence, UNNOTICED_KEY } from '../../model/proofs.ts';
import { isForContributors, isProse, isSourceCode } from '../../paths/nonSourcePaths.ts';
import { isTest } from '../../paths/tests.ts';

/** Maximum number of places in a sentence. */
const MAX_PLACES = 3;
/** Maximum number of characters of a call or a reason in a sentence. */
const MAX_CHARACTERS = 120;
/** Matches a place in a file, such as `src/a.ts:12` or `app/[id]/(group)/page.tsx:3`. */
const PLACE_PATTERN =
  /(?<![\p{L}\p{N}_@.+$~[\]/)-])(?:[\p{L}\p{N}_@.+$~[\]/-]|\([\p{L}\p{N}_.-]{1,60}\)){1,300}\.\p{L}{1,10}:\d{1,7}/gu;
/** Matches the opening of a reason of the gate guard, which is removed inside a longer sentence. */
const OPENING_PATTERN = /^(?:Weak|Not measured|Not run): /;

/** Matches manifests of npm and its lock file. */
const MANIFEST_PATTERN = /(^|\/)package(-lock)?\.json$/;

type Facts = Pick<Judgement, 'verdicts' | 'strength'> & { readonly files: Pick<Judgement['files'], 'paths'> };

/**
 * What was not shown, each as a clause that begins with “that”: that the behaviour is the same, that tests notice
 * mistakes, or that tests run the change at all. Empty if the change is proven or tested, and nothing is open.
 */
export function listNotShown({ verdicts, strength, files }: Facts): readonly string[] {
  const hasCode = files.paths.some(isSourceCode);
  const behaviour = hasCode ? explainOpenBehaviour(verdicts) : null;
  const mistakes = hasCode ? explainOpenMistakes(verdicts) : null;
  const clauses = [
    ...(behaviour === null ? [] : [`that the behaviour is the same (${behaviour})`]),
    ...(mistakes === null ? [] : [`that tests would notice a mistake in ${mistakes}`]),
  ];
  if (clauses.length > 0 || strength === 'proven' || strength === 'tested') return clauses;
  if (files.paths.every(isInert)) return [];
  const changesOnlyTests = files.paths.length > 0 && files.paths.every((path) => isTest(path));
  return [changesOnlyTests ? 'that the changed tests notice a mistake' : 'that a test runs what changes'];
}

/** True for a file that nothing runs. Another check reports edits of a manifest for a person to look at. */
function isInert(path: string): boolean {
  return isProse(path) || isForContributors(path) || MANIFEST_PATTERN.test(path);
}

/** How the behaviour differs, or why that is unknown; null if the comparison leaves nothing open. */
function explainOpenBehaviour(verdicts: readonly Verdict[]): string | null {
  const verdict = findVerdict(verdicts, 'differential');
  if (verdict?.outcome !== 'unknown' || verdict.evidence[NOTHING_TO_COMPARE] !== undefined) return null;
  const { call, gaps, doubts, [MENDS_ONLY]: mendsOnly, [NAMED_CALLS]: named } = verdict.evidence;
  if (typeof call === 'string') return `it differs for ${shorten(call)}`;
  // If a fix was shown, its tests state the intended difference.
  if (typeof named === 'string' && doubts === undefined)
    return isFixShown(verdicts) ? null : `it differs for ${shorten(named.split('\n')[0]!)}`;
  if (mendsOnly !== undefined) return isFixShown(verdicts) ? null : 'calls that failed before no longer do';
  const text = [doubts, gaps].filter((part) => typeof part === 'string' && part !== '').join('\n') || verdict.reason;
  const places = extractPlaces(text);
  return places === null ? toClause(text.split('\n')[0]!) : `it could not be compared at ${places}`;
}

/** True if a fix was shown. It is meant to answer calls that failed before. */
function isFixShown(verdicts: readonly Verdict[]): boolean {
  const claim = findVerdict(verdicts, 'claim');
  return claim?.outcome === 'passed' && claim.evidence[CLAIM_KIND] === 'fix';
}

/**
 * Where the tests notice no mistake, or why that is unknown, such as “the touched lines (src/a.ts:5)”. Null if the
 * tests notice mistakes, or if this does not matter.
 */
function explainOpenMistakes(verdicts: readonly Verdict[]): string | null {
  const verdict = findVerdict(verdicts, 'guard');
  if (!verdict || verdicts.some(provesEquivalence)) return null;
  const { possible, missed, [MISSED_PLACES]: touched, [UNNOTICED_KEY]: unnoticed } = verdict.evidence;
  const formatTouched = (where: string | null) => (where === null ? null : `the touched lines (${where})`);
  if (verdict.outcome === 'passed')
    return formatTouched(typeof unnoticed === 'string' ? extractPlaces(unnoticed) : null);
  if (possible === 0) return null;
  if (typeof touched === 'string') return formatTouched(listPlaces(touched.split('\n')));
  const placesAround = typeof missed === 'string' ? extractPlaces(missed) : null;
  if (placesAround !== null) return `the functions around the touched lines (${placesAround})`;
  return formatTouched(extractPlaces(verdict.reason) ?? toClause(verdict.reason));
}

function findVerdict(verdicts: readonly Verdict[], gate: GateName): Verdict | undefined {
  return verdicts.find((verdict) => verdict.gate === gate);
}

/** The distinct places that a text mentions; null if it mentions none. */
function extractPlaces(text: string): string | null {
  const places = [...new Set(text.match(PLACE_PATTERN) ?? [])];
  return places.length === 0 ? null : listPlaces(places);
}

function listPlaces(places: readonly string[]): string {
  const furtherCount = places.length - MAX_PLACES;
  return `${places.slice(0, MAX_PLACES).join(', ')}${furtherCount > 0 ? ` and ${furtherCount} more` : ''}`;
}

/** A reason without its full stop, for use in parentheses. */
function toClause(reason: string): string {
  const text = reason.replace(OPENING_PATTERN, '').replace(/\.$/, '');
  return shorten(/^[A-Z][a-z]* /.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text);
}

function shorten(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}
