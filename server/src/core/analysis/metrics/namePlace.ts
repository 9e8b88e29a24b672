// Defines the type for a name in a text and its position.

export interface NamePlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}
