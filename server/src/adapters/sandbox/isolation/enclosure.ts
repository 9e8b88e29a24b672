// What a command may see and change, as layers over the file system. Every mechanism applies the same layers.

import { sep } from 'node:path';
import type { Link } from './machine.ts';

/** All paths are absolute and free of links. */
export interface Enclosure {
  /** Whatever is not named: there, read-only, or not there at all. */
  readonly rest: 'readable' | 'absent';
  /** Links that are made at the top where the rest is absent. */
  readonly links: readonly Link[];
  readonly writable: readonly string[];
  /** Shown as they are, although they lie in something hidden. */
  readonly readable: readonly string[];
  /** Shown empty. */
  readonly hidden: readonly string[];
  /** Shown as another folder, which is empty and made for this one command: `/tmp` for programs that know no other. */
  readonly scratch: readonly { readonly path: string; readonly source: string }[];
  /**
   * Files shown as an empty device: sockets of the machine's services, which a read-only file system does not close,
   * and configuration that not everybody may read.
   */
  readonly blanked: readonly string[];
  /** Folders of the tree that show packages below what is in them; none if the mechanism cannot lay any. */
  readonly overlays: readonly Laid[];
  /** An empty folder on which a new root may be mounted. */
  readonly mountPoint: string;
  /** A file with the filter of system calls, for whoever can pass it on; null where there is none. */
  readonly callFilter: string | null;
}

export interface Overlay {
  /** What is seen below: only read. Absolute, without links. */
  readonly lower: string;
  /** Where it is seen, in the tree; what is in this folder, and what commands write, lies on top. Absolute. */
  readonly path: string;
}

/** For one command. */
export interface Laid extends Overlay {
  /** An empty folder beside the tree that no command sees; the file system needs one. */
  readonly work: string;
}

export interface Layer {
  readonly path: string;
  readonly kind: Kind;
  /** What is shown at `path`: the place itself but for `scratch`. */
  readonly source: string;
}

/**
 * Nothing of a hidden place shows because somebody named it readable as well; what is writable is the sandbox's own.
 */
const STRONGEST_FIRST = ['writable', 'hidden', 'scratch', 'readable'] as const;
type Kind = (typeof STRONGEST_FIRST)[number];

/**
 * In the order in which they have to be laid: the nearest layer above a path decides. Layers that change nothing are
 * left out.
 */
export function layersOf(enclosure: Pick<Enclosure, Kind | 'rest'>): readonly Layer[] {
  const known = new Map<string, Layer>();
  for (const kind of STRONGEST_FIRST) {
    for (const place of enclosure[kind]) {
      const { path, source } = typeof place === 'string' ? { path: place, source: place } : place;
      if (path !== sep && !known.has(path)) known.set(path, { path, kind, source });
    }
  }
  const layers: Layer[] = [];
  for (const layer of [...known.values()].sort(
    (a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1),
  )) {
    const above = layers.findLast(({ path }) => layer.path.startsWith(path + sep));
    if (layer.kind !== (above?.kind ?? enclosure.rest)) layers.push(layer);
  }
  return layers;
}

/** What is seen of a path. Absolute, free of links. */
export function seenAt(
  path: string,
  layers: readonly Layer[],
  { rest }: Pick<Enclosure, 'rest'>,
): Layer['kind'] | 'absent' {
  return layers.findLast((layer) => path === layer.path || path.startsWith(layer.path + sep))?.kind ?? rest;
}

function depthOf(path: string): number {
  return path.split(sep).length;
}
