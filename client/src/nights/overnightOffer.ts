// Defines an entry of the lists of choices in "Run Overnight…", the dialog that starts an unattended run.

/** One entry of a list, and the value that a person chooses with it. */
export interface OvernightOffer<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: T;
}
