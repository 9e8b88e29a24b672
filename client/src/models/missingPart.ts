// Completes the names of proposers that contain a placeholder, such as `openai:MODEL`: the person has to add the name
// of a model, its file, or an address.

/** The part of a proposer's name for which each placeholder stands. */
const PLACEHOLDERS = { MODEL: 'model', FILE: 'file', ADDRESS: 'address' } as const;

/** The proposer for a server with OpenAI's protocol, whose address and model the person types. */
export const ANY_ADDRESS = 'openai-compatible:ADDRESS';

/** Labels of proposers whose model or file is still missing. */
const TITLES: Readonly<Record<string, string>> = {
  'gguf:FILE': 'A GGUF File…',
  'openai:MODEL': 'OpenAI…',
  'anthropic:MODEL': 'Anthropic…',
  'google:MODEL': 'Google Gemini…',
};

/** The part that a proposer's name lacks. `kind`: the beginning of the name, such as `openai`. */
export interface MissingPart {
  readonly kind: string;
  readonly part: 'model' | 'file' | 'address';
}

/** The missing part of a proposer's name. Null if the name is complete. */
export function findMissingPart(proposer: string | null): MissingPart | null {
  const [, kind, placeholder] = /^([a-z-]+):(MODEL|FILE|ADDRESS)$/.exec(proposer ?? '') ?? [];
  return kind === undefined ? null : { kind, part: PLACEHOLDERS[placeholder as keyof typeof PLACEHOLDERS] };
}

/** The complete name, such as `openai:gpt-5`. */
export function completeName({ kind }: MissingPart, part: string): string {
  return `${kind}:${part.trim()}`;
}

/** Label and detail of a proposer in a list. The detail contains its name if the label does not. */
export function describeProposer(
  { name, title = TITLES[name] }: { readonly name: string; readonly title?: string },
  why: string,
): { readonly label: string; readonly detail: string } {
  return title === undefined ? { label: name, detail: why } : { label: title, detail: `${name}: ${why}` };
}
