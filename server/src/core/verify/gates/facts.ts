// The type of the facts about a gate, without its code.

/** The texts about a gate, and its place in the order of gates. */
export interface GateFacts {
  /** Gates run in this order, the cheapest first. */
  readonly order: number;
  /** The name of the check, as in a heading. */
  readonly label: string;
  /** One sentence that says what the check shows when it passes. */
  readonly meaning: string;
  /**
   * Set for a gate that takes long and whose answer depends only on the tree, the tools and the settings, so that an
   * interrupted verification reuses it.
   */
  readonly isResumable?: true;
}
