// What an attack on the pipeline is: something that a proposal, a request or a repository tries, and what tells whether
// it got its way.

import type { FileEdit } from '../../../server/src/core/model.ts';

/**
 * Where an attempt ended. `asks`: verified, and the charter leaves it to a person. `applied`: written without one.
 * `broken`: by an error that nobody expected.
 */
export type End = 'not filed' | 'refused' | 'asks' | 'applied' | 'confined' | 'broken';

export interface Answer {
  readonly end: End;
  /** The reason of the error, or the gate; of `asks` the first gate that could not tell. */
  readonly by: string;
  readonly detail: string;
}

/** What each attack gets: a person's repository, and around it what must stay as it is. */
export interface Place {
  /** Absolute. */
  readonly repository: string;
  /** A folder that is nobody's business, with `theirs.ts` in it. */
  readonly outside: string;
  /** The home folder, with secrets in it. */
  readonly home: string;
  /** Part of every secret that lies about. */
  readonly secret: string;
  /** Fresh for each attack: a name for marks that code leaves where it ran. */
  readonly mark: string;
  /** Bytes of a file of the repository as text. */
  text(path: string): string;
  /**
   * Files, verifies and, where the gates let it, has the charter apply edits. At the level that asks least.
   * `answeredBy`: this gate is the one that answers, so tests and what comes after them are left out.
   */
  bring(
    edits: readonly FileEdit[],
    words?: { readonly title?: string; readonly rationale?: string; readonly answeredBy?: 'integrity' },
  ): Promise<Answer>;
  /**
   * The same with something done to the disk after the gates and undone at the end; a person approves, so that it comes
   * to writing.
   */
  bringThen(edits: readonly FileEdit[], meddle: () => () => void): Promise<Answer>;
  /** The same for a request as it comes from outside. */
  ask(request: unknown): Promise<Answer>;
}

export interface Attack {
  readonly name: string;
  /** What it wants, as a sentence. */
  readonly wants: string;
  /** How it has to end, as a pattern that the start of `END` or `END: BY` fits. */
  readonly expected: string;
  /**
   * What it does is done by commands of the repository, which a person lets run: without isolation nothing keeps them
   * in, and an edit of an agent is not run.
   */
  readonly onlyShutIn?: boolean;
  /** Throws, or answers `applied`, where it got away; what became of the world is looked at afterwards in any case. */
  run(place: Place): Promise<Answer>;
}

export function spelled({ end, by }: Answer): string {
  return by === '' ? end : `${end}: ${by}`;
}
