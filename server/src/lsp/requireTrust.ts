// Refuses decisions in a workspace that is not trusted.

import { SelfwareError } from '../util/typedError.ts';
import type { Repository } from './serverContext.ts';

/** Throws `untrusted`. */
export function requireTrust({ trusted }: Pick<Repository, 'trusted'>): void {
  if (trusted) return;
  throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing is decided in it.', {
    action: 'Trust the workspace first.',
  });
}
