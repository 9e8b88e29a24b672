// The type for a name in a text and its position.

/** A name, with its offsets; `end` is exclusive. */
export interface NamePlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}
