// Computes the buttons (code lenses) above the lines of a review: those for the proposal above its first hunk, those
// for a file above the first hunk of the file, and those for each hunk. Does not use VS Code's API.

import type { Review, ReviewFile, ReviewHunk } from '#protocol/review';
import { strengthText } from '#protocol/strength';
import { findEditedLine } from './hunkTexts.ts';
import {
  createApplyTitle,
  formatGainOf,
  countHunks,
  hunkIndicesOf,
  isDecidable,
  shortenReason,
  summariseVerdicts,
} from './reviewText.ts';

/** One button, or a text that does nothing when it is clicked. */
export interface LensRow {
  /** Line of the lens, 0-based. */
  readonly line: number;
  readonly title: string;
  /**
   * Id of the command; empty if a click does nothing. `skipHunk` and `skipFile` are toggles: they also include what was
   * skipped.
   */
  readonly command: string;
  readonly argument: { readonly proposal: string; readonly hunk?: number; readonly hunks?: readonly number[] };
  readonly tooltip?: string;
}

/** Words for the statuses whose ids are unclear to a person. */
const STATUS_TEXTS: Readonly<Record<string, string>> = {
  rolledBack: 'rolled back',
  proposed: 'Waits to be checked in your files as they are now',
  verifying: 'Being checked in your files as they are now',
};

/** Number of characters of a reason that fit next to the points in a window of 1280 pixels. */
const MAX_SHORT_REASON_CHARACTERS = 32;

/** The input for the buttons of one file: the review, the file, and their state in the editor. */
export interface LensInput {
  readonly review: Review;
  readonly file: ReviewFile;
  /** The current text of the right side in the editor. */
  readonly text: string;
  /** Indices of the hunks of the proposal that the person has skipped. */
  readonly skipped: ReadonlySet<number>;
  /** True if the person has edited the proposal. */
  readonly isEdited: boolean;
}

/**
 * The buttons of one file. They are directly above the change, and the reason is one line higher: the diff scrolls to
 * the change when it opens, so both are visible. If the change begins in the first line, the reason is below it.
 */
export function createLensRows(input: LensInput): readonly LensRow[] {
  const { review, file, text, skipped } = input;
  const firstLineOf = createLineFinder(file, text);
  const [firstHunk] = file.hunks;
  const argument = { proposal: review.id };
  if (!isDecidable(review)) {
    const status = STATUS_TEXTS[review.status] ?? review.status;
    return [{ line: firstHunk ? firstLineOf(firstHunk) : 0, title: status, command: 'selfware.evidence', argument }];
  }
  if (!firstHunk)
    return file === findFirstChangedFile(review) ? [...createDecisionRows(input, 0), ...createFactRows(review, 0)] : [];
  const line = firstLineOf(firstHunk);
  const isOnlyHunk = countHunks(review) === 1;
  const isFirstFile = file === findFirstChangedFile(review);
  const isDivisible = file.hunks.every((hunk) => hunk.alone);
  const rowsOfFile = review.files.length > 1 && file.hunks.length > 1 && isDivisible ? createFileRows(input, line) : [];
  return [
    ...(isFirstFile ? createDecisionRows(input, line) : []),
    ...(isFirstFile && isOnlyHunk ? createFactRows(review, line) : []),
    ...file.hunks.flatMap((hunk) => {
      if (isOnlyHunk) return [];
      const hunkRows = hunk.alone ? createHunkRows(review, hunk.index, firstLineOf(hunk), skipped) : [];
      return hunk === firstHunk
        ? [
            ...hunkRows,
            ...(isFirstFile ? createFactRows(review, line).slice(0, 1) : [createReasonRow(argument, line, hunk.index)]),
            ...rowsOfFile,
          ]
        : [...hunkRows, createReasonRow(argument, firstLineOf(hunk), hunk.index)];
    }),
    ...(isFirstFile ? createReasonRows(input, firstHunk, isOnlyHunk) : []),
  ];
}

/** The first file with hunks; the first file if none has hunks. */
function findFirstChangedFile({ files }: Review): ReviewFile | undefined {
  return files.find(({ hunks }) => hunks.length > 0) ?? files[0];
}

/** Returns a function that finds the first line (0-based) of a hunk in the text as edited by the person. */
function createLineFinder(file: ReviewFile, text: string): (hunk: ReviewHunk) => number {
  const lines = countLines(text);
  return ({ afterLine }) => Math.min(findEditedLine(text, file.after, afterLine), lines) - 1;
}

function countLines(text: string): number {
  return text.split('\n').length;
}

