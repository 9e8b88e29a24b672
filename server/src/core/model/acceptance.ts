// Acceptance tests of a request: tests that fail until the request is done. A person has seen and accepted them.

/** A test file as it is after the change that does the request. */
export interface AcceptanceFile {
  readonly path: string;
  /** The text before the test was added; null if the file is new. */
  readonly before: string | null;
  readonly after: string;
}
