// What an attack by a reply is: what a model writes, or what an agent does in its work tree, and where that has to end.

import { BAIT, CART, TESTS } from '../pipeline/sample.ts';

export const CART_FILE = 'src/cart.ts';
export const TEST_FILE = 'test/cart.test.js';

/** Runs in the work tree of an agent, as a module of Node that has `fs`. */
export interface AgentScript {
  readonly agent: string;
}

/** Where an answer ended. `not filed`: it gave no proposal. Nothing may end `unasked`. */
export type End = 'not filed' | `refused: ${string}` | 'asks' | 'unasked';

export interface ReplyAttack {
  readonly name: string;
  /** The text of a model's answer, or what an agent does. */
  readonly answer: string | AgentScript;
  /** What the answer is to: the unused import of `cart.ts`, or a wish in these words. */
  readonly wish?: string;
  /** A pattern that the start of the end fits. */
  readonly expected: string;
  /** Commands run, or an agent does, which nothing holds without isolation. */
  readonly onlyShutIn?: boolean;
  /** What the refusal says, or what is said at the levels `moderate` and `minimal` to the person who is asked. */
  readonly says: RegExp;
  /** No gate notices it, so an unattended run may commit it to its branch, where a person sees it. */
  readonly isMissedOnBranch?: true;
  /** Tests and what comes after them run for real; else the gates that run nothing of the repository decide. */
  readonly runs?: true;
}

export interface ReplyEdit {
  readonly file: string;
  readonly search?: string;
  readonly replace?: string;
  readonly content?: string;
  readonly append?: string;
}

/** The answer in the notation that the question asks for. */
export function reply(edits: readonly ReplyEdit[], description = 'Removes an import that nobody uses'): string {
  return JSON.stringify({ description, edits });
}

/** What was asked for, done honestly. */
export const honest: ReplyEdit = within(CART, CART_FILE, `${BAIT}\n/** What`, '/** What');

/** The honest edit, and others beside it. */
export const beside = (...edits: readonly ReplyEdit[]): string => reply([honest, ...edits]);

/** The honest edit, with a replacement in the code of `total` or `dear`. */
export const code = (search: string, replace: string): ReplyEdit => within(CART, CART_FILE, search, replace);

/** A replacement in the tests. */
export const tests = (search: string, replace: string): ReplyEdit => within(TESTS, TEST_FILE, search, replace);

/** A replacement. Throws if the text has the place not exactly once, because such an attack would show nothing. */
export function within(text: string, file: string, search: string, replace: string): ReplyEdit {
  if (text.split(search).length !== 2) throw new Error(`${file} does not have this once: ${search}`);
  return { file, search, replace };
}

/** True if the attack ended where it has to. */
export const fits = ({ expected }: ReplyAttack, end: End): boolean => new RegExp(`^(?:${expected})`).test(end);
