// Holds the state of the page: the latest state from the extension host, and what the user has folded, opened and
// filtered. It is plain data, so that it can be saved while the sidebar is hidden.

import type { OpportunityFilter } from '#protocol/opportunities';
import type { SidebarState } from '#protocol/state';
import type { ToWebview } from '#protocol/webviewMessages';

/** The state of the page. */
export interface View {
  readonly phase: 'loading' | 'state' | 'failure' | 'noFolder';
  readonly state: SidebarState | null;
  /** False while the saved state is shown, until the host has sent the current one or the reason why there is none. */
  readonly current: boolean;
  readonly failure: string | null;
  /** Ids of the folded sections. */
  readonly folded: readonly string[];
  /** Names of the opened categories of points. */
  readonly opened: readonly string[];
  readonly filter: OpportunityFilter;
}

/** The part of the state that is saved while the sidebar is hidden. */
export type SavedView = Pick<View, 'phase' | 'state' | 'folded' | 'opened' | 'filter'>;

/** Ids of the sections that are folded at first, because people rarely need them. */
const FOLDED_AT_FIRST = ['learned', 'memory', 'charter', 'events'];

const initialView: View = {
  phase: 'loading',
  state: null,
  current: false,
  failure: null,
  folded: FOLDED_AT_FIRST,
  opened: [],
  filter: {},
};

/** The current view, with the functions that change it. Each change is reported to the subscribers. */
export interface Store {
  readonly view: View;
  subscribe(listener: (view: View) => void): void;
  /** Updates the view by a message from the extension host. */
  receive(message: Exclude<ToWebview, { type: 'page' }>): void;
  /** Changes what the user has folded, opened or filtered. */
  change(part: Partial<Pick<View, 'folded' | 'opened' | 'filter'>>): void;
}

/** Creates the store. `saved`: the saved part of an earlier view, if there is one. */
export function createStore(saved?: Partial<SavedView>): Store {
  let view: View = { ...initialView, ...saved };
  const listeners: ((view: View) => void)[] = [];
  const replaceView = (nextView: View) => {
    view = nextView;
    for (const listener of listeners) listener(view);
  };
  /** Shows a state. If its folder is another one, resets the filter. */
  const showState = (state: SidebarState, isCurrent: boolean) =>
    replaceView({
      ...view,
      phase: 'state',
      state,
      current: isCurrent,
      failure: null,
      ...(view.state && view.state.folder !== state.folder ? { filter: {} } : {}),
    });
  return {
    get view() {
      return view;
    },
    subscribe: (listener) => void listeners.push(listener),
    receive: (message) => {
      if (message.type === 'state') showState(message.state, true);
      else if (message.type === 'patch') {
        if (view.state) showState({ ...view.state, ...message.changes }, view.current);
      } else if (message.type === 'failure')
        replaceView({ ...view, phase: 'failure', failure: message.message, current: true });
      else replaceView({ ...view, phase: 'noFolder', state: null, current: true });
    },
    change: (part) => replaceView({ ...view, ...part }),
  };
}

/** The part of the view to save. */
export function selectPartToSave({ phase, state, folded, opened, filter }: View): SavedView {
  return { phase, state, folded, opened, filter };
}
