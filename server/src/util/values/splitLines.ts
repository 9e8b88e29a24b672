// Splits texts into lines.

/** Lines with their ends, so that joining them gives the text. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
