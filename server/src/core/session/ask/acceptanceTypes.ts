// A question for the acceptance test of a request, and its outcome.

import type { AcceptanceFile } from '../../model/acceptance.ts';
import type { Operation } from '../../operation.ts';

/** The words of a request and who writes its test, or a test that a person has written or changed. */
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

/** `failure`: the current failure of the test, as the runner prints it. */
export type AcceptanceOutcome =
  | { readonly files: readonly AcceptanceFile[]; readonly failure: string }
  | { readonly refused: string };
