// The part of the section `memory` that is about other repositories.

import type { Operation } from '../../operation.ts';
import type { ReferenceHit, ReferenceRepository } from '../../ports/references.ts';

export interface OtherRepositories {
  /** Other repositories on this machine in which similar solutions are searched. */
  references(): Promise<readonly ReferenceRepository[]>;
  /** Searches them. The text of the places is data. */
  searchReferences(query: string, top: number, operation: Operation): Promise<readonly ReferenceHit[]>;
}
