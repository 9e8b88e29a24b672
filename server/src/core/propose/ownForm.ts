// Writes and recognises the refusal of a recipe that leaves a place unchanged because its file prefers the existing
// form. Other authors should not change such a place either.

/** The start by which the refusal is recognised. */
const SENTENCE_START = "The file's own form is ";

/** The refusal of a recipe because the file prefers `form`, as a sentence. */
export function createRefusalByConvention(form: string): string {
  return `${SENTENCE_START}${form}.`;
}

/** True for a refusal that `createRefusalByConvention` has created. */
export function isRefusalByFileConvention(reason: string | null): boolean {
  return reason?.startsWith(SENTENCE_START) ?? false;
}
