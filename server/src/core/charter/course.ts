// What becomes of a proposal that passed its gates: it is applied unasked, waits for a person, or is refused. One table
// by claim, strength, author and approval level; docs/claims.md is generated from it.

import type { Strength } from '../model.ts';
import { AUTHORS, type Author } from '../model/authors.ts';
import type { ClaimKind } from '../model/claims.ts';
import type { ApprovalLevel } from './approvalLevel.ts';

/** `unasked`: the charter's other conditions hold as well, or a person is asked. */
export type Course = 'unasked' | 'waits' | 'refused';

/** Strengths that are enough without a person; `adding`: of a change by our recipes that only adds something. */
interface Enough {
  readonly always: readonly Strength[];
  readonly adding: readonly Strength[];
}

interface Row {
  /** Who may not claim it at all: such a claim follows from who made the change. */
  readonly refused: readonly Author[];
  /** At which levels something is applied unasked; a person approves everything at the others. */
  readonly levels: readonly ApprovalLevel[];
  readonly unasked: Readonly<Record<Author, Enough>>;
}

const NEVER: Enough = { always: [], adding: [] };
const PROVEN: Enough = { always: ['proven'], adding: [] };
/** Comments and declarations that nobody uses yet run nowhere; of our own recipes, that is enough. */
const OURS: Enough = { always: ['proven'], adding: ['tested', 'checked'] };
const all = (enough: Enough): Row['unasked'] => ({
  recipe: enough,
  person: enough,
  model: enough,
  agent: enough,
  client: enough,
});

/** A person decides, however well it is shown. */
const ASKS: Row = { refused: [], levels: [], unasked: all(NEVER) };
const GOES_ON: Row = { refused: [], levels: ['moderate', 'minimal'], unasked: { ...all(PROVEN), recipe: OURS } };
const OF_RECIPES: Row = { ...ASKS, refused: AUTHORS.filter((author) => author !== 'recipe') };

const ROWS: Readonly<Record<ClaimKind, Row>> = {
  fix: ASKS,
  tests: ASKS,
  types: GOES_ON,
  speed: ASKS,
  findings: OF_RECIPES,
  request: ASKS,
  points: GOES_ON,
  upkeep: OF_RECIPES,
};

export interface Cell {
  readonly claim: ClaimKind;
  readonly strength: Strength;
  readonly author: Author;
  readonly approval: ApprovalLevel;
  /** It is by a recipe of the product, and only adds something. */
  readonly adds: boolean;
}

/** The one answer to what happens to such a change. */
export function courseOf({ claim, strength, author, approval, adds }: Cell): Course {
  const { refused, levels, unasked } = ROWS[claim];
  if (refused.includes(author)) return 'refused';
  if (!levels.includes(approval)) return 'waits';
  const { always, adding } = unasked[author];
  return always.includes(strength) || (adds && adding.includes(strength)) ? 'unasked' : 'waits';
}

/** Whether a person decides about this claim of this author at every level, however strongly it is shown. */
export function alwaysAsks(claim: ClaimKind, author: Author): boolean {
  const { levels, unasked } = ROWS[claim];
  return levels.length === 0 || unasked[author].always.length === 0;
}
