// Splits texts into lines.

/** The lines of a text with their line ends, so that joining the lines gives the text again. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
