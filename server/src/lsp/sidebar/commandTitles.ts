// Replaces command lines in texts of the sidebar's state by the titles of VS Code's palette, for Selfware's own client.

import type { SidebarState } from '#protocol/state';
import type { ClientAbilities } from '../clientAbilities.ts';
import { insertTitlesIntoNotice, insertCommandTitles } from '../paletteTitles.ts';

/** The state with these titles in its notices, in the line about the set-up of tests, and in the texts about points. */
export function insertTitlesIntoState(
  state: SidebarState,
  abilities: Pick<ClientAbilities, 'canReview'>,
): SidebarState {
  const insertTitles = (text: string) => insertCommandTitles(text, abilities);
  const { setup, points } = state;
  return {
    ...state,
    notices: state.notices.map((notice) => insertTitlesIntoNotice(notice, abilities)),
    ...(setup === undefined ? {} : { setup: { ...setup, detail: insertTitles(setup.detail) } }),
    points: points && {
      ...points,
      categories: points.categories.map((category) => ({
        ...category,
        inputs: category.inputs.map((input) => ({ ...input, said: insertTitles(input.said) })),
      })),
    },
  };
}
