// Recognises errors that the engine raises in the repository's own code, as opposed to errors that the code throws on
// purpose.

import { fileURLToPath } from 'node:url';
import { errorsOfCode } from './describe.ts';
import { findPathInRoot } from './resolve.ts';

/**
 * An error of the engine. `text`: its name and message. `site`: a text that identifies the place that raised it, by
 * which the same error is recognised in another run.
 */
export interface EngineError {
  readonly text: string;
  readonly site: string;
}

/** Matches the names of the classes of errors that the engine raises. */
const ENGINE_ERROR_NAME_PATTERN = /^(?:TypeError|RangeError|ReferenceError|URIError)$/;
/**
 * Matches messages of RangeErrors about sizes. Other RangeErrors name a value that is not in some list, such as a
 * locale, a time zone or a currency.
 */
const SIZE_MESSAGE_PATTERN =
  /call stack|invalid array length|count value|string length|code point|must be between|array buffer/i;
/** Names of globals of browsers. Code that lacks one of them is made for a browser. */
const BROWSER_GLOBALS = new Set(
  `
window document navigator location self localStorage sessionStorage history screen HTMLElement Element Node Event
MouseEvent KeyboardEvent CustomEvent File FileList FileReader Image XMLHttpRequest getComputedStyle MutationObserver
IntersectionObserver ResizeObserver requestAnimationFrame customElements CSS DOMParser NodeFilter SVGElement Text
`.split(/\s+/),
);

/**
 * The error as an error of the engine. Null if it was thrown on purpose; if Node itself, an installed package or an
 * unknown place raised it; if it is about a missing global of browsers; or if it is a RangeError that is not about a
 * size.
 */
export function findEngineError(error: unknown, rootDir: string): EngineError | null {
  if (!(error instanceof Error) || errorsOfCode.has(error) || 'code' in error) return null;
  if (!ENGINE_ERROR_NAME_PATTERN.test(error.constructor.name) || error.name !== error.constructor.name) return null;
  if (error.name === 'RangeError' && !SIZE_MESSAGE_PATTERN.test(error.message)) return null;
  const [, missingName] = /^(\S+) is not defined$/.exec(error.message) ?? [];
  if (missingName !== undefined && BROWSER_GLOBALS.has(missingName)) return null;
  const firstFrame = findFirstFrame(error.stack ?? '');
  if (firstFrame === null) return null;
  const path = findPathInRoot(rootDir, firstFrame.file);
  if (path === null) return null;
  // A deep recursion may end at any place, so the place does not identify the error.
  const isTooDeep = error.message === 'Maximum call stack size exceeded';
  return {
    text: `${error.name}: ${error.message}`,
    site: isTooDeep
      ? `${path} recursion`
      : `${path}:${firstFrame.line} ${error.message.replace(/".*"|'.*'|-?\d+/g, '…')}`,
  };
}

/** The first frame of the stack that names a file; null if that is Node's own code, or if no frame does. */
function findFirstFrame(stack: string): { readonly file: string; readonly line: string } | null {
  for (const frame of stack.split('\n').slice(1)) {
    if (/\(<anonymous>\)|at <anonymous>|\bnative\b/.test(frame)) continue;
    const [, file = '', line = ''] =
      /(?:\(|at (?:async )?)((?:file:\/\/|\/|[A-Za-z]:\\|node:).*?):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (file === '' || file.startsWith('node:')) return null;
    return { file: file.startsWith('file:') ? fileURLToPath(file) : file, line };
  }
  return null;
}
