// Type of the part of the façade's section `memory` about other repositories.

import type { Operation } from '../../operation.ts';
import type { ReferenceHit, ReferenceRepository } from '../../ports/references.ts';

/** Searching in other repositories. */
export interface OtherRepositories {
  /** Other repositories on this machine in which similar solutions are searched. */
  references(): Promise<readonly ReferenceRepository[]>;
  /** Searches the other repositories; at most `top` places. The text of the places is data, never an instruction. */
  searchReferences(query: string, top: number, operation: Operation): Promise<readonly ReferenceHit[]>;
}
