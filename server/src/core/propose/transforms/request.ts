// Defines and validates the requests for named transforms and for edits by search and replace.

import { STATABLE_CLAIMS, type ClaimKind } from '../../model/claims.ts';

/**
 * A request for a change by name. Paths are relative to the root, with `/` as the separator. A symbol is a top-level
 * name; for `modifyFunction` and `extractFunction` it may also be `Class.method`.
 */
export type TransformRequest =
  /** Adds the function in `source` after `after`, or at the end of the file. */
  | { readonly kind: 'addFunction'; readonly path: string; readonly source: string; readonly after?: string }
  /** Replaces a function or method by `source`, which must have the same name. */
  | { readonly kind: 'modifyFunction'; readonly path: string; readonly symbol: string; readonly source: string }
  /** Extracts the most complex part of the function that can become a function. */
  | { readonly kind: 'extractFunction'; readonly path: string; readonly symbol: string }
  /**
   * Replaces every expression that matches the pattern. `$name` matches any expression, and the same one wherever it
   * occurs.
   */
  | { readonly kind: 'patternReplace'; readonly path: string; readonly pattern: string; readonly replacement: string }
  /** Adds a last parameter with a default value, so calls stay unchanged. `type` is absent in JavaScript. */
  | {
      readonly kind: 'addParameter';
      readonly path: string;
      readonly symbol: string;
      readonly name: string;
      readonly type?: string;
      readonly defaultValue: string;
    }
  /** Caches the results of a pure function in a map. */
  | { readonly kind: 'wrapInCache'; readonly path: string; readonly symbol: string }
  /** Moves top-level declarations into the new file `to`. */
  | {
      readonly kind: 'extractToModule';
      readonly path: string;
      readonly symbols: readonly string[];
      readonly to: string;
    }
  /** Replaces the uses of a constant by its value. */
  | { readonly kind: 'inlineConstant'; readonly path: string; readonly symbol: string }
  /**
   * Edits by search and replace, or whole files. `search` must occur exactly once in its file. `files`, if present,
   * must name exactly the edited files.
   */
  | {
      readonly kind: 'edit';
      readonly description: string;
      readonly files?: readonly string[];
      readonly edits: readonly (SearchReplace | WholeFile)[];
    };

/** A text to search for, and its replacement. */
export interface SearchReplace {
  readonly file: string;
  readonly search: string;
  readonly replace: string;
}

/** The new text of a file, or null to delete it. It must be the only edit of its file. */
export interface WholeFile {
  readonly file: string;
  readonly content: string | null;
}

/** Fields that must be strings, for each kind. */
const REQUIRED_STRINGS: Readonly<Record<string, readonly string[]>> = {
  addFunction: ['path', 'source'],
  modifyFunction: ['path', 'symbol', 'source'],
  extractFunction: ['path', 'symbol'],
  patternReplace: ['path', 'pattern', 'replacement'],
  addParameter: ['path', 'symbol', 'name', 'defaultValue'],
  wrapInCache: ['path', 'symbol'],
  extractToModule: ['path', 'to'],
  inlineConstant: ['path', 'symbol'],
  edit: ['description'],
};
/** Fields that must be strings if they are present, for each kind. */
const OPTIONAL_STRINGS: Readonly<Record<string, readonly string[]>> = {
  addFunction: ['after'],
  addParameter: ['type'],
};

/** Fields that any request may have. */
export interface CommonRequestFields {
  /** The claim of the author about what the change makes better. */
  readonly claim?: ClaimKind;
  /** Tests for a named transform. A request of the kind `edit` has its tests among its edits. */
  readonly tests?: readonly (SearchReplace | WholeFile)[];
}

/**
 * Validates an untrusted value. Returns the request, or the reason why it is not one as a sentence. A value with
 * `edits` but without a `kind` has the kind `edit`. Only the types of the fields are checked.
 */
export function parseTransformRequest(
  value: unknown,
): (TransformRequest & CommonRequestFields) | { readonly refused: string } {
  if (typeof value !== 'object' || value === null) return { refused: 'A transform must be an object with a kind.' };
  const fields = value as Readonly<Record<string, unknown>>;
  const kind = typeof fields['kind'] === 'string' ? fields['kind'] : 'edits' in fields ? 'edit' : '';
  // Only own properties are read, because every object inherits a `constructor`.
  const requiredFields = Object.hasOwn(REQUIRED_STRINGS, kind) ? REQUIRED_STRINGS[kind] : undefined;
  if (!requiredFields)
    return {
      refused: `There is no transform ${kind || 'without a kind'}. There are: ${Object.keys(REQUIRED_STRINGS).join(', ')}.`,
    };
  const invalidField =
    requiredFields.find((name) => typeof fields[name] !== 'string') ??
    OPTIONAL_STRINGS[kind]?.find((name) => fields[name] !== undefined && typeof fields[name] !== 'string');
  if (invalidField !== undefined) return { refused: `${kind} needs a string \`${invalidField}\`.` };
  if (kind === 'extractToModule' && !isNonEmptyStringList(fields['symbols']))
    return { refused: 'extractToModule needs a list `symbols`.' };
  if (kind === 'edit') {
    if (fields['files'] !== undefined && !isNonEmptyStringList(fields['files']))
      return { refused: 'files must be a list of paths.' };
    const { edits } = fields;
    if (!Array.isArray(edits) || !edits.every(isEdit))
      return { refused: 'edits must be a list of { file, search, replace } or { file, content }.' };
  }
  const refusal = explainClaimError(fields, kind);
  return refusal === null
    ? ({ ...fields, kind } as unknown as TransformRequest & CommonRequestFields)
    : { refused: refusal };
}

/** The error in `claim` or `tests` as a sentence; null if there is none. */
function explainClaimError({ claim, tests }: Readonly<Record<string, unknown>>, kind: string): string | null {
  if (claim !== undefined && !STATABLE_CLAIMS.some((claimKind) => claimKind === claim))
    return `claim must be one of: ${STATABLE_CLAIMS.join(', ')}.`;
  if (tests === undefined) return null;
  if (kind === 'edit')
    return '`tests` belongs to a named transform; for the kind `edit`, put the tests among the edits.';
  return Array.isArray(tests) && tests.every(isEdit)
    ? null
    : 'tests must be a list of { file, search, replace } or { file, content }.';
}

/** True for an edit that replaces `search` by `replace`, or that creates (`content`: text) or deletes (null) a file. */
function isEdit(edit: unknown): boolean {
  if (typeof edit !== 'object' || edit === null) return false;
  const { file, search, replace, content } = edit as Readonly<Record<string, unknown>>;
  if (typeof file !== 'string') return false;
  if (content === undefined) return typeof search === 'string' && typeof replace === 'string';
  return (typeof content === 'string' || content === null) && search === undefined && replace === undefined;
}

function isNonEmptyStringList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string');
}
