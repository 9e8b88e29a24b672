// Our figures beside those of a peer, function by function.

import { findLineStarts, toRange } from '../../server/src/core/analysis/lines.ts';
import type { FunctionUnit } from '../../server/src/core/analysis/functionUnit.ts';
import type { PeerFigure, PeerKind } from './peers.ts';

export interface Pair {
  readonly unit: FunctionUnit;
  readonly peer: PeerFigure;
}

export interface Paired {
  readonly pairs: readonly Pair[];
  /** Functions that only one side knows, as `path:line ours|theirs kind`. */
  readonly alone: readonly string[];
}

/** Functions are the same where they are of one kind, end at one place, and as many of these end there around them. */
export function pairUp(
  path: string,
  text: string,
  units: readonly FunctionUnit[],
  peers: readonly PeerFigure[],
): Paired {
  const lines = findLineStarts(text);
  const ours = byPlace(units, ({ kind, start, end }) => ({ kind: peerKindOf(kind), start, end }));
  const theirs = byPlace(peers, (figure) => figure);
  const alone = [...missing(ours, theirs, 'ours'), ...missing(theirs, ours, 'theirs')];
  return {
    pairs: [...ours].flatMap(([place, unit]) => (theirs.has(place) ? [{ unit, peer: theirs.get(place)! }] : [])),
    alone,
  };

  function missing(from: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>, side: string): string[] {
    return [...from.keys()]
      .filter((place) => !other.has(place))
      .map(
        (place) => `${path}:${toRange(lines, Number.parseInt(place, 10), 0).startLine} ${side} ${place.split(' ')[1]}`,
      );
  }
}

function byPlace<T>(
  items: readonly T[],
  of: (item: T) => { readonly kind: PeerKind; readonly start: number; readonly end: number },
): Map<string, T> {
  const placed = new Map<string, T>();
  const equals = new Map<string, number>();
  for (const item of items.toSorted((a, b) => of(a).start - of(b).start)) {
    const { kind, end } = of(item);
    const place = `${end} ${kind}`;
    const ordinal = equals.get(place) ?? 0;
    equals.set(place, ordinal + 1);
    placed.set(`${place} ${ordinal}`, item);
  }
  return placed;
}

function peerKindOf(kind: FunctionUnit['kind']): PeerKind {
  return kind === 'staticBlock' || kind === 'fieldInitialiser' ? kind : 'function';
}
