// Answers an agent's requests for permission. What the agent can really do is limited by the enclosure, whatever the
// answer is.

import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { isAbsolute, relative } from 'node:path';

/**
 * Kinds of calls that are refused: the enclosure lets an agent reach only its own hosts, and the mode of permissions
 * must not change.
 */
const REFUSED_KINDS: ReadonlySet<string> = new Set(['fetch', 'switch_mode']);

/**
 * Allows a call unless it is of a refused kind or names a place outside of the work tree `root` (absolute). If the
 * wanted answer is not offered, the answer is `cancelled`.
 */
export function decidePermission(
  { toolCall, options }: Pick<RequestPermissionRequest, 'toolCall' | 'options'>,
  root: string,
): RequestPermissionResponse {
  const calledPaths = (toolCall.locations ?? []).map(({ path }) => path);
  const isAllowed = !REFUSED_KINDS.has(toolCall.kind ?? 'other') && calledPaths.every((path) => isInTree(root, path));
  const wantedKinds = isAllowed
    ? (['allow_once', 'allow_always'] as const)
    : (['reject_once', 'reject_always'] as const);
  const option = wantedKinds.flatMap((kind) => options.filter((candidate) => candidate.kind === kind))[0];
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
}

/** True for `root` itself and paths below it. Links are not resolved. A relative path is relative to the root. */
export function isInTree(root: string, path: string): boolean {
  const relativePath = isAbsolute(path) ? relative(root, path) : relative(root, `${root}/${path}`);
  return relativePath !== '..' && !/^\.\.[\\/]/.test(relativePath) && !isAbsolute(relativePath);
}
