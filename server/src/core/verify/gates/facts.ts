// What is known of a gate without its code: plain data.

export interface GateFacts {
  /** Gates run in this order, the cheapest first. */
  readonly order: number;
  /** What the check is called, as a heading has it. */
  readonly label: string;
  /** One sentence on what the check shows when it passes. */
  readonly meaning: string;
  /**
   * It runs for long, and its answer rests on nothing but the tree, the tools and the settings: a verification that was
   * cut off goes on with it.
   */
  readonly lasting?: true;
}
