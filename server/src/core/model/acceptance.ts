// Acceptance tests of a request: tests that fail until the requested change is made. A person has seen and accepted
// them.

/** A test file of such tests, before and after they were added. */
export interface AcceptanceFile {
  readonly path: string;
  /** The text before the test was added; null if the file is new. */
  readonly before: string | null;
  readonly after: string;
}
