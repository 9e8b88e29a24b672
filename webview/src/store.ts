// What the page shows: the host's last word plus what the user folded, filtered and unrolled. Plain data, so it survives a hidden sidebar.

import type { SidebarState } from '#protocol/state';
import type { ToWebview } from '#protocol/webviewMessages';

export interface View {
  readonly phase: 'loading' | 'state' | 'failure' | 'noFolder';
  readonly state: SidebarState | null;
  readonly failure: string | null;
  /** Sections that are folded. */
  readonly folded: readonly string[];
  readonly filter: string;
  /** Number of opportunities that are listed. */
  readonly shown: number;
}

/** Listed at first, and added by "Show more". */
export const pageSize = 30;

const first: View = { phase: 'loading', state: null, failure: null, folded: [], filter: '', shown: pageSize };

export interface Store {
  readonly view: View;
  subscribe(listener: (view: View) => void): void;
  receive(message: ToWebview): void;
  change(part: Partial<Pick<View, 'folded' | 'filter' | 'shown'>>): void;
}

export function createStore(saved?: Partial<View>): Store {
  let view: View = { ...first, ...saved };
  const listeners: ((view: View) => void)[] = [];
  const set = (next: View) => {
    view = next;
    for (const listener of listeners) listener(view);
  };
  return {
    get view() {
      return view;
    },
    subscribe: (listener) => void listeners.push(listener),
    receive: (message) => {
      if (message.type === 'state') set({ ...view, phase: 'state', state: message.state, failure: null });
      else if (message.type === 'failure') set({ ...view, phase: 'failure', failure: message.message });
      else set({ ...view, phase: 'noFolder', state: null });
    },
    change: (part) => set({ ...view, ...part }),
  };
}
