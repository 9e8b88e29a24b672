// The type of a name together with its position in a text.

/** A name, with its offsets; `end` is exclusive. */
export interface NamePlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}