/** The buttons to apply and to reject the proposal, and to discard the person's edits. */
function createDecisionRows({ review, skipped, isEdited }: LensInput, line: number): readonly LensRow[] {
  const argument = { proposal: review.id };
  return [
    {
      line,
      title: createApplyTitle(countHunks(review), skipped.size, isEdited),
      command: 'selfware.applyAll',
      argument,
      tooltip: isEdited
        ? 'The checks run on what you changed before it is written'
        : 'Writes the change; Roll Back undoes it',
    },
    { line, title: 'Reject', command: 'selfware.reject', argument, tooltip: 'Asks why; nothing is written' },
    ...(isEdited
      ? [
          {
            line,
            title: 'Discard my edits',
            command: 'selfware.discardEdits',
            argument,
            tooltip: 'Restores the proposed text',
          },
        ]
      : []),
  ];
}

/** The strength of the evidence, the claim with the gain, and a test if a check has found a counterexample. */
function createFactRows(review: Review, line: number): readonly LensRow[] {
  const argument = { proposal: review.id };
  const gain = formatGainOf(review);
  return [
    {
      line,
      title: strengthText(review.strength),
      command: 'selfware.showVerdicts',
      argument,
      tooltip: summariseVerdicts(review),
    },
    ...(gain === null
      ? []
      : [
          {
            line,
            title: gain,
            command: 'selfware.evidence',
            argument,
            tooltip: 'Evidence beside the diff: checks, points by category, tests, where it comes from',
          },
        ]),
    ...(review.hasTest
      ? [
          {
            line,
            title: 'Adopt test',
            command: 'selfware.adoptTest',
            argument,
            tooltip: 'The counterexample as a new, unsaved test',
          },
        ]
      : []),
  ];
}

/** The buttons of a hunk that can be applied or skipped without the others. */
function createHunkRows(
  { id: proposal }: Review,
  hunk: number,
  line: number,
  skipped: ReadonlySet<number>,
): readonly LensRow[] {
  const argument = { proposal, hunk };
  if (skipped.has(hunk))
    return [
      { line, title: 'Skipped', command: '', argument },
      { line, title: 'Include hunk', command: 'selfware.skipHunk', argument },
    ];
  return [
    {
      line,
      title: 'Apply hunk',
      command: 'selfware.applyHunk',
      argument,
      tooltip: 'Applies only this hunk, after checks of its own; the others keep waiting',
    },
    {
      line,
      title: 'Skip hunk',
      command: 'selfware.skipHunk',
      argument,
      tooltip: 'Leaves this hunk out of Apply all',
    },
  ];
}

/** The buttons of a file with several hunks. A file with a single hunk needs only the buttons of the hunk. */
function createFileRows({ review, file, skipped }: LensInput, line: number): readonly LensRow[] {
  const hunks = hunkIndicesOf(file);
  const argument = { proposal: review.id, hunks };
  if (hunks.every((hunk) => skipped.has(hunk)))
    return [{ line, title: 'Include file', command: 'selfware.skipFile', argument }];
  return [
    {
      line,
      title: 'Apply file',
      command: 'selfware.applyFile',
      argument,
      tooltip: 'Applies only what changes in this file, after checks of its own; the other files keep waiting',
    },
    {
      line,
      title: 'Skip file',
      command: 'selfware.skipFile',
      argument,
      tooltip: 'Leaves this file out of Apply all',
    },
  ];
}

/** The button that shows the reason for a hunk. */
function createReasonRow(argument: LensRow['argument'], line: number, hunk: number): LensRow {
  return {
    line,
    title: 'Why?',
    command: 'selfware.why',
    argument: { ...argument, hunk },
    tooltip: 'Why this is proposed',
  };
}

/**
 * The row with the reason. Unless the hunk is the only one, the facts that did not fit next to its buttons come first.
 * If the hunk only inserts lines, the line above it belongs to other code, such as a comment or the end of a function,
 * so the reason is next to the buttons.
 */
function createReasonRows(
  { review, file, text }: LensInput,
  leadingHunk: ReviewHunk,
  isOnlyHunk: boolean,
): readonly LensRow[] {
  const startLine = createLineFinder(file, text)(leadingHunk);
  const lineBelow = startLine + Math.max(1, leadingHunk.afterLines);
  const isInsertion = leadingHunk.removed === 0 && startLine > 0;
  const line = isInsertion
    ? startLine
    : startLine > 0
      ? startLine - 1
      : lineBelow < countLines(text)
        ? lineBelow
        : startLine;
  const otherRows = isOnlyHunk ? [] : createFactRows(review, line).slice(1);
  const reasonLength = isOnlyHunk && !isInsertion ? undefined : MAX_SHORT_REASON_CHARACTERS;
  const isCrowded = isInsertion && !isOnlyHunk;
  const title = isCrowded ? 'Why?' : ['Why?', shortenReason(review.rationale, reasonLength)].join(' ').trim();
  return [
    ...otherRows,
    {
      line,
      title,
      command: 'selfware.why',
      argument: { proposal: review.id, hunk: leadingHunk.index },
      tooltip: review.rationale || 'Why this is proposed',
    },
  ];
}
