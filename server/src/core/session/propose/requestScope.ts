// Determines which opportunities and proposals a request is about.

import { isTestEdit } from '../../paths/testEdits.ts';
import { isTestFile } from '../../paths/tests.ts';
import type { Opportunity, Proposal } from '../../model.ts';
import { EXTERNAL_RECIPE } from '../../model/authors.ts';
import type { ClaimKind } from '../../model/claims.ts';
import type { WorkKind, WorkScope } from '../../model/workScope.ts';
import { workKindOf } from '../../prioritise/worth.ts';
import { isWithin } from '../../../util/pathWithin.ts';
import type { ProposeRequest } from './requests.ts';

/** True if the file is within the places of the scope, and not excluded. */
export function isPathInScope(
  path: string,
  { places, excluded = [] }: Pick<WorkScope, 'places' | 'excluded'>,
): boolean {
  return (places === undefined || isWithin(path, places)) && !isWithin(path, excluded);
}

/** True if the finding is within the scope of a run. */
export function isInScope({ path, rule }: Pick<Opportunity, 'path' | 'rule'>, scope: WorkScope): boolean {
  return isPathInScope(path, scope) && (scope.kinds === undefined || scope.kinds.includes(workKindOf(rule)));
}

/** By claim: the kind of work of a change that no rule has found. Changes with other claims are refactoring. */
const KIND_BY_CLAIM: Readonly<Partial<Record<ClaimKind, WorkKind>>> = {
  request: 'wishes',
  fix: 'fixes',
  tests: 'tests',
  types: 'types',
};

/**
 * True if the proposal is within the scope of a run. A wish itself says which files it is about, so only `excluded` and
 * the kinds restrict its answer. Tests for code in the places may be elsewhere, so the first edited file that is not a
 * test counts. A fix or missing tests that edit only tests count as within all places.
 */
export function isProposalInScope(
  { opportunity, claim, claimed, edits }: Pick<Proposal, 'opportunity' | 'claim' | 'claimed' | 'edits'>,
  scope: WorkScope,
): boolean {
  if (opportunity.rule !== EXTERNAL_RECIPE) return isInScope(opportunity, scope);
  const kind = KIND_BY_CLAIM[claim?.kind ?? claimed ?? 'points'] ?? 'refactoring';
  const { places: _, ...scopeWithoutPlaces } = scope;
  const codePath = edits.find((edit) => !isTestEdit(edit))?.path;
  const isAnywhere = kind === 'wishes' || (codePath === undefined && (kind === 'tests' || kind === 'fixes'));
  const isInPlaces = isAnywhere || isPathInScope(codePath ?? opportunity.path, scope);
  const isExcluded = !isPathInScope(opportunity.path, scopeWithoutPlaces);
  return isInPlaces && !isExcluded && (scope.kinds === undefined || scope.kinds.includes(kind));
}

/**
 * Creates a function that is true for opportunities within the places, kinds of work and rules that the request names.
 * With `exceptTests`, it is false for places in tests.
 */
export function createRequestFilter({
  rules,
  exceptTests = false,
  ...scope
}: WorkScope & Pick<ProposeRequest, 'rules' | 'exceptTests'>): (
  opportunity: Pick<Opportunity, 'path' | 'rule'>,
) => boolean {
  return ({ path, rule }) =>
    isInScope({ path, rule }, scope) &&
    (rules === undefined || rules.includes(rule)) &&
    !(exceptTests && isTestFile(path));
}
