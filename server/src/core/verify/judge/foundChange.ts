// The type of a change of a test, as found in the texts.

import type { TestChange } from '../../model/judgement.ts';

/** A change of a test whose old version has not been run yet. */
export type FoundChange = Omit<TestChange, 'oldTest' | 'said'> & {
  /**
   * For a deleted test: a case with assertions in the same file that may run the test under its old title, as a row.
   */
  readonly perhapsRowOf?: { readonly path: string; readonly line: number };
};
