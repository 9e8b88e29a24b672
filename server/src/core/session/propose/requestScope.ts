// Tells which opportunities and proposals a request is about.

import { isTestFile } from '../../paths/tests.ts';
import type { Opportunity } from '../../model.ts';
import { isWithin } from '../../../util/pathWithin.ts';
import type { ProposeRequest } from './requests.ts';

/**
 * Returns a check that is true for the places and rules that the request names, or for all if it names none. With
 * `exceptTests`, it is false for places in tests.
 */
export function isRequestedBy({
  places,
  rules,
  exceptTests = false,
}: Pick<ProposeRequest, 'places' | 'rules' | 'exceptTests'>): (
  opportunity: Pick<Opportunity, 'path' | 'rule'>,
) => boolean {
  return ({ path, rule }) =>
    (places === undefined || isWithin(path, places)) &&
    (rules === undefined || rules.includes(rule)) &&
    !(exceptTests && isTestFile(path));
}
