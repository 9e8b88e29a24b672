// Other repositories on this machine in which similar solutions may be found. Their text is data, never instructions.

import type { Operation } from '../operation.ts';

/** Another repository on this machine. */
export interface ReferenceRepository {
  /** Absolute path. */
  readonly folder: string;
  /**
   * `beside`: it is in the parent folder of the open repository. `named`: it is below a folder that the person named.
   */
  readonly found: 'beside' | 'named';
}

/** A place in another repository that a search found. */
export interface ReferenceHit {
  /** Absolute folder of the repository. */
  readonly repository: string;
  readonly path: string;
  /** The 1-based first line. */
  readonly startLine: number;
  /** The 1-based last line. */
  readonly endLine: number;
  readonly text: string;
}

/** The port for searching other repositories. */
export interface ReferenceRepositories {
  list(): Promise<readonly ReferenceRepository[]>;
  /**
   * At most `limit` places: the best of each repository, then the second best of each, and so on. Indexes each
   * repository first, and runs no code of it. A repository that cannot be read is skipped and logged.
   */
  search(query: string, limit: number, operation: Operation): Promise<readonly ReferenceHit[]>;
}
