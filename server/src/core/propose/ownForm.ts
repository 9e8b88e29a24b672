// Says that a recipe leaves a place alone because its file prefers the other form. Nobody else should change it either.

const BEGINNING = "The file's own form is ";

/** The sentence of a recipe that follows the form of the file. */
export function ownForm(form: string): string {
  return `${BEGINNING}${form}.`;
}

/** True for the reason of a refusal that came from `ownForm`. */
export function isOwnForm(reason: string | null): boolean {
  return reason?.startsWith(BEGINNING) ?? false;
}
