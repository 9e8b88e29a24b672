// Words that say how strongly a change is shown to do no harm, for all parts of the interface.

/** The words, strongest first. They are shown as they are, with a capital at the start of a line. */
export type Strength = 'proven' | 'tested' | 'checked' | 'unchecked';

/** The strength of a proposal, and what it improves. */
export interface StrengthState {
  /** The word; null as long as there are no verdicts. */
  readonly strength: Strength | null;
  /** The meaning of the word, in one sentence; null as long as there are no verdicts. */
  readonly strengthMeaning: string | null;
  /**
   * What the proposal improves other than points, with the evidence, in a sentence or two; null if it claims nothing
   * else.
   */
  readonly claim: string | null;
}

/** The word for the beginning of a line, such as `Proven`. */
export function strengthText(strength: Strength | null): string {
  return strength === null ? 'Not checked yet' : `${strength.charAt(0).toUpperCase()}${strength.slice(1)}`;
}
