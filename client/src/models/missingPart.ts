// Completes the names of proposers: for some, the person has to add the name of a model, its file, or an address.

const PLACEHOLDERS = { MODEL: 'model', FILE: 'file', ADDRESS: 'address' } as const;

/** A server whose address and model the person types. */
export const ANY_ADDRESS = 'openai-compatible:ADDRESS';

/** `kind`: the beginning of the proposer's name, such as `openai`. */
export interface MissingPart {
  readonly kind: string;
  readonly part: 'model' | 'file' | 'address';
}

/** The missing part of a proposer's name. Null if the name is complete. */
export function findMissingPart(proposer: string | null): MissingPart | null {
  const [, kind, placeholder] = /^([a-z-]+):(MODEL|FILE|ADDRESS)$/.exec(proposer ?? '') ?? [];
  return kind === undefined ? null : { kind, part: PLACEHOLDERS[placeholder as keyof typeof PLACEHOLDERS] };
}

/** The complete name. */
export function withPart({ kind }: MissingPart, part: string): string {
  return `${kind}:${part.trim()}`;
}
