// Acceptance tests of a request: tests that fail until it is done. A person has seen and accepted them.

/** A test file as the change that does the request leaves it. */
export interface AcceptanceFile {
  readonly path: string;
  /** The text that the test was added to; null = the file is new. */
  readonly before: string | null;
  readonly after: string;
}
