// How strongly a change is shown to do no harm, for whoever shows it.

/** Strongest first; the words are shown as they are. */
export type Strength = 'proven' | 'tested' | 'checked' | 'unchecked';

/** What is known of a proposal's strength. Both null as long as there are no verdicts. */
export interface StrengthState {
  readonly strength: Strength | null;
  /** What the word means, in one sentence. */
  readonly strengthMeaning: string | null;
  /** What it makes better beside points, with what shows that, in a sentence or two. */
  readonly claim: string | null;
}

/** The word as a line begins with it: `Proven`. */
export function strengthText(strength: Strength | null): string {
  return strength === null ? 'Not checked yet' : `${strength.charAt(0).toUpperCase()}${strength.slice(1)}`;
}
