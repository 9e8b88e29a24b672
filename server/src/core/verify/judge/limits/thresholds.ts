// Finds lowered limits of tests and tools: for coverage, mutants and warnings, and for how often a test may be retried.

import type { FileEdit } from '../../../model.ts';
import { isTestEdit } from '../../../paths/testEdits.ts';
import type { FoundChange } from '../foundChange.ts';
import { findDroppedWarningLimits } from './warningLimits.ts';

/** Matches files in which such limits are set. */
const CONFIG_FILES =
  /(^|\/)(package\.json|\.?(?:nyc|c8)rc(\.\w+)?|\.nycrc|\.taprc|(?:jest|vitest|vite|ava|karma|stryker|playwright)[^/]*\.(?:config|conf)[^/]*|\.?mocharc[^/]*|codecov\.ya?ml|\.codecov\.ya?ml|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|\.coveragerc|sonar-project\.properties)$/i;
/** Matches limits for which a higher value is stricter. */
const FLOOR_PATTERN =
  /(?<![\w-])(?:--)?(branches|functions|lines|statements|fail[_-]under|cov-fail-under|threshold|break|target|high|low|minimum|global)["' :=]{1,6}(\d{1,6}(?:\.\d{1,4})?)(?![\d.])/gi;
/** Matches limits for which a higher value is looser. */
const CEILING_PATTERN =
  /(?<![\w-])(?:--)?(max-warnings|retries|retry|retryTimes|flaky)["' :=(]{1,6}(\d{1,6})(?![\d.])/gi;
/** Matches limits of Playwright for which a higher value is looser, including those for comparing pictures. */
const PICTURES_PATTERN =
  /(?<![\w-])(retries|retry|threshold|maxDiffPixels|maxDiffPixelRatio)["' :=(]{1,6}(\d{1,6}(?:\.\d{1,4})?)(?![\d.])/gi;
/** Matches nothing, for files without limits of this kind. */
const NEVER_PATTERN = /(?!)/g;
/** Matches a coverage target of Codecov, in percent. */
const CODECOV_FLOOR_PATTERN = /(?<![\w-])(target)["' :]{1,6}(\d{1,3}(?:\.\d{1,4})?)(?![\d.])/gi;
/** Matches the loss of coverage that Codecov accepts, in percent. */
const CODECOV_CEILING_PATTERN = /(?<![\w-])(threshold)["' :]{1,6}(\d{1,3}(?:\.\d{1,4})?)(?![\d.])/gi;
/** Matches files that make a folder a package. */
const MANIFESTS = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|deno\.jsonc?|project\.json)$/;
/** Matches options that make a check stricter when they are `true`. */
const SWITCHES_PATTERN = /(?<![\w-])(check-coverage|checkCoverage|all|perFile|per-file|100)["']? ?: ?true/g;
/** Matches retries by the runner, but not by the tested code: an option after the title of a test, or a call. */
const RETRY_PATTERN =
  /\b(?:retryTimes|retries)\(\s?[1-9]\d{0,5}|\b(?:it|test|describe|suite|context)\b[^\n;{]{0,200}\{[^{}\n]{0,100}\b(?:retries|retry) ?: ?[1-9]\d{0,5}|\bconfigure\(\{[^{}]{0,100}\bretries ?: ?[1-9]\d{0,5}/g;

/** The limits that the edits loosen or remove, the strict options that they remove, and the retries that they add. */
export function findLoweredThresholds(edits: readonly FileEdit[]): readonly FoundChange[] {
  const configsNow = edits.filter(({ path }) => CONFIG_FILES.test(path)).map(({ after }) => after ?? '');
  return edits.flatMap((edit) => {
    const { path, before, after } = edit;
    if (before === null) return [];
    if (isTestEdit(edit)) return after === null ? [] : findMoreRetries(path, before, after);
    if (!CONFIG_FILES.test(path)) return [];
    if (after !== null) return findLoosenedLimits(path, before, after);
    return isGoneWithPackage(path, edits) ? [] : findDroppedLimits(path, before, configsNow.join('\n'));
  });
}

/**
 * True if a deleted configuration is deleted together with its package: in a folder around it that is not the root, a
 * manifest and another file are deleted, and nothing is edited or added.
 */
function isGoneWithPackage(path: string, edits: readonly FileEdit[]): boolean {
  const folderNames = path.split('/').slice(0, -1);
  return folderNames.some((_, index) => {
    const folder = `${folderNames.slice(0, index + 1).join('/')}/`;
    const editsInside = edits.filter((edit) => edit.path.startsWith(folder));
    return (
      editsInside.length > 1 &&
      editsInside.every(({ after }) => after === null) &&
      editsInside.some((edit) => MANIFESTS.test(edit.path))
    );
  });
}

/** The limits of a deleted file that no edited configuration contains. */
function findDroppedLimits(path: string, before: string, configsNow: string): FoundChange[] {
  const { floor } = selectPatterns(path);
  const limitsNow = collectLimits(configsNow, floor);
  return [...collectLimits(before, floor)].flatMap(([name, values]) =>
    values
      .filter(({ value }) => !limitsNow.get(name)?.some((limit) => limit.value >= value))
      .map(({ value, line }) => createThresholdChange(path, line, `${name} ${value}`, null)),
  );
}

/**
 * The patterns for the limits in this file: `floor` for limits that are stricter if they are higher, `ceiling` for the
 * others. For Playwright and Codecov, a `threshold` is an accepted difference, and so a ceiling.
 */
function selectPatterns(path: string): { readonly floor: RegExp; readonly ceiling: RegExp } {
  if (/(^|\/)playwright[^/]*$/i.test(path)) return { floor: NEVER_PATTERN, ceiling: PICTURES_PATTERN };
  if (/(^|\/)\.?codecov\.ya?ml$/i.test(path)) return { floor: CODECOV_FLOOR_PATTERN, ceiling: CODECOV_CEILING_PATTERN };
  return { floor: FLOOR_PATTERN, ceiling: CEILING_PATTERN };
}

function findLoosenedLimits(path: string, before: string, after: string): FoundChange[] {
  const changes: FoundChange[] = [];
  const compare = (pattern: RegExp, isWorse: (before: number, after: number) => boolean, countsIfMissing: boolean) => {
    const [limitsBefore, limitsAfter] = [collectLimits(before, pattern), collectLimits(after, pattern)];
    for (const [name, values] of limitsBefore) {
      const newLimits = limitsAfter.get(name) ?? [];
      for (const [index, { value, line }] of values.entries()) {
        const newValue = newLimits[index]?.value;
        if (newValue === undefined ? countsIfMissing && newLimits.length < values.length : isWorse(value, newValue))
          changes.push(
            createThresholdChange(
              path,
              line,
              `${name} ${value}`,
              newValue === undefined ? null : `${name} ${newValue}`,
            ),
          );
      }
    }
    return { limitsBefore, limitsAfter };
  };
  const { floor, ceiling } = selectPatterns(path);
  compare(floor, (old, current) => current < old, true);
  const { limitsBefore, limitsAfter } = compare(ceiling, (old, current) => current > old, false);
  if (/(^|\/)package\.json$/.test(path))
    for (const limit of findDroppedWarningLimits(before, after))
      changes.push(createThresholdChange(path, null, limit, null));
  for (const [name, [first]] of limitsAfter)
    if (first && first.value > 0 && !limitsBefore.has(name) && /retr/i.test(name))
      changes.push(createThresholdChange(path, null, null, `${name} ${first.value}`));
  for (const [, name = ''] of before.matchAll(SWITCHES_PATTERN))
    if (![...after.matchAll(SWITCHES_PATTERN)].some(([, switchName]) => switchName === name))
      changes.push(createThresholdChange(path, null, `${name}: true`, null));
  return changes;
}

/** A change if more tests are retried than before, because a retried test may fail in between. */
function findMoreRetries(path: string, before: string, after: string): FoundChange[] {
  const [retriesBefore, retriesAfter] = [[...before.matchAll(RETRY_PATTERN)], [...after.matchAll(RETRY_PATTERN)]];
  return retriesAfter.length > retriesBefore.length
    ? [createThresholdChange(path, null, null, retriesAfter.at(-1)![0])]
    : [];
}

/** Maps the lower-case name of each matching limit to its values and lines. */
function collectLimits(text: string, pattern: RegExp): ReadonlyMap<string, readonly { value: number; line: number }[]> {
  const limits = new Map<string, { value: number; line: number }[]>();
  for (const match of text.matchAll(pattern)) {
    const name = match[1]!.toLowerCase();
    const line = text.slice(0, match.index).split('\n').length;
    limits.set(name, [...(limits.get(name) ?? []), { value: Number(match[2]), line }]);
  }
  return limits;
}

function createThresholdChange(
  path: string,
  line: number | null,
  before: string | null,
  after: string | null,
): FoundChange {
  return { kind: 'threshold', path, line, test: '', before, after };
}
