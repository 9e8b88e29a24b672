// The messages between the harness and its two sides (old code, new code). They survive structured cloning.

import type { EmitOptions, Target } from '../../core/verify/differential/plan.ts';

/** How to make a value; rebuilt for every call, so that no call sees what another did to it. */
export type Made =
  | undefined
  | null
  | boolean
  | number
  | string
  | bigint
  | { readonly $: 'array' | 'set' | 'bytes'; readonly of: readonly Made[] }
  | { readonly $: 'record'; readonly fields: readonly (readonly [name: string, value: Made])[] }
  | { readonly $: 'map'; readonly entries: readonly (readonly [Made, Made])[] }
  | { readonly $: 'date'; readonly millis: number }
  | { readonly $: 'regexp'; readonly source: string; readonly flags: string }
  | { readonly $: 'error' | 'symbol' | 'url'; readonly text: string }
  | { readonly $: 'signal'; readonly aborted: boolean }
  | { readonly $: 'promise'; readonly of: Made; readonly millis: number; readonly rejects: boolean }
  | { readonly $: 'iterable'; readonly of: readonly Made[]; readonly async: boolean }
  /** The value of another number or text of the same call; put in place before the call is made. */
  | { readonly $: 'same'; readonly kind: 'number' | 'string'; readonly index: number }
  /** Answers `answers` in turn and notes who called it with what. */
  | { readonly $: 'stub'; readonly answers: readonly Made[] };

/** One use of a target. For a class: `arguments` make it, `steps` use it. */
export interface Call {
  readonly arguments: readonly Made[];
  readonly steps: readonly { readonly member: number; readonly arguments: readonly Made[] }[];
}

export interface Code {
  readonly code: string;
  readonly format: 'module' | 'commonjs';
}

export interface SideStart {
  readonly rootDir: string;
  /** What runs in place of the files, by path. */
  readonly codes: Readonly<Record<string, Code>>;
  /** Of these, how much ran is told at the end. */
  readonly watched: readonly string[];
  readonly targets: readonly Target[];
  readonly emit: EmitOptions;
  /** Load this file alone; null = those of all targets. */
  readonly only: string | null;
}

export type ToSide =
  | { readonly start: SideStart }
  | { readonly target: number; readonly call: Call }
  | { readonly finish: true };

/** What one call did, each part as a text: equal texts are equal behaviour. */
export interface Seen {
  /** `returns 3`, `throws RangeError: …`, `rejects with …`. */
  readonly result: string;
  /** The arguments afterwards; empty when they are as they were. */
  readonly arguments: string;
  /** Calls of injected functions, what was printed, timers, in order. */
  readonly protocol: readonly string[];
}

export interface Outcome {
  /** The same call twice, with arguments of its own each time: what the first leaves behind is seen by the second. */
  readonly first: Seen;
  readonly second: Seen;
  /** The call as an expression. */
  readonly call: string;
  /** An expression for what was returned, where it can be written down. */
  readonly expression: string | null;
  readonly threw: boolean;
  /** Something outside of the process that the code asked for, such as `fs.writeFile`. */
  readonly effect: string | null;
}

export type FromSide =
  | { readonly ready: true }
  | { readonly failed: string }
  | { readonly outcome: Outcome }
  /** For each text that was replaced or touched: the code as it ran, and the stretches of it that never did. */
  | { readonly finished: readonly RanCode[] };

export interface RanCode {
  readonly path: string;
  readonly code: string;
  readonly unreached: readonly (readonly [from: number, to: number])[];
}
