// Acceptance tests of a request: tests that fail until the requested change is made. A person has seen and accepted
// them.

/** A file of acceptance tests. */
export interface AcceptanceFile {
  readonly path: string;
  /** The text before the test was added; null if the file is new. */
  readonly before: string | null;
  /** The text with the tests. */
  readonly after: string;
}
