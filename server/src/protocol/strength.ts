// Words that say how strongly a change is shown to do no harm, for all parts of the interface.

/** The words, strongest first. They are shown as they are, capitalised at the start of a line. */
export type Strength = 'proven' | 'tested' | 'checked' | 'unchecked';

/** The strength of a proposal. The first two are null as long as there are no verdicts. */
export interface StrengthState {
  readonly strength: Strength | null;
  /** The meaning of the word, in one sentence. */
  readonly strengthMeaning: string | null;
  /** What the proposal improves other than points, with the evidence, in a sentence or two. */
  readonly claim: string | null;
}

/** The word for the beginning of a line, such as `Proven`. */
export function strengthText(strength: Strength | null): string {
  return strength === null ? 'Not checked yet' : `${strength.charAt(0).toUpperCase()}${strength.slice(1)}`;
}
