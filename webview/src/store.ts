// What the page shows: the latest state of the host plus what the user folded and filtered. Plain data, so it survives
// a hidden sidebar.

import type { OpportunityFilter } from '#protocol/opportunities';
import type { SidebarState } from '#protocol/state';
import type { ToWebview } from '#protocol/webviewMessages';

export interface View {
  readonly phase: 'loading' | 'state' | 'failure' | 'noFolder';
  readonly state: SidebarState | null;
  /** False while only what was saved is shown: the host has not spoken yet. */
  readonly current: boolean;
  readonly failure: string | null;
  /** Sections that are folded. */
  readonly folded: readonly string[];
  /** Categories of the points that are opened. */
  readonly opened: readonly string[];
  readonly filter: OpportunityFilter;
}

/** What is kept while the sidebar is hidden. */
export type SavedView = Pick<View, 'phase' | 'state' | 'folded' | 'opened' | 'filter'>;

/** What one looks at now and then; it opens at a click. */
const foldedAtFirst = ['memory', 'charter', 'events'];

const first: View = {
  phase: 'loading',
  state: null,
  current: false,
  failure: null,
  folded: foldedAtFirst,
  opened: [],
  filter: {},
};

export interface Store {
  readonly view: View;
  subscribe(listener: (view: View) => void): void;
  receive(message: Exclude<ToWebview, { type: 'page' }>): void;
  change(part: Partial<Pick<View, 'folded' | 'opened' | 'filter'>>): void;
}

export function createStore(saved?: Partial<SavedView>): Store {
  let view: View = { ...first, ...saved };
  const listeners: ((view: View) => void)[] = [];
  const set = (next: View) => {
    view = next;
    for (const listener of listeners) listener(view);
  };
  /** A filter is about the folder that it was set in. */
  const show = (state: SidebarState, current: boolean) =>
    set({
      ...view,
      phase: 'state',
      state,
      current,
      failure: null,
      ...(view.state && view.state.folder !== state.folder ? { filter: {} } : {}),
    });
  return {
    get view() {
      return view;
    },
    subscribe: (listener) => void listeners.push(listener),
    receive: (message) => {
      if (message.type === 'state') show(message.state, true);
      else if (message.type === 'patch') {
        if (view.state) show({ ...view.state, ...message.changes }, view.current);
      } else if (message.type === 'failure')
        set({ ...view, phase: 'failure', failure: message.message, current: true });
      else set({ ...view, phase: 'noFolder', state: null, current: true });
    },
    change: (part) => set({ ...view, ...part }),
  };
}

export function saved({ phase, state, folded, opened, filter }: View): SavedView {
  return { phase, state, folded, opened, filter };
}
