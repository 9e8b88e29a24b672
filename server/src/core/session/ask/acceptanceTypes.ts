// Types of the request for the acceptance test of a person's request, and of its outcome.

import type { AcceptanceFile } from '../../model/acceptance.ts';
import type { Operation } from '../../operation.ts';

/**
 * A request for an acceptance test: the words of a person's request and the names of the proposers that write the test,
 * or a test that a person has written or changed.
 */
export type AcceptanceRequest = Operation &
  (
    | {
        readonly words: string;
        readonly proposer: string;
        /** True if earlier attempts are neither counted nor shown. */
        readonly ignoresEarlier?: boolean;
      }
    | { readonly files: readonly AcceptanceFile[] }
  );

/** The test and its current failure, as the runner prints it, or the reason why there is no usable test. */
export type AcceptanceOutcome =
  | { readonly files: readonly AcceptanceFile[]; readonly failure: string }
  | { readonly refused: string };
