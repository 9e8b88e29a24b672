// Decides what happens to a proposal that passed its gates: it is applied unasked, waits for a person, or is refused.
// One table by claim, strength, author and approval level; docs/claims.md is generated from it.

import type { Strength } from '../model.ts';
import { AUTHORS, type Author } from '../model/authors.ts';
import type { ClaimKind } from '../model/claims.ts';
import type { ApprovalLevel, EffectiveLevel } from './approvalLevel.ts';

/**
 * What happens to a proposal. `unasked`: it is applied without asking a person, if the charter's other conditions are
 * met. `waits`: a person decides. `refused`: nobody may apply it.
 */
export type ApplyDecision = 'unasked' | 'waits' | 'refused';

/**
 * Strengths that suffice without a person. `always`: for any change. `adding`: for a change by a recipe of Selfware
 * that only adds something.
 */
interface SufficientStrengths {
  readonly always: readonly Strength[];
  readonly adding: readonly Strength[];
}

/** The rules for one kind of claim. */
interface ClaimRow {
  /** Authors who must not make this claim, because it follows from the author of the change. */
  readonly refused: readonly Author[];
  /**
   * Levels at which the proposal is applied unasked. At the other levels except `branch`, a person approves everything.
   */
  readonly levels: readonly ApprovalLevel[];
  readonly unasked: Readonly<Record<Author, SufficientStrengths>>;
  /**
   * Authors whose change may be applied unasked although it may change what the code does (`behaviorChanging`), unless
   * a recipe of Selfware made it.
   */
  readonly mayChangeBehaviour: readonly Author[];
  /** The condition on the evidence in addition to the strength, as the end of "only if"; null if there is none. */
  readonly beyond: string | null;
}

const NO_STRENGTH: SufficientStrengths = { always: [], adding: [] };
const PROVEN_STRENGTHS: SufficientStrengths = { always: ['proven'], adding: [] };
/**
 * The weaker strengths suffice for additions by Selfware's own recipes, because comments and unused declarations do not
 * run.
 */
const STRENGTHS_FOR_OWN_RECIPES: SufficientStrengths = { always: ['proven'], adding: ['tested', 'checked'] };
const allowEveryone = (sufficient: SufficientStrengths): ClaimRow['unasked'] => ({
  recipe: sufficient,
  person: sufficient,
  model: sufficient,
  agent: sufficient,
  client: sufficient,
});
/**
 * For claims with which only recipes and persons may change code unasked, because code can be written to pass any test.
 */
const allowRecipesAndPersons = (sufficient: SufficientStrengths): ClaimRow['unasked'] => ({
  ...allowEveryone(NO_STRENGTH),
  recipe: sufficient,
  person: sufficient,
});
/** The strengths that suffice for a commit on the branch of an unattended run: shown by tests, or proven. */
const STRENGTHS_ON_BRANCH: readonly Strength[] = ['proven', 'tested'];
const UNATTENDED_LEVELS: readonly ApprovalLevel[] = ['moderate', 'minimal'];

/** A person decides, however strong the proof is. */
const PERSON_DECIDES: ClaimRow = {
  refused: [],
  levels: [],
  unasked: allowEveryone(NO_STRENGTH),
  mayChangeBehaviour: ['person'],
  beyond: null,
};
const UNASKED_IF_PROVEN: ClaimRow = {
  ...PERSON_DECIDES,
  levels: UNATTENDED_LEVELS,
  unasked: { ...allowEveryone(PROVEN_STRENGTHS), recipe: STRENGTHS_FOR_OWN_RECIPES },
};
/** Only a recipe may make this claim, and a person decides on it. */
const ONLY_FOR_RECIPES: ClaimRow = { ...PERSON_DECIDES, refused: AUTHORS.filter((author) => author !== 'recipe') };
/** The row for measured gains. `meetsRequirement` checks the limits that `beyond` names. */
const FASTER_ROW: ClaimRow = {
  ...PERSON_DECIDES,
  levels: UNATTENDED_LEVELS,
  unasked: allowEveryone(PROVEN_STRENGTHS),
  beyond: 'the gain is over 20 % at a confidence over 0.8 and the comparison finds no difference',
};

const ROW_BY_CLAIM: Readonly<Record<ClaimKind, ClaimRow>> = {
  fix: {
    ...PERSON_DECIDES,
    levels: UNATTENDED_LEVELS,
    unasked: allowRecipesAndPersons(PROVEN_STRENGTHS),
    beyond: 'a call that Selfware generated shows the defect and nothing else differs',
  },
  tests: {
    ...PERSON_DECIDES,
    levels: UNATTENDED_LEVELS,
    unasked: allowEveryone(PROVEN_STRENGTHS),
    beyond:
      'the change only adds test cases, each of them notices a mistake, and neither these nor the code that they lead to reaches outside the program',
  },
  types: UNASKED_IF_PROVEN,
  speed: FASTER_ROW,
  memory: FASTER_ROW,
  // For authors other than recipes, only findings of the repository's own linter count.
  findings: PERSON_DECIDES,
  request: PERSON_DECIDES,
  // Points do not show that a change of behaviour is wanted.
  points: { ...UNASKED_IF_PROVEN, mayChangeBehaviour: [] },
  upkeep: ONLY_FOR_RECIPES,
};

/** The properties of a proposal that determine what happens to it. */
export interface ApplyQuestion {
  readonly claim: ClaimKind;
  readonly strength: Strength;
  readonly author: Author;
  readonly approval: EffectiveLevel;
  /** True if a recipe of Selfware made the proposal, and it only adds something. */
  readonly onlyAdds: boolean;
  /** True if the evidence meets the additional requirement of the claim (`findAdditionalRequirement`). */
  readonly meetsRequirement: boolean;
}

/** What happens to a proposal that passed its gates. No other function decides this. */
export function decideApply({
  claim,
  strength,
  author,
  approval,
  onlyAdds,
  meetsRequirement,
}: ApplyQuestion): ApplyDecision {
  const { refused, levels, unasked, beyond } = ROW_BY_CLAIM[claim];
  if (refused.includes(author)) return 'refused';
  if (approval === 'branch')
    return STRENGTHS_ON_BRANCH.includes(strength) || (onlyAdds && strength === 'checked') ? 'unasked' : 'waits';
  if (!levels.includes(approval) || (beyond !== null && !meetsRequirement)) return 'waits';
  const { always, adding } = unasked[author];
  return always.includes(strength) || (onlyAdds && adding.includes(strength)) ? 'unasked' : 'waits';
}

/**
 * True if a person always decides on this claim of this author, however strong the proof is, at any level except
 * `branch`.
 */
export function alwaysAsks(claim: ClaimKind, author: Author): boolean {
  const { levels, unasked } = ROW_BY_CLAIM[claim];
  return levels.length === 0 || unasked[author].always.length === 0;
}

/** True if a person decides on a change of this claim and author that may change what the code does. */
export function asksAboutBehaviour(claim: ClaimKind, author: Author, approval: EffectiveLevel): boolean {
  return approval !== 'branch' && !ROW_BY_CLAIM[claim].mayChangeBehaviour.includes(author);
}

/**
 * The requirement that the evidence of such a claim must meet, in addition to its strength, before it is applied
 * unasked. It is the end of a sentence; null if there is none.
 */
export function findAdditionalRequirement(claim: ClaimKind): string | null {
  return ROW_BY_CLAIM[claim].beyond;
}
