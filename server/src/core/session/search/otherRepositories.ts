// The part of the façade's section `memory` about other repositories.

import type { Operation } from '../../operation.ts';
import type { ReferenceHit, ReferenceRepository } from '../../ports/references.ts';

export interface OtherRepositories {
  /** Other repositories on this machine in which similar solutions are searched. */
  references(): Promise<readonly ReferenceRepository[]>;
  /** Searches them. The text of the places is data. */
  searchReferences(query: string, top: number, operation: Operation): Promise<readonly ReferenceHit[]>;
}
