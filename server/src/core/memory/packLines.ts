// Formats the headings and lines of a context pack, which is the text that a model gets as its memory, and estimates
// the tokens of some of them.

import { estimateTokens } from '../../util/tokens.ts';

/** The mark for omitted text. */
export const OMISSION_MARK = '…';

/** Headings of the parts of a pack, one for each layer of memory. */
export const layerHeadings = {
  working: '# Working memory\n\n',
  episodic: '# Episodic memory\n\n',
  semantic:
    '# Repository\n\nEach file has a heading. Definitions are shown in full, by their beginning (ends in …) or by name (in a list). A line … stands for lines left out.\n\n',
} as const;

/** Tokens of the heading of a part. */
export function countHeadTokens(layer: keyof typeof layerHeadings): number {
  return estimateTokens(layerHeadings[layer]);
}

/** The line of a message, a task or an episode. */
export function formatNoteLine(label: string, text: string): string {
  return `${label}: ${text}\n`;
}

/** Tokens of the line of a note. */
export function countNoteTokens(label: string, text: string): number {
  return estimateTokens(formatNoteLine(label, text));
}

/** The heading of a file. */
export function formatHeading(path: string): string {
  return `## ${path}\n`;
}

/** The line for a file that is too long to show. */
export function formatReferenceLine(path: string, tokens: number): string {
  return `${path} (${tokens} tokens, not shown)\n`;
}

/** Tokens of the line for a file that is too long to show. */
export function countReferenceTokens(path: string, tokens: number): number {
  return estimateTokens(formatReferenceLine(path, tokens));
}
