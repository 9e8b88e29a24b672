// Fills the table of docs/nights.md: what a night may commit without a person, according to the table that the charter
// uses.
import { replaceGenerated } from './between.mjs';
import { describeUnasked } from '../server/src/core/charter/unasked.ts';

/** The page with its table updated. */
export function updateNightsPage(page) {
  const rows = describeUnasked().map(({ change, becomes }) => `| ${change} | ${becomes} |`);
  return replaceGenerated(page, 'night', ['| what | becomes |', '|---|---|', ...rows]);
}
