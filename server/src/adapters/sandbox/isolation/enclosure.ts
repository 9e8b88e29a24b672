// Describes the files that a command may see and change, as layers over the file system. Every mechanism applies the
// same layers.

import { sep } from 'node:path';
import type { SymbolicLink } from './machine.ts';

/** What a command may see and change. All paths are absolute and free of links. */
export interface Enclosure {
  /** The visibility of all places that no other field lists. */
  readonly otherPlaces: 'readable' | 'absent';
  /** Links that are created at the top of the file system if `otherPlaces` is `absent`. */
  readonly links: readonly SymbolicLink[];
  /** Folders that commands may read and change. */
  readonly writable: readonly string[];
  /** Folders that are shown read-only, even inside a hidden folder. */
  readonly readable: readonly string[];
  /** Folders that are shown empty. */
  readonly hidden: readonly string[];
  /**
   * Folders such as `/tmp`. At each `path`, the command sees `source`, an empty folder that was created for this
   * command.
   */
  readonly scratch: readonly { readonly path: string; readonly source: string }[];
  /**
   * Files shown as an empty device: sockets of the machine's services, which a read-only file system does not close,
   * and configuration that not every user may read.
   */
  readonly blanked: readonly string[];
  /** Folders of the tree that show packages below their own contents; none if the mechanism supports no overlays. */
  readonly overlays: readonly CommandOverlay[];
  /** An empty folder on which a new root may be mounted. */
  readonly mountPoint: string;
  /** A file with the filter of system calls, for mechanisms that pass it on; null if there is none. */
  readonly callFilter: string | null;
}

/** A folder of the tree that also shows the contents of a lower folder. */
export interface FolderOverlay {
  /** The lower folder, which is only read. Absolute, without links. */
  readonly lower: string;
  /**
   * The place at which the overlay is shown in the tree. The contents of this folder and everything that commands write
   * are on top. Absolute.
   */
  readonly path: string;
}

/** An overlay for one command. */
export interface CommandOverlay extends FolderOverlay {
  /** An empty folder on the disk of the tree that no command sees. overlayfs requires it. */
  readonly work: string;
}

/** One place that a mechanism mounts. */
export interface MountLayer {
  readonly path: string;
  readonly kind: Kind;
  /** The place that is shown at `path`; differs from `path` only for `scratch`. */
  readonly source: string;
}

/**
 * If a place has several kinds, the first of these counts. A hidden place stays hidden even if it is also listed as
 * readable. Writable places come first because they belong to the sandbox.
 */
const STRONGEST_FIRST = ['writable', 'hidden', 'scratch', 'readable'] as const;
type Kind = (typeof STRONGEST_FIRST)[number];

/**
 * The layers in the order of mounting: each comes after those that contain it, and the innermost layer that contains a
 * path decides about it. Layers without an effect are skipped.
 */
export function createLayers(enclosure: Pick<Enclosure, Kind | 'otherPlaces'>): readonly MountLayer[] {
  const layersByPath = new Map<string, MountLayer>();
  for (const kind of STRONGEST_FIRST) {
    for (const place of enclosure[kind]) {
      const { path, source } = typeof place === 'string' ? { path: place, source: place } : place;
      if (path !== sep && !layersByPath.has(path)) layersByPath.set(path, { path, kind, source });
    }
  }
  const layers: MountLayer[] = [];
  for (const layer of [...layersByPath.values()].sort(
    (a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1),
  )) {
    const enclosing = layers.findLast(({ path }) => layer.path.startsWith(path + sep));
    if (layer.kind !== (enclosing?.kind ?? enclosure.otherPlaces)) layers.push(layer);
  }
  return layers;
}

/** The way in which commands see a path. The path must be absolute and contain no symbolic links. */
export function findVisibility(
  path: string,
  layers: readonly MountLayer[],
  { otherPlaces }: Pick<Enclosure, 'otherPlaces'>,
): MountLayer['kind'] | 'absent' {
  return layers.findLast((layer) => path === layer.path || path.startsWith(layer.path + sep))?.kind ?? otherPlaces;
}

function depthOf(path: string): number {
  return path.split(sep).length;
}
