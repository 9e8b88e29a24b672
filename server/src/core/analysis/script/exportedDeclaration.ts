// The exports of a module as plain data: any parser can provide it, so the rules about documentation need no tree.

import { saysSomething } from './docWords.ts';
import { docCommentAt } from './leadingComments.ts';

/** A function, a class, a type, or a constant that holds a function, at the top level of a file. */
export interface Declared {
  /** `default` if it has no name. */
  readonly name: string;
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'enum' | 'constant function';
  /** End of the previous token. Comments of the declaration are between `pos` and `start`. */
  readonly pos: number;
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Number of top-level statements in the body of a function; an expression counts as one. */
  readonly size: number;
  /** True if exported by its own keyword; lists of exports are handled separately. */
  readonly exported: boolean;
}

/** A declaration that its module exports. */
export interface ExportedDeclaration extends Declared {
  /** Its doc comment with its marks, or null. */
  readonly comment: string | null;
  /** `vacuous`: the doc comment only repeats the name. */
  readonly doc: 'none' | 'vacuous' | 'documented';
}

/** What a module offers to others. */
export interface OfferedByModule {
  readonly text: string;
  readonly exported: readonly ExportedDeclaration[];
  /**
   * `pos` of each declaration, import or export at the top level, except the first statement, whose comment may be
   * about the file.
   */
  readonly places: readonly number[];
}

/**
 * The exported ones among the declarations of a file. Overloads count as one, with the best documentation; those marked
 * `@internal` are left out. `listed`: the names in lists of exports.
 */
export function exportedAmong(
  text: string,
  declared: readonly Declared[],
  listed: ReadonlySet<string>,
): readonly ExportedDeclaration[] {
  const found = new Map<string, ExportedDeclaration>();
  for (const one of declared) {
    if (!one.exported && !listed.has(one.name)) continue;
    const comment = docCommentAt(text, one.pos);
    if (comment?.includes('@internal')) continue;
    const doc = comment === null ? 'none' : saysSomething(comment, one.name) ? 'documented' : 'vacuous';
    const earlier = found.get(one.name);
    if (!earlier || rank(doc) > rank(earlier.doc)) found.set(one.name, { ...one, comment, doc });
  }
  return [...found.values()];
}

function rank(doc: ExportedDeclaration['doc']): number {
  return doc === 'documented' ? 2 : doc === 'vacuous' ? 1 : 0;
}
