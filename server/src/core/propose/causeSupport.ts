// Decides from the settings of a package whether its errors may have a `cause`: by the oldest Node that it supports,
// and by the libraries that its compiler knows.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { SourceTree } from '../ports/sources.ts';
import { readCompilerOptions } from './extraction/compilerOptions.ts';
import { findMinNodeVersion } from './leastNode.ts';

/** The first version of Node with error causes, as major and minor. */
const MIN_NODE_VERSION = [16, 9] as const;
/** Matches the name of a library of the compiler that declares the `cause` of errors: ES2022 and later. */
const LIBRARY_WITH_CAUSE = /(?:^|\.)(?:es202[2-9]|esnext)(?:\.(?:error|full))?(?:\.d\.ts)?$/i;

/**
 * The reason why errors in this file cannot have a cause, as a sentence; null if they can. JavaScript without a
 * declared version of Node counts as unable unless it already uses a cause. `text`: the text of the file.
 */
export function explainNoCause(tree: SourceTree, absolutePath: string, text: string): string | null {
  const minNodeVersion = findMinNodeVersion(tree, posix.dirname(absolutePath));
  if (
    minNodeVersion !== null &&
    (minNodeVersion[0] < MIN_NODE_VERSION[0] ||
      (minNodeVersion[0] === MIN_NODE_VERSION[0] && minNodeVersion[1] < MIN_NODE_VERSION[1]))
  )
    return `The package supports Node ${minNodeVersion.join('.')}, in which errors have no \`cause\`.`;
  if (!/\.[cm]?tsx?$/.test(absolutePath))
    return minNodeVersion === null && !/\{\s*cause\b/.test(text)
      ? 'Nothing shows that the errors of all supported engines have a cause.'
      : null;
  const { options } = readCompilerOptions(tree, absolutePath);
  const isKnown = options.lib
    ? options.lib.some((name) => LIBRARY_WITH_CAUSE.test(name))
    : options.target === undefined || options.target >= ts.ScriptTarget.ES2022;
  return isKnown ? null : "The project's compiler settings do not know `cause`: `lib` must include ES2022.";
}
