// A name in a text and its place.

export interface NamePlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}
