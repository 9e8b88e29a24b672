// A name in a text: what it says and where it stands.

export interface NamePlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}
