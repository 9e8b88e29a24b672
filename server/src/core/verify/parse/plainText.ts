// Removes colours from text and makes its line ends uniform.

/**
 * Returns the text without CSI sequences of ECMA-48 and OSC sequences (links, titles), with `\n` at the end of each
 * line.
 */
export function removeEscapeSequences(text: string): string {
  return text
    .replace(/\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, '')
    .replace(/\r\n?/g, '\n');
}
