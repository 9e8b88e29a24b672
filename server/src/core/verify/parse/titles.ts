// Makes titles of tests comparable, because each runner joins them in a different way.

/** Returns the letters and digits of a title, in lower case. */
export function selectLettersAndDigits(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
