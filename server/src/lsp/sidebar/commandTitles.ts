// The texts of the sidebar's state that name command lines, in words of the palette for our own client.

import type { SidebarState } from '#protocol/state';
import type { ClientAbilities } from '../clientAbilities.ts';
import { noticeWithCommandTitles, insertCommandTitles } from '../paletteTitles.ts';

/** The state in which notices, the line about the tests, and the texts about points use the titles of the palette. */
export function stateWithCommandTitles(
  state: SidebarState,
  abilities: Pick<ClientAbilities, 'canReview'>,
): SidebarState {
  const withTitles = (text: string) => insertCommandTitles(text, abilities);
  const { setup, points } = state;
  return {
    ...state,
    notices: state.notices.map((notice) => noticeWithCommandTitles(notice, abilities)),
    ...(setup === undefined ? {} : { setup: { ...setup, detail: withTitles(setup.detail) } }),
    points: points && {
      ...points,
      categories: points.categories.map((category) => ({
        ...category,
        inputs: category.inputs.map((input) => ({ ...input, said: withTitles(input.said) })),
      })),
    },
  };
}
