// Recognises functions whose comments say that they are only for their own package.

import { ts } from 'ts-morph';

/** True for a function with `@private`, `@internal` or `@api private` in its comment. */
export function isForItsPackage(node: ts.Node): boolean {
  return ts.getJSDocTags(node).some(({ tagName: { text: name }, comment }) => {
    const words = typeof comment === 'string' ? comment.trim() : '';
    return name === 'private' || name === 'internal' || (name === 'api' && words === 'private');
  });
}
