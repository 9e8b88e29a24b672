// States that a recipe does not change a place because its file prefers the other form. Other authors of changes should
// not change it either.

/** The start by which the sentence is recognised. */
const SENTENCE_START = "The file's own form is ";

/** The sentence of a recipe that follows the form of the file. */
export function refusalByFileConvention(form: string): string {
  return `${SENTENCE_START}${form}.`;
}

/** True for the reason of a refusal that came from `refusalByFileConvention`. */
export function isOwnForm(reason: string | null): boolean {
  return reason?.startsWith(SENTENCE_START) ?? false;
}
